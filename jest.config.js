const { bundledNames, bundleFolder } = require('./test/harness/engine/bundle');

// HOSTILE=full (`npm run test:hostile`): all of test/hostile, in full; =sample: all of it, a sample; unset: these files, a sample
const { HOSTILE } = process.env;
const IN_FULL = HOSTILE === 'full';
const SAMPLED =
	'bothReleases/(chaos|sideEffectLoops|declaredParameters)|withoutN8n/(countryNames|decisions|floor|jobReplies|largeReplies|listings|numbers|poisonedReplies|proofs|supplyChain)';

/**
 * Three projects: `unit` needs no n8n engine; the other two run the same integration tests on the two releases of
 * n8n that the package supports, 2.x and 1.x. n8n's own packages come from a bundle of each release (test/harness/engine).
 *
 * `npx jest` runs all three. `npm test` has 2.x in full and little of 1.x (jest.short.config.js); `npm run test:hostile` has
 * all of 1.x.
 */
const shared = {
	// A test file's own globals are slow to read, such as Math in a loop. None that a test replaces, or that a package declares
	sandboxInjectedGlobals:
		'Array BigInt Boolean Error Infinity JSON Map Math Number Object Promise Proxy Reflect RegExp String Symbol TypeError Uint8Array WeakMap isNaN parseInt'.split(
			' ',
		),
	testEnvironment: '<rootDir>/test/harness/engine/environment.js',
	setupFiles: ['<rootDir>/test/harness/setup.js'],
	transform: {
		'^.+\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	testPathIgnorePatterns: HOSTILE ? [] : [`/test/hostile/(?!${SAMPLED})`],
};

const PACKAGES = ['n8n-core', 'n8n-workflow'];
// The base nodes are those of 2.x, which share n8n's luxon
const WITH_BASE_NODES = [...PACKAGES, 'luxon'];

const { N8N_UNBUNDLED } = process.env;
const bundled = (release, names) => ({
	[`^(${names.join('|')})$`]: `${bundleFolder(release)}/node_modules/$1`,
	[`^(${bundledNames('tools').join('|')})$`]: `${bundleFolder('tools')}/node_modules/$1`,
});
const mapped = N8N_UNBUNDLED
	? { unit: {}, '2.x': {}, '1.x': { [`^(${PACKAGES.join('|')})$`]: '$1-1x' } }
	: {
			unit: bundled('2.x', PACKAGES),
			'2.x': bundled('2.x', WITH_BASE_NODES),
			'1.x': bundled('1.x', PACKAGES),
		};

// With HOSTILE=full, unit and 2.x have only what is hostile and what `npm test` has a sample of: it runs the rest
const SAMPLED_UNITS = 'unit/(catalog/(email|fileNames|ipAddress)|engine/sharedPace)';
const unlessInFull = (folder) => (IN_FULL ? [] : [`<rootDir>/test/${folder}`]);
const hostile = (folder) => `<rootDir>/test/hostile/${folder}`;

module.exports = {
	// Tests count, they do not time; the limit only ends what hangs, on a busy machine too. CI runs all in full beside e2e
	testTimeout: IN_FULL ? 300_000 : 60_000,
	maxWorkers: '100%',
	globalSetup: '<rootDir>/test/harness/engine/globalSetup.js',
	projects: [
		{
			...shared,
			displayName: 'unit',
			roots: ['<rootDir>/test/unit', hostile('withoutN8n')],
			testPathIgnorePatterns: IN_FULL
				? [`/test/(?!hostile|${SAMPLED_UNITS})`]
				: shared.testPathIgnorePatterns,
			moduleNameMapper: mapped.unit,
		},
		{
			...shared,
			displayName: 'n8n-2x',
			roots: [...unlessInFull('integration'), hostile('bothReleases')],
			moduleNameMapper: mapped['2.x'],
		},
		{
			...shared,
			displayName: 'n8n-1x',
			roots: ['<rootDir>/test/integration', hostile('bothReleases')],
			moduleNameMapper: mapped['1.x'],
		},
	],
};

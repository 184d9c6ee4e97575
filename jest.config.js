/**
 * Three projects: `unit` needs no n8n engine; the other two run the same integration tests on the two releases of
 * n8n that the package supports, 2.x and 1.x, the second by mapping n8n's own packages to their 1.x releases.
 */
const shared = {
	testEnvironment: 'node',
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
};

const onEngine = ['<rootDir>/test/integration', '<rootDir>/test/hostile/bothReleases'];

module.exports = {
	// Tests count, they do not time; the limit only ends what hangs, on a busy machine too
	testTimeout: 60_000,
	maxWorkers: '100%',
	projects: [
		{
			...shared,
			displayName: 'unit',
			roots: ['<rootDir>/test/unit', '<rootDir>/test/hostile/withoutN8n'],
		},
		{ ...shared, displayName: 'n8n-2x', roots: onEngine },
		{
			...shared,
			displayName: 'n8n-1x',
			roots: onEngine,
			moduleNameMapper: {
				'^n8n-core$': 'n8n-core-1x',
				'^n8n-workflow$': 'n8n-workflow-1x',
			},
		},
	],
};

/**
 * Preload this to run the test harness on another n8n-core, whose folder is in E2E_CORE, with the package in E2E_PACKAGE. The
 * package gets what its n8n gives it and nothing more: NODE_PATH leads it to that n8n's modules, as n8n itself sees to it.
 * The harness is written for later releases. What it needs of them stands here, out of the package's reach.
 */
const Module = require('node:module');
const { delimiter, join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '../../..');
const HARNESS = join(ROOT, 'test/harness');
const { E2E_CORE, E2E_PACKAGE } = process.env;

process.env.NODE_PATH = [join(E2E_CORE, 'node_modules'), resolve(E2E_CORE, '..')].join(delimiter);
Module._initPaths();

const fromCore = Module.createRequire(join(E2E_CORE, 'package.json'));

const forHarness = {
	'n8n-core': () => {
		const core = fromCore(E2E_CORE);
		return { ...core, PackageDirectoryLoader: packedPackageLoader(core), ExternalSecretsProxy };
	},
	'n8n-workflow': () => {
		const workflow = fromCore('n8n-workflow');
		// As n8n does at its start
		workflow.ExpressionEvaluatorProxy.setEvaluator('tournament');
		return { ...workflow, isExpression, createEmptyRunExecutionData };
	},
};

const load = Module._load;
const loaded = {};
// Only when it is asked for: n8n-core reads settings of the process that the harness makes first
Module._load = function (request, parent, ...rest) {
	const isForHarness = parent?.filename?.startsWith(HARNESS) && Object.hasOwn(forHarness, request);
	if (!isForHarness) return load.call(this, request, parent, ...rest);
	return (loaded[request] ??= forHarness[request]());
};

/** The harness loads this clone; users have the packed package. */
function packedPackageLoader({ PackageDirectoryLoader }) {
	return class extends PackageDirectoryLoader {
		constructor(directory, ...rest) {
			super(directory === ROOT ? E2E_PACKAGE : directory, ...rest);
		}
	};
}

/** No secret of a vault is used. */
class ExternalSecretsProxy {}

const isExpression = (value) => typeof value === 'string' && value.startsWith('=');

const createEmptyRunExecutionData = () => ({
	startData: {},
	resultData: { runData: {} },
	executionData: {
		...{ contextData: {}, nodeExecutionStack: [], metadata: {} },
		...{ waitingExecution: {}, waitingExecutionSource: {} },
	},
});

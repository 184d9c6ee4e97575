const { on } = require('node:events');
const { relative, sep } = require('node:path');
const { default: TestRunner } = require('jest-runner');
const environment = require('./environment');

/** Runs the test files that the parent process names, one at a time, as often as it names them. */
module.exports = class extends TestRunner {
	async runTests(tests, watcher) {
		const { rootDir } = tests[0].context.config;
		const nameOf = ({ path }) => relative(rootDir, path).replaceAll(sep, '/');
		const files = new Map(tests.map((test) => [nameOf(test), test]));
		process.send({ files: [...files.keys()] });
		process.once('disconnect', () => process.exit());
		for await (const [job] of on(process, 'message')) {
			environment.job = job;
			process.send(await this.runFile(files.get(job.file), watcher));
		}
	}

	async runFile(test, watcher) {
		// A runner of its own: Jest keeps each result that it hears of
		const runner = new TestRunner(this._globalConfig, this._context);
		let failures;
		runner.on('test-file-success', ([, result]) => (failures = failuresOf(result)));
		runner.on('test-file-failure', ([, error]) => (failures = [notLoaded(error)]));
		const start = Date.now();
		await runner.runTests([test], watcher, { serial: true });
		const ms = Date.now() - start;
		const record = environment.job.mutant === undefined ? environment.latest.record() : undefined;
		environment.latest = undefined;
		return { failures, ms, record, rssMb: process.memoryUsage().rss / 2 ** 20 };
	}
};

/** The titles of the tests that failed. */
function failuresOf({ testExecError, testResults }) {
	if (testExecError) return [notLoaded(testExecError)];
	return testResults
		.filter(({ status }) => status === 'failed')
		.map(({ fullName, failureMessages }) =>
			/Exceeded timeout/.test(failureMessages) ? `hung: ${fullName}` : fullName,
		);
}

function notLoaded({ message }) {
	return `not loaded: ${String(message).split('\n', 1)[0]}`;
}

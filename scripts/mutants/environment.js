const EngineEnvironment = require('../../test/harness/engine/environment');

/** A mutant that makes a loop endless comes by more often than any test's data does. */
const HIT_LIMIT = 10_000_000;

/** How much longer than without a mutant a test may take before it counts as hanging. */
const timeoutOf = (usualMs) => 5_000 + 10 * usualMs;

/**
 * The environment of the tests, with one mutant switched on and only the tests that reach it. After the first failure
 * no further test is run, unless the job is to name all that fail. Without a mutant, it records which tests reach which mutants.
 */
class MutantEnvironment extends EngineEnvironment {
	constructor(...options) {
		super(...options);
		const { mutant } = MutantEnvironment.job;
		this.switch = { activeMutant: mutant, hitCount: 0, hitLimit: HIT_LIMIT };
		this.global.__stryker__ = this.switch;
		MutantEnvironment.latest = this;
	}

	handleTestEvent({ name, test }, { rootDescribeBlock }) {
		if (name === 'run_start') {
			this.tests = testsOf(rootDescribeBlock);
			this.usualMs = this.tests.map(() => 0);
			const { usualMs, only } = MutantEnvironment.job;
			// A mutant can change how many tests a list gives; then all of them are run
			if (only && usualMs.length === this.tests.length) {
				this.tests.forEach((each, index) => (each.timeout ??= timeoutOf(usualMs[index])));
				skipOthers(rootDescribeBlock, new Set(only.map((index) => this.tests[index])));
			}
		}
		if (name === 'test_start') {
			this.switch.currentTestId = String(this.tests.indexOf(test));
			if (this.hasFailed) test.mode = 'skip';
		}
		if (name === 'test_done') {
			this.switch.currentTestId = undefined;
			this.usualMs[this.tests.indexOf(test)] = test.duration ?? 0;
			const { mutant, nameAll } = MutantEnvironment.job;
			this.hasFailed ||= mutant !== undefined && !nameAll && test.errors.length > 0;
		}
	}

	/** The time of each test, in their order, and the mutants reached while the file was loaded and in each test. */
	record() {
		const { static: loaded = {}, perTest = {} } = this.switch.mutantCoverage ?? {};
		return {
			usualMs: this.usualMs ?? [],
			loaded: Object.keys(loaded),
			inTests: Object.entries(perTest).map(([test, hits]) => [Number(test), Object.keys(hits)]),
		};
	}
}

/** What the next file is run for. `runner.js` sets it, and reads `latest`. */
MutantEnvironment.job = {};

module.exports = MutantEnvironment;

function testsOf(block) {
	return block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));
}

/** Skips a block as a whole when nothing in it is wanted, so that its hooks are not run. */
function skipOthers(block, wanted) {
	const isWanted = block.children.map((child) => {
		const has = child.type === 'test' ? wanted.has(child) : skipOthers(child, wanted);
		if (!has) child.mode = 'skip';
		return has;
	});
	return isWanted.includes(true);
}

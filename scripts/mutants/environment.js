const EngineEnvironment = require('../../test/harness/engine/environment');

/** A mutant that makes a loop endless comes by more often than any test's data does. */
const HIT_LIMIT = 10_000_000;

/** Of a test whose usual time isn't known, on a busy machine too. */
const FIRST_LIMIT_MS = 300_000;

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
		this.loaded = new Set();
		this.inTests = [];
		this.reached = this.loaded;
		this.global.__stryker__ = mutant === undefined ? this.recorder() : switchOf(mutant);
		MutantEnvironment.latest = this;
	}

	handleTestEvent({ name, test }, { rootDescribeBlock }) {
		if (name === 'run_start') {
			this.tests = testsOf(rootDescribeBlock);
			this.usualMs = this.tests.map(() => 0);
			const { usualMs, only } = MutantEnvironment.job;
			const isAsUsual = usualMs?.length === this.tests.length;
			this.tests.forEach((each, index) => {
				each.timeout = isAsUsual ? timeoutOf(usualMs[index]) : FIRST_LIMIT_MS;
			});
			// A mutant can change how many tests a list gives; then all of them are run
			if (only && isAsUsual)
				skipOthers(rootDescribeBlock, new Set(only.map((index) => this.tests[index])));
		}
		if (name === 'test_start') {
			this.reached = this.inTests[this.tests.indexOf(test)] ??= new Set();
			if (this.hasFailed) test.mode = 'skip';
		}
		if (name === 'test_done') {
			this.reached = this.loaded;
			this.usualMs[this.tests.indexOf(test)] = test.duration ?? 0;
			const { mutant, nameAll } = MutantEnvironment.job;
			this.hasFailed ||= mutant !== undefined && !nameAll && test.errors.length > 0;
		}
	}

	/** The time of each test, in their order, and the mutants reached while the file was loaded and in each test. */
	record() {
		return {
			usualMs: this.usualMs ?? [],
			failed: (this.tests ?? []).flatMap(({ errors }, index) => (errors.length > 0 ? [index] : [])),
			loaded: [...this.loaded],
			inTests: Array.from(this.inTests, (reached = []) => [...reached]),
		};
	}

	recorder() {
		const reach = (...ids) => {
			for (const id of ids) this.reached.add(id);
		};
		return { mutant: -1, reach };
	}
}

/** What the next file is run for. `runner.js` sets it, and reads `latest`. */
MutantEnvironment.job = {};

module.exports = MutantEnvironment;

function switchOf(mutant) {
	let hits = 0;
	const hit = () => {
		if (++hits > HIT_LIMIT) throw new Error('An endless loop');
		return true;
	};
	return { mutant, hit, reach() {} };
}

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

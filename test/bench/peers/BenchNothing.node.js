const describe = require('./describe.js');

/** Passes the items on: what remains is n8n's own cost of an execution. */
class BenchNothing {
	description = describe('benchNothing');

	async execute() {
		return [this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }))];
	}
}

module.exports = { BenchNothing };

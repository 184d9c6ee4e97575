const describe = require('./describe.js');

/** Puts out as many fields as this package does, and makes no calls: what remains is n8n's own cost of an execution. */
class BenchNothing {
	description = describe('benchNothing');

	async execute() {
		const output = this.getInputData().map(({ json: { number } }, item) => ({
			json: { ...FIELDS, input: number, phoneNumber: number },
			pairedItem: { item },
		}));
		return [output];
	}
}

/** No answer: it must not be counted as one. */
const FIELDS = {
	outcome: 'unknown',
	source: 'none',
	reason: null,
	extension: null,
	whatsapp: null,
};

module.exports = { BenchNothing };

const describe = require('./describe.js');

/** Ends the workflow with one item: how many of its own hold an answer, and how many there are. */
class BenchCount {
	description = describe('benchCount');

	async execute() {
		const items = this.getInputData();
		const delivered = items.filter(({ json }) =>
			[json.whatsapp, json.onWhatsApp].some((value) => typeof value === 'boolean'),
		).length;
		return [[{ json: { delivered, items: items.length }, pairedItem: 0 }]];
	}
}

module.exports = { BenchCount };

const describe = require('./describe.js');

/** Ends the workflow with one item: how many of its own hold an answer, and how many there are. */
class BenchCount {
	description = describe('benchCount');

	async execute() {
		const items = this.getInputData();
		const delivered = items.reduce((sum, { json }) => sum + answersIn(json), 0);
		return [[{ json: { delivered, items: items.length }, pairedItem: 0 }]];
	}
}

/** An item is an answer, or says how many there were. */
const answersIn = ({ whatsapp, onWhatsApp, answers }) =>
	answers ?? Number([whatsapp, onWhatsApp].some((value) => typeof value === 'boolean'));

module.exports = { BenchCount };

const { numbers } = require('./numbers.js');
const describe = require('./describe.js');

/** Emits `items` items with a `number` each, `distinct` of which differ. A webhook's body may say otherwise. */
class BenchSource {
	description = describe('benchSource', {
		properties: [
			{ displayName: 'Items', name: 'items', type: 'number', default: 1 },
			{ displayName: 'Distinct', name: 'distinct', type: 'number', default: 1 },
		],
	});

	async execute() {
		const body = this.getInputData()[0]?.json.body ?? {};
		const items = body.items ?? this.getNodeParameter('items', 0);
		const distinct = body.distinct ?? this.getNodeParameter('distinct', 0);
		return [numbers(items, distinct).map((number) => ({ json: { number }, pairedItem: 0 }))];
	}
}

module.exports = { BenchSource };

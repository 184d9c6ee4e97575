const describe = require('./describe.js');

const AT_ONCE = 64;

/** A plain `execute` as it is usually written, but for a fixed pool: 64 calls at once. */
class BenchPool {
	description = describe('benchPool', {
		credentials: [{ name: 'benchPeerApi', required: true }],
		properties: [{ displayName: 'Number', name: 'number', type: 'string', default: '' }],
	});

	async execute() {
		const { baseUrl } = await this.getCredentials('benchPeerApi');
		const results = this.getInputData().map(() => undefined);
		let next = 0;
		const work = async () => {
			while (next < results.length) {
				const item = next++;
				const json = await this.helpers.httpRequestWithAuthentication.call(this, 'benchPeerApi', {
					url: `${baseUrl}/checkwanumber`,
					qs: { number: this.getNodeParameter('number', item) },
					json: true,
				});
				results[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		return [results];
	}
}

module.exports = { BenchPool };

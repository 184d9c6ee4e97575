const describe = require('./describe.js');

const CREDENTIAL = 'lookupMessagingApi';
const AT_ONCE = 100;

/**
 * What n8n's helper costs by itself: the calls of this package, with its credential and its options, as many at once, and nothing
 * else. No expression is evaluated, no reply is read, and no item comes out for each.
 */
class BenchLoop {
	description = describe('benchLoop', {
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	});

	async execute() {
		const data = await this.getCredentials(CREDENTIAL);
		const url = this.getNodeParameter('url', 0);
		const items = this.getInputData();
		let next = 0;
		let answers = 0;
		const work = async () => {
			while (next < items.length) {
				const { number } = items[next++].json;
				const { statusCode } = await this.helpers.httpRequestWithAuthentication.call(
					this,
					CREDENTIAL,
					{ ...OPTIONS, url, qs: { number } },
					// Else n8n reads and decrypts the credential for each call; it changes what it is given
					{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: { ...data } } },
				);
				answers += Number(statusCode === 200);
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		return [[{ json: { answers }, pairedItem: 0 }]];
	}
}

/** As this package calls. */
const OPTIONS = {
	method: 'GET',
	ignoreHttpStatusErrors: true,
	returnFullResponse: true,
	disableFollowRedirect: true,
	encoding: 'text',
	timeout: 30_000,
};

module.exports = { BenchLoop };

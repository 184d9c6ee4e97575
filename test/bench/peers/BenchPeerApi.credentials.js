/** The usual credential: declared, so that n8n puts the key into the query itself. */
class BenchPeerApi {
	name = 'benchPeerApi';

	displayName = 'Bench Peer API';

	properties = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
		},
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
	];

	authenticate = {
		type: 'generic',
		properties: { qs: { api_key: '={{ $credentials.apiKey }}' } },
	};
}

module.exports = { BenchPeerApi };

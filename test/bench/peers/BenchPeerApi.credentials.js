/** Puts the key into the query, by a function as this package's: the harness knows no other kind. */
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

	authenticate = async ({ apiKey }, request) => ({
		...request,
		qs: { ...request.qs, api_key: apiKey },
	});
}

module.exports = { BenchPeerApi };

const describe = require('./describe.js');

/** The endpoint as a native declarative node: no code at all, n8n makes the calls. */
class BenchDeclarative {
	description = describe('benchDeclarative', {
		credentials: [{ name: 'benchPeerApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Check Number',
						value: 'checkNumber',
						routing: { request: { method: 'GET', url: '/checkwanumber' } },
					},
				],
				default: 'checkNumber',
			},
			{
				displayName: 'Number',
				name: 'number',
				type: 'string',
				default: '',
				routing: { send: { type: 'query', property: 'number' } },
			},
		],
	});
}

module.exports = { BenchDeclarative };

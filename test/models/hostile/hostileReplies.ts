/** Replies with HTTP 200 of a broken or hostile service. */

const CANARY = '{"polluted":true}';
const idOf = (id: string) => JSON.stringify({ status: 'processing', batch_id: id, audit_id: id });

/** The bodies as they are sent. */
export const REPLIES: Array<[name: string, body: string]> = [
	['__proto__', `{"status":true,"__proto__":${CANARY}}`],
	[
		'__proto__ inside',
		`{"status":true,"data":[{"__proto__":${CANARY},"a":1}],"results":[{"__proto__":${CANARY}}]}`,
	],
	['__proto__ in escapes', `{"status":true,"\\u005f_proto__":${CANARY}}`],
	['constructor', `{"status":true,"constructor":{"prototype":${CANARY}},"data":{"constructor":1}}`],
	[
		'names of methods',
		'{"status":true,"toString":1,"valueOf":2,"hasOwnProperty":3,"toJSON":4,"then":5}',
	],
	[
		'objects for texts',
		'{"status":{"toString":1},"error":{"toString":1},"message":{},"batch_id":{"toString":1},"audit_id":{},"number":{"toString":1},"email":{},"data":{"toString":1},"results":{"length":1e9}}',
	],
	['a depth', `{"status":true,"data":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
	['a depth that is bearable', `{"status":true,"data":${'{"a":'.repeat(400)}1${'}'.repeat(400)}}`],
	['a depth of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
	[
		'a result with a depth',
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":${JSON.stringify(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`)}}]}}`,
	],
	[
		'a result with __proto__',
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":${JSON.stringify(`{"__proto__":${CANARY},"a":1}`)}}],"tools":[{"name":"__proto__","inputSchema":{"__proto__":${CANARY}}}]}}`,
	],
	['half characters', '{"status":false,"error":"\\ud83d half"}'],
	['NUL and newlines', '{"status":false,"error":"a\\u0000b\\r\\nX-Injected: 1"}'],
	['a long error', `{"status":false,"error":"${'insufficient '.repeat(100_000)}"}`],
	['a long error without spaces', `{"status":false,"error":"${'not found'.repeat(100_000)}"}`],
	[
		'numbers beyond all',
		'{"status":true,"total_numbers":1e400,"completed":-1e400,"ratelimit_remain":1e400,"ratelimit_seconds":1e400,"valid":true,"whatsapp":true}',
	],
	['an ID that leads upwards', idOf('../../checkbalance')],
	['an ID of two dots', idOf('..')],
	['an ID of encoded dots', idOf('%2e%2e')],
	['an ID with a query', idOf('x?api_key=mine#y')],
	[
		'an ID of half a character',
		'{"status":"processing","batch_id":"\\ud800","audit_id":"\\ud800"}',
	],
	['an ID with a newline', idOf('x\r\nX-Injected: 1')],
	['a long ID', idOf('x'.repeat(200_000))],
	['a long list', `{"status":true,"data":[${'{"a":1},'.repeat(20_000)}{}]}`],
];

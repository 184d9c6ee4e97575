/** One worker of several that share an account: a sample that says how far it is whenever it is asked. */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

let answered = 0;

subscribe('http.client.response.finish', (message) => {
	const { response } = message as { request: ClientRequest; response: IncomingMessage };
	if (response.statusCode === 200) answered += 1;
});
process.on('message', (message) => {
	if (message === 'progress') process.send?.({ answered });
});
await import('./sample.mts');

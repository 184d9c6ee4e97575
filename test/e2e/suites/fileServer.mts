import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PDF = Buffer.from('%PDF-1.4 a price list');

/** A web server that has one file at every address. */
export async function serveFile(): Promise<{ url: string; close(): Promise<void> }> {
	const server = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF);
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close: async () => await new Promise((done) => server.close(() => done())),
	};
}

import { readBaseUrl, requestProblem, type ServiceRequest } from '../../engine';

function baseUrlOf(baseUrl: string) {
	const base = readBaseUrl({ baseUrl }, 'main');
	if ('problem' in base) throw new Error(base.problem);
	return base;
}

const BASE = baseUrlOf('https://api.example.com/api/v1');
const to = (path: string, more: Partial<ServiceRequest> = {}): ServiceRequest => ({
	...{ service: 'main', method: 'GET', path },
	...more,
});

describe('a request', () => {
	test.each([
		...['', '/', '/mcp', '/checkemail', '/wavalidation/batch/8c5f', '/batch/a%2Fb'],
		...['/b/%252e'],
	])('to %j is sent, below a host and below a path', (path) => {
		expect(requestProblem(BASE, to(path))).toBeUndefined();
		expect(requestProblem(baseUrlOf('https://geoip.example.com'), to(path))).toBeUndefined();
	});

	test.each([
		...['/batch/..', '/batch/.', '/batch/%2e%2e', '/batch/%2E.', '/b?x=1', '/b#x', '/b\\c'],
		...['/b c', '/b\n'],
	])('to %j would go to another path, and is not sent', (path) => {
		expect(requestProblem(BASE, to(path))).toMatch(/would send the call to another path/);
	});

	test('with half a character in a parameter is not sent, and the reason names the parameter', () => {
		const values = { number: '1', message: 'a\ud83d' };
		const words = /^the parameter "message" contains an unreadable character/;
		expect(requestProblem(BASE, to('/s', { query: values }))).toMatch(words);
		const source = { item: 0, property: 'data', fileName: 'a', mimeType: 'b/c', bytes: 1 };
		const form = { fields: values, file: { field: 'media', source } };
		expect(requestProblem(BASE, to('/s', { form }))).toMatch(words);
		expect(requestProblem(BASE, to('/s', { query: { 'a\ud83d': '1' } }))).toMatch(
			/^the parameter contains/,
		);
		expect(requestProblem(BASE, to('/s', { query: { a: '😀' } }))).toBeUndefined();
	});

	test('with too many characters for a URL is not sent, and the reason says how many', () => {
		const problem = (a: string) => requestProblem(BASE, to('/s', { query: { a } }));
		expect(problem('x'.repeat(31_998))).toBeUndefined();
		expect(problem('é'.repeat(5_334))).toBe(
			'what it sends is too long for a URL: it takes 32,006 characters there, and 32,000 get through. Shorten it',
		);
	});
});

describe('a base URL', () => {
	test.each([
		['https://API.Example.COM:443/api/v1/', 'https://api.example.com/api/v1'],
		['https://bücher.example', 'https://xn--bcher-kva.example'],
		['https://例子.公司/api', 'https://xn--fsqu00a.xn--55qx5d/api'],
		['https://xn--bcher-kva.example//', 'https://xn--bcher-kva.example'],
		['http://[2001:DB8:0::1]:8080/api', 'http://[2001:db8::1]:8080/api'],
		['https://api.example.com/a%20b', 'https://api.example.com/a%20b'],
		['https://api.example.com/ü', 'https://api.example.com/%C3%BC'],
	])('%s is read as %s', (entered, url) => {
		expect(baseUrlOf(entered)).toMatchObject({ url });
	});

	test.each([
		...['localhost', 'LOCALHOST:3000', 'a.localhost', '127.0.0.1', '127.9.9.9:1', '[::1]'],
		...['[::ffff:127.0.0.1]'],
	])('at %s is on this machine, and secure without https', (host) => {
		expect(baseUrlOf(`http://${host}`).isInsecure).toBe(false);
	});

	test.each([
		...['api.example.com', '10.0.0.1', 'localhost.example', '127.0.0.1.example', '[::2]'],
		...['128.0.0.1', '0.0.0.0'],
	])('at %s is on another machine, and insecure without https', (host) => {
		expect(baseUrlOf(`http://${host}`).isInsecure).toBe(true);
		expect(baseUrlOf(`https://${host}`).isInsecure).toBe(false);
	});
});

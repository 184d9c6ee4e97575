import type { ServiceRequest } from '../../../nodes/LookupMessaging/engine/operation';
import { isOpenToAll, readRoot } from '../../../nodes/LookupMessaging/engine/roots';
import { requestProblem } from '../../../nodes/LookupMessaging/engine/sendable';
import { inShort, textOf } from '../../../nodes/LookupMessaging/engine/text';

function rootOf(baseUrl: string) {
	const root = readRoot({ baseUrl }, 'main');
	if ('problem' in root) throw new Error(root.problem);
	return root;
}

const ROOT = rootOf('https://api.example.com/api/v1');
const to = (path: string, more: Partial<ServiceRequest> = {}): ServiceRequest => ({
	...{ service: 'main', method: 'GET', path },
	...more,
});

describe('a request', () => {
	test.each([
		'',
		'/',
		'/mcp',
		'/checkemail',
		'/wavalidation/batch/8c5f',
		'/batch/a%2Fb',
		'/b/%252e',
	])('to %j is as it was meant, below a host and below a path', (path) => {
		expect(requestProblem(ROOT, to(path))).toBeUndefined();
		expect(requestProblem(rootOf('https://geoip.example.com'), to(path))).toBeUndefined();
	});

	test.each([
		'/batch/..',
		'/batch/.',
		'/batch/%2e%2e',
		'/batch/%2E.',
		'/b?x=1',
		'/b#x',
		'/b\\c',
		'/b c',
		'/b\n',
	])('to %j would go elsewhere, and is not sent', (path) => {
		expect(requestProblem(ROOT, to(path))).toMatch(/another path than its own/);
	});

	test('with half a character in a parameter is not sent, which is named', () => {
		const values = { number: '1', message: 'a\ud83d' };
		const words = /^the parameter "message" holds half a character/;
		expect(requestProblem(ROOT, to('/s', { query: values }))).toMatch(words);
		const source = { item: 0, property: 'data', fileName: 'a', mimeType: 'b/c', bytes: 1 };
		const form = { fields: values, file: { field: 'media', source } };
		expect(requestProblem(ROOT, to('/s', { form }))).toMatch(words);
		expect(requestProblem(ROOT, to('/s', { query: { 'a\ud83d': '1' } }))).toMatch(
			/^the parameter holds/,
		);
		expect(requestProblem(ROOT, to('/s', { query: { a: '😀' } }))).toBeUndefined();
	});

	test('with more than a URL takes is not sent, and told how much that is', () => {
		expect(requestProblem(ROOT, to('/s', { query: { a: 'x'.repeat(100_000) } }))).toBeUndefined();
		expect(requestProblem(ROOT, to('/s', { query: { a: 'x'.repeat(100_001) } }))).toBe(
			'its values have 100,001 characters, and a URL takes 100,000; give less',
		);
	});
});

describe('a root', () => {
	test.each([
		['https://API.Example.COM:443/api/v1/', 'https://api.example.com/api/v1'],
		['https://bücher.example', 'https://xn--bcher-kva.example'],
		['https://例子.公司/api', 'https://xn--fsqu00a.xn--55qx5d/api'],
		['https://xn--bcher-kva.example//', 'https://xn--bcher-kva.example'],
		['http://[2001:DB8:0::1]:8080/api', 'http://[2001:db8::1]:8080/api'],
		['https://api.example.com/a%20b', 'https://api.example.com/a%20b'],
		['https://api.example.com/ü', 'https://api.example.com/%C3%BC'],
	])('%s is %s', (entered, url) => {
		expect(rootOf(entered)).toMatchObject({ url });
	});

	test.each([
		'localhost',
		'LOCALHOST:3000',
		'a.localhost',
		'127.0.0.1',
		'127.9.9.9:1',
		'[::1]',
		'[::ffff:127.0.0.1]',
	])('at %s is on this machine', (host) => {
		expect(isOpenToAll(rootOf(`http://${host}`))).toBe(false);
	});

	test.each([
		'api.example.com',
		'10.0.0.1',
		'localhost.example',
		'127.0.0.1.example',
		'[::2]',
		'128.0.0.1',
		'0.0.0.0',
	])('at %s is at another machine, and open to all without https', (host) => {
		expect(isOpenToAll(rootOf(`http://${host}`))).toBe(true);
		expect(isOpenToAll(rootOf(`https://${host}`))).toBe(false);
	});
});

describe('any value as text', () => {
	const circle: { self?: unknown } = {};
	circle.self = circle;
	test.each<[value: unknown, text: string]>([
		[undefined, ''],
		[null, ''],
		[0, '0'],
		[false, 'false'],
		[10n, '10'],
		[Symbol('x'), 'Symbol(x)'],
		['a', 'a'],
		[[1, null], '[1,null]'],
		[{ toString: 1 }, '{"toString":1}'],
		[Object.create(null), '{}'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
		[() => 1, ''],
		[circle, '(a value that cannot be written down)'],
		[{ a: 1n }, '(a value that cannot be written down)'],
	])('%p is %j', (value, text) => {
		expect(textOf(value)).toBe(text);
	});

	test('is shown in short, without half characters', () => {
		expect(inShort('abc', 3)).toBe('abc');
		expect(inShort('abcd', 3)).toBe('ab…');
		expect(inShort('a😀b', 3)).toBe('a\ufffd…');
	});
});

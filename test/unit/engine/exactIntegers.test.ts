import { parseExactly, parseReply as parse, withExactIntegers } from '../../engine';
import { parseMessages } from '../../../nodes/LookupMessaging/operations/toolServer/conversation';
import { inOneGo } from '../fakes/inOneGo';

const parseReply = (body: unknown) => inOneGo(parse(body));

describe('an integer of the service', () => {
	test.each([
		['12345678901234567890', '12345678901234567890'],
		['-12345678901234567890', '-12345678901234567890'],
		['9007199254740992', '9007199254740992'],
		['9007199254740991', 9007199254740991],
		['1234567890123456', 1234567890123456],
		['51.50735100000000123', 51.507351],
		['12345678901234567890.5', Number('12345678901234567890.5')],
		['1e0000000000000000001', 10],
		['1e-0000000000000000001', 0.1],
		['1e+0000000000000000001', 10],
		['"12345678901234567890"', '12345678901234567890'],
		['"a\\"12345678901234567890"', 'a"12345678901234567890'],
		['"\\\\", "y": 12345678901234567890, "z": "\\\\"', '\\'],
	])('keeps its digits if a number would lose them: %s', (json, value) => {
		const text = `{"x": ${json}, "last": [99999999999999999999]}`;
		expect(parseExactly(text)).toMatchObject({ x: value, last: ['99999999999999999999'] });
		expect(parseReply(text)).toMatchObject({ x: value });
		const batch = `[{"jsonrpc": "2.0", "result": ${text}}]`;
		expect(inOneGo(parseMessages(batch))).toMatchObject([{ result: { x: value } }]);
	});

	test('in a text that is no JSON is unchanged, and the text is refused as before', () => {
		for (const text of ['{"a": 12345678901234567890', '{"a": "12345678901234567890', '"\\'])
			expect(() => parseExactly(text)).toThrow(SyntaxError);
	});

	test.each([
		['integers', (length: number) => `[${'12345678901234567890,'.repeat(length / 21)}1]`],
		['quotes', (length: number) => `[12345678901234567890${',"a"'.repeat(length / 4)}]`],
		['escaped quotes', (length: number) => `["${'\\"'.repeat(length / 2)}",12345678901234567890]`],
		['backslashes', (length: number) => `["${'\\\\'.repeat(length / 2)}",12345678901234567890]`],
	])('is searched for in slices, with any number of %s', (_, of) => {
		let slices = 0;
		const steps = withExactIntegers(of(1_000_000));
		while (!steps.next().done) slices += 1;
		expect(slices).toBeLessThanOrEqual(16);
		expect(slices).toBeGreaterThanOrEqual(_ === 'backslashes' ? 1 : 15);
	});
});

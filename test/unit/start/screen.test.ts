import { parseLeads } from '../../../scripts/demo/csv';
import { asCell, csvRows, jsonRows } from '../../../scripts/demo/outputRows';
import { readOptions } from '../../../scripts/demo/options.mts';
import { answersTable } from '../../../scripts/demo/answersTable';
import { widthOf, wrap } from '../../../scripts/demo/textWidth';

const answer = (input: string, outcome: string, more: object = {}) => ({
	...{ input, outcome, source: 'service', reason: null },
	...more,
});

function enriched(name: string, phone = answer('+442079460018', 'positive')) {
	const file = parseLeads(`Notes,name,phone\n-x,"${name}",${phone.input}`, 'f');
	const item = {
		phoneCheck: { ...phone, carrier: 'A Carrier With A Long Name', lineType: 'landline_or_mobile' },
		whatsAppCheck: answer(phone.input, 'negative', {
			source: phone.outcome === 'negative' ? 'local' : 'service',
		}),
		emailCheck: answer('a@b.example', 'unknown', { reason: 'catch_all' }),
		locationCheck: answer('', 'negative', { source: 'local' }),
		signals: { channels: ['phone'], countryMismatch: null },
	};
	return { file, answers: [{ lead: file.leads[0], item }] };
}

describe('the table of answers', () => {
	it.each([80, 100, 120])('fits %d columns, whatever the names are', (columns) => {
		for (const name of ['A', 'A name of many words that goes on and on', '王'.repeat(40)]) {
			const lines = answersTable(enriched(name).answers, columns).split('\n');
			expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
		}
	});

	it('says what it leaves out on a narrow terminal', () => {
		expect(answersTable(enriched('A').answers, 80)).toMatch(/Left out .*: .*Carrier/);
		expect(answersTable(enriched('A').answers, 140)).not.toMatch(/Left out/);
	});

	it('calls a lead without a name by its row, and tells empty, spared and unknown apart', () => {
		const { answers } = enriched('', answer('555', 'negative'));
		const text = answersTable(answers, 120);
		expect(text).toMatch(/│ row 2 .*│ invalid .*│ not asked ° │ unknown .*│ no input ° │/);
		expect(text).toMatch(/Email: catch-all, the mail server accepts every address/);
	});
});

describe('wrapping', () => {
	it('breaks between words, and in words that are too long', () => {
		expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
		expect(wrap('incomprehensible', 6)).toEqual(['incomp', 'rehens', 'ible']);
		expect(wrap('王小明', 4)).toEqual(['王小', '明']);
		expect(wrap('', 4)).toEqual(['']);
	});
});

describe('the output file', () => {
	it('has the own columns first, as they are, then the answers', () => {
		const { file, answers } = enriched('A');
		const [header, row] = csvRows(file, answers);
		expect(header.slice(0, 5)).toEqual([
			...['Notes', 'name', 'phone'],
			...['phoneCheck.input', 'phoneCheck.outcome'],
		]);
		expect(header.slice(-2)).toEqual(['signals.channels', 'signals.countryMismatch']);
		expect(row.slice(0, 3)).toEqual(["'-x", 'A', '+442079460018']);
		expect(jsonRows(file, answers)).toEqual([
			{ Notes: '-x', name: 'A', phone: '+442079460018', ...answers[0].item },
		]);
	});

	it('does not write over columns of the same name', () => {
		const { answers } = enriched('A');
		const file = parseLeads('phone,phoneCheck.outcome\n1,mine', 'f');
		const [header] = csvRows(file, [{ ...answers[0], lead: file.leads[0] }]);
		expect(header).toContain('phoneCheck2.outcome');
		expect(header).toContain('emailCheck.outcome');
	});

	it.each(['=1+1', '＝1', '@SUM(A1)', '+cmd', '-x', '\t=1', '\r1'])('guards %j', (text) => {
		expect(asCell(text)).toBe(`'${text}`);
	});
	it.each(['', 'a=1', '+44 (0)20-7946', '＋４９ １７１', '-5.5', 'a@b.c'])('keeps %j', (text) => {
		expect(asCell(text)).toBe(text);
	});
});

describe('the options of an own service', () => {
	const key = { LOOKUP_MESSAGING_API_KEY: 'k' };
	const roots = ['--base-url', '--lookup-url', '--geoip-url'];
	const given = roots.flatMap((root) => [root, 'https://x.example/api/v1']);

	it('are the key and the addresses of the hosts that the lookups ask', () => {
		expect(readOptions([], {}).own).toBeUndefined();
		expect(readOptions(given, key).own?.apiKey).toBe('k');
		expect(() => readOptions([], key)).toThrow(
			/base-url .*for WhatsApp[^]*lookup-url .*for phone[^]*geoip-url .*for IP[^]*mcp-url is not needed/,
		);
		expect(() => readOptions(given.slice(0, 4), key)).toThrow(/Missing:\n- --geoip-url/);
		expect(() => readOptions(given, {})).toThrow(/given without a key/);
		expect(() => readOptions([...given, '--base-url', 'x.example'], key)).toThrow(/http or https/);
	});
});

import fc from 'fast-check';
import {
	isOtherCountry,
	isOtherNumber,
} from '../../../nodes/LookupMessaging/operations/shared/phone/sameNumber';
import { readPageUrl } from '../../../nodes/LookupMessaging/operations/shared/url';

/** URLs as people paste them, and numbers and countries as services name them. */

const URLS = [
	...['https://forum.example/r/tea/comments/1abc/'],
	...['http://www.forum.example/?id=1&u=https://b.example/2'],
	...['https://x.example/a/status/1,2', 'https://wiki.example/Tea_(drink)'],
	...['https://wiki.example/a[1]?b={c}#d', 'https://müller.example/ü'],
];
const urlFrom = (text: string) => {
	const read = readPageUrl(text, 'Post URL', 'the URL of a post');
	return typeof read === 'string' ? read : read.local;
};

test.each(URLS)('The URL field reads %j without the marks of a text around it.', (url) => {
	const [before, after] = ['"<([{\'“`*', '"\'”`*,;.:!>)]}'];
	const runOf = (marks: string) => fc.string({ unit: fc.constantFrom(...marks), maxLength: 4 });
	const isShortened = (marks: string) => marks.includes('...');
	fc.assert(
		fc.property(runOf(before), runOf(after), (start, end) => {
			expect(urlFrom(`${start}${url}${end}`)).toBe(isShortened(end) ? 'malformed' : url);
		}),
		{ seed: 4 },
	);
	for (const scheme of ['https://', 'http://', 'https:', 'https://http://'])
		expect(urlFrom(`${scheme}${url}`)).toBe(url);
});

test('The URL field refuses two URLs, whatever joins them.', () => {
	const separators = ['', ',', ';', '|', ' ', ', ', '\n', '),(', '"', '/'];
	const first = URLS.filter((url) => !url.includes('?') && !url.includes('#'));
	for (const one of first) {
		for (const other of URLS) {
			for (const separator of separators)
				expect(urlFrom(`${one}${separator}${other}`)).toBe('malformed');
		}
	}
	expect(urlFrom('x.example/a/1,x.example/b/2')).toBe('malformed');
	expect(urlFrom('https://x.example/?a=1,www.x.example/?a=2')).toBe('malformed');
});

test.each([
	...['http:https//x.example/a', 'https//x.example/a', 'https;//x.example/a', 'https:/x.example/a'],
	...['https://x..example/a', 'https://.x.example/a', 'https://x.example,/a'],
	'https://x.example\\a',
	...['https://www.https://x.example/a', 'https://x.example/{{ id }}', 'https://x.example/<id>'],
	...['https://x.example/a/status/12…', 'x.example/a/status/1...', '[a](https://x.example/a)'],
])('The URL field refuses %j.', (text) => {
	expect(urlFrom(text)).toBe('malformed');
});

/** Numbers in the form of WhatsApp or of an older plan, and that of their country's plan. */
const TWO_FORMS = [
	['+525512345678', '+5215512345678'],
	['+541123456789', '+5491123456789'],
	['+553187654321', '+5531987654321'],
	// Of longer numbers
	['+2290197123456', '+22997123456'],
	['+2250707123456', '+22507123456'],
];
test.each(TWO_FORMS)('A reply about %s may name it as %s, and the other way round.', (...pair) => {
	for (const [asked, said] of [pair, [...pair].reverse()]) {
		const next = said.replace(/\d$/, (digit) => `${(Number(digit) + 1) % 10}`);
		const spellings = (number: string) => [number, number.slice(1), `00${number.slice(1)}`];
		for (const text of spellings(said))
			expect([text, isOtherNumber(text, asked)]).toEqual([text, false]);
		for (const text of spellings(next))
			expect([text, isOtherNumber(text, asked)]).toEqual([text, true]);
	}
});

test.each([
	['+972591234567', 'PS', false],
	['+262692123456', 'FR', false],
	['+38344123456', 'RS', false],
	['+972591234567', 'FR', true],
	['+33612345678', 'PS', true],
])('A reply about %s may name the country %s, or be about another number: %s', (...of) => {
	const [asked, country, isOther] = of;
	expect(isOtherCountry(country, asked)).toBe(isOther);
});

test('A landline of Brazil is another number than the mobile number with a 9 before it.', () => {
	expect(isOtherNumber('+5511933334444', '+551133334444')).toBe(true);
});

import fc from 'fast-check';
import { readEmailAddress } from '../../../nodes/LookupMessaging/operations/shared/email/emailAddress';
import {
	isOtherCountry,
	isOtherNumber,
} from '../../../nodes/LookupMessaging/operations/shared/phone/sameNumber';
import { readPageUrl } from '../../../nodes/LookupMessaging/operations/shared/url';
import { readPhoneNumber } from '../../../nodes/LookupMessaging/operations/shared/phone/phoneNumber';

/** Values as people paste them from other programs, and what is asked; a kind of local answer where nothing is. */

const told = (read: unknown) =>
	typeof read === 'string' ? read : (Object(read).number ?? Object(read).local);

test.each<[pasted: string, country: string, asked: string]>([
	['https://web.whatsapp.com/send?phone=33612345678', 'NL', '+33612345678'],
	['www.wa.me/33612345678', 'BR', '+33612345678'],
	['api.whatsapp.com/send?phone=33612345678', 'NL', '+33612345678'],
	['https://whatsapp.com/33612345678', 'NL', '+33612345678'],
	['https://x.com/ada/status/2025550123', 'US', 'incomplete'],
	['https://wa.link/7911123456', 'GB', 'incomplete'],
	['https://api.whatsapp.com/send?phone=5511991234-5678', '', '+55119912345678'],
	['https://wa.me/447911-123456', 'DE', '+447911123456'],
	['https://api.whatsapp.com/send?phone=%2B44%207911%20123456&text=Hi', '', '+447911123456'],
	['https://api.whatsapp.com/send?phone=+49 (171) 1234567', '', '+491711234567'],
	['https://wa.me/491711234567/?text=Hi', '', '+491711234567'],
	['https://wa.me/491711234567, https://wa.me/491711234568', '', 'incomplete'],
	['https://wa.me/491711234567x', '', 'incomplete'],
	['510-8271-4496', '', 'incomplete'],
	['44 07911 123456', '', '+447911123456'],
	['447911 123456', '', '+447911123456'],
	['202 24916259', '', 'incomplete'],
	['(731) 6529 9659', '', 'incomplete'],
	['9 351 555-1234', '', 'incomplete'],
	['0030 (0)210 1234567', '', '+302101234567'],
	['011 30 (0)210 1234567', 'US', '+302101234567'],
	['0082 (0)10 2345 6789', 'KR', '+821023456789'],
	['0039 (0)347 1234567', '', 'incomplete'],
	['020 7946 0018, 0019', 'GB', 'incomplete'],
	['+49 30 1234567; 68', '', 'incomplete'],
	['+12025550143,123', '', '+12025550143'],
	['447911123456+', '', '+447911123456'],
	['plus 44 7911 123456', '', '+447911123456'],
	['\ufe6244 7911 123456', '', '+447911123456'],
	['\u207a447911123456', 'NL', '+447911123456'],
	['12025550102@c.us', '', '+12025550102'],
	['12025550102@s.whatsapp.net', 'DE', '+12025550102'],
	['+44 7911 123456 ada@example.com', '', 'incomplete'],
	['sip:+447911123456@example.com', '', 'incomplete'],
	['*+12025550102*', '', '+12025550102'],
	['* +44 7911 123456', '', '+447911123456'],
	['*31#', '', 'malformed'],
	['ada1985@example.com', '', 'malformed'],
])('The phone field reads %j with Country %j as %j.', (pasted, country, asked) => {
	expect(told(readPhoneNumber(pasted, country))).toBe(asked);
});

test.each<[pasted: string, asked: string]>([
	...[
		...['smtp:ada@mail.example', '邮箱：ada@mail.example', '📧ada@mail.example'],
		...['ada@mail.example!', 'ada\\_b@mail.example', '~ada@mail.example~', '%20ada@mail.example'],
		...['ada%2Btea@mail.example', '"Ada","ada@mail.example"', '"email":"ada@mail.example"'],
		...[
			'to=ada@mail.example',
			'email=ada@mail.example',
			'ada@my\u2011mail.example',
			'ada@o\u2019mail.example',
		],
	].map((pasted): [string, string] => [pasted, 'incomplete']),
	['a%b=c@mail.example', 'a%b=c@mail.example'],
	['josé@exämple.com', 'josé@xn--exmple-cua.com'],
	['ada@☕.example', 'ada@xn--53h.example'],
	['ada@mail.例え', 'ada@mail.xn--r8jz45g'],
	['ada@@mail.example', 'malformed'],
	['ada@mail..example', 'malformed'],
])('The email field reads %j as %j.', (pasted, asked) => {
	expect(told(readEmailAddress(pasted))).toBe(asked);
});

const URLS = [
	...['https://forum.example/r/tea/comments/1abc/'],
	...['http://www.forum.example/?id=1&u=https://b.example/2'],
	...['https://x.example/a/status/1,2', 'https://wiki.example/Tea_(drink)'],
	...['https://wiki.example/a[1]?b={c}#d', 'https://müller.example/ü'],
];
const urlFrom = (text: string) => told(readPageUrl(text, 'Post URL', 'the URL of a post'));

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

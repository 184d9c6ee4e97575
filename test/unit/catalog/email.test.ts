/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import type { GenericValue } from 'n8n-workflow';
import { equalityKey, isLocalAnswer } from '../../engine';
import { readContact } from '../../../nodes/LookupMessaging/operations/contact/contact';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { spelled } from './spelled';
import { MALFORMED, SPELLINGS, UNCLEAR, VALID } from './emailCorpora';
import { isFullRun } from '../../hostile/fullRun';

const SEED = 16;

/** The address that is sent, or the local answer. */
function sent(email: GenericValue) {
	const question = verifyEmail.prepare({ email });
	return isLocalAnswer(question) ? question : verifyEmail.request(question).query?.email;
}

const keyOf = (email: string) => equalityKey(verifyEmail, verifyEmail.prepare({ email }));

describe.each(Object.entries(VALID))('an address from %s', (_, corpus) => {
	test.each(corpus.map((row) => (typeof row === 'string' ? [row, row] : row)))(
		'%j is looked up as %j, also with spaces and marks around it',
		(given, canonical) => {
			expect(sent(given)).toBe(canonical);
			expect(sent(` \u200b${given}\u00a0\ufeff\n`)).toBe(canonical);
			expect(sent(canonical)).toBe(canonical);
		},
	);
});

describe.each([
	['malformed', MALFORMED],
	['incomplete', UNCLEAR],
] as const)('text that cannot be sent costs nothing and is %s', (local, corpus) => {
	test.each(Object.entries(corpus))('with the reason %s: %s', (reason, texts) => {
		const matching: unknown = expect.stringMatching(new RegExp(reason));
		for (const given of spelled(texts)) {
			expect([given, sent(given)]).toEqual([given, { local, field: 'Email', reason: matching }]);
			const contact = readContact({ lookups: ['email'], email: given });
			expect(contact).toMatchObject({ first: { email: { local, reason: matching } } });
		}
	});
});

describe('the longest', () => {
	const labels = (length: number) => `${'b'.repeat(length)}.`.repeat(4);
	test.each<[string, string, string]>([
		['local part', `${'a'.repeat(64)}@example.com`, `${'a'.repeat(65)}@example.com`],
		['local part in UTF-8', `${'ü'.repeat(32)}@example.com`, `${'ü'.repeat(32)}a@example.com`],
		['label', `a@${'b'.repeat(63)}.example`, `a@${'b'.repeat(64)}.example`],
		['label as A-label', `a@${'ü'.repeat(57)}.example`, `a@${'ü'.repeat(58)}.example`],
		['address', `${'a'.repeat(63)}@${labels(46)}cc`, `${'a'.repeat(64)}@${labels(46)}cc`],
		['domain', `a@${labels(62).slice(0, -1)}c.`, `a@${labels(62)}cd`],
	])('%s is accepted, and one more character is not', (_, taken, refused) => {
		expect(sent(taken)).toEqual(expect.any(String));
		expect(sent(refused)).toMatchObject({ reason: expect.stringMatching(/bytes/) });
	});

	test('value is quoted in short', () => {
		expect(sent('x'.repeat(1000))).toMatchObject({ reason: expect.stringMatching(/^.{50,90}$/) });
	});
});

describe('spellings of addresses', () => {
	test.each(SPELLINGS)('%j and its other spellings are one lookup', (first, ...others) => {
		for (const other of others) expect(keyOf(other)).toBe(keyOf(first));
	});

	test('never equate two different addresses', () => {
		const keys = SPELLINGS.map(([first]) => keyOf(first));
		expect(new Set(keys).size).toBe(SPELLINGS.length);
	});
});

describe('the address suite of RFC 5321 and RFC 5322 (isemail)', () => {
	interface Case {
		address: string;
		category: string;
		diagnosis: string;
	}

	/** The suite writes control characters as the symbols that stand for them. */
	const unescaped = (text: string) =>
		text
			.replace(/&#x([\da-f]+);/gi, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
			.replace(/&lt;/g, '<')
			.replace(/&gt;/g, '>')
			.replace(/&quot;/g, '"')
			.replace(/&amp;/g, '&')
			.replace(/[\u2400-\u241f]/g, (symbol) => String.fromCharCode(symbol.charCodeAt(0) - 0x2400));

	const folder = dirname(require.resolve('email-addresses/package.json'));
	const xml = readFileSync(join(folder, 'test/tests.xml'), 'utf8').replace(/<!--[^]*?-->/g, '');
	const cases = [...xml.matchAll(/<test id="\d+">([^]*?)<\/test>/g)].map(([, body]): Case => {
		const of = (name: string) =>
			unescaped(new RegExp(`<${name}>([^]*?)</${name}>`).exec(body)?.[1] ?? '');
		return { address: of('address'), category: of('category'), diagnosis: of('diagnosis') };
	});
	const isSent = ({ address }: Case) => typeof sent(address) === 'string';

	/** What an SMTP server may be told: RFC 5321, whatever the DNS says of it, and the space around it that forms leave. */
	const VALID = /^ISEMAIL_(?:VALID_CATEGORY|DNSWARN|RFC5321)$/;
	/** Not by the letter, but there are servers that take such mailboxes. */
	const TOLERATED = /_(?:DOT_END|DOT_START)$/;
	/** Space around an address goes before the address is looked at. */
	const isPadded = ({ address }: Case) => address !== address.trim();

	const valid = cases.filter(({ category }) => VALID.test(category));
	const wrong = cases.filter(
		(one) =>
			one.category === 'ISEMAIL_ERR' &&
			!TOLERATED.test(one.diagnosis) &&
			!isPadded(one) &&
			// A quote whose other half was not copied
			!/^"[\w.]+@[\w.]+$/.test(one.address),
	);

	test('are installed', () => {
		expect(cases).toHaveLength(164);
		expect(valid).toHaveLength(39);
	});

	test('have no valid address that the node refuses', () => {
		const refused = valid.filter((one) => !isSent(one));
		expect(refused).toEqual([]);
	});

	test('have no address with a syntax error that costs a credit', () => {
		const paid = wrong.filter(isSent).map(({ address }) => address);
		expect(paid).toEqual([]);
	});

	test('have no control character that passes', () => {
		const withControls = cases.filter(({ address }) => /\p{Cc}/u.test(address.trim()));
		expect(withControls.length).toBeGreaterThan(10);
		expect(withControls.filter(isSent)).toEqual([]);
	});
});

/** Mailbox of RFC 5321 §4.1.2 with the UTF-8 of RFC 6531 §3.3, within the limits of §4.5.3.1. */
const ascii = (from: string, most: number) =>
	fc.string({ unit: fc.constantFrom(...from), minLength: 1, maxLength: most });
const LETTERS_AND_DIGITS = 'abcxyzABCXYZ0189';
const ATEXT = `${LETTERS_AND_DIGITS}!#$%&'*+-/=?^_\`{|}~`;
/** Letters beyond ASCII that any IDNA table has, in one direction. */
const LETTERS = [...'äöüßñçéøłжщяλσς中文日本語ひカ한글देशไทย'].filter(
	(letter) => !/\p{M}/u.test(letter),
);
const unicode = (most: number) =>
	fc.string({ unit: fc.constantFrom(...LETTERS, 'a', '1'), minLength: 1, maxLength: most });
const atom = fc.oneof(ascii(ATEXT, 12), unicode(5));
/** Marks of lists, tables and spreadsheets at the beginning, masks, and codes of URLs: no mailbox that people have. */
const isPasted = (text: string) =>
	/\*\*|^[*|'`]|^(?:b?cc|e-?mail|from|mailto|to)=|^[^"@]*%(?:0[9ad]|2[02b]|3[ce]|40)/i.test(text);
const dotString = fc
	.array(atom, { minLength: 1, maxLength: 4 })
	.map((atoms) => atoms.join('.'))
	// As a spreadsheet writes a formula
	.filter((text) => !text.startsWith('='))
	.filter((text) => !isPasted(text));
const quotedString = fc
	.array(
		fc.oneof(
			fc.constantFrom(...` !#$%&'()*+,-./:;<=>?@[]^_\`{|}~aZ09`, 'é', '中'),
			fc.constantFrom(...' "\\aZ~').map((character) => `\\${character}`),
		),
		{ maxLength: 20 },
	)
	.map((content) => `"${content.join('')}"`);
const asciiLabel = fc
	.tuple(
		ascii(LETTERS_AND_DIGITS, 8),
		fc.constantFrom('', '-', '--', '_'),
		ascii(LETTERS_AND_DIGITS, 8),
	)
	.map((parts) => parts.join(''));
const label = fc.oneof(asciiLabel, unicode(8));
const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const literal = fc.oneof(
	fc.ipV4().map((address) => `[${address}]`),
	fc.ipV6().map((address) => `[IPv6:${address}]`),
);
const mailbox = fc
	.tuple(fc.oneof(dotString, quotedString), fc.oneof({ weight: 4, arbitrary: domain }, literal))
	.filter(([localPart]) => new TextEncoder().encode(localPart).length <= 64)
	// An A-label that is drawn by chance means a label that this table does not know
	.filter(([, host]) => !/(?:^|\.)xn--/i.test(host));

describe('a mailbox of RFC 5321 and RFC 6531', () => {
	test('is never refused, keeps its local part and has the A-labels of Node.js for its domain', () => {
		fc.assert(
			fc.property(mailbox, ([localPart, host]) => {
				const asked = sent(`${localPart}@${host}`);
				if (typeof asked !== 'string') throw new Error(JSON.stringify(asked));
				expect(asked.startsWith(`${localPart.normalize('NFC')}@`)).toBe(true);
				if (host.startsWith('[')) return;
				// A name ahead of it, since Node.js takes a number at the end for an IPv4 address
				const expected = domainToASCII(`${host}.example`).replace(/\.example$/, '');
				expect(asked.slice(localPart.normalize('NFC').length + 1)).toBe(expected);
			}),
			{ seed: SEED, numRuns: isFullRun ? 2_000 : 300 },
		);
	});

	test('shares its key with its other spellings, and with no other address', () => {
		const respell = fc.constantFrom<(host: string) => string>(
			(host) => `${host}.`,
			(host) => host.normalize('NFD'),
			(host) => host.replaceAll('.', '。'),
			(host) => host.replace(/[A-Za-z]/g, (letter) => letter.toUpperCase()),
			(host) =>
				host.replace(/[!-~]/g, (character) =>
					character === '_' || character === '-'
						? character
						: String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0),
				),
			(host) => (domainToASCII(`${host}.example`) || `${host}.example`).replace(/\.example$/, ''),
			(host) => `\u00ad${host}`,
		);
		const named = fc
			.tuple(dotString, domain)
			.filter(
				([localPart, host]) =>
					new TextEncoder().encode(localPart).length <= 64 && !/(?:^|\.)xn--/i.test(host),
			);
		fc.assert(
			fc.property(named, named, respell, ([localPart, host], [otherPart, otherHost], spell) => {
				const key = keyOf(`${localPart}@${host}`);
				expect(keyOf(`${localPart}@${spell(host)}`)).toBe(key);
				if (otherPart !== localPart) expect(keyOf(`${otherPart}@${host}`)).not.toBe(key);
				const ascii = (name: string) => domainToASCII(`${name}.example`);
				if (ascii(otherHost) !== ascii(host)) {
					expect(keyOf(`${localPart}@${otherHost}`)).not.toBe(key);
				}
			}),
			{ seed: SEED, numRuns: isFullRun ? 2_000 : 300 },
		);
	});
});

describe('a domain', () => {
	/** Node.js 20 has the mapping of an older Unicode. */
	const OLDER_MAPPING = ['ẞ'];
	const STEP = isFullRun ? 1 : 5;

	test('is mapped as Node.js maps it, with any character of Unicode, and refused for other forms of an ASCII sign', () => {
		const astray: string[] = [];
		const refused: string[] = [];
		let compared = 0;
		for (let codePoint = 0x80; codePoint < 0x30_000; codePoint += STEP) {
			const character = String.fromCodePoint(codePoint);
			if (/\p{Cs}/u.test(character) || OLDER_MAPPING.includes(character)) continue;
			// The second from right to left, which has rules of its own
			for (const host of [`a${character}b.com`, `א${character}א.com`]) {
				const expected = domainToASCII(host);
				if (expected === '') continue;
				const asked = sent(`x@${host}`);
				if (typeof asked === 'string') {
					compared += 1;
					if (asked !== `x@${expected}`) astray.push(`${codePoint.toString(16)}: ${asked}`);
				} else if (host.startsWith('a')) refused.push(character);
			}
		}
		expect(astray).toEqual([]);
		expect(compared).toBeGreaterThan(140_000 / STEP);
		// Such as ⑴ and ＋
		expect(refused.length).toBeGreaterThan(50 / STEP);
		// And dashes and quotes of fonts
		const isSign = (character: string) =>
			/[!-,./:-@[-^`{-~\u2010-\u2015\u2018-\u201f\u2212]/.test(character.normalize('NFKC'));
		expect(refused.filter((character) => !isSign(character))).toEqual([]);
	});
});

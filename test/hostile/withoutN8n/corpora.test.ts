/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';

import fc from 'fast-check';
import { expectEqual } from '../../harness/expectEqual';
import { isFullRun } from '../fullRun';
import {
	type AnyOperation,
	equalityKey,
	isLocalAnswer,
	type Params,
	type Part,
} from '../../engine';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';

/** The question that an operation makes of its parameters, or why it makes none. */
function ask(operation: AnyOperation, given: Params): { question: unknown } | { refused: string } {
	const prepared = operation.prepare(given);
	const parts = (prepared as { parts?: Array<Part<unknown>> }).parts;
	const question = parts ? parts[0].question : prepared;
	return isLocalAnswer(question)
		? { refused: `${question.local}: ${question.reason}` }
		: { question };
}

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
	const sent = ({ address }: Case) => 'question' in ask(verifyEmail, { email: address });

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
		const refused = valid.filter((one) => !sent(one));
		expect(refused).toEqual([]);
	});

	test('have no address with a syntax error that costs a credit', () => {
		const paid = wrong.filter(sent).map(({ address }) => address);
		expect(paid).toEqual([]);
	});

	test('have no control character that passes', () => {
		const withControls = cases.filter(({ address }) => /\p{Cc}/u.test(address.trim()));
		expect(withControls.length).toBeGreaterThan(10);
		expect(withControls.filter(sent)).toEqual([]);
	});
});

describe('IP addresses', () => {
	const RUNS = isFullRun ? 1_500 : 40;
	const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
	const addresses = fc.array(group, { minLength: 8, maxLength: 8 });

	/** All ways to write one, by RFC 4291 §2.2: zeros, case, each run of zeros left out, the end in decimals. */
	function spellingsOf(groups: number[]): string[] {
		const hex = groups.map((value) => value.toString(16));
		const quad = groups
			.slice(6)
			.flatMap((value) => [value >> 8, value & 255])
			.join('.');
		const long = groups.map((value) => value.toString(16).padStart(4, '0'));
		const shortened = hex.flatMap((_, from) =>
			hex.flatMap((__, to) => {
				if (to < from || !groups.slice(from, to + 1).every((value) => value === 0)) return [];
				return [`${hex.slice(0, from).join(':')}::${hex.slice(to + 1).join(':')}`];
			}),
		);
		const plain = [
			hex.join(':'),
			long.join(':'),
			`${hex.slice(0, 6).join(':')}:${quad}`,
			...shortened,
		];
		return plain.flatMap((text) => [
			text,
			text.toUpperCase(),
			`[${text}]`,
			` ${text}\n`,
			`${text}%eth0`,
		]);
	}

	test('are read in every spelling, and looked up once for all spellings', () => {
		fc.assert(
			fc.property(addresses, (groups) => {
				const spellings = spellingsOf(groups);
				const keys = spellings.map((ipAddress) => {
					const asked = ask(locateIp, { ipAddress });
					return 'question' in asked
						? equalityKey(locateIp, asked.question)
						: asked.refused.split(':')[0];
				});
				expectEqual([spellings, keys.includes('malformed')], [spellings, false]);
				expectEqual([spellings, new Set(keys).size], [spellings, 1]);
			}),
			{ seed: 6, numRuns: RUNS },
		);
	});

	test('are the texts that Node reads as one, whatever was changed in a text', () => {
		const bent = fc
			.tuple(
				fc.oneof(fc.ipV4(), fc.ipV6()),
				fc.nat(),
				fc.constantFrom(...'0123456789abcdefg:.%/[] -'),
			)
			.map(([text, at, put]) => {
				const place = at % (text.length + 1);
				return text.slice(0, place) + put + text.slice(place + (at % 2));
			});
		fc.assert(
			fc.property(bent, (ipAddress) => {
				const asked = ask(locateIp, { ipAddress });
				// Two addresses with a space between them are incomplete: which one is meant is unknown
				const isOne = !('refused' in asked && /^(?:incomplete|malformed)/.test(asked.refused));
				// A port, a zone, brackets, a final dot and the length of a whole address are left out here, and with them what Node says of them
				const bare = ipAddress
					.trim()
					.replace(/\.$/, '')
					.replace(/^(\d+(?:\.\d+){3}|\[.*\]):\d{1,5}$/, '$1')
					.replace(/^\[(.*)\]$/, '$1')
					.replace(/\/128$/, '')
					.replace(/^(.*:.*)%[\w.~-]+$/, '$1');
				expectEqual([ipAddress, isOne], [ipAddress, isIP(bare) !== 0 && !bare.includes('%')]);
			}),
			{ seed: 7, numRuns: isFullRun ? 20_000 : 600 },
		);
	});
});

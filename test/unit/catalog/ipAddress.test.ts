/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { isIP } from 'node:net';
import fc from 'fast-check';
import { equalityKey, isLocalAnswer, type LocalAnswer } from '../../engine';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';
import { readIpAddress } from '../../../nodes/LookupMessaging/operations/shared/ip/ipAddress';
import {
	ALLOCATED,
	CARRYING,
	carried,
	edgesOf,
	isGlobal,
	NOT_UNICAST,
	SPECIAL,
	textOf,
	type Block,
	type Family,
} from '../../models/ip/ianaVerdict';
import { expectEqual } from '../../harness/expectEqual';
import { isFullRun } from '../../hostile/fullRun';

const BLOCKS = [...SPECIAL, ...NOT_UNICAST, ...ALLOCATED];

/** Whether an address is looked up. Any other has to be called reserved, not malformed. */
function isAsked(address: string): boolean {
	const read = readIpAddress(address);
	if (typeof read !== 'string') expect([address, read.local]).toEqual([address, 'reserved']);
	return typeof read === 'string';
}

const reasonOf = (address: string) => (readIpAddress(address) as LocalAnswer).reason;

/** The addresses that are read otherwise than IANA's registries say. */
const misread = (family: Family, values: bigint[]) =>
	values
		.map((value) => ({ address: textOf(family, value), asked: isGlobal(family, value) }))
		.filter(({ address, asked }) => isAsked(address) !== asked);

describe("the verdict on an IP address is IANA's", () => {
	test('for all blocks of the registries', () => {
		const count = (blocks: Block[], family: Family) =>
			blocks.filter((block) => block.family === family).length;
		expect([4, 6].map((family) => count(SPECIAL, family as Family))).toEqual([26, 25]);
		expect(ALLOCATED).toHaveLength(36);
		expect(NOT_UNICAST).toHaveLength(3);
	});

	test.each(BLOCKS.map((block) => [block.text, block.name, block] as const))(
		'at both edges of %s, %s, and outside them',
		(_, __, block) => {
			expect(misread(block.family, edgesOf(block))).toEqual([]);
		},
	);

	test.each(CARRYING)('for the IPv4 address inside one of $text', ({ text }) => {
		const blocks = BLOCKS.filter(({ family }) => family === 4);
		for (const ipv4 of [...blocks.flatMap(edgesOf), 0x08080808n]) {
			const values = [carried(text, ipv4)];
			expect(misread(6, values)).toEqual([]);
			expect(isAsked(textOf(6, values[0]))).toBe(isAsked(textOf(4, ipv4)));
		}
	});
});

describe('an IP address', () => {
	test.each([
		['10.0.0.1', 'a private address'],
		['0.0.0.1', 'an address of "this network"'],
		['0.0.0.0', 'the unspecified address'],
		['100.64.0.1', 'a shared address of carrier-grade NAT'],
		['127.0.0.1', 'a loopback address'],
		['169.254.169.254', 'a link-local address'],
		['192.0.0.8', 'a dummy address'],
		['192.0.0.11', 'an address for IETF protocols'],
		['192.88.99.1', 'a deprecated 6to4 relay address'],
		['192.88.99.2', 'a 6a44 relay address'],
		['203.0.113.7', 'a documentation address'],
		['224.0.0.251', 'a multicast address'],
		['240.0.0.1', 'a reserved address'],
		['255.255.255.255', 'the broadcast address'],
		['::', 'the unspecified address'],
		['::1', 'the loopback address'],
		['::8.8.8.8', 'an address that IANA has not allocated'],
		['64:ff9b:1::8.8.8.8', 'a local-use NAT64 address'],
		['100:0:0:1::1', 'a dummy address'],
		['2001:0:4136:e378:8000:63bf:f7f7:f7f7', 'a Teredo address'],
		['2001:10::1', 'a deprecated ORCHID address'],
		['2001:db8::1', 'a documentation address'],
		['2003:4000::1', 'an address that IANA has not allocated'],
		['5f00::1', 'a segment routing (SRv6) address'],
		['fd12:3456::1', 'a private (unique local) address'],
		['fe80::1', 'a link-local address'],
		['fec0::1', 'a site-local address'],
		['ff02::1', 'a multicast address'],
		['::ffff:10.0.0.1', 'an IPv4-mapped address that carries 10.0.0.1, a private address'],
		['64:ff9b::a00:1', 'a NAT64 address that carries 10.0.0.1, a private address'],
		['2002:0a00:0001::', 'a 6to4 address that carries 10.0.0.1, a private address'],
		[
			'2002:c058:6301::',
			'a 6to4 address that carries 192.88.99.1, a deprecated 6to4 relay address',
		],
	])('%s is answered locally: it is %s', (address, what) => {
		expect(readIpAddress(address)).toMatchObject({ local: 'reserved', field: 'IP Address' });
		expect(reasonOf(address)).toBe(`("${address}") is ${what}, so it has no location`);
	});
});

describe('an IP address beside other signs', () => {
	const ADDRESSES = ['8.8.8.8', '2001:4860::8888', '10.0.0.1', 'fe80::1'];
	const is4 = (address: string) => address.includes('.');
	const bracketed = (address: string) => (is4(address) ? address : `[${address}]`);
	/** What people and proxies write around one address (RFC 7239 §4, RFC 4007 §11, RFC 4632 §3.1). */
	const FORMS: Array<(address: string) => string> = [
		(address) => address,
		(address) => `"${address}"`,
		(address) => `'${address}`,
		(address) => `<${address}>`,
		(address) => `${address}.`,
		(address) => `${address},`,
		(address) => `[${address}]`,
		(address) => `${bracketed(address)}:443`,
		(address) => `"${bracketed(address)}:443";`,
		(address) => `${address}/${is4(address) ? 32 : 128}`,
		(address) => (is4(address) ? address : `[${address}%eth0]`),
		(address) => `for=${address}`,
		(address) => `For="${bracketed(address)}:4711";host=shop.example;proto=https`,
		(address) => `${address}, ${address}`,
	];
	const forms = ADDRESSES.flatMap((address) => FORMS.map((form) => [form(address), address]));

	test.each(forms)('%s is looked up as %s', (text, address) => {
		const alone = readIpAddress(address);
		if (typeof alone === 'string') expect(readIpAddress(text)).toBe(address);
		else expect(readIpAddress(text)).toMatchObject({ local: alone.local });
	});

	const JOINED = [',', ', ', ' ', ';', '|', '/', '-', '\n', ' - ', ', for='];
	test.each(JOINED)('two of them with %j between them are unknown, not a no', (separator) => {
		for (const [one] of forms) {
			for (const other of ['9.9.9.9', '2001:4860::1', '192.168.0.1']) {
				const read = readIpAddress(`${one}${separator}${other}`);
				expect([one, read]).toEqual([one, expect.objectContaining({ local: 'incomplete' })]);
			}
		}
	});

	test.each<[reason: RegExp, texts: string[]]>([
		[
			/other text beside/,
			[
				...['ip: 8.8.8.8', 'http://8.8.8.8/', 'ip=8.8.8.8', 'IP:8.8.8.8', 'IPv4:8.8.8.8'],
				...['8.8.8.8#53', '["8.8.8.8"]', 'IP地址：8.8.8.8'],
				...['адрес:8.8.8.8', 'unknown, 8.8.8.8', '8.8.8.8 (office)', '8.8.8.8%eth0', '[8.8.8.8'],
			],
		],
		[/is a network/, ['8.8.8.8/24', '8.8.8.0/8', '10.0.0.0/8', '8.8.8.8/0', '2001:4860::/32']],
		[/more than one address/, ['8.8.8.8, 9.9.9.9', '8.8.8.8 255.255.255.0']],
		[/leading zeros/, ['192.168.001.001', '8.8.8.08', '010.8.8.8']],
		[/is a number/, ['3232235777', '134744072', '0x08080808']],
		[
			/has a port/,
			[
				...['::ffff:8.8.8.8:54321', '2001:4860:4860:0:0:0:0:8888:443', '8.8.8.8.53', '8.8.8.8:'],
				...['8.8.8.8.8', '::8.8.8.8:1', '8.8.8[.]8'],
			],
		],
	])('is unknown, not a no, with the reason %s: %j', (reason, texts) => {
		const local = { local: 'incomplete', field: 'IP Address' };
		const unknown = { ...local, reason: expect.stringMatching(reason) as string };
		for (const text of texts) expect([text, readIpAddress(text)]).toEqual([text, unknown]);
	});

	test.each([
		...['for=unknown', 'for=_hidden', '8.8.8', '8.8.8.256', '12:30', 'dns.example'],
		...['08.8.8.256', '4294967296', '12345', '008.8.8', 'Berlin, office'],
	])('%s has no address', (text) => {
		const reason = expect.stringMatching(/isn't an IP address/) as string;
		expect(readIpAddress(text)).toMatchObject({ local: 'malformed', reason });
	});
});

describe('an IP address in another script', () => {
	test.each([
		['full-width', '８．８．８．８', '8.8.8.8'],
		['ideographic full stops', '8。8｡8。8', '8.8.8.8'],
		['Arabic digits', '٨.٨.٨.٨', '8.8.8.8'],
		['full-width letters', '２ａ００：1450：：ＡＢ', '2a00:1450::AB'],
		['full-width brackets and zone', '［２００１：４８６０：：１％ｅｔｈ０］', '2001:4860::1'],
	])('(%s) is sent in ASCII', (_, written, sent) => {
		expect(readIpAddress(written)).toBe(sent);
	});

	test('is answered locally like its ASCII spelling, and quoted as it was written', () => {
		expect(reasonOf('１０．０．０．１')).toBe(
			'("１０．０．０．１") is a private address, so it has no location',
		);
	});

	test.each(['8.8.8.⁸', '8.8.8.⑧', '8.8.8.₈', '8.8.8.Ⅷ', '8.8.8.½', '⒏8.8.8', '8․8․8․8'])(
		'%s is invalid: not every numeral is a digit',
		(written) => {
			expect(readIpAddress(written)).toMatchObject({ local: 'malformed' });
		},
	);
});

describe('an IP address in any spelling', () => {
	const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
	/** Most of them allocated. */
	const addresses = fc
		.tuple(
			fc.constantFrom(0x2606, 0x2606, 0xfe80, 0),
			fc.array(group, { minLength: 7, maxLength: 7 }),
		)
		.map(([first, others]) => [first, ...others]);

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

	/** Texts like addresses. */
	const PATTERNS = [
		/^[0-9]{1,3}(\.[0-9]{1,3}){2,4}$/,
		/^[0-9a-f]{0,5}(:[0-9a-f]{0,4}){1,9}$/,
		/^([0-9a-f]{1,4}:){0,7}:[0-9a-f]{0,4}(:[0-9a-f]{1,4}){0,3}$/,
		/^(::|::ffff:|1:2:3:4:5:6:)[0-9]{1,3}(\.[0-9]{1,3}){3}$/,
	].map((pattern) => fc.stringMatching(pattern));

	test('is looked up once for all spellings', () => {
		const keyOf = (address: string) => {
			const question = locateIp.prepare({ ipAddress: address });
			return isLocalAnswer(question) ? question.local : equalityKey(locateIp, question);
		};
		fc.assert(
			fc.property(addresses, (groups) => {
				const spellings = spellingsOf(groups);
				const [key, ...others] = new Set(spellings.map(keyOf));
				expectEqual([spellings, others, key === 'malformed'], [spellings, [], false]);
				// The spelling of RFC 5952, which URLs have
				const canonical = new URL(`http://[${spellings[0]}]`).hostname.slice(1, -1);
				if (key !== 'reserved') expect(key).toContain(`"${canonical}"`);
			}),
			{ seed: 6, numRuns: isFullRun ? 1_500 : 40 },
		);
	});

	test('is one exactly where Node reads one, whatever was changed in a text', () => {
		const bent = fc
			.tuple(
				fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), ...PATTERNS),
				fc.nat(),
				fc.constantFrom('', ...'0123456789abcdefg:.%/[] -'),
			)
			.map(([text, at, put]) => {
				const place = at % (text.length + 1);
				return put === '' ? text : text.slice(0, place) + put + text.slice(place + (at % 2));
			});
		fc.assert(
			fc.property(bent, (text) => {
				const read = readIpAddress(text);
				const isOne = typeof read === 'string' || !/^(?:incomplete|malformed)/.test(read.local);
				// A port, a zone, brackets, a final dot and the length of a whole address are left out here, and with them what Node says of them
				const bare = text
					.trim()
					.replace(/\.$/, '')
					.replace(/^(\d+(?:\.\d+){3}|\[.*\]):\d{1,5}$/, '$1')
					.replace(/^\[(.*)\]$/, '$1')
					.replace(/\/128$/, '')
					.replace(/^(.*:.*)%[\w.~-]+$/, '$1');
				expectEqual([text, isOne], [text, isIP(bare) !== 0 && !bare.includes('%')]);
			}),
			{ seed: 7, numRuns: isFullRun ? 20_000 : 1_000 },
		);
	});
});

/**
 * Email addresses from documents and tables that others test with, each with what is sent for it. Addresses that are sent as
 * they are stand alone.
 */

type Corpus = Array<string | [given: string, sent: string]>;

/** What SMTP servers take, beside what the random mailboxes and the suite of isemail have. */
export const VALID: Record<string, Corpus> = {
	'RFC 5321 §4.1.3 and appendix D': [
		['Smith@bar.com.', 'Smith@bar.com'],
		'Jones@[123.255.37.2]',
		['Brown@[IPv6:2001:DB8:0:0:0:0:0:1]', 'Brown@[IPv6:2001:db8::1]'],
		['Brown@[IPv6:::FFFF:192.0.2.1]', 'Brown@[IPv6:::ffff:c000:201]'],
	],
	'the example addresses of Wikipedia, "Email address" and "International email"': [
		...['admin@example', 'i.like.underscores@but_they_are_not_allowed_in_this_part'],
		String.raw`"very.(),:;<>[]\".VERY.\"very@\\ \"very\".unusual"@strange.example.com`,
		'user%example.com@example.org',
		['संपर्क@डाटामेल.भारत', 'संपर्क@xn--c2bd4bq1db8d.xn--h2brj9c'],
	],
	'UTS #46 §2.3 (deviations) and RFC 5892, appendix A (joiners in their context)': [
		['a@faß.de', 'a@xn--fa-hia.de'],
		['a@βόλος.com', 'a@xn--nxasmm1c.com'],
		['a@ΒΌΛΟΣ.com', 'a@xn--nxasmq6b.com'],
		['info@ශ්\u200dරී.com', 'info@xn--10cl1a0b660p.com'],
		['info@نامه\u200cای.com', 'info@xn--mgba3gch31f060k.com'],
		'نام\u200cها@example.com',
		'ന്\u200d@example.com',
	],
	'the list of what servers take beyond RFC 5321': [
		...['.leading.dot@example.com', 'trailing.dot.@example.com', 'two..dots@example.com'],
		...['name@_name.example.com', 'name@name_.example.com'],
		['name@❤\ufe0f.example', 'name@xn--qei.example'],
		['name@1א.example', 'name@xn--1-0hc.example'],
		...['name@xn--zzzzzzz.example', 'name@192.0.2.1', '👩\u200d💻@example.com'],
		'"a\u00a0b"@example.com',
	],
};

const long = (label: string, count: number) => Array.from({ length: count }, () => label).join('.');

/** What no SMTP server can take, with a part of the reason. */
export const MALFORMED: Record<string, Array<[given: string, reason: RegExp]>> = {
	'address literals': [
		['a@[266.266.266.266]', /brackets don't hold an IP address/],
		['a@[1.2.3]', /brackets don't hold an IP address/],
		['a@[1.2.3.4].com', /brackets don't hold an IP address/],
		['a@[2001:db8::1]', /brackets don't hold an IP address/],
		['a@[IPv6:fe80::1%eth0]', /brackets don't hold an IP address/],
		['a@[tag:text]', /brackets don't hold an IP address/],
	],
	lengths: [
		[`"${'a'.repeat(63)}"@example.com`, /more than the 64 bytes before the @/],
		[`a@${'b'.repeat(64)}.com`, /longer than the 63 bytes/],
		[`a@xn--${'b'.repeat(60)}.com`, /longer than the 63 bytes/],
		[`a@${long('b'.repeat(50), 5)}`, /longer than the 253 bytes|longer than the 254 bytes/],
		[`a@${long('ü'.repeat(40), 6)}`, /longer than the 253 bytes/],
		[`${'a'.repeat(64)}@${long('b'.repeat(47), 4)}`, /longer than the 254 bytes/],
		[`a@${'.'.repeat(2_000)}`, /longer than any email address/],
	],
	labels: [
		['name@example..com', /starts with a dot/],
		['name@.example.com', /starts with a dot/],
		['name@.', /nothing after the @/],
		['name@\u00ad.com', /starts with a dot/],
		['name@-example.com', /hyphen/],
		['name@example-.com', /hyphen/],
		['name@example!.com', /character that a domain can't have/],
		['name@exam%70le.com', /character that a domain can't have/],
		['name@℀.com', /character that a domain can't have/],
		['name@xn--ü.com', /character that a domain can't have/],
		['name@exa\ue000mple.com', /character that a domain can't have/],
		['name@é\u200da.com', /invisible joiner/],
		['name@👩\u200d💻.com', /invisible joiner/],
	],
	'local parts': [
		['name', /has no @/],
		['no address@', /nothing after the @/],
		['<>', /has no @/],
		['mailto:?subject=Hello', /has no @/],
		['@example.com', /nothing before the @/],
		['name@', /nothing after the @/],
		['@', /nothing before/],
		['a@b@example.com', /has two @/],
		['a@b@c@example.com', /more than two @/],
		['na[me]@example.com', /only allowed in quotes/],
		['"a".b@example.com', /only allowed in quotes/],
		[String.raw`"a\©"@example.com`, /only allowed in quotes/],
		['"a\u0007"@example.com', /only allowed in quotes/],
	],
};

/** What may hold an address that the text does not tell for sure, with a part of the reason. */
export const UNCLEAR: typeof MALFORMED = {
	'a formula': [
		['=name@example.com', /begins with =/],
		['="name@example.com"', /begins with =/],
	],
	'an address beside a label or a port': [
		['name@example.com:25', /character that a domain can't have/],
		['na:me@example.com', /only allowed in quotes/],
	],
	spaces: [
		['na\u00a0me@example.com', /space before the @/],
		['na\u2028me@example.com', /space before the @/],
		['na\nme@example.com', /space before the @/],
		['name@exam\u00a0ple.com', /after the @: it contains a space/],
	],
	'several addresses': [
		['name@example.com, other@example.com', /more than one address/],
		['name@example.com other@example.com', /more than one address/],
		['mailto:name@example.com,other@example.com', /more than one address/],
		['other@example.com <name@example.com>', /more than one address/],
		['<name@example.com> <other@example.com>', /more than one address/],
	],
	'other text': [
		['name(comment)@example.com', /only allowed in quotes/],
		['name@example.com (comment)', /space/],
		['na,me@example.com', /only allowed in quotes/],
		['Email: name@example.com', /space before the @/],
		['name@example,com', /character that a domain can't have/],
		['Name "N" 5" <name@example.com>', /other text beside the address/],
		['Name <name@example.com', /other text beside the address/],
		['name at example.com', /has no @/],
		['name@example[dot]com', /no valid domain/],
	],
	'signs beside the address': [
		['ada%40example.com', /has no @/],
		['a@example.com/b@example.com', /has two @/],
		['a@example.com|b@example.com', /has two @/],
		['ada@example.com?subject=x', /no valid domain/],
		['name@example.com/path', /character that a domain can't have/],
		['[ada@example.com', /before the @/],
		['{{ada@example.com}}', /no valid domain/],
	],
	'an address that is cut off or masked': [
		...[
			...['john.doe@company.co...', 'ada@exa...', 'ada@ex…', 'ada@example.com..', 'ada@exa...,'],
			...['jo...@example.com', '...da@example.com', '…@example.com', '<ada@exa...>', '"ada@exa…"'],
			...['ad***@example.com', 'a**@example.com', '**a@example.com', 'a••@example.com'],
			...['a***@e***.com', 'ada@exa**', 'mailto:ada@exa...'],
		].map((given): (typeof MALFORMED)[string][number] => [given, /is cut off or masked/]),
	],
	'a sign of a font': [
		['o’neil@example.com', /quote or ligature of a font/],
		['ada‑b@example.com', /dash, quote/],
		['\ufb01nn@example.com', /ligature/],
	],
	'a lost character': [
		['name@m\ufffdller.com', /character that a domain can't have/],
		['m\ufffdller@example.com', /lost a character/],
	],
};

/** Each row has the spellings of one address. No two rows share one. */
export const SPELLINGS: string[][] = [
	[
		...['ada@example.com', "'ada@example.com", 'ada@example.com"', '•ada@example.com'],
		...['* ada@example.com', '|ada@example.com|', 'ada@example.com•', 'ada@example.com/'],
	],
	['Name@example.com', 'Name@EXAMPLE.com', 'Name@example.com.', 'mailto:Name@example.com?cc=a@b.c'],
	[
		'name@example.com',
		'name＠example.com',
		'ｎａｍｅ＠ｅｘａｍｐｌｅ．ｃｏｍ',
		'name@ｅｘａｍｐｌｅ．ｃｏｍ',
		'name@example。com',
		'name@example｡com',
	],
	[
		'NAME@example.com',
		'MAILTO:NAME@Example.com',
		'mailto://NAME@example.com',
		'mailto:%4EAME@example.com',
	],
	[
		'n.ame@example.com',
		'\ufeffn.ame@example.com\u200b',
		'n.ame@exam\u00adple.com',
		'\u202an.ame@example.com\u202c',
	],
	[
		...['zoe@example.com', 'Zoe K <zoe@example.com>', '"K, Zoe" <zoe@example.com>'],
		...['"Zoe (Berlin)" <zoe@example.com>', 'Zoe K<zoe@EXAMPLE.com>;'],
		...['zoe@example.com <zoe@example.com>'],
		...[
			'mailto:<zoe@example.com>',
			'<zoe@example.com>.',
			'< zoe@example.com >',
			'“zoe@example.com”',
		],
		...[
			'"Zoe K <zoe@example.com>",',
			'zoe@example.com ;',
			', zoe@example.com',
			'zoe@example.com，',
		],
		...['zoe@example.com.', '**zoe@example.com**', 'Zoe K... <zoe@example.com>'],
		...['zoe \u00a0@\texample.com', 'Zoe <zoe @ example.com>'],
	],
	['name+a@example.com', 'na\u200cme+a@exam\u200dple.com', '\u200dname+a@example.com\u200c'],
	[
		...['jürgen@müller.example', 'ju\u0308rgen@mu\u0308ller.example'],
		...['jürgen@MÜLLER.example', 'jürgen@xn--mller-kva.example'],
		...['jürgen@XN--MLLER-KVA.example', 'mailto:j%C3%BCrgen@m%C3%BCller.example'],
	],
	['Jürgen@müller.example'],
	['a@faß.example', 'a@FAẞ.example', 'a@xn--fa-hia.example'],
	['a@fass.example'],
	['a@ශ්\u200dරී.example', 'a@xn--10cl1a0b660p.example'],
	['a@ශ්රී.example', 'a@xn--10cl1a0b.example'],
	['نام\u200cها@example.com'],
	['نامها@example.com'],
	['a@[192.0.2.1]', 'a@[192.000.002.001]'],
	['a@192.0.2.1'],
	['a@[IPv6:2001:db8::1]', 'a@[ipv6:2001:DB8:0:0:0:0:0:1]'],
	['"A@B"@example.com'],
	['"A@b"@example.com'],
	['"name"@example.com'],
];

import { spelled } from './spelled';

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
		'a%b=c@mail.example',
		['josé@exämple.com', 'josé@xn--exmple-cua.com'],
		['ada@mail.例え', 'ada@mail.xn--r8jz45g'],
		...['.leading.dot@example.com', 'trailing.dot.@example.com', 'two..dots@example.com'],
		...['name@_name.example.com', 'name@name_.example.com'],
		['name@❤\ufe0f.example', 'name@xn--qei.example'],
		['name@1א.example', 'name@xn--1-0hc.example'],
		...['name@xn--zzzzzzz.example', 'name@192.0.2.1', '👩\u200d💻@example.com'],
		'"a\u00a0b"@example.com',
	],
};

/** What no SMTP server can take, by the reason, a regular expression, in spellings with bars between them. */
export const MALFORMED: Record<string, string> = {
	"brackets don't hold an IP address": `a@[266.266.266.266] | a@[1.2.3] | a@[1.2.3.4].com |
		a@[2001:db8::1] | a@[IPv6:fe80::1%eth0] | a@[tag:text]`,
	'longer than the 63 bytes': `a@xn--${'b'.repeat(60)}.com`,
	'longer than any email address': `a@${'.'.repeat(2_000)}`,
	'starts with a dot': `name@example..com | name@.example.com | name@\u00ad.com`,
	hyphen: `name@-example.com | name@example-.com`,
	"character that a domain can't have": `name@example!.com | name@exam%70le.com | name@℀.com |
		name@xn--ü.com | name@exa\ue000mple.com`,
	'invisible joiner': `name@é\u200da.com | name@👩\u200d💻.com`,
	'has no @': `name | <> | mailto:?subject=Hello`,
	'nothing before the @': `@example.com | @`,
	'nothing after the @': `name@ | no address@ | name@.`,
	'has two @': `a@b@example.com | ada@@mail.example`,
	'more than two @': 'a@b@c@example.com',
	'only allowed in quotes': `na[me]@example.com | "a".b@example.com | "a\\©"@example.com |
		"a\u0007"@example.com`,
};

/** What may hold an address that the text does not tell for sure, likewise. */
export const UNCLEAR: typeof MALFORMED = {
	'begins with =': `=name@example.com | ="name@example.com"`,
	"character that a domain can't have": `name@example.com:25 | name@example,com |
		name@example.com/path | name@m\ufffdller.com`,
	'only allowed in quotes': `na:me@example.com | name(comment)@example.com | na,me@example.com`,
	'space before the @': `na\u00a0me@example.com | na\u2028me@example.com | na\nme@example.com |
		Email: name@example.com`,
	'after the @: it contains a space': `name@exam\u00a0ple.com | name@example.com (comment)`,
	'more than one address': `name@example.com, other@example.com | name@example.com other@example.com |
		mailto:name@example.com,other@example.com | other@example.com <name@example.com> |
		<name@example.com> <other@example.com>`,
	'other text beside the address': `Name "N" 5" <name@example.com> | Name <name@example.com`,
	'has no @': `name at example.com | ada%40example.com`,
	'has two @': `a@example.com/b@example.com | a@example.com|b@example.com`,
	'no valid domain': `ada@example.com?subject=x | name@example[dot]com | {{ada@example.com}} |
		ada@mail.example! | ~ada@mail.example~`,
	'before the (?:@|address)': `[ada@example.com | 📧ada@mail.example | "Ada","ada@mail.example" |
		邮箱：ada@mail.example | "email":"ada@mail.example" |
		smtp:ada@mail.example | ada\\_b@mail.example`,
	'is cut off or masked': `john.doe@company.co... | ada@exa... | ada@ex… | ada@example.com.. |
		ada@exa..., | jo...@example.com | ...da@example.com | …@example.com | <ada@exa...> |
		"ada@exa…" | ad***@example.com | a**@example.com | **a@example.com | a••@example.com |
		a***@e***.com | ada@exa** | mailto:ada@exa...`,
	'copied from a URL': `%20ada@mail.example | ada%2Btea@mail.example | to=ada@mail.example |
		email=ada@mail.example`,
	'dash, quote or ligature of a font before the @': `o’neil@example.com | ada‑b@example.com |
		\ufb01nn@example.com`,
	'dash or quote of a font behind the @': `ada@my\u2011mail.example | ada@o\u2019mail.example`,
	'lost a character': 'm\ufffdller@example.com',
};

/** Each row has the spellings of one address, with bars between them. No two rows share one. */
export const SPELLINGS = [
	`ada@example.com | 'ada@example.com | ada@example.com" | •ada@example.com | * ada@example.com |
	|ada@example.com| | ada@example.com• | ada@example.com/`,
	`Name@example.com | Name@EXAMPLE.com | Name@example.com. | mailto:Name@example.com?cc=a@b.c`,
	`name@example.com | name＠example.com | ｎａｍｅ＠ｅｘａｍｐｌｅ．ｃｏｍ | name@ｅｘａｍｐｌｅ．ｃｏｍ |
	name@example。com | name@example｡com`,
	`NAME@example.com | MAILTO:NAME@Example.com | mailto://NAME@example.com |
	mailto:%4EAME@example.com`,
	`n.ame@example.com | \ufeffn.ame@example.com\u200b | n.ame@exam\u00adple.com |
	\u202an.ame@example.com\u202c`,
	`zoe@example.com | Zoe K <zoe@example.com> | "K, Zoe" <zoe@example.com> |
	"Zoe (Berlin)" <zoe@example.com> | Zoe K<zoe@EXAMPLE.com>; | zoe@example.com <zoe@example.com> |
	mailto:<zoe@example.com> | <zoe@example.com>. | < zoe@example.com > | “zoe@example.com” |
	"Zoe K <zoe@example.com>", | zoe@example.com ; | , zoe@example.com | zoe@example.com， |
	zoe@example.com. | **zoe@example.com** | Zoe K... <zoe@example.com> |
	zoe \u00a0@\texample.com | Zoe <zoe @ example.com>`,
	`name+a@example.com | na\u200cme+a@exam\u200dple.com | \u200dname+a@example.com\u200c`,
	`jürgen@müller.example | ju\u0308rgen@mu\u0308ller.example | jürgen@MÜLLER.example |
	jürgen@xn--mller-kva.example | jürgen@XN--MLLER-KVA.example |
	mailto:j%C3%BCrgen@m%C3%BCller.example`,
	'Jürgen@müller.example',
	`a@faß.example | a@FAẞ.example | a@xn--fa-hia.example`,
	'a@fass.example',
	`a@ශ්\u200dරී.example | a@xn--10cl1a0b660p.example`,
	`a@ශ්රී.example | a@xn--10cl1a0b.example`,
	'نام\u200cها@example.com',
	'نامها@example.com',
	`a@[192.0.2.1] | a@[192.000.002.001]`,
	'a@192.0.2.1',
	`a@[IPv6:2001:db8::1] | a@[ipv6:2001:DB8:0:0:0:0:0:1]`,
	'"A@B"@example.com',
	'"A@b"@example.com',
	'"name"@example.com',
].map((row) => spelled(row) as string[]);

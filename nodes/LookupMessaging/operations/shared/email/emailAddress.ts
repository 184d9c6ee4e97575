import type { INodeProperties } from 'n8n-workflow';
import type { LocalAnswer } from '../../../engine/operation';
import { normalized, numberIn, quote } from '../../../engine/plan/values';
import { MARKS_BUT_JOINERS, readLookedUp, withoutPastedJoiners, withoutWidth } from '../readText';
import { parseUrl } from '../../../engine/network/credential';
import { encodePunycode } from './punycode';

/**
 * Email addresses as SMTP servers take them: the Mailbox of RFC 5321 §4.1.2, with UTF-8 as in RFC 6531 §3.3.
 *
 * Read as another address than the text has:
 * - a domain is mapped as in UTS #46 and loses a dot at its end (`domain.ts`);
 * - a local part is put into NFC (RFC 6532 §3.1); its case stays, and so do quotes that it could do without;
 * - invisible marks go, except joiners in a text that is not all ASCII (`readText.ts`);
 * - of a mailto: link the address stays, percent-decoded (RFC 6068 §2); ?subject= and the like go, and so does // after the colon;
 * - of a name with an address in < and > the address stays, and quotes around the whole text go;
 * - a comma, semicolon, full stop, bullet, bar or lone quote at an end goes, and so does a space beside the @;
 * - a full-width or small @ is one where there is no other, and full-width letters and digits become ASCII (RFC 8265 §3.3.1).
 *
 * Taken although RFC 5321 has no such address, because servers do:
 * - dots anywhere in a local part;
 * - underscores anywhere in a domain, and a dot at its end;
 * - symbols such as emoji in a domain, but not in its last label, and labels whose characters run in both directions;
 * - labels that begin with `xn--` and are no Punycode.
 *
 * Refused although RFC 6531 allows them:
 * - spaces beyond ASCII in a local part without quotes, dashes, quotes and ligatures of fonts, which are pasted;
 * - percent codes of spaces, quotes, +, @, < and >, and a beginning such as `email=`, which are copied from a URL;
 * - the replacement character U+FFFD, which stands for a character that was lost;
 * - an ellipsis (three dots, or two at an end) and two asterisks, which stand for what was cut off or masked.
 *
 * Refused although RFC 5322 allows them in headers: comments, folding, and address literals of no IP address.
 *
 * A text that can't be sent may still hold an address beside other text, or with a lost character. It's unknown, not a no.
 */

export const emailField: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@example.com',
	description: 'The email address to check. No email is sent.',
};

/** A mailto: link may hold a whole letter. */
const MAX_IN_LINK = 10_000;
/** A longer text is no address in any spelling. */
const MAX_CHARACTERS = 1_000;
/** RFC 5321 §4.5.3.1.1. */
const MAX_IN_LOCAL_PART = 64;
/** RFC 5321 §4.5.3.1.3: a path has 256 octets, with its < and >. */
const MAX_IN_ADDRESS = 254;

/** RFC 5321 atext, dots, and all beyond ASCII. */
const UNQUOTED_LOCAL_PART = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]|[^\p{ASCII}\s\p{Cc}])+$/u;
/** RFC 5321 Quoted-string: no controls, and only ASCII after a backslash. */
const QUOTED_LOCAL_PART = /^"(?:[^"\\\p{Cc}]|\\[ -~])*"$/u;

/** Separators of values, signs beside one, and the sign of a lost character. */
const BESIDE_ADDRESS = /[\s,;()<>，；、\ufffd]/;
const HAS_BOTH_SIDES = /\S\s*@\s*\S/;
/** In words, or encoded for a URL or a web page. */
const AT_IN_WORDS = /[\s([{<]at[\s)\]}>]|%40|&(?:#0*64|#x0*40|commat);/i;
/** Signs that no domain has, brackets around an address, and a separator between two. */
const BESIDE_DOMAIN =
	/@[^@]*[/|?&"'•*#{}=\\]|^[[{]|@[^@[]*\]|@[^@]*[/|&][^@]*@|@[^@]*[[{]dot[\]}]/i;
/** Signs that may remain at the ends of a copied value: separators, bullets, and the lines of a table. */
const AT_ENDS = /^[\s,;，；、|*•·]+|(?<![\s,;.，；、|*•·/])[\s,;.，；、|*•·/]+$/g;
/** An ellipsis, or signs that stand for letters that are left out. */
const CUT_OFF = /\u2026|\.{3}|[*•]{2}/;
const AFTER_LAST_LETTER = /^.*[\p{L}\p{N}\p{M}]/su;
/** Two asterisks on both sides, as Markdown has them around bold text. */
const IN_BOLD = /^\*\*([^*]*)\*\*$/;
/** The mark of a spreadsheet for text, and a quote whose other half is missing. */
const LONE_QUOTE = /^['‘’`]|^["“”](?=[^"“”]*$)|(?<=^[^"“”]*)["“”]$|['‘’`]$/g;
/** No address ends with a quote. */
const IN_QUOTES = /^(?:"(.*)"|'(.*)'|“(.*)”|‘(.*)’|«(.*)»)$/s;
const NAMED = /^((?:"(?:[^"\\]|\\.)*"|[^"<>])*)<([^<>]*)>$/s;
/** A usual address within a text. */
const INSIDE =
	/(?<![a-z\d.+-])[a-z\d][\w.+-]{0,63}@[a-z\d][a-z\d.-]{0,250}\.[a-z]{2,24}(?![\w.-])/i;
/** A sign before a usual address, which is pasted: a dash, a bullet, a quote, a picture, or a label with its colon. */
const STUCK_BEFORE = /^[^\p{ASCII}\p{L}\p{M}\p{N}]+(?=[a-z\d])|\uff1a|\p{Co}/iu;
/** Signs as URLs have them, and the name of a parameter or header: RFC 5321 allows both, and no mailbox has them. */
const OF_URL = /^[^"@]*%(?:0[9ad]|2[02b]|3[ce]|40)|^(?:b?cc|e-?mail|from|mailto|to)=/i;
const DASHES_AND_QUOTES = '\\u2010-\\u2015\\u2018-\\u201f\\u2212';
/** Signs that fonts and word processors put in place of those that were typed. Behind the @, IDNA 2008 has no place for the first two kinds. */
const OF_FONT = new RegExp(`[${DASHES_AND_QUOTES}\\ufb00-\\ufb06]`);
const DASH_OR_QUOTE = new RegExp(`[${DASHES_AND_QUOTES}]`);
const QUOTED_TEXT = /"(?:[^"\\]|\\.)*"/g;

const SEVERAL = 'contains more than one address. Enter one per item';

/**
 * Reads an email address.
 * @returns the address in the one form that all equal spellings share, which is what is sent; or the local answer for text that
 * no SMTP server could accept
 */
export function readEmailAddress(value: unknown): LocalAnswer | string {
	const field = emailField.displayName;
	const text = readLookedUp(value, field, 'an email address', MAX_IN_LINK, MARKS_BUT_JOINERS);
	if (typeof text !== 'string') return text;
	const link = withoutMailto(text);
	const refuse = (local: LocalAnswer['local'], what: string): LocalAnswer => ({
		local,
		field,
		reason: `(${quote(link)}) ${what}`,
	});
	if (link.length > MAX_CHARACTERS) return refuse('malformed', 'is longer than any email address');
	if (link.startsWith('='))
		return refuse('incomplete', 'begins with =, as a formula does. Enter the address alone');
	const plain = bareAddress(link);
	const address = plain.includes('@') ? plain : plain.replace(/[\uff20\ufe6b]/, '@');
	const mayHoldOne = HAS_BOTH_SIDES.test(address) ? BESIDE_ADDRESS : AT_IN_WORDS;
	const unquoted = address.replace(QUOTED_TEXT, '');
	if (isCutOff(unquoted)) return refuse('incomplete', 'is cut off or masked. Enter all of it');
	const isUnclear =
		mayHoldOne.test(unquoted) ||
		BESIDE_DOMAIN.test(unquoted) ||
		OF_URL.test(unquoted) ||
		OF_FONT.test(unquoted) ||
		holdsAnother(unquoted) ||
		(link.match(QUOTED_TEXT) ?? []).some(holdsOne);
	const read = readMailbox(address);
	return typeof read === 'string'
		? read
		: refuse(isUnclear ? 'incomplete' : 'malformed', read.problem);
}

function isCutOff(text: string): boolean {
	return CUT_OFF.test(text) || isCutOffAtEnd(text);
}

function isCutOffAtEnd(text: string): boolean {
	return /\.\.|\u2026|\*\*/.test(text.replace(AFTER_LAST_LETTER, ''));
}

/** Whether a text in quotes is an address, as in a row of a table. */
function holdsOne(quoted: string): boolean {
	return typeof readMailbox(quoted.slice(1, -1)) === 'string';
}

/** Whether a whole address stands in a text that is none. */
function holdsAnother(text: string): boolean {
	const [inside] = INSIDE.exec(text) ?? [];
	const isOnly = text.split('@').length === 2 && inside !== text;
	return inside !== undefined && isOnly && typeof readMailbox(inside) === 'string';
}

/** @param address in the spelling of its user, without anything around it */
function readMailbox(address: string): string | { problem: string } {
	const at = address.lastIndexOf('@');
	if (at < 0) return { problem: 'has no @' };
	const local = withoutPastedJoiners(address.slice(0, at).trimEnd());
	const localPart = withoutWidth(normalized(local, 'NFC'));
	const givenDomain = address.slice(at + 1).trimStart();
	const problem = localPartProblem(localPart, givenDomain);
	if (problem !== undefined) return { problem };
	if (DASH_OR_QUOTE.test(givenDomain))
		return { problem: 'has a dash or quote of a font behind the @. Type it' };
	const domain = readDomain(givenDomain);
	if ('problem' in domain) {
		return { problem: `has no valid domain after the @: ${domain.problem}` };
	}
	const canonical = `${localPart}@${domain.ascii}`;
	return Buffer.byteLength(canonical) > MAX_IN_ADDRESS
		? { problem: `is longer than the ${MAX_IN_ADDRESS} bytes that mail servers accept` }
		: canonical;
}

/**
 * The address without signs that people copy with it: "Zoe K <zoe@example.com>", quotes around all of it, and a comma, a
 * semicolon or a full stop at an end. A name that is another address stays, since either may be meant.
 */
function bareAddress(text: string): string {
	const trimmed = withoutEnds(text.replace(IN_BOLD, '$1'));
	const quoted = IN_QUOTES.exec(trimmed)?.find(
		(inside, group) => group > 0 && inside !== undefined,
	);
	if (quoted !== undefined) return bareAddress(quoted);
	const [, name, inside] = NAMED.exec(trimmed) ?? [];
	if (inside === undefined) return withoutEnds(trimmed.replace(LONE_QUOTE, ''));
	const address = bareAddress(withoutMailto(inside));
	const isClear = !name.includes('@') || bareAddress(name).toLowerCase() === address.toLowerCase();
	return isClear ? address : trimmed;
}

/** What is cut off stays so. */
function withoutEnds(text: string): string {
	return isCutOffAtEnd(text) || /^\s*(?:\*\*|\u2026|\.{3})/.test(text)
		? text
		: text.replace(AT_ENDS, '');
}

/** The address of a mailto: link (RFC 6068 §2), and any other text unchanged. */
function withoutMailto(text: string): string {
	const address = /^mailto:(?:\/\/)?([^?]*)/i.exec(text)?.[1];
	if (address === undefined) return text;
	try {
		return decodeURIComponent(address).replace(MARKS_BUT_JOINERS, '');
	} catch {
		// A percent sign that encodes nothing belongs to the address
		return address.replace(MARKS_BUT_JOINERS, '');
	}
}

/** What is wrong with a local part, or with the text as a whole, as a predicate. */
function localPartProblem(localPart: string, domain: string): string | undefined {
	if (localPart === '') return 'has nothing before the @';
	if (domain === '') return 'has nothing after the @';
	if (STUCK_BEFORE.test(localPart)) return 'has a sign before the address. Remove it';
	if (OF_URL.test(localPart))
		return 'is copied from a URL. Enter the address alone, without % codes';
	if (OF_FONT.test(localPart))
		return 'has a dash, quote or ligature of a font before the @. Type it';
	if (/\ufffd/.test(localPart))
		return 'has lost a character (\ufffd). Copy it again from its source';
	if (!UNQUOTED_LOCAL_PART.test(localPart) && !QUOTED_LOCAL_PART.test(localPart)) {
		const unquoted = localPart.replace(QUOTED_TEXT, '');
		if (unquoted.includes('@')) {
			return BESIDE_ADDRESS.test(unquoted) ? SEVERAL : `has ${numberOfAts(unquoted)} @`;
		}
		if (/[<>]/.test(unquoted)) return 'has other text beside the address. Enter the address alone';
		return /^[^"]*\s/.test(localPart)
			? 'has a space before the @. Remove it'
			: 'has a character before the @ that is only allowed in quotes';
	}
	return Buffer.byteLength(localPart) > MAX_IN_LOCAL_PART
		? `has more than the ${MAX_IN_LOCAL_PART} bytes before the @ that mail servers accept`
		: undefined;
}

/** The number of @ signs, including the last one, in words. */
function numberOfAts(localPart: string): string {
	return localPart.split('@').length === 2 ? 'two' : 'more than two';
}

/**
 * The part of an email address after the @, in the one form that all equal spellings share: A-labels (RFC 5890 §2.3.2.1) in lower
 * case without a dot at the end, or an address literal (RFC 5321 §4.1.3). U-labels are mapped as in UTS #46 (non-transitional: ß,
 * ς and joiners in their context stay). This is done here, since the URL class differs between releases of Node.js, refuses
 * labels that run in both directions, reads numbers as IPv4 addresses and decodes percent signs.
 */

/** A domain, or what is wrong with it: the end of a sentence that begins with "it has no valid domain after the @: ". */
export type Domain = { ascii: string } | { problem: string };

/** RFC 1035 §2.3.4: 255 octets on the wire are 253 characters. */
const MAX_IN_DOMAIN = 253;
const MAX_IN_LABEL = 63;
/** The full stop, and those that IDNA knows beside it (RFC 3490 §3.1). */
const DOTS = /[.\u3002\uff0e\uff61]/;

/** Letters, digits, hyphens inside, and underscores, which the DNS has although host names do not. */
const ASCII_LABEL = /^(?!-)[a-z0-9_-]+(?<!-)$/;
/** The same with letters and symbols of any script. No label begins with a combining mark (RFC 5891 §5.4). */
const UNICODE_LABEL = /^(?!-|xn--|\p{M})(?:[a-z0-9_-]|\P{ASCII})+(?<!-)$/u;
/** No top-level domain has symbols or punctuation. */
const TOP_LEVEL = /^(?:[\w-]|[^\p{ASCII}\p{P}\p{S}])+$/u;
/** Characters that no IDNA table allows: spaces, controls, format characters, private use, and the sign of a lost character. */
const NEVER_IN_LABEL = /(?![\u200c\u200d])[\s\p{Cc}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\ufffd]/u;

/** RFC 6761 §6.4: no name below it exists. Servers for tests use the other reserved names. */
const NEVER_A_DOMAIN = 'invalid';

export function readDomain(text: string): Domain {
	if (text.startsWith('[')) return readAddressLiteral(text);
	const labels = text.split(DOTS);
	// A dot at the end names the root of the DNS, and not another domain
	if (labels.length > 1 && labels[labels.length - 1] === '') labels.pop();
	const ascii: string[] = [];
	for (const label of labels) {
		const read = readLabel(label);
		if ('problem' in read) return read;
		ascii.push(read.ascii);
	}
	if (!TOP_LEVEL.test(labels[labels.length - 1]))
		return { problem: 'it ends with a sign that no domain has there. Remove it' };
	if (ascii.at(-1) === NEVER_A_DOMAIN) return { problem: 'no domain ends with .invalid' };
	const domain = ascii.join('.');
	if (domain.length > MAX_IN_DOMAIN) {
		return { problem: `it is longer than the ${MAX_IN_DOMAIN} bytes that the DNS allows` };
	}
	return { ascii: domain };
}

function readLabel(label: string): Domain {
	const mapped = mapLabel(withoutPastedJoiners(label));
	if (mapped === '') return { problem: 'it starts with a dot, or has two dots in a row' };
	const isAscii = ASCII_LABEL.test(mapped);
	if (!isAscii && (!UNICODE_LABEL.test(mapped) || NEVER_IN_LABEL.test(mapped))) {
		return { problem: characterProblem(mapped) };
	}
	// A-labels are never shorter, and this bounds the work below
	const isLong = [...mapped].length > MAX_IN_LABEL;
	if (!isLong && hasStrayJoiner(mapped)) {
		return { problem: "it has an invisible joiner where a domain can't have one. Delete it" };
	}
	const ascii = isAscii || isLong ? mapped : `xn--${encodePunycode(mapped)}`;
	return ascii.length > MAX_IN_LABEL
		? { problem: `a part of it is longer than the ${MAX_IN_LABEL} bytes that the DNS allows` }
		: { ascii };
}

function characterProblem(label: string): string {
	if (/\s/.test(label)) return 'it contains a space. Remove it';
	if (/^-|-$/.test(label)) return 'a part of it starts or ends with a hyphen';
	return "it has a character that a domain can't have there";
}

/**
 * Maps a label as UTS #46 does: compatibility forms and capitals become their plain small letters, and ignorable characters are
 * removed. Symbols that the standard forbids stay, since a server may have them.
 */
function mapLabel(label: string): string {
	if (/^\p{ASCII}*$/u.test(label)) return label.toLowerCase();
	const folded = normalized([...normalized(label, 'NFC')].map(foldCharacter).join(''), 'NFC');
	return folded.replace(/(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu, '');
}

/** Small letters that case folding would replace by others. */
const [SHARP_S, FINAL_SIGMA, DOTLESS_I] = 'ßςı';

function foldCharacter(character: string): string {
	if (character === SHARP_S || character === FINAL_SIGMA) return character;
	const plain = normalized(character, 'NFKC');
	if (plain === DOTLESS_I) return plain;
	const capital = plain.toUpperCase();
	// Cherokee folds to capitals
	if (/\p{Script=Cherokee}/u.test(capital)) return capital;
	return normalized(capital.toLowerCase(), 'NFKC');
}

/**
 * Whether a joiner is at a place where IDNA2008 allows none (RFC 5892, appendix A.1 and A.2): it follows a virama or, for U+200C,
 * is between two letters that would join. The URL class knows these letters. It receives only the letters around the joiner, so
 * that nothing else in the label can cause a refusal.
 */
function hasStrayJoiner(label: string): boolean {
	return [...label.matchAll(/[\u200c\u200d]/g)].some(({ 0: joiner, index }) => {
		const before = /\P{M}\p{M}*$/u.exec(label.slice(0, index))?.[0] ?? '';
		const after = /^\p{M}*\P{M}?/u.exec(label.slice(index + 1))?.[0] ?? '';
		return parseUrl(`https://${before}${joiner}${after}.example`) === undefined;
	});
}

/** Reads an IPv4 or IPv6 address in square brackets. No other kind of literal is registered (RFC 5321 §4.1.3). */
function readAddressLiteral(text: string): Domain {
	const numbers = /^\[(\d{1,3}(?:\.\d{1,3}){3})\]$/.exec(text)?.[1].split('.').map(numberIn);
	if (numbers?.every((number = Infinity) => number <= 255))
		return { ascii: `[${numbers.join('.')}]` };
	const ipv6 = /^\[ipv6:([\da-f:.]+)\]$/i.exec(text)?.[1];
	const host = ipv6 === undefined ? undefined : parseUrl(`https://[${ipv6}]`)?.hostname;
	if (host !== undefined) return { ascii: `[IPv6:${host.slice(1)}` };
	return {
		problem: "the brackets don't hold an IP address such as [192.0.2.1] or [IPv6:2001:db8::1]",
	};
}

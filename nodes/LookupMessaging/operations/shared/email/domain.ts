import { parseUrl } from '../../../engine/network/credential';
import { normalized } from '../../../engine/plan/values';
import { withoutPastedJoiners } from '../readText';
import { encodePunycode } from './punycode';

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
	const numbers = /^\[(\d{1,3}(?:\.\d{1,3}){3})\]$/.exec(text)?.[1].split('.').map(Number);
	if (numbers?.every((number) => number <= 255)) return { ascii: `[${numbers.join('.')}]` };
	const ipv6 = /^\[ipv6:([\da-f:.]+)\]$/i.exec(text)?.[1];
	const host = ipv6 === undefined ? undefined : parseUrl(`https://[${ipv6}]`)?.hostname;
	if (host !== undefined) return { ascii: `[IPv6:${host.slice(1)}` };
	return {
		problem: "the brackets don't hold an IP address such as [192.0.2.1] or [IPv6:2001:db8::1]",
	};
}

import { parseUrl } from '../../engine/network/credential';
import type { LocalAnswer } from '../../engine/operation';
import { quote } from '../../engine/plan/values';
import { readText } from './readText';
import { MARKS_BUT_JOINERS, withoutPastedJoiners } from './joiners';

/** Hardly any server accepts a longer one. */
const MAX_CHARACTERS = 8_000;

/**
 * Reads a web address. Returns it trimmed, otherwise unchanged, with https:// if it had no scheme; or the local answer with the
 * problem.
 * @param noun what the field should contain, with its article: "the URL of a post"
 */
export function readUrl(value: unknown, field: string, noun: string): LocalAnswer | string {
	const text = readText(value, field, noun, MAX_CHARACTERS, MARKS_BUT_JOINERS);
	if (typeof text !== 'string') return text;
	const malformed = (reason: string): LocalAnswer => ({
		local: 'malformed',
		field,
		reason: `(${quote(text)}) ${reason}`,
	});

	if (/\s/.test(text)) return malformed('contains a space or line break. Enter one URL per item');
	if (OTHER_SCHEME.test(text)) return malformed("doesn't start with https:// or http://");
	const url = withScheme(withoutPastedJoiners(text));
	if (url === undefined) {
		return malformed(
			"doesn't start with the name of a site. Write it like https://www.example.com",
		);
	}
	return parseUrl(url) ? url : malformed("isn't a complete URL");
}

/** A scheme (RFC 3986 §3.1) that is neither https:// nor http://. Digits after the colon are a port. */
const OTHER_SCHEME = /^(?!https?:\/\/)[a-z][a-z\d+.-]*:(?!\d+(?:[/?#]|$))/i;
/** A host of two labels or more, possibly with a port, and the rest. The last label of a domain is no number (RFC 3696 §2). */
const SITE =
	/^(?:[^\s\p{Cc}.:@/\\?#]+\.)+(?!\d+\.?(?:[:/?#]|$))[^\s\p{Cc}.:@/\\?#]+\.?(?::\d+)?(?:[/?#]|$)/u;

/**
 * The text with https://, if it has no scheme (`//` before the host does not count). Undefined if it does not begin with a site.
 */
function withScheme(text: string): string | undefined {
	if (/^https?:\/\//i.test(text)) return text;
	const rest = text.replace(/^\/\//, '');
	if (!SITE.test(rest)) return undefined;
	const url = `https://${rest}`;
	const host = parseUrl(url)?.hostname;
	// The URL class accepts hosts that are no domains
	return host !== undefined && /^[a-z\d_.-]+$/.test(host) ? url : undefined;
}

/** Reads the URL of something at a site, not of the site itself (SPEC §4.1: "full post URL"). */
export function readPageUrl(value: unknown, field: string, noun: string): LocalAnswer | string {
	const url = readUrl(value, field, noun);
	if (typeof url !== 'string') return url;
	const parsed = parseUrl(url);
	if (parsed && (parsed.pathname !== '/' || parsed.search !== '')) return url;
	return { local: 'malformed', field, reason: `(${quote(url)}) names a site, not ${noun}` };
}

/** The spelling that all equal URLs share: scheme and host in lower case, no default port. */
export function canonicalUrl(url: string): string {
	return parseUrl(url)?.href ?? url;
}

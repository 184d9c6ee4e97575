import { parseUrl } from '../../engine/network/credential';
import type { LocalAnswer } from '../../engine/operation';
import { quote } from '../../engine/plan/values';
import { parseIp } from './ip/parseIp';
import { whatIsNotGlobal } from './ip/reachability';
import { isPlaceholder, MARKS_BUT_JOINERS, readText, withoutPastedJoiners } from './readText';

/** Hardly any server accepts a longer one. */
const MAX_CHARACTERS = 8_000;

/**
 * Reads a web address. Returns it without the marks of a text around it, otherwise unchanged, with https:// if it had no scheme; or
 * the local answer with the problem.
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
	if (SHORTENED.test(text)) return malformed('is cut off. Copy the whole URL');
	const own = withoutMarks(text).replace(REPEATED_SCHEME, '').replace(SLASHES, '$1');
	if (OTHER_SCHEME.test(own)) return malformed("doesn't start with https:// or http://");
	if (NO_URL.test(own)) return malformed('contains a sign that no URL has');
	const url = withScheme(withoutPastedJoiners(own));
	if (url === undefined) {
		return malformed(
			"doesn't start with the name of a site. Write it like https://www.example.com",
		);
	}
	const { hostname: host = '', pathname = '', username, password } = parseUrl(url) ?? {};
	if (!HOST.test(host)) return malformed("isn't a complete URL");
	if (username || password)
		return { local: 'malformed', field, reason: 'has a user name or password. Remove it' };
	const what = whatIsNotGlobal(parseIp(host.replace(/[[\]]/g, '')) ?? '');
	if (what) return malformed(`is at ${what}, which the service can't reach`);
	const site = host.replace(/^www\./, '');
	// n/a is a host with a path
	if ([site, `${site}${pathname}`].some(isPlaceholder)) return malformed('has no site');
	return hasSecond(url, host) ? malformed('contains a second URL. Enter one URL per item') : url;
}

/** How pages show a long URL. */
const SHORTENED = /…|(?<!\.)\.{3,}[^\p{L}\p{N}.]*$/u;
const REPEATED_SCHEME = /^(?:https?:\/{0,2})+(?=https?:\/\/)/i;
const SLASHES = /^(https?:\/\/)\/+/i;
/** RFC 3986 §2 has no place for these, even where browsers accept them. */
const NO_URL = /[<>"`^\\]|\{\{/;
/** A host as the URL class returns it. */
const HOST = /^(?:[a-z\d_-]+\.)*[a-z\d_-]+\.?$|^\[[\da-f:.]+\]$/;

const CLOSING = ')]}';
const MARKS_BEFORE = /^[<("'`‘“«[{*]+/;
const MARKS_AFTER = /(?<![,;.:!'"`’”»>)\]}*])[,;.:!'"`’”»>)\]}*]+$/;

/** The text without the quotes, brackets and punctuation around it. A bracket that is opened within it belongs to it. */
function withoutMarks(text: string): string {
	const [tail = ''] = MARKS_AFTER.exec(text) ?? [];
	let url = text.slice(0, text.length - tail.length).replace(MARKS_BEFORE, '');
	for (const mark of tail) {
		const at = CLOSING.indexOf(mark);
		if (at < 0 || url.lastIndexOf('([{'[at]) <= url.lastIndexOf(mark)) break;
		url += mark;
	}
	return url;
}

/** Whether another URL follows: with a scheme in the path or after a separator, or the same site after one. */
function hasSecond(url: string, host: string): boolean {
	const rest = url.replace(/^https?:\/*/i, '').toLowerCase();
	const site = host.replace(/^www\./, '');
	const [, ...others] = rest.split(/[,;|]/);
	return (
		/^[^?#]*:\/\//.test(rest) ||
		others.some((other) => /^(?:https?:|www\.)/.test(other) || other.startsWith(`${site}/`))
	);
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
	// The URL class accepts hosts that are no domains
	return HOST.test(parseUrl(url)?.hostname ?? '') ? url : undefined;
}

/** Reads the URL of something at a site, not of the site itself (SPEC §4.1: "full post URL"). */
export function readPageUrl(value: unknown, field: string, noun: string): LocalAnswer | string {
	const url = readUrl(value, field, noun);
	if (typeof url !== 'string') return url;
	const parsed = parseUrl(url);
	if (parsed && (parsed.pathname !== '/' || parsed.search !== '')) return url;
	return { local: 'malformed', field, reason: `(${quote(url)}) names a site, not ${noun}` };
}

import { parseUrl } from '../../engine/network/credential';
import type { LocalAnswer } from '../../engine/operation';
import { quote, readText } from '../../engine/plan/values';

/**
 * Reads a complete web address. Returns it trimmed, as it was spelled, or the local answer that says what is wrong with it.
 * @param noun what the field should hold, with its article: "the URL of a post"
 */
export function readUrl(value: unknown, field: string, noun: string): LocalAnswer | string {
	const text = readText(value, field, noun);
	if (typeof text !== 'string') return text;
	const malformed = (reason: string): LocalAnswer => ({
		local: 'malformed',
		field,
		reason: `(${quote(text)}) ${reason}`,
	});

	if (/\s/.test(text)) return malformed('has a space or line break in it; give one URL per item');
	if (!/^https?:\/\//i.test(text)) return malformed('does not begin with https:// or http://');
	return parseUrl(text) ? text : malformed('is not a complete URL');
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

/** Seconds, also as a fraction, which is not in RFC 9110 but in use. */
const SECONDS = /^\d+(?:\.\d+)?$/;
/** Begins like an HTTP date in one of its three spellings (RFC 9110 §5.6.7), or like one of ISO 8601. */
const DATE = /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/;
const HAS_ZONE = /(?:GMT|UTC|Z|[+-]\d\d:?\d\d)$/;

/**
 * The pause of a Retry-After header (RFC 9110 §10.2.3).
 * @param now the present time, in milliseconds since the epoch
 * @returns milliseconds; undefined if the header names no future time: a past date, a sign, a list, nonsense
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim() ?? '';
	const ms = SECONDS.test(text) ? Math.ceil(Number(text) * 1_000) : msUntil(text, now);
	return ms >= 0 && Number.isFinite(ms) ? ms : undefined;
}

/** Milliseconds until a future date, otherwise NaN. The oldest spelling names no zone and means GMT. */
function msUntil(text: string, now: number): number {
	const ms = DATE.test(text) ? Date.parse(HAS_ZONE.test(text) ? text : `${text} GMT`) - now : NaN;
	return ms > 0 ? ms : NaN;
}

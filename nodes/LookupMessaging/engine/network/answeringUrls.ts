/** Which base URLs have answered this process lately. A run of several looks at the others before its first paid call. */

/** How long an answer counts, in milliseconds. */
const COUNTS_MS = 600_000;
/** With so many base URLs, the oldest go. */
const MANY_URLS = 1_000;
const answeredAt = new Map<string, number>();

/** Notes whether a base URL has answered a request, with any HTTP status. */
export function noteAnswer(url: string, hasAnswered: boolean) {
	answeredAt.delete(url);
	if (hasAnswered) answeredAt.set(url, Date.now());
	if (answeredAt.size > MANY_URLS) answeredAt.delete([...answeredAt.keys()][0]);
}

/** Whether a base URL has answered lately, and has been reached ever since. */
export function answersLately(url: string): boolean {
	// The clock may have been set back
	return Math.abs(Date.now() - (answeredAt.get(url) ?? -Infinity)) < COUNTS_MS;
}

/** What a service saw since it was last reset. */
export interface Counted {
	requests: number;
	/** Calls that took a credit. */
	paid: number;
	/** Answers with HTTP 429. */
	refused: number;
	peakSockets: number;
}

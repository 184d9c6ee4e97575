/** What the service itself recorded about one lookup. */
export interface LookupUsage {
	/** Requests that arrived. */
	requests: number;
	/** Requests that got an answer to their question, rather than a refusal or nothing. */
	answered: number;
	/** Requests that got an error. */
	refused: number;
	/** Requests that cost something in the end (a refund takes the cost back). */
	charged: number;
	/** Credits taken, refunds deducted. */
	credits: number;
}

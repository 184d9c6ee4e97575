/** What a service has counted since its last reset. */
export interface ServiceCounts {
	requests: number;
	/** Calls that took a credit. */
	paid: number;
	/** Answers with HTTP 429. */
	refused: number;
	peakSockets: number;
}

/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import type { Socket } from 'node:net';

import type { LooseNumber, RequestRecord } from '../types';

/** What the hosts saw together: the request log, the sockets and the requests in flight. */
export class Traffic {
	readonly log: RequestRecord[] = [];

	/** Phone numbers in spellings that the sandbox does not take. */
	readonly looseNumbers: LooseNumber[] = [];

	private sockets = new Set<Socket>();

	private peakSockets = 0;

	private totalSockets = 0;

	private inFlightNow = 0;

	private peakInFlight = 0;

	connected(socket: Socket) {
		this.sockets.add(socket);
		this.totalSockets += 1;
		this.peakSockets = Math.max(this.peakSockets, this.sockets.size);
		socket.once('close', () => this.sockets.delete(socket));
	}

	/** Notes a request; the returned function notes its end, answered or not. */
	arrived(record: RequestRecord): () => void {
		this.log.push(record);
		this.inFlightNow += 1;
		this.peakInFlight = Math.max(this.peakInFlight, this.inFlightNow);
		return () => {
			this.inFlightNow -= 1;
		};
	}

	connections() {
		return { open: this.sockets.size, peak: this.peakSockets, total: this.totalSockets };
	}

	inFlight() {
		return { now: this.inFlightNow, peak: this.peakInFlight };
	}

	clearLog() {
		this.log.length = 0;
	}

	/** Counts again from what is open now. */
	reset() {
		this.clearLog();
		this.looseNumbers.length = 0;
		this.peakSockets = this.sockets.size;
		this.totalSockets = this.sockets.size;
		this.peakInFlight = this.inFlightNow;
	}

	/** Resolves when every socket is closed. */
	async destroySockets() {
		const closing = [...this.sockets].map((socket) => {
			const closed = new Promise((resolve) => socket.once('close', resolve));
			socket.destroy();
			return closed;
		});
		await Promise.all(closing);
	}
}

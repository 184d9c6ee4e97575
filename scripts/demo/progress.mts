import { LOOKUPS, NODE } from './lookups.ts';
import type { Service } from './service.mts';
import { counted } from './wording.ts';

const REFRESH_MS = 100;
const LINE_EVERY_MS = 5_000;

/** Shows which node works and how many calls it has made: one updating line on a terminal, else plain lines. */
export class Progress {
	private node = '';

	private startedAt = 0;

	private timer?: NodeJS.Timeout;

	constructor(
		private readonly service: Service,
		private readonly items: number,
		private readonly stream: NodeJS.WriteStream = process.stdout,
	) {}

	started(node: string): void {
		this.node = node;
		this.startedAt = Date.now();
		if (!this.isLookup()) return;
		if (this.stream.isTTY) this.draw();
		this.timer = setInterval(() => this.draw(), this.stream.isTTY ? REFRESH_MS : LINE_EVERY_MS);
	}

	finished(status: string | undefined): void {
		this.stop();
		if (!this.isLookup()) return;
		const verdict = status === 'success' ? 'done' : (status ?? 'stopped');
		this.stream.write(`${this.text()}, ${verdict}\n`);
	}

	/** Ends the updating line, also when a node was interrupted. */
	stop(): void {
		if (!this.timer) return;
		clearInterval(this.timer);
		this.timer = undefined;
		this.clearLine();
	}

	private draw(): void {
		this.clearLine();
		this.stream.write(`${this.text()} …${this.stream.isTTY ? '' : '\n'}`);
	}

	private clearLine(): void {
		if (this.stream.isTTY) this.stream.write('\r\u001B[2K');
	}

	private text(): string {
		const seconds = ((Date.now() - this.startedAt) / 1000).toFixed(1);
		return `  ${this.node}: ${counted(this.items, 'lead')}, ${this.calls()}${seconds} s`;
	}

	/** Refused calls apart: the receipt does not count them either. */
	private calls(): string {
		const usages = LOOKUPS.flatMap((lookup) => this.service.usage?.(lookup) ?? []);
		if (usages.length === 0) return '';
		const refused = usages.reduce((sum, usage) => sum + usage.refused, 0);
		const requests = usages.reduce((sum, usage) => sum + usage.requests, 0);
		const made = `${counted(requests - refused, 'call').padStart('1000 calls'.length)}, `;
		return refused > 0 ? `${made}${refused} refused, ` : made;
	}

	private isLookup(): boolean {
		return this.node === NODE;
	}
}

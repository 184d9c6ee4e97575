import { numberIn, SLICE, type Sliced } from '../../engine/plan/values';

/** The size of a line in addition to its characters. */
const LINE = 16;

/** Parses server-sent events as they arrive (WHATWG HTML §9.2.6). */
export class EventParser {
	/** ID of the last event; undefined before the first event that has one. */
	lastEventId?: string;
	/** How long to wait before the stream is requested again, in milliseconds, if the server says so. */
	retryMs?: number;
	private line = '';
	private data: string[] = [];
	private dataLength = 0;
	private id?: string;
	/** Name of the event that has not ended; empty for a message. */
	private event = '';
	private isStart = true;
	private endsWithCr = false;

	/** The size of the event that has not ended, in characters. */
	get pending(): number {
		return this.line.length + this.dataLength;
	}

	/** @returns the data of the messages that end in this text; events with other names are left out */
	*push(text: string): Sliced<string[]> {
		const events: string[] = [];
		let work = 0;
		let start = this.isStart && text.startsWith('\ufeff') ? 1 : 0;
		if (this.endsWithCr && text.startsWith('\n')) start = 1;
		if (text !== '') {
			this.isStart = false;
			this.endsWithCr = text.endsWith('\r');
		}
		const lineEnd = /\r\n|\r|\n/g;
		lineEnd.lastIndex = start;
		for (let end = lineEnd.exec(text); end; end = lineEnd.exec(text)) {
			const event = this.take(this.line + text.slice(start, end.index));
			if (event !== undefined) events.push(event);
			this.line = '';
			work += LINE + end.index - start;
			start = lineEnd.lastIndex;
			if (work > SLICE) {
				work = 0;
				yield;
			}
		}
		this.line += text.slice(start);
		return events;
	}

	/**
	 * The data of the event at the end of a stream, which may lack its empty line. It may also be incomplete, so it does not
	 * count as the last event. The next stream starts from the beginning.
	 */
	end(): string | undefined {
		const { lastEventId } = this;
		const event = this.take(this.line) ?? this.take('');
		Object.assign(this, { lastEventId, id: undefined, line: '', isStart: true, endsWithCr: false });
		return event;
	}

	/** Takes a line. An empty one ends an event, whose data are returned. */
	private take(line: string): string | undefined {
		if (line === '') {
			if (this.id !== undefined) this.lastEventId = this.id;
			const isMessage = this.data.length > 0 && ['', 'message'].includes(this.event);
			const event = isMessage ? this.data.join('\n') : undefined;
			this.data = [];
			this.event = '';
			this.dataLength = 0;
			return event;
		}
		const [, name, value] = /^([^:]*)(?:: ?)?([^]*)$/.exec(line) ?? [];
		if (name === 'data') {
			this.data.push(value);
			// Lines without data take memory, too
			this.dataLength += LINE + value.length;
		} else if (name === 'event') this.event = value;
		else if (name === 'id' && !value.includes('\0')) this.id = value;
		else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = numberIn(value);
		return undefined;
	}
}

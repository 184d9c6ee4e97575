import { SLICE, type Sliced } from '../redaction/slices';

/** What a line costs beside its characters. */
const LINE = 16;

/** Parses server-sent events as they arrive (WHATWG HTML §9.2.6). */
export class EventParser {
	/** ID of the last event; undefined before the first event that has one. */
	lastEventId?: string;
	/** How long to wait before the stream is asked for anew, in milliseconds, if the server says so. */
	retryMs?: number;
	/** Characters of the event that has not ended. */
	pending = 0;
	private line = '';
	private data: string[] = [];
	private id?: string;
	private isStart = true;
	private endsWithCr = false;

	/** @returns the data of the events that end in this text */
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
		this.pending += text.length - start;
		return events;
	}

	/**
	 * The data of the event at the end of a stream, which may lack its empty line. It may also have been cut off, so it is not the last
	 * event that came. The next stream begins anew.
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
			const event = this.data.length > 0 ? this.data.join('\n') : undefined;
			this.data = [];
			this.pending = 0;
			return event;
		}
		const [, name, value] = /^([^:]*)(?:: ?)?([^]*)$/.exec(line) ?? [];
		if (name === 'data') {
			this.data.push(value);
			this.pending += value.length;
		} else if (name === 'id' && !value.includes('\0')) this.id = value;
		else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
		return undefined;
	}
}

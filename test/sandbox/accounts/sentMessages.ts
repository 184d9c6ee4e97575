import { randomUUID } from 'node:crypto';

import type { SentMessage } from '../types';

/** Messages that were accepted for sending, by the key that sent them. */
export class SentMessages {
	private messages = new Map<string, SentMessage[]>();

	/** Returns the ID of the message. */
	add(key: string, message: Omit<SentMessage, 'messageId' | 'at'>): string {
		const messageId = randomUUID();
		const sent = this.of(key);
		sent.push({ messageId, ...message, at: Date.now() });
		this.messages.set(key, sent);
		return messageId;
	}

	/** The messages of a key, oldest first. */
	of(key: string): SentMessage[] {
		return this.messages.get(key) ?? [];
	}

	reset() {
		this.messages.clear();
	}
}

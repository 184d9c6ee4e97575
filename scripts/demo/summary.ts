import type { IDataObject } from 'n8n-workflow';
import { counted, listed } from './wording';

/** The text about a signal that is true, for one lead and for several. */
const SIGNAL_TEXTS: Record<string, [one: string, several: string]> = {
	countryMismatch: [
		'phone number and IP address in different countries',
		'phone numbers and IP addresses in different countries',
	],
	voip: ['internet phone number', 'internet phone numbers'],
	tollFree: ['toll-free number', 'toll-free numbers'],
	catchAll: ['catch-all mailbox', 'catch-all mailboxes'],
	disposable: ['throw-away mailbox', 'throw-away mailboxes'],
};

/** What came of all contacts, in sentences: how many can be reached, and what is worth a second look. */
export function summaryOf(contacts: IDataObject[]): string[] {
	const outcomes = count(contacts.map(({ outcome }) => String(outcome)));
	const signals = contacts.map((contact) => (contact.signals ?? {}) as IDataObject);
	const seen = Object.entries(SIGNAL_TEXTS).flatMap(([signal, [one, several]]) => {
		const many = signals.filter((entry) => entry[signal] === true).length;
		return many > 0 ? [`${many} ${many === 1 ? one : several}`] : [];
	});
	const { positive = 0, negative = 0, unknown = 0 } = outcomes;
	const reached = [
		`${positive} can be reached on at least one channel`,
		`${negative} can't`,
		...(unknown > 0 ? [`${unknown} can't be judged`] : []),
	];
	const first = `${counted(contacts.length, 'contact')}: ${listed(reached)}.`;
	return seen.length > 0 ? [first, `Worth a second look: ${seen.join(', ')}.`] : [first];
}

function count(words: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
	return counts;
}

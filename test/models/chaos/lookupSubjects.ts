import { magic } from '../../sandbox';

/** What chaos asks about, and what the service says of it. */

export type Outcome = 'negative' | 'positive' | 'unknown';

/** A thing to ask about. */
export interface Subject {
	/** Ways to write it; questions about any of them are equal. */
	spellings: string[];
	/** Part that the wire shows in all of them. */
	mark: string;
	/** What the service may say of it. */
	truth: Outcome[];
	/** The service refuses the question, without charging for it. */
	isRefused?: true;
	/** The service may give the credit back. */
	isRefunded?: true;
	/** Of what has several things to ask about: each of them, by section of the output. */
	parts?: Record<Section, Subject>;
}

/** The sections of a contact. */
export type Section = 'callerId' | 'email' | 'geoIp' | 'phone' | 'whatsApp';

const PLACES = 14;
const places = Array.from({ length: PLACES }, (_, place) => place);

export function emails(execution: number): Subject[] {
	const names: Record<number, [start: string, truth: Outcome[]]> = {
		8: [magic.EMAIL.missing, ['negative']],
		9: [magic.EMAIL.greylisted, ['unknown']],
		10: [magic.EMAIL.timeout, ['unknown']],
		11: [magic.EMAIL.timeoutOnce, ['unknown', 'positive']],
		12: [magic.EMAIL.declared, ['positive']],
		13: [magic.EMAIL.declaredMissing, ['negative']],
	};
	return places.map((place) => {
		const [start, truth] = names[place] ?? ['ada', ['positive']];
		const mark = `.${place}.${execution}@`;
		const name = `${start}${mark}`;
		return {
			spellings: [
				`${name}mail.example`,
				`${name}MAIL.example`,
				` ${name}mail.example `,
				`mailto:${name}Mail.Example`,
			],
			mark,
			truth: truth as Outcome[],
			...(start.startsWith(magic.EMAIL.timeout) && { isRefunded: true }),
		};
	});
}

/** Numbers in London, the last two of the places in no plan at all; their last digit but one and last say who answers. */
export function numbers(execution: number, truthOf: (tail: string) => Outcome): Subject[] {
	return places.map((place) => {
		const tail = `${execution}${String(place * 7).padStart(2, '0')}`;
		const mark = place < 12 ? `0${tail}` : `1${tail}`;
		const [trunk, middle] = place < 12 ? ['20', '7946'] : ['00', '0000'];
		return {
			spellings: [
				`+44${trunk}${middle}${mark}`,
				`+44 ${trunk} ${middle} ${mark}`,
				`+44-${trunk}-${middle}-${mark}`,
				` 0044 ${trunk} ${middle}${mark}`,
			],
			mark,
			truth: [place < 12 ? truthOf(tail) : 'negative'],
		};
	});
}

/** A number that the sandbox has a fixed answer for; only one of two executions may ask about it. */
export function magicNumber(number: string, truth: Outcome, more: Partial<Subject> = {}): Subject {
	const mark = number.slice(-4);
	const spellings = [number, `+1 202 555 ${mark}`, `+1-202-555-${mark}`, `+1 (202) 555 ${mark}`];
	return { spellings, mark, truth: [truth], ...more };
}

/** By the last digits of a number. */
export const isOnWhatsApp = (tail: string): Outcome =>
	/[1-7]$/.test(tail) ? 'positive' : 'negative';
export const isNamed = (tail: string): Outcome => (tail.at(-2) === '9' ? 'unknown' : 'positive');
/** Things that the sandbox has one of: only one of several executions may ask about them. */
export const ofFirst = (execution: number, subjects: Subject[]) =>
	execution === 0 ? subjects : [];

export function addresses(execution: number): Subject[] {
	const known = places.slice(0, 12).map((place): Subject => {
		const [high, low] = [`80${execution}`, `10${String(place).padStart(2, '0')}`];
		const address = `2607:f8b0::${high}:${low}`;
		return {
			spellings: [
				address,
				address.toUpperCase(),
				` ${address}`,
				`[2607:f8b0:0:0:0:0:${high}:${low}]`,
			],
			mark: low,
			truth: ['positive'],
		};
	});
	const mapped: Subject = {
		spellings: [`8.8.8.${execution}`, `::ffff:8.8.8.${execution}`],
		mark: `8.8.8.${execution}`,
		truth: ['positive'],
	};
	const unresolved = magic.IP.unresolved.slice(execution, execution + 1);
	const nowhere = unresolved.map((ip): Subject => ({ ...one(ip), truth: ['negative'] }));
	return [...known, mapped, ...nowhere];
}

const one = (text: string) => ({ spellings: [text], mark: text });

/** Brands, each by a name of its own; one of them fails its audit. */
export function brands(execution: number, failing: Outcome): Subject[] {
	const names = places.map((place) => `Brand ${place}.${execution}.`);
	return [
		...names.map((name): Subject => ({ ...one(name), truth: ['positive'] })),
		...ofFirst(execution, [{ ...one(magic.AUDIT.failingBrand), truth: [failing] }]),
	];
}

/** Contacts, several of which have a number, an email or an address in common. */
export function contacts(execution: number): Subject[] {
	const mailboxes = emails(execution);
	const hosts = addresses(execution);
	const of = (place: number, truthOf: (tail: string) => Outcome) =>
		numbers(execution, truthOf)[place >> 1];
	return places.map((place) => {
		const parts = {
			phone: of(place, () => 'positive'),
			callerId: of(place, isNamed),
			whatsApp: of(place, isOnWhatsApp),
			email: mailboxes[(place * 3) % PLACES],
			geoIp: hosts[(place * 5) % hosts.length],
		};
		const { spellings, mark } = parts.phone;
		return { spellings, mark, truth: ['negative', 'positive', 'unknown'], parts };
	});
}

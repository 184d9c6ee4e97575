import { magic } from '../../sandbox';

/** The subjects that random schedules look up, and what the service answers. */

export type Outcome = 'negative' | 'positive' | 'unknown';

/** Something to look up. */
export interface Subject {
	/** Ways to write it. All of them are the same question. */
	spellings: string[];
	/** A part that every spelling has in common on the wire. */
	mark: string;
	/** The outcomes that the service may give. */
	expectedOutcomes: Outcome[];
	/** The service refuses the question, without charging for it. */
	isRefused?: true;
	/** The service may refund the credit. */
	isRefunded?: true;
	/** The parts of a contact, by section of the output. */
	parts?: Record<Section, Subject>;
}

/** The sections of a contact. */
export type Section = 'callerId' | 'email' | 'geoIp' | 'phone' | 'whatsApp';

const SUBJECT_COUNT = 14;
const indexes = Array.from({ length: SUBJECT_COUNT }, (_, index) => index);

export function emails(execution: number): Subject[] {
	const names: Record<number, [start: string, expectedOutcomes: Outcome[]]> = {
		2: ['ada', ['unknown']],
		3: ['ada', ['unknown']],
		8: [magic.EMAIL.missing, ['negative']],
		9: [magic.EMAIL.greylisted, ['unknown']],
		10: [magic.EMAIL.timeout, ['unknown']],
		11: [magic.EMAIL.timeoutOnce, ['unknown', 'positive']],
		12: [magic.EMAIL.declared, ['positive']],
		13: [magic.EMAIL.declaredMissing, ['negative']],
	};
	return indexes.map((index) => {
		const [start, expectedOutcomes] = names[index] ?? ['ada', ['positive']];
		const mark = `.${index}.${execution}@`;
		const name = `${start}${mark}`;
		const domain = index === 2 || index === 3 ? magic.EMAIL.catchAllDomain : 'mail.example';
		return {
			spellings: [
				`${name}${domain}`,
				`${name}${domain.replace('mail', 'MAIL').replace('catch', 'CATCH')}`,
				` ${name}${domain} `,
				`mailto:${name}${domain.replace('.ex', '.Ex')}`,
			],
			mark,
			expectedOutcomes: expectedOutcomes as Outcome[],
			...(start.startsWith(magic.EMAIL.timeout) && { isRefunded: true }),
		};
	});
}

/** Numbers in London. Those of the last two no plan has, though their length is right. The last digits of the others decide the answer. */
export function numbers(execution: number, outcomeOf: (tail: string) => Outcome): Subject[] {
	return indexes.map((index) => {
		const tail = `${execution}${String(index * 7).padStart(2, '0')}`;
		const mark = index < 12 ? `0${tail}` : `1${tail}`;
		const [trunk, middle] = index < 12 ? ['20', '7946'] : ['60', '0000'];
		return {
			spellings: [
				`+44${trunk}${middle}${mark}`,
				`+44 ${trunk} ${middle} ${mark}`,
				`tel:+44-(0)${trunk}-${middle}-${mark}`,
				` 0044 ${trunk} ${middle}${mark}`,
			],
			mark,
			expectedOutcomes: [index < 12 ? outcomeOf(tail) : 'negative'],
		};
	});
}

/** A number with a fixed answer in the sandbox. Only one execution of a schedule may look it up. */
export function magicNumber(
	number: string,
	expectedOutcomes: Outcome,
	more: Partial<Subject> = {},
): Subject {
	const mark = number.slice(-4);
	const spellings = [number, `+1 202 555 ${mark}`, `+1-202-555-${mark}`, `+1 (202) 555 ${mark}`];
	return { spellings, mark, expectedOutcomes: [expectedOutcomes], ...more };
}

/** By the last digits of a number. */
export const isOnWhatsApp = (tail: string): Outcome =>
	/[1-7]$/.test(tail) ? 'positive' : 'negative';
export const isNamed = (tail: string): Outcome => (tail.at(-2) === '9' ? 'unknown' : 'positive');
/** Subjects that the sandbox has only once: only the first execution looks them up. */
export const onlyInFirst = (execution: number, subjects: Subject[]) =>
	execution === 0 ? subjects : [];

export function addresses(execution: number): Subject[] {
	const known = indexes.slice(0, 12).map((index): Subject => {
		const [high, low] = [`80${execution}`, `10${String(index).padStart(2, '0')}`];
		const address = `2607:f8b0::${high}:${low}`;
		return {
			spellings: [
				address,
				address.toUpperCase(),
				` ${address}`,
				`[2607:f8b0:0:0:0:0:${high}:${low}]`,
			],
			mark: low,
			expectedOutcomes: ['positive'],
		};
	});
	const mapped: Subject = {
		spellings: [`8.8.8.${execution}`, `::ffff:8.8.8.${execution}`],
		mark: `8.8.8.${execution}`,
		expectedOutcomes: ['positive'],
	};
	const unresolved = magic.IP.unresolved.slice(execution, execution + 1);
	const nowhere = unresolved.map((ip): Subject => ({ ...one(ip), expectedOutcomes: ['negative'] }));
	return [...known, mapped, ...nowhere];
}

const one = (text: string) => ({ spellings: [text], mark: text });

/** Brands with different names. The audit of one of them fails. */
export function brands(execution: number, failing: Outcome): Subject[] {
	const names = indexes.map((index) => `Brand ${index}.${execution}.`);
	return [
		...names.map((name): Subject => ({ ...one(name), expectedOutcomes: ['positive'] })),
		...onlyInFirst(execution, [{ ...one(magic.AUDIT.failingBrand), expectedOutcomes: [failing] }]),
	];
}

/** Contacts; some share a number, an email or an address. */
export function contacts(execution: number): Subject[] {
	const mailboxes = emails(execution);
	const hosts = addresses(execution);
	const of = (index: number, outcomeOf: (tail: string) => Outcome) =>
		numbers(execution, outcomeOf)[index >> 1];
	return indexes.map((index) => {
		const parts = {
			phone: of(index, () => 'positive'),
			callerId: of(index, isNamed),
			whatsApp: of(index, isOnWhatsApp),
			email: mailboxes[(index * 3) % SUBJECT_COUNT],
			geoIp: hosts[(index * 5) % hosts.length],
		};
		const { spellings, mark } = parts.phone;
		return { spellings, mark, expectedOutcomes: ['negative', 'positive', 'unknown'], parts };
	});
}

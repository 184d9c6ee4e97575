import type { IDataObject } from 'n8n-workflow';
import { magic, type Product } from '../../sandbox';

/** What chaos asks about: each operation with things to ask, what the service says of them, and what it takes for them. */

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
}

export type OperationName = keyof typeof OPERATIONS;

interface ChaosOperation {
	parameters: IDataObject;
	/** The fault rules' name for its paid endpoint. */
	path: string;
	product: Product;
	/** SPEC names the price. */
	isPriced: boolean;
	/** Equal questions have one answer, malformed ones a local one, and there are outputs to route to. */
	isLookup: boolean;
	/** @param execution 0 or 1: what the two ask about has nothing in common */
	subjects: (execution: number) => Subject[];
	/** What no call is made for. */
	nonsense: string[];
	/** What the answer says that it is about; undefined where it does not say. */
	aboutOf: (result: IDataObject) => unknown;
}

const PLACES = 14;
const places = Array.from({ length: PLACES }, (_, place) => place);

function emails(execution: number): Subject[] {
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
function numbers(execution: number, truthOf: (tail: string) => Outcome): Subject[] {
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
function magicNumber(number: string, truth: Outcome, more: Partial<Subject> = {}): Subject {
	const mark = number.slice(-4);
	const spellings = [number, `+1 202 555 ${mark}`, `+1-202-555-${mark}`, `+1 (202) 555 ${mark}`];
	return { spellings, mark, truth: [truth], ...more };
}

const isOnWhatsApp = (tail: string): Outcome => (/[1-7]$/.test(tail) ? 'positive' : 'negative');
const ofFirst = (execution: number, subjects: Subject[]) => (execution === 0 ? subjects : []);

function addresses(execution: number): Subject[] {
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
	const unresolved = magic.IP.unresolved[execution];
	return [...known, mapped, { spellings: [unresolved], mark: unresolved, truth: ['negative'] }];
}

const NO_NUMBERS = ['abc', '', '12', '+44 20 7946 0018 or +44 20 7946 0019'];
const digitsOf = (text: unknown) => (typeof text === 'string' ? text.replace(/\D/g, '') : text);
const phoneOf = ({ phoneNumber }: IDataObject) => digitsOf(phoneNumber);

export const OPERATIONS = {
	verifyEmail: {
		parameters: { resource: 'email', operation: 'verify', email: '={{ $json.value }}' },
		...{ path: 'checkemail', product: 'email', isPriced: true, isLookup: true },
		subjects: emails,
		nonsense: ['no address', '', '@mail.example', 'a@b@'],
		aboutOf: ({ email }) => (typeof email === 'string' ? email.toLowerCase() : email),
	},
	validatePhone: {
		parameters: {
			...{ resource: 'phone', operation: 'validate', phoneNumber: '={{ $json.value }}' },
			...{ responseDetail: 'detailed', countryHint: '' },
		},
		...{ path: 'phonevalidation', product: 'phone', isPriced: true, isLookup: true },
		subjects: (execution) => numbers(execution, () => 'positive'),
		nonsense: NO_NUMBERS,
		aboutOf: phoneOf,
	},
	lookUpCallerId: {
		parameters: {
			...{ resource: 'callerId', operation: 'lookUp', phoneNumber: '={{ $json.value }}' },
			responseDetail: 'detailed',
		},
		...{ path: 'calleridvalidation', product: 'callerinfo', isPriced: true, isLookup: true },
		subjects: (execution) => [
			...numbers(execution, (tail) => (tail.at(-2) === '9' ? 'unknown' : 'positive')),
			...ofFirst(execution, [
				magicNumber(magic.PHONE.noName, 'unknown'),
				magicNumber(magic.PHONE.callerLookupFails, 'unknown'),
			]),
		],
		nonsense: NO_NUMBERS,
		aboutOf: phoneOf,
	},
	checkWhatsApp: {
		parameters: {
			...{ resource: 'whatsApp', operation: 'checkNumber', phoneNumber: '={{ $json.value }}' },
		},
		...{ path: 'checkwanumber', product: 'whatsapp', isPriced: false, isLookup: true },
		subjects: (execution) => [
			...numbers(execution, isOnWhatsApp),
			...ofFirst(execution, [
				magicNumber(magic.PHONE.whatsAppBusiness, 'positive'),
				magicNumber(magic.PHONE.whatsAppFails, 'unknown', { isRefused: true }),
			]),
		],
		nonsense: [...NO_NUMBERS, '020 7946 0018'],
		aboutOf: phoneOf,
	},
	checkMany: {
		parameters: {
			...{ resource: 'batch', operation: 'checkMany', phoneNumber: '={{ $json.value }}' },
		},
		...{ path: 'batch', product: 'whatsapp', isPriced: true, isLookup: true },
		subjects: (execution) => [
			...numbers(execution, isOnWhatsApp),
			...ofFirst(execution, [
				magicNumber(magic.PHONE.batchRowFails, 'unknown', { isRefused: true }),
				magicNumber(magic.PHONE.batchRowLost, 'unknown'),
				magicNumber(magic.PHONE.batchRowWordless, 'unknown'),
				magicNumber(magic.PHONE.batchRowInactive, 'negative'),
			]),
		],
		nonsense: [...NO_NUMBERS, '020 7946 0018'],
		aboutOf: phoneOf,
	},
	sendMessage: {
		parameters: {
			...{ resource: 'whatsApp', operation: 'sendMessage', phoneNumber: '={{ $json.value }}' },
			message: '={{ $json.text }}',
		},
		...{ path: 'sendwasms', product: 'whatsapp', isPriced: false, isLookup: false },
		// Numbers of no plan are refused
		subjects: (execution) => [
			...numbers(execution, isOnWhatsApp).slice(0, 12),
			...ofFirst(execution, [
				magicNumber(magic.PHONE.sendRefused, 'negative', { isRefused: true }),
			]),
		],
		nonsense: NO_NUMBERS,
		aboutOf: phoneOf,
	},
	locateIp: {
		parameters: {
			...{ resource: 'geoIp', operation: 'locate', ipAddress: '={{ $json.value }}' },
			responseDetail: 'detailed',
		},
		...{ path: '/', product: 'geoip', isPriced: false, isLookup: true },
		subjects: addresses,
		nonsense: ['300.1.1.1', '', '10.0.0.7', 'localhost'],
		aboutOf: ({ ipAddress }) => ipAddress && canonicalAddress(ipAddress),
	},
} satisfies Record<string, ChaosOperation>;

export function operationOf(name: OperationName): ChaosOperation {
	return OPERATIONS[name];
}

/** What all spellings of a subject have in common, worked out anew and not by what the node takes for equal. */
export function canonicalOf(name: OperationName, text: unknown): string {
	const plain = String(text).trim().toLowerCase();
	if (name === 'verifyEmail') return plain.replace(/^mailto:/, '');
	return name === 'locateIp' ? canonicalAddress(text) : plain.replace(/\D/g, '').replace(/^00/, '');
}

function canonicalAddress(text: unknown): string {
	const plain = String(text).trim().toLowerCase();
	const address = plain.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '');
	return address.includes(':') ? address.replace(/(?::0)+:/, '::') : address;
}

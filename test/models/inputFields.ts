import type { GenericValue, INodeProperties } from 'n8n-workflow';
import type { AnyOperation, Params } from '../engine';
import { operations } from '../../nodes/LookupMessaging/operations';

/** Every field that takes a text of a user, and texts and values that are hard to read. A new operation is in it by itself. */

/** Parameters with which each operation asks something, wherever no other value is given. */
export const RIGHT: Params = {
	// Without its calling code, so that Country is read
	...{ phoneNumber: '020 7946 0123', country: 'GB', message: 'Hello' },
	...{ email: 'a@b.example', ipAddress: '8.8.8.8' },
	...{ brandName: 'x', brandUrl: 'https://b.example', auditId: '1', batchId: '1', query: 'q' },
	...{
		postUrl: 'https://b.example/p',
		lookups: ['phone', 'callerId', 'email', 'geoIp'],
		tool: 'x',
	},
	...{ argumentsMode: 'json', argumentsJson: '{}' },
};

const OF_TEXT = ['json', 'resourceLocator', 'resourceMapper', 'string'];

export interface InputField {
	/** Such as `email.verify, email`. */
	title: string;
	operation: AnyOperation;
	field: INodeProperties;
}

/** The fields and options of all operations that take a text or a structure. */
export const INPUT_FIELDS: InputField[] = operations.flatMap((operation) =>
	[...operation.fields, ...(operation.options ?? [])]
		.filter(({ type }) => OF_TEXT.includes(type))
		.map((field) => ({
			title: `${operation.resource}.${operation.value}, ${field.name}`,
			operation,
			field,
		})),
);

/** The parameters with which a field is shown. */
function shownWith({ displayOptions }: INodeProperties): Params {
	const show = Object.entries(displayOptions?.show ?? {});
	return Object.fromEntries(
		show.map(([name, values]) => [name.replace(/^\//, ''), values?.[0] as GenericValue]),
	);
}

/** What a field makes of a value, step by step: a list of questions is made one by one. */
export function* readInSteps({ operation, field }: InputField, value: GenericValue) {
	const prepared: unknown = operation.prepare({
		...RIGHT,
		...shownWith(field),
		[field.name]: value,
	});
	yield prepared;
	if (typeof prepared !== 'object' || prepared === null || !('parts' in prepared)) return;
	for (const part of prepared.parts as Iterable<unknown>) yield part;
}

const times = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length));
/** Combining marks of several classes, so that a normal form has to sort them. */
const MARKS = '\u0315\u0316';
const MORE_MARKS = '\u0334\u0345\u0301\u0327\u05b0\u0f71\u3099\u0323';

/** Values of about so many characters. */
export const HARD_VALUES: Record<string, (size: number) => GenericValue> = {
	'combining marks': (size) => `a${times(MARKS)(size)}`,
	'combining marks before an @': (size) => `a${times(MARKS)(size)}@b.example`,
	'combining marks behind an @': (size) => `a@b${times(MARKS)(size)}.example`,
	'combining marks of many classes': (size) => `a${times(MORE_MARKS)(size)}`,
	'combining marks in a mailto: link': (size) => `mailto:a${times('%CC%95%CC%96')(size)}@b.example`,
	'combining marks in a URL': (size) => `https://a${times(MARKS)(size)}.example/p`,
	'combining marks between commas': (size) => times(`a${MARKS.repeat(200)},`)(size),
	'combining marks in JSON': (size) => JSON.stringify({ a: `a${times(MARKS)(size)}` }),
	'characters that become many': times('\ufdfa'),
	'wide digits': times('\uff11'),
	'digits of mathematics': times('\u{1d7ff}'),
	'Arabic digits': times('\u0663'),
	'short numbers of mathematics': times(`${'\u{1d7ff}'.repeat(10)}\n`),
	digits: times('7'),
	'numbers with commas': times('+442079460123,'),
	'numbers with line breaks': times('020 7946 0123\n'),
	'an array of numbers': (size) => Array.from({ length: size / 14 }, (_, n) => `+4420794${n}`),
	'an array of odd texts': (size) =>
		Array.from({ length: size / 500 }, () => `+${MARKS.repeat(249)}`),
	'an array of lists': (size) => Array.from({ length: size / 8 }, () => []),
	'JSON of numbers': (size) => `[${times('"+442079460123",')(size)}"1"]`,
	'JSON of lists': (size) => `{"a":[${times('[],')(size)}1]}`,
	'JSON of objects': (size) => `{"a":[${times('{"a":{}},')(size)}1]}`,
	'JSON of names': (size) => `{"a":[${times('{"\\u0061":1},')(size)}1]}`,
	'JSON of long integers': (size) => `{"a":[${times('12345678901234567890,')(size)}1]}`,
	'nested JSON': (size) => `${times('{"a":')(size)}1${times('}')(size / 5)}`,
	'open lists': times('['),
	'an object of names': (size) =>
		Object.fromEntries(Array.from({ length: size / 10 }, (_, n) => [`a${n}`, n])),
	'arguments in a form': (size) => ({
		value: Object.fromEntries(Array.from({ length: size / 20 }, (_, n) => [`a${n}`, 'x'])),
		schema: Array.from({ length: size / 40 }, (_, n) => ({ id: `a${n}`, type: 'string' })),
	}),
	'a nested list': (size) => {
		let nested: GenericValue = 1;
		for (let level = 0; level < Math.min(size / 2, 5_000); level += 1) nested = [nested];
		return nested;
	},
	spaces: times(' '),
	'spaces before a letter': (size) => `${times(' ')(size)}x`,
	'invisible marks': times('\u200b'),
	joiners: times('\u0915\u094d\u200d'),
	quotes: times('"'),
	'half characters': times('\ud83d'),
	slashes: times('1/'),
	'percent signs': times('%41'),
};

const made = new Map<string, GenericValue>();

/** A hard value of about so many characters, made once for all fields that read it. */
export function hardValue(name: string, size: number): GenericValue {
	const known = `${name} ${size}`;
	if (!made.has(known)) made.set(known, HARD_VALUES[name](size));
	return made.get(known) as GenericValue;
}

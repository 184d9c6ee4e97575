import type { GenericValue } from 'n8n-workflow';
import {
	isLocalAnswer,
	LOCAL_OUTCOME,
	type LocalAnswer,
	type Params,
	type Part,
} from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';

type Prepared = LocalAnswer | { sent: unknown };

/** What an operation makes of an item's parameters: the local answer, or the one value it sends. */
function prepared(operation: typeof validatePhone, given: Params): Prepared {
	const question = operation.prepare(given);
	if (isLocalAnswer(question)) return question;
	const { body, query } = operation.request(question);
	return { sent: Object.values(body ?? query ?? {})[0] };
}

const phone = (phoneNumber: GenericValue) => prepared(validatePhone, { phoneNumber });
const email = (value: GenericValue) => prepared(verifyEmail, { email: value });
const ip = (value: GenericValue) => prepared(locateIp, { ipAddress: value });

/** What holds nothing that a lookup could be about. */
const NOTHING: Array<[title: string, value: GenericValue]> = [
	['null', null],
	['undefined', undefined],
	['an empty text', ''],
	['spaces', ' \t\r\n '],
	['no-break spaces', '\u00a0\u3000'],
	['invisible marks', '\u200b\ufeff\u202a\u202c\u061c\u2060\u00ad'],
	['joiners, variation selectors and control characters', '\u200c\u200d\ufe0f\u0000\u0007'],
	['an empty list', []],
];

/** What may hold a value, but is no text itself. */
const CONTAINERS: Array<[title: string, value: GenericValue, reason: RegExp]> = [
	['a list', ['+442079460123'], /^is a list\. .*Split Out.* Enter one value/],
	['a list of nothing', [''], /^is a list/],
	['a list of objects', [{ value: 'ada@example.com' }], /^is a list/],
	['an object', { number: '+442079460123' }, /^is an object.* Enter one value/],
	['an object of a contact', { value: '8.8.8.8' }, /^is an object/],
];

/** What no field of any lookup can make sense of. */
const NO_TEXT: typeof CONTAINERS = [
	['true', true, /^is true or false/],
	['false', false, /^is true or false/],
	['half a character', '+4420794\ud83d60123', /^contains an unreadable character/],
	['the other half', 'n\ude00@example.com', /^contains an unreadable character/],
];

describe.each([
	['Phone Number', phone],
	['Email', email],
	['IP Address', ip],
])('%s', (field, read) => {
	test.each(NOTHING)('reads %s as empty, which is unknown and not a no', (_, value) => {
		expect(read(value)).toEqual({ local: 'empty', field, reason: 'is empty' });
		expect(LOCAL_OUTCOME.empty).toBe('unknown');
	});

	test.each(CONTAINERS)('reads %s as unknown, and says to enter one value', (_, value, reason) => {
		const matching: unknown = expect.stringMatching(reason);
		expect(read(value)).toEqual({ local: 'incomplete', field, reason: matching });
		expect(LOCAL_OUTCOME.incomplete).toBe('unknown');
	});

	test.each(NO_TEXT)('answers %s locally, and says so', (_, value, reason) => {
		const matching: unknown = expect.stringMatching(reason);
		expect(read(value)).toEqual({ local: 'malformed', field, reason: matching });
	});
});

/** What stands in the place of a missing value: texts of people, spreadsheets, databases and programs. */
const PLACEHOLDERS = [
	...['-', '—', '?', '.', '...', 'n/a', 'NA', 'N. A.', 'none', 'unknown', 'Not available', 'nil'],
	...['NULL', 'undefined', 'NaN', '\\N', '#N/A', '#REF!', '#DIV/0!', '#ERROR!', '[object Object]'],
];
/** Parameters of each paid operation, with a text that all its calls are about. */
const RIGHT: Params = {
	...{ phoneNumber: '+442079460123', email: 'ada@example.com', ipAddress: '8.8.8.8' },
	...{ brandName: 'Tea', brandUrl: 'https://tea.example', query: 'tea', message: 'Hello' },
	...{ numbersFrom: 'items', postUrl: 'https://www.reddit.com/r/tea/comments/1abc/tea/' },
};

describe.each(
	operations.flatMap(({ action, fields, prepare }) =>
		fields
			.filter(({ name }) => name in RIGHT && !['message', 'numbersFrom'].includes(name))
			.filter(() => !action.includes('contact'))
			.map(({ name, displayName }) => ({ action, name, displayName, prepare })),
	),
)('$displayName of $action', ({ name, displayName, prepare }) => {
	const read = (value: GenericValue) => {
		const asked = prepare({ ...RIGHT, [name]: value });
		return 'parts' in (asked as object)
			? [...(asked as { parts: Iterable<Part<unknown>> }).parts][0].question
			: asked;
	};

	test.each([...PLACEHOLDERS, Number.NaN])('is empty, and costs nothing, as %j', (value) => {
		for (const written of typeof value === 'string' ? [value, ` ${value}\u200b\n`] : [value])
			expect(read(written)).toMatchObject({
				...{ local: 'empty', field: displayName },
				reason: expect.stringMatching(/ stands for a missing value$/) as string,
			});
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { isIP } from 'node:net';

import fc from 'fast-check';
import type { GenericValue } from 'n8n-workflow';
import {
	equalityKey,
	isLocalAnswer,
	LOCAL_OUTCOME,
	type LocalAnswer,
	type Params,
	type Part,
} from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { lookUpCallerId } from '../../../nodes/LookupMessaging/operations/callerId/lookUp';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';
import { checkWhatsAppNumber } from '../../../nodes/LookupMessaging/operations/whatsApp/checkNumber';
import { isFullRun } from '../../hostile/fullRun';

type Prepared = LocalAnswer | { sent: unknown };

/** What an operation makes of an item's parameters: the local answer, or the one value it sends. */
function prepared(operation: typeof validatePhone, given: Params): Prepared {
	const question = operation.prepare(given);
	if (isLocalAnswer(question)) return question;
	const { body, query } = operation.request(question);
	return { sent: Object.values(body ?? query ?? {})[0] };
}

const detailed = (phoneNumber: GenericValue) => prepared(validatePhone, { phoneNumber });
const basic = (phoneNumber: GenericValue, country?: GenericValue) =>
	prepared(validatePhone, { phoneNumber, responseDetail: 'basic', country });
const email = (value: GenericValue) => prepared(verifyEmail, { email: value });
const ip = (value: GenericValue) => prepared(locateIp, { ipAddress: value });

const said = (answer: Prepared) => ('local' in answer ? answer.local : 'sent');

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
	['Phone Number', detailed],
	['Phone Number', (value: GenericValue) => basic(value, '+44')],
	['Phone Number', (value: GenericValue) => prepared(lookUpCallerId, { phoneNumber: value })],
	['Phone Number', (value: GenericValue) => prepared(checkWhatsAppNumber, { phoneNumber: value })],
	['Email', email],
	['IP Address', ip],
])('%s, as field %#', (field, read) => {
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

const SEED = 20;

describe('an IP address', () => {
	test.each([
		...['8.8.8.8', '2001:4860:4860:0000:0000:0000:0000:8888', '2606:4700:4700:1:2:3:4::'],
		...['64:ff9b::8.8.8.8', '0:0:0:0:0:ffff:8.8.8.8', '2A00:1450:4001:ABCD::200E'],
	])('%s is accepted, also with brackets and spaces', (address) => {
		expect(isIP(address)).not.toBe(0);
		for (const spelling of [address, ` ${address}\n`, `[${address}]`, `\ufeff${address}`]) {
			expect(ip(spelling)).toEqual({ sent: address });
		}
	});

	test.each<[given: GenericValue, reason: RegExp]>([
		['8.8.8', /isn't an IP address/],
		['Berlin, office', /isn't an IP address/],
		['8.8.8.8.8', /has a port/],
		['8.8.8.08', /leading zeros/],
		['8.8.8.8%eth0', /other text beside/],
		['8.8.8.8:', /has a port/],
		['8.8.8.0/24', /other text beside|is a network/],
		[134744072, /is a number/],
		['[8.8.8.8', /other text beside/],
		['8.8.8.8, 9.9.9.9', /more than one address/],
		['8.8.8.8 (office)', /other text beside/],
		['::8.8.8.8:1', /has a port/],
	])('%p is refused', (address, reason) => {
		const matching: unknown = expect.stringMatching(reason);
		const local = /more than one|beside|zeros|a number|a port/.test(reason.source)
			? 'incomplete'
			: 'malformed';
		expect(ip(address)).toEqual({ local, field: 'IP Address', reason: matching });
	});

	const spellings = fc.oneof(
		fc.ipV4(),
		fc.ipV4Extended(),
		fc.ipV6(),
		fc.stringMatching(/^[0-9]{1,3}(\.[0-9]{1,3}){2,4}$/),
		fc.stringMatching(/^[0-9a-f]{0,5}(:[0-9a-f]{0,4}){1,9}$/),
		fc.stringMatching(/^([0-9a-f]{1,4}:){0,7}:[0-9a-f]{0,4}(:[0-9a-f]{1,4}){0,3}$/),
		fc.stringMatching(/^(::|::ffff:|1:2:3:4:5:6:)[0-9]{1,3}(\.[0-9]{1,3}){3}$/),
	);

	test('is valid exactly when Node reads it as one', () => {
		fc.assert(
			fc.property(spellings, (text) => {
				const isRead = !['incomplete', 'malformed'].includes(said(ip(text)) as string);
				expect([text, isRead]).toEqual([text, isIP(text) !== 0]);
			}),
			{ seed: SEED, numRuns: isFullRun ? 5_000 : 800 },
		);
	});
});

describe('duplicates', () => {
	type Case = [title: string, operation: typeof validatePhone, one: Params, other: Params];

	const keyOf = (operation: typeof validatePhone, given: Params) => {
		const question = operation.prepare(given);
		if (isLocalAnswer(question)) throw new Error(question.reason);
		return equalityKey(operation, question);
	};
	const phone = (phoneNumber: GenericValue, more: Params = {}): Params => ({
		phoneNumber,
		...more,
	});
	const place = (ipAddress: string, responseDetail = 'detailed'): Params => ({
		ipAddress,
		responseDetail,
	});
	const BASIC = { responseDetail: 'basic' };

	test.each<Case>([
		['IPv6 spellings', locateIp, place('2001:4860:4860:0::8888'), place('2001:4860:4860::8888')],
		['the case of IPv6', locateIp, place('2A00:1450::ABCD'), place('[2a00:1450::abcd]')],
		['mapped IPv4', locateIp, place('::ffff:8.8.8.8'), place('8.8.8.8')],
		['mapped IPv4 in hex', locateIp, place('::ffff:808:808'), place('8.8.8.8')],
		['scripts in IP addresses', locateIp, place('８．８．٨.8'), place('8.8.8.8')],
		['zones', locateIp, place('2001:4860::1%eth0'), place('2001:4860::1')],
	])('are recognized despite their %s', (_, operation, one, other) => {
		expect(keyOf(operation, one)).toEqual(keyOf(operation, other));
	});

	test.each<Case>([
		['detail', validatePhone, phone('+442079460123'), phone('+442079460123', BASIC)],
		['detail of a caller', lookUpCallerId, phone('+4930123456'), phone('+4930123456', BASIC)],
		[
			'countries, where these do not complete them',
			validatePhone,
			phone('5550143', { country: 'US' }),
			phone('5550143', { country: 'CA' }),
		],
		['detail of a place', locateIp, place('8.8.8.8'), place('8.8.8.8', 'basic')],
		['IPv4 and its NAT64', locateIp, place('64:ff9b::8.8.8.8'), place('8.8.8.8')],
		['IPv4 and its 6to4', locateIp, place('2002:808:808::'), place('8.8.8.8')],
		['addresses', locateIp, place('2001:4860::1'), place('2001:4860:1::')],
	])('are distinguished by their %s', (_, operation, one, other) => {
		expect(keyOf(operation, one)).not.toEqual(keyOf(operation, other));
	});
});

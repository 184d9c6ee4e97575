import type { IDataObject } from 'n8n-workflow';
import { verifyEmail } from '../../../nodes/LookupMessaging/operations/email/verify';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';
import { type Charge, interpret } from '../../engine';
import { headOf, ok } from '../fakes/replies';

/** Replies that look like an answer and are none. */

const email = { email: 'ada@example.com' };
const readEmail = (body: IDataObject) =>
	verifyEmail.read(body, headOf(verifyEmail.request(email)), email);
test('a reply without a field of an answer is returned as it came', () => {
	const body = { status: true, data: { verdict: 'deliverable' } };
	const unclear = { outcome: 'unknown', isUnclear: true, isAsItCame: true };
	expect(readEmail(body)).toMatchObject(unclear);
});

const FREE: Charge = { charged: 'no', credits: 0 };
const PAID: Charge = { charged: 'yes', credits: 1 };
const OPEN: Charge = { charged: 'perhaps', credits: 1 };
const failed = { status: false, balance: 9 };
test.each<[body: IDataObject, outcome: string, charge: Charge]>([
	// A check that is inconclusive
	[{ ...failed, error: 'Lookup failed' }, 'unknown', FREE],
	[{ ...failed, reason_code: 'provider_error', emailformat: true }, 'unknown', FREE],
	[{ ...failed, verdict: 'unknown', emailexist: false }, 'unknown', FREE],
	[{ status: false, verdict: 'unknown' }, 'unknown', FREE],
	[{ ...failed, verdict: 'undeliverable', reason_code: 'network_timeout' }, 'unknown', FREE],
	// A completed one
	...[
		{ status: false, verdict: 'invalid_format', reason_code: 'invalid_syntax' },
		{ ...failed, verdict: 'invalid_format', emailformat: false, error: 'Invalid email format' },
		{ ...failed, status: true, verdict: 'invalid_format' },
		{ ...failed, status: true, verdict: 'undeliverable', reason_code: 'mailbox_not_found' },
	].map((body): [IDataObject, string, Charge] => [body, 'negative', PAID]),
	[{ ...failed, verdict: 'invalid_format', error: 'Upstream timeout' }, 'unknown', PAID],
	// No check, as far as the reply says
	...[{}, { message: 'OK' }, { balance: 5 }, { code: 500, message: 'Internal error' }].map(
		(body): [IDataObject, string, Charge] => [body, 'unknown', OPEN],
	),
	// A result beside a failure
	...[
		{ verdict: 'undeliverable', reason_code: 'mailbox_not_found', emailexist: false },
		{ verdict: 'deliverable', reason_code: 'mailbox_accepted' },
		{ verdict: 'unknown', reason_code: 'catch_all', emailexist: true },
		...['mailbox_not_found', 'invalid_syntax', 'mailbox_accepted', '550', 521].map(
			(reason_code) => ({ reason_code, error: 'Not found' }),
		),
		...[{ valid: false }, { valid: 'no' }, { emailexist: 0 }, { emailformat: false }],
	].map((body): [IDataObject, string, Charge] => [{ ...failed, ...body }, 'unknown', OPEN]),
])('an email check costs what SPEC says of its result: %j', (body, outcome, charge) => {
	const request = verifyEmail.request(email);
	const endpoint = { request, credits: verifyEmail.credits?.(email), read: readEmail };
	const result = interpret(endpoint, ok(body), () => undefined);
	expect(result).toMatchObject({ value: { outcome }, charge });
	const { isRefunded = false } = (result as { value: { isRefunded?: true } }).value;
	expect(isRefunded).toBe(charge === FREE);
});

test.each<[status: string | undefined, charge: Charge]>([
	['VALID_CONFIRMED', PAID],
	['INVALID', FREE],
	...['PENDING', 'UNKNOWN', 'ERROR', 'INVALID_COUNTRY_CODE', undefined].map(
		(status): [string | undefined, Charge] => [status, OPEN],
	),
])('a phone validation costs what SPEC says of its status, or is open: %s', (status, charge) => {
	const question = { number: '+442079460018', detailed: true };
	const request = validatePhone.request(question);
	const read = (body: IDataObject) => validatePhone.read(body, headOf(request), question);
	const endpoint = { request, credits: validatePhone.credits?.(question), read };
	expect(interpret(endpoint, ok({ status }), () => undefined)).toMatchObject({ charge });
});

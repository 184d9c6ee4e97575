import { PHONE } from '../answers/magicInputs';
import { factsOf, parseE164 } from '../answers/phoneFacts';
import { subscriberOf } from '../answers/subscribers';
import type { BatchRowNames } from '../types';
import { INVALID_RECORD, validRecord } from '../answers/validationRecord';

/** What the check of one number of a batch comes to (SPEC §3.2); `lost` is a row that is never returned. */
export type RowFinding =
	| { kind: 'failed'; message: string }
	| { kind: 'lost' }
	| { kind: 'checked'; fields: object; validation: object };

const FAILING: string[] = [PHONE.batchRowFails, PHONE.whatsAppFails];

/** Checks one number, which needs its country code as Family A's do. */
export function findingOf(phoneNumber: string): RowFinding {
	const number = parseE164(phoneNumber);
	if (!number) return invalid;
	const facts = factsOf(number);
	if (FAILING.includes(facts.e164)) return failed;
	if (facts.e164 === PHONE.batchRowLost) return { kind: 'lost' };
	const { whatsApp, business } = subscriberOf(facts.e164);
	const isConfirmed = whatsApp || facts.e164 === PHONE.batchRowInactive;
	const isWordless = facts.e164 === PHONE.batchRowWordless;
	return {
		kind: 'checked',
		fields: {
			...(isWordless ? {} : { wa_status: isConfirmed ? 'VALID_CONFIRMED' : 'INVALID' }),
			numberstatus: whatsApp,
			businessnumber: business,
			formatted_number: facts.e164,
			carrier: facts.carrier,
			country: facts.country,
		},
		validation: validRecord(facts),
	};
}

const failed: RowFinding = {
	kind: 'failed',
	message: 'WhatsApp lookup failed after several attempts.',
};

/** SPEC §2.4 keeps every field for a completed row, so what an invalid number does not have is empty. */
const invalid: RowFinding = {
	kind: 'checked',
	fields: {
		wa_status: 'INVALID',
		numberstatus: false,
		businessnumber: false,
		formatted_number: '',
		carrier: '',
		country: '',
	},
	validation: INVALID_RECORD,
};

/** A result row of SPEC §2.4, or none; a number that is not processed yet has no finding. */
export function rowsOf(
	phone_number: string,
	finding: RowFinding | undefined,
	names: BatchRowNames,
): object[] {
	switch (finding?.kind) {
		case 'lost':
			return [];
		case 'failed':
			return [{ phone_number, status: 'failed', [names.error]: finding.message }];
		case 'checked': {
			const { fields, validation } = finding;
			return [{ phone_number, status: 'completed', ...fields, [names.validation]: validation }];
		}
		default:
			return [{ phone_number, status: 'pending' }];
	}
}

import { answered, paidLookup, refused, type Endpoint } from '../http/endpoint';
import { familyA, familyAError, familyARefusals } from '../http/familyA';
import { LOOKUP, lookupRefusals } from '../http/lookupHost';
import { PHONE } from '../answers/magicInputs';
import { factsOf, parseE164OrLocal, parseE164 } from '../answers/phoneFacts';
import { subscriberOf } from '../answers/subscribers';

const INVALID_NUMBER = 'Invalid phone number';
const LOOKUP_FAILED = 'Caller lookup failed';

/** GET /check (SPEC §2.1). Cost not stated; the sandbox takes 1 caller ID credit per call, as its detailed twin does. */
export const check = familyA(
	'check',
	paidLookup({
		product: 'callerinfo',
		parameter: 'number',
		...familyARefusals('callerinfo'),
		find: (text) => {
			const number = parseE164(text);
			return number && factsOf(number);
		},
		conclude: (facts, number, call) => {
			call.charge('callerinfo', 1, number);
			if (!facts) return familyAError(400, INVALID_NUMBER);
			if (facts.e164 === PHONE.callerLookupFails) return familyAError(422, LOOKUP_FAILED);
			return answered({
				status: true,
				number,
				name: subscriberOf(facts.e164).name ?? '',
				carrier: facts.carrier,
				line_type: facts.basicLineType,
				location: facts.location,
			});
		},
	}),
);

/** GET /calleridvalidation (SPEC §2.3, §4.2): 1 caller ID credit per call, invalid numbers and failures included. */
export const callerIdValidation: Endpoint = {
	host: 'lookup',
	methods: ['GET'],
	path: `${LOOKUP}/calleridvalidation`,
	answer: paidLookup({
		product: 'callerinfo',
		parameter: 'phone_number',
		...lookupRefusals('callerinfo'),
		find: (text) => {
			const number = parseE164OrLocal(text);
			return number && factsOf(number);
		},
		conclude: (facts, question, call) => {
			call.charge('callerinfo', 1, question);
			if (!facts) return refused(400, { success: false, message: INVALID_NUMBER });
			if (facts.e164 === PHONE.callerLookupFails) {
				return refused(422, { success: false, message: LOOKUP_FAILED });
			}
			return answered({
				success: true,
				number: facts.international,
				name: subscriberOf(facts.e164).name,
				valid: 'VALID_CONFIRMED',
				line_type: facts.lineType,
				carrier: facts.carrier,
				countrycode: facts.country,
				countryname: facts.countryName,
				countrycodenum: facts.callingCode,
				formatnational: facts.national,
				formatinternational: facts.international,
				location: facts.location,
				timezone: facts.timezones,
			});
		},
	}),
};

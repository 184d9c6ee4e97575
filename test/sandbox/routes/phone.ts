import { answered, paidLookup, read, refusedAlways, type Endpoint } from '../http/endpoint';
import { familyA, familyARefusals } from '../http/familyA';
import { LOOKUP, lookupRefusals } from '../http/lookupHost';
import { factsOf, parseE164OrLocal, parseE164 } from '../answers/phoneFacts';
import type { RateStanding } from '../http/rateWindow';
import { INVALID_RECORD, validRecord } from '../answers/validationRecord';

/** GET /checkapi (SPEC §2.1). Cost not stated; the sandbox takes 1 phone credit per valid number. */
export const checkApi = familyA(
	'checkapi',
	paidLookup({
		product: 'phone',
		parameter: 'number',
		...familyARefusals('phone'),
		find: (text) => {
			const number = parseE164(text);
			return number && factsOf(number);
		},
		conclude: (facts, number, call) => {
			if (facts) call.charge('phone', 1, number);
			return answered({
				status: true,
				number,
				valid: facts !== undefined,
				country: facts?.country ?? '',
				carrier: facts?.carrier ?? '',
				line_type: facts?.basicLineType ?? 'unknown',
			});
		},
	}),
);

/**
 * GET and POST /phonevalidation (SPEC §2.2, §4.2): 1 phone credit per successful validation, so none for INVALID.
 * Every call with a right key counts in the key's rate window (SPEC §8).
 */
export const phoneValidation: Endpoint = {
	host: 'lookup',
	methods: ['GET', 'POST'],
	path: `${LOOKUP}/phonevalidation`,
	keyInBody: true,
	answer: (call) => {
		let standing: RateStanding | undefined;
		return paidLookup({
			product: 'phone',
			parameter: 'phone_number',
			...lookupRefusals('phone'),
			throttle: ({ account, state }) => {
				standing = state.phoneWindows.take(account.key);
				return standing.exceeded ? tooManyCalls(standing) : undefined;
			},
			find: (text) => {
				const number = parseE164OrLocal(text, read(call, 'country_code'));
				return number && factsOf(number);
			},
			conclude: (facts, question) => {
				if (!facts) return answered(INVALID_RECORD);
				call.charge('phone', 1, question);
				return answered({
					...validRecord(facts),
					ratelimit_remain: standing?.remain,
					ratelimit_seconds: standing?.seconds,
				});
			},
		})(call);
	},
};

const tooManyCalls = ({ seconds }: RateStanding) =>
	refusedAlways(
		429,
		{ error: 'Too many requests, please slow down.' },
		{ 'retry-after': String(seconds) },
	);

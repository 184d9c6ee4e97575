import type { PhoneFacts } from './phoneFacts';

/** What SPEC §2.2 leaves of the record when the number is invalid. */
export const INVALID_RECORD = { status: 'INVALID' };

/** The phone validation record of SPEC §2.2, without the standing in the rate window. */
export const validRecord = (facts: PhoneFacts) => ({
	status: 'VALID_CONFIRMED',
	formatted_number: facts.international,
	linetype: facts.lineType,
	carrier: facts.carrier,
	location: facts.location,
	countrycodenum: facts.callingCode,
	countrycode: facts.country,
	countryname: facts.countryName,
	formatnational: facts.national,
	formatinternational: facts.international,
	timezone: facts.timezones,
});

import {
	planByLeadingCallingCode,
	planOfCountry,
	type LengthVerdict,
} from '../../../nodes/LookupMessaging/operations/shared/phone/numberingPlans';

const planOf = (region: string) => planOfCountry(region)!;

describe('a numbering plan', () => {
	test.each<[region: string, number: string, verdict: LengthVerdict]>([
		['US', '2025550143', 'possible'],
		['US', '5550143', 'localOnly'],
		['US', '911', 'tooShort'],
		['US', '20255501434', 'tooLong'],
		['GB', '79460018', 'localOnly'],
		['TO', '20123', 'possible'],
		['TO', '201234', 'invalidLength'],
	])('of %s says about the length of %s: %s', (region, number, verdict) => {
		expect(planOf(region).lengthVerdict(number)).toBe(verdict);
	});

	test.each<[region: string, number: string, isKnown: boolean]>([
		['US', '2025550143', true],
		['US', '1025550143', false],
		['US', '20255501433', false],
		['CN', '13123456789', true],
		['JM', '8765550143', true],
		['JM', '2025550143', false], // only the main plan of a calling code knows all of its numbers
		['US', '8765550143', true],
		['GB', '7911123456', true],
		['BR', '1132221234', true],
		['BR', '32221234', false], // short, and of no type, though the general pattern has it
		['BR', '40041234', true],
		['AU', '131234', true],
		['IT', '0612345', true], // a plan with short fixed lines
	])('of %s has numbers like %s: %s', (region, number, isKnown) => {
		expect(planOf(region).hasNumber(number)).toBe(isKnown);
	});

	test.each<[region: string, number: string, national: string]>([
		['GB', '02079460018', '2079460018'],
		['GB', '2079460018', '2079460018'],
		['RU', '89123456789', '9123456789'],
		['HU', '06201234567', '201234567'],
		['US', '12025550143', '2025550143'],
		['IT', '0612345678', '0612345678'],
		['ES', '612345678', '612345678'],
		['BR', '01511912345678', '11912345678'], // the carrier, too
		['AS', '6331234', '6846331234'], // the area code for 7 digits
		['AR', '011152345678', '9112345678'], // a 9 for the 15 of mobiles
		['CN', '013123456789', '13123456789'],
		// Only the number as it is fits the plan
		['RU', '8001234567', '8001234567'],
		// Without the prefix it would be too short
		['GB', '012345', '012345'],
	])('of %s reads %s without its trunk prefix: %s', (region, number, national) => {
		expect(planOf(region).withoutTrunkPrefix(number)).toBe(national);
	});

	test.each<[region: string, digits: string, rest: string | undefined]>([
		['GB', '0012025550143', '12025550143'],
		['GB', '02079460018', undefined],
		['US', '011442079460018', '442079460018'],
		['US', '00442079460018', undefined],
		['RU', '810442079460018', '442079460018'],
		['AU', '0011442079460018', '442079460018'],
		['CO', '009442079460018', '442079460018'],
		['GB', '00012025550143', undefined], // no calling code begins with 0
	])('of %s reads %s after its prefix for calls abroad: %s', (region, digits, rest) => {
		expect(planOf(region).afterInternationalPrefix(digits)).toBe(rest);
	});

	test.each<[region: string, digits: string, national: string | undefined]>([
		['GB', '442079460018', '2079460018'],
		['CN', '8613123456789', '13123456789'],
		['RU', '79123456789', '9123456789'],
		['US', '12025550143', '2025550143'],
		['GB', '2079460018', undefined],
		['IT', '3931234567', undefined], // a mobile of the area 393
		['DE', '4930123456', '30123456'],
	])('of %s reads %s without its own calling code: %s', (region, digits, national) => {
		expect(planOf(region).withoutOwnCallingCode(digits)).toBe(national);
	});
});

describe('the plan of an international number', () => {
	test.each([
		['12025550143', 'US'],
		['18765550143', 'US'],
		['442079460018', 'GB'],
		['77012345678', 'RU'],
		['37612345', 'AD'],
		['80012345678', '001'],
	])('%s is that of its calling code: %s', (digits, region) => {
		expect(planByLeadingCallingCode(digits)?.region).toBe(region);
	});

	test.each(['', '0', '02079460018', '2101234567', '999123456', '3'])(
		'%j does not exist',
		(digits) => {
			expect(planByLeadingCallingCode(digits)).toBeUndefined();
		},
	);
});

import fc from 'fast-check';
import type { GenericValue } from 'n8n-workflow';
import {
	type Answer,
	type AnswerRecord,
	type ChosenOutput,
	columnsOf,
	inOneGo,
	resultFields,
	type SlotResult,
	tableOf,
	textOf,
} from '../../engine';
import { outputProperties } from '../../../nodes/LookupMessaging/editor/options';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { enrichContact } from '../../../nodes/LookupMessaging/operations/contact/enrich';
import { SECTIONS } from '../../../nodes/LookupMessaging/operations/contact/sections';

/** The result of a contact as the node shows it. */

const PHONE = {
	...{ outcome: 'positive', phoneNumber: '+442079460123', lineType: 'landline', carrier: null },
	...{ countryCode: 'GB', location: 'London', timezone: 'Europe/London' },
	...{ reason: null, source: 'service' },
};
const EMAIL = { outcome: 'unknown', email: null, reason: 'It broke.', source: 'failed' };
const RECORD: AnswerRecord = {
	channels: ['phone', 'whatsApp'],
	signals: { voip: false, tollFree: true, incomplete: true },
	...{ phone: PHONE, email: EMAIL, geoIp: null },
};
const INPUT = { phoneNumber: '020 7946 0123', email: 'ada@mail.example' };

function shown(
	chosen: Partial<ChosenOutput> = {},
	record = RECORD,
	reason = 'Email: It broke.',
	input: GenericValue = INPUT,
) {
	const answer: Answer = { outcome: 'positive', record, reason };
	const slot: SlotResult = {
		...{ item: 0, input, kind: 'answer', source: 'service' },
		...{ answer, response: {} },
	};
	const output: ChosenOutput = { ...{ output: 'simplified', selectedFields: [] }, ...chosen };
	return inOneGo(resultFields(enrichContact, slot, answer, output, () => undefined));
}

const FLAT = { layout: tableOf([]) };

describe('the result of a contact', () => {
	test('has the reason of the item if no section has one', () => {
		const record = { channels: [], signals: { incomplete: false }, phone: null };
		const result = shown({}, record, 'Contact has no value');
		expect(result).toMatchObject({ reason: 'Contact has no value', channels: [] });
		expect(result).not.toHaveProperty('phone');
	});

	test('shows an error of a value once, and in every section that is selected', () => {
		const wrong = { outcome: 'negative', reason: 'Phone Number has no digits', source: 'local' };
		const failed = { ...wrong, outcome: 'unknown', source: 'failed' };
		const record = { phone: wrong, callerId: wrong, whatsApp: wrong, email: failed };
		const { phone, callerId, whatsApp, email } = shown({}, record);
		const { reason, ...unsaid } = wrong;
		expect({ phone, callerId, whatsApp, email }).toEqual({
			...{ phone: wrong, callerId: unsaid, whatsApp: unsaid, email: failed },
		});

		const selectedFields = ['whatsApp_reason', 'callerId'];
		const selected = { output: 'selectedFields', selectedFields } as const;
		expect(shown(selected, record)).toEqual({ callerId: wrong, whatsApp_reason: reason });
	});
});

describe('Flat Columns', () => {
	const PHONE_COLUMNS = [
		...['phone_outcome', 'phone_phoneNumber', 'phone_lineType', 'phone_carrier'],
		...['phone_countryCode', 'phone_location', 'phone_timezone'],
	];

	test('has a column for each value of the chosen lookups, in one order, whatever is known', () => {
		const result = shown(FLAT);
		expect(Object.keys(result)).toEqual([
			...['outcome', 'channels', 'signals', ...PHONE_COLUMNS],
			...['email_outcome', 'email_email', 'email_verdict', 'email_reasonCode'],
			...['email_catchAll', 'email_disposable'],
			...['geoIp_outcome', 'geoIp_countryCode', 'geoIp_countryName', 'geoIp_region'],
			...['geoIp_city', 'geoIp_timezone'],
			...['reason', 'source', 'input_phoneNumber', 'input_email', 'input_ipAddress'],
		]);
		expect(result).toMatchObject({
			...{ channels: 'phone, whatsApp', signals: 'tollFree, incomplete' },
			...{ phone_lineType: 'landline', phone_carrier: null, geoIp_city: null },
			...{ reason: 'Email: It broke.', input_email: 'ada@mail.example', input_ipAddress: null },
		});
		for (const value of Object.values(result)) expect(typeof (value ?? '')).not.toBe('object');

		const poor = { channels: [], signals: {}, phone: null, email: null, geoIp: null };
		expect(Object.keys(shown(FLAT, poor))).toEqual(Object.keys(result));
		const skipped = shown({ layout: tableOf(['geoIp', 'email', 'phone']) }, {});
		expect(Object.keys(skipped)).toEqual(Object.keys(result));
	});

	test('has unique column names, which no other field has', () => {
		const names = [
			...['outcome', 'reason', 'source', 'ageDays', 'input'],
			...enrichContact.output.map(({ name }) => name),
			...columnsOf(enrichContact.output).map(({ name }) => name),
		];
		expect(new Set(names).size).toBe(names.length);
		for (const section of SECTIONS) expect(section).not.toContain('_');
	});

	test('is a choice of the operations that have sections, for users and not for models', () => {
		for (const operation of operations) {
			const choices = outputProperties(operation).filter(({ name }) => name === 'output');
			const flat = choices.filter(({ options = [] }) =>
				options.some((choice) => 'value' in choice && choice.value === 'flatColumns'),
			);
			const hasSections = operation.output.some(({ isLookup }) => isLookup);
			expect(choices).toHaveLength(hasSections ? 2 : 1);
			expect(flat.map(({ displayOptions }) => displayOptions)).toEqual(
				hasSections ? [{ hide: { '@tool': [true] } }] : [],
			);
		}
	});
});

describe('Selected Fields', () => {
	const select = (...selectedFields: string[]) =>
		({ output: 'selectedFields', selectedFields }) as const;

	test('takes single columns and whole sections, in the order of the output', () => {
		expect(shown(select('email', 'phone_lineType', 'outcome', 'phone_source'))).toEqual({
			...{ outcome: 'positive', phone_lineType: 'landline', phone_source: 'service' },
			email: EMAIL,
		});
	});
});

describe('a cell of Flat Columns', () => {
	/** What spreadsheets take for the beginning of a formula: OWASP's list on CSV injection. */
	const BEGINS = [...'=+-@\t\r\n＝＋－＠'];
	/** Their formulas are numbers, or no formulas. */
	const HARMLESS = [
		'+442079460123',
		'+44 (0)20 7946 0123',
		'-5',
		'-0.25',
		'12',
		'020 7946 0123',
		'a=b',
	];

	test('begins no formula, whether the service or the user wrote it', () => {
		const text = fc
			.tuple(fc.constantFrom(...BEGINS), fc.string())
			.map((parts) => parts.join(''))
			.filter((each) => /[a-z!|]/i.test(each));
		const value = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }));
		const property = fc.property(value, value, (ofService, ofUser) => {
			const record = { ...RECORD, phone: { ...PHONE, carrier: ofService, location: ofService } };
			const reason = [ofService].flat()[0];
			const input = { phoneNumber: ofUser, email: ofUser, ipAddress: ofUser };
			const cells = Object.values(shown(FLAT, record, reason, input));
			for (const cell of cells.filter((one) => one !== PHONE.phoneNumber)) {
				expect(BEGINS).not.toContain(textOf(cell).charAt(0));
			}
			expect(cells).toContain(`'${[ofUser].flat().join(', ')}`);
		});
		fc.assert(property);
	});

	test.each(HARMLESS)('is unchanged if it is a number or begins no formula: %s', (number) => {
		const record = { ...RECORD, phone: { ...PHONE, carrier: number } };
		const input = { phoneNumber: number, email: null, ipAddress: 5 };
		expect(shown(FLAT, record, '', input)).toMatchObject({
			...{ phone_carrier: number, input_phoneNumber: number },
			...{ input_email: null, input_ipAddress: 5 },
		});
	});
});

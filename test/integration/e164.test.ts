import type { IDataObject } from 'n8n-workflow';
import { release, runNode } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { resetTime } from '../harness/time';
import { startSandbox, type Sandbox } from '../sandbox';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

/** How people write a number, the country beside it, and the E.164 number that they mean. */
const WRITTEN: Array<[written: string, country: string, e164: string]> = [
	['+12025550143', '', '+12025550143'],
	['+1 (202) 555-0144', '', '+12025550144'],
	['+1.202.555.0145', 'Germany', '+12025550145'],
	['(202) 555-0146', 'USA', '+12025550146'],
	['1-202-555-0147', '+1', '+12025550147'],
	['tel:+1-202-555-0148', '', '+12025550148'],
	['+1 202 555 0149 ext. 5', '', '+12025550149'],
	['1-800-FLOWERS', 'US', '+18003569377'],
	['+44 (0)20 7946 0018', '', '+442079460018'],
	['020 7946 0019', 'GB', '+442079460019'],
	['020 7946 0020', 'United Kingdom', '+442079460020'],
	['0044 20 7946 0021', 'GB', '+442079460021'],
	['011 44 20 7946 0022', 'US', '+442079460022'],
	['447911123456', '', '+447911123456'],
	['+44\u00a020\u20117946\u20110023', '', '+442079460023'],
	['0171 3920012', '+49', '+491713920012'],
	['＋４９ １７１ ３９２００１３', '', '+491713920013'],
	['٠١٧١ ٣٩٢٠٠١٤', 'DEU', '+491713920014'],
	['8 (912) 345-67-89', '+7', '+79123456789'],
	['131 2345 6789', 'CN', '+8613123456789'],
	['06 698 12345', 'Italy', '+390669812345'],
];

/** What cannot be completed: a national number without its country, and no number at all. */
const NOT_ASKED = ['020 7946 0024', 'n/a', ''];

const item = { phoneNumber: '={{ $json.phone }}', country: '={{ $json.country }}' };
const basic = { responseDetail: 'basic' };
const validate = { resource: 'phone', operation: 'validate', ...item };
const lookUp = { resource: 'callerId', operation: 'lookUp', ...item };

/** Each operation that sends a phone number, with the endpoints that it asks. */
const OPERATIONS: Array<[name: string, parameters: IDataObject, endpoints: string[]]> = [
	['Phone Validate, Detailed', validate, ['phonevalidation']],
	['Phone Validate, Basic', { ...validate, ...basic }, ['checkapi']],
	['Caller ID Look Up, Detailed', lookUp, ['calleridvalidation']],
	['Caller ID Look Up, Basic', { ...lookUp, ...basic }, ['check']],
	[
		'WhatsApp Check Number',
		{ resource: 'whatsApp', operation: 'checkNumber', ...item },
		['checkwanumber'],
	],
	[
		'WhatsApp Send Message',
		{ resource: 'whatsApp', operation: 'sendMessage', ...item, message: 'Hello' },
		['sendwasms'],
	],
	['Batch Check Many Numbers', { resource: 'batch', operation: 'checkMany', ...item }, ['batch']],
	[
		'Contact Enrich',
		{
			...{ resource: 'contact', operation: 'enrich', ...item },
			lookups: ['phone', 'callerId', 'whatsApp'],
		},
		['calleridvalidation', 'checkwanumber', 'phonevalidation'],
	],
	[
		'Contact Enrich without Phone Validation',
		{ resource: 'contact', operation: 'enrich', ...item, lookups: ['callerId', 'whatsApp'] },
		['calleridvalidation', 'checkwanumber'],
	],
];

describe(`phone numbers in requests, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0 });
	});
	beforeEach(() => {
		resetTime(() => sandbox.finishBatches());
		sandbox.reset();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const run = async (parameters: IDataObject, items: IDataObject[]) => {
		const result = await runNode({ credentials: credentialsOf(sandbox), parameters, items });
		return { error: result.error?.message, records: result.items().map(({ json }) => json) };
	};
	/** The phone numbers that each endpoint received, by the last part of its path. */
	const received = () => {
		const numbers: Record<string, string[]> = {};
		for (const { path, query, body } of sandbox.log) {
			const { number, phone_number, phone_numbers } = { ...query, ...(body as IDataObject) };
			const sent = [number ?? phone_number ?? phone_numbers ?? []].flat() as string[];
			if (sent.length > 0) (numbers[path.split('/').at(-1) ?? ''] ??= []).push(...sent);
		}
		return numbers;
	};

	it.each(['checkMany', 'submit'])(
		'Batch %s submits one number for all its spellings, so a service that drops duplicates drops none',
		async (operation) => {
			const spellings = ['+44 7911 123456', '447911123456', '00447911123456', '07911 123456'];
			const more = ['+44 (0)7911 123456', 'tel:+44-7911-123456', '٠٧٩١١ ١٢٣٤٥٦'];
			const items = [...spellings, ...more].map((phone) => ({ phone, country: 'GB' }));
			const { error, records } = await run({ resource: 'batch', operation, ...item }, items);

			expect(error).toBeUndefined();
			expect(received()).toEqual({ batch: ['+447911123456'] });
			if (operation === 'submit') return;
			expect(records.map(({ phoneNumber, outcome }) => [phoneNumber, outcome])).toEqual(
				items.map(() => ['+447911123456', 'positive']),
			);
		},
	);

	describe.each(OPERATIONS)('%s', (_, parameters, endpoints) => {
		it('looks up the E.164 number, in every spelling', async () => {
			const items = WRITTEN.map(([phone, country]) => ({ phone, country }));
			const { error, records } = await run(parameters, items);

			expect(error).toBeUndefined();
			const meant = WRITTEN.map(([, , e164]) => e164).sort();
			const sorted = Object.entries(received()).map(([at, numbers]) => [at, numbers.sort()]);
			expect(Object.fromEntries(sorted)).toEqual(
				Object.fromEntries(endpoints.map((endpoint) => [endpoint, meant])),
			);
			expect(records).toHaveLength(WRITTEN.length);
		});

		it('looks up no number that cannot be completed', async () => {
			const items = NOT_ASKED.map((phone) => ({ phone, country: '' }));
			const { records } = await run(parameters, items);

			expect(received()).toEqual({});
			expect(records.map(({ outcome }) => outcome)).not.toContain('positive');
		});
	});
});

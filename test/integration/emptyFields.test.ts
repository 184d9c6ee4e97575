import { operations } from '../../nodes/LookupMessaging/operations';
import { release } from '../harness/n8n';
import { leads } from '../harness/parameters';
import { receiptOf } from '../harness/parseReceipt';
import { storiesOn, type Story } from '../harness/stories';
import { TOOL_TYPE, toolVariant } from '../harness/toolVariant';
import { magic } from '../sandbox';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const NUMBER = magic.PHONE.onWhatsApp;
const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.mail }}' };
const phoneNumber = '={{ $json.phone }}';
const sendMessage = {
	...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello', phoneNumber },
};
const contact = { resource: 'contact', operation: 'enrich', phoneNumber };
const enrich = { ...contact, email: '={{ $json.email }}' };
/** With the field Name, which Caller ID has. */
const named = {
	...{ ...enrich, contactName: '={{ $json.nme }}' },
	lookups: ['callerId', 'email', 'phone', 'whatsApp'],
};
const EMPTY = 'Email is empty. Check the field name in its expression.';
const ALL_EMPTY = 'Email is empty in all 8 items. Check the field name in its expression.';

/** Leads as a form or a spreadsheet gives them; none has a field `mail`. */
const LEADS = leads(...Array.from({ length: 8 }, (_, n) => `ada${n}`));
const credential = { apiKey: 'wrong' };

describe(`empty fields, n8n ${release}`, () => {
	const { see, tell } = storiesOn({ batchNumbersPerSecond: 100_000 });
	/** The hints beside the receipt are these and no others. */
	const warns = (...warnings: string[]): Pick<Story, 'also'> => ({
		also: (run) => expect(run.hints().filter((text) => !receiptOf([text]))).toEqual(warnings),
	});
	const told: Story = { node: verifyEmail, items: LEADS, calls: 0, ...warns(ALL_EMPTY) };

	describe('a misspelt expression', () => {
		tell({
			'makes every lead unknown, says why, and costs nothing': {
				...{ ...told, status: 'success', outcomes: LEADS.map(() => 'unknown') },
				sources: LEADS.map(() => 'local'),
				fields: { reason: LEADS.map(() => 'Email is empty') },
				also(run) {
					const receipt = 'Nothing charged.<br>8 items: all skipped.';
					expect(run.hints()).toEqual([receipt, ALL_EMPTY]);
					const warning = { type: 'warning', location: 'outputPane' };
					expect(run.lastTask().hints?.[1]).toMatchObject(warning);
				},
			},
			'causes a warning with one item': { ...told, items: LEADS.slice(0, 1), ...warns(EMPTY) },
			'causes a warning in a dry run, which answers the items locally': {
				...{ ...told, options: { dryRun: true } },
				item: { 0: { lookupsNeeded: 0, answeredLocally: 8 } },
				also: (run) => expect(run.hints()).toEqual([ALL_EMPTY]),
			},
			'in part of a value causes a warning too, although no value is empty': {
				node: {
					...{ resource: 'whatsApp', operation: 'checkNumber' },
					phoneNumber: '=+49{{ $json.telephone }}',
				},
				items: LEADS,
				...warns(
					'Phone Number refers to a field that no item has. Check the field name in its expression.',
				),
			},
			'of Max Paid Lookups does not remove the limit: nothing is sent': {
				node: { ...verifyEmail, email: 'ada@mail.example' },
				...{ options: { maxPaidLookups: '={{ $json.limit }}' }, calls: 0 },
				fails:
					/Max Paid Lookups is empty\. Enter a whole number, or 0 without an expression for no limit/,
			},
		});

		it.each(
			operations
				.filter(({ subject, outcomes, resource }) => subject && outcomes && resource !== 'contact')
				.map((operation) => [operation.action, operation] as const),
		)('of %s is unknown, and never a no', async (_, { resource, value, fields, subject = '' }) => {
			const { displayName } = fields.find(({ name }) => name === subject) ?? {};
			await see({
				node: { resource, operation: value, [subject]: '={{ $json.misspelt }}' },
				...{ items: LEADS.slice(0, 2), calls: 0, outcomes: ['unknown', 'unknown'] },
				item: { 0: { reason: `${displayName} is empty` } },
				...warns(`${displayName} is empty in all 2 items. Check the field name in its expression.`),
			});
		});
	});

	describe('a run that fails', () => {
		const options = { alsoFailItemsIf: ['inputIsInvalid'] };
		tell({
			'before its calls has the warning in its description': [
				{ node: verifyEmail, options },
				{ node: verifyEmail, options: { ...options, ifSomeItemsFail: 'stopNode' } },
				{ node: { ...sendMessage, phoneNumber: '={{ $json.mail }}' } },
			].map((story) => ({
				...{ ...story, items: LEADS, calls: 0 },
				fails: /^(?:Email|Phone Number) is empty\. Fix (?:the value|that)\b/,
				describes:
					/Nothing charged\. (?:Email|Phone Number) is empty in all 8 items\. Check the field name in its expression\.$/,
				also: ({ error }) => expect(error?.name).toBe('NodeOperationError'),
			})),
			'during its calls has the warning in its description': {
				...{ node: named, items: [{ phone: NUMBER, email: '' }], credential },
				describes: /\. Name is empty\. Check the field name in its expression\.$/,
				also: ({ error }) => expect(error?.name).toBe('NodeApiError'),
			},
			'because of a wrong key has no warning if one item has a value': {
				node: { ...verifyEmail, email: '={{ $json.email }}', output: 'raw' },
				...{ items: [...LEADS, { mail: '' }], credential, status: 'error' },
				isSilentOn: /is empty/,
			},
		});
	});

	describe('a value that is left out on purpose', () => {
		tell({
			'is unknown in its item alone, without a warning': {
				...{ node: verifyEmail, calls: 1, ...warns() },
				items: [{ mail: 'ada@mail.example' }, { mail: '' }, {}, { mail: ' \u200b' }],
				outcomes: ['positive', 'unknown', 'unknown', 'unknown'],
			},
			'causes no warning in one form submission: an optional field may be empty': {
				...{ node: enrich, items: [{ phone: NUMBER, email: '' }], outcomes: ['positive'] },
				...{ fields: { email: [undefined] }, ...warns() },
			},
			'causes no warning if its expression searches a list': {
				node: { ...enrich, email: '={{ $json.emails.find(({ isMain }) => isMain).of }}' },
				...{ items: [{ phone: NUMBER, emails: [{ isMain: true }] }], ...warns() },
				outcomes: ['positive'],
			},
			'causes a warning if all contacts lack it, and the rest is looked up': {
				node: enrich,
				items: [NUMBER, '+12025550103'].map((phone) => ({ phone, email: '' })),
				outcomes: ['positive', 'positive'],
				...warns('Email is empty in all 2 items. Check the field name in its expression.'),
			},
		});

		it('causes no warning if a model leaves it out', async () => {
			const types = { nodes: { [TOOL_TYPE]: await toolVariant() } };
			await see({
				...{ node: verifyEmail, type: TOOL_TYPE, types, ...warns() },
				fields: { outcome: ['unknown'], reason: ['Email is empty'] },
			});
		});
	});
});

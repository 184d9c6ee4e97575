import { operations } from '../../nodes/LookupMessaging/operations';
import { release } from '../harness/n8n';
import { leads } from '../harness/parameters';
import { receiptOf } from '../harness/parseReceipt';
import { storiesOn } from '../harness/stories';
import { TOOL_TYPE, toolVariant } from '../harness/toolVariant';
import { magic } from '../sandbox';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.mail }}' };
const enrich = {
	...{ resource: 'contact', operation: 'enrich', phoneNumber: '={{ $json.phone }}' },
	...{ contactName: '={{ $json.nme }}', lookups: ['callerId', 'phone'] },
};
/** Leads as a form or a spreadsheet gives them; none has a field `mail`. */
const LEADS = leads('ada', 'bob');
const REMEDY = 'Check the field name in its expression.';
const ALL_EMPTY = `Email is empty in all 2 items. ${REMEDY}`;

// Which fields are suspect: unit/engine/emptyFields
describe(`empty fields, n8n ${release}`, () => {
	const { see, tell } = storiesOn();

	describe('a misspelt expression', () => {
		tell({
			'makes every lead unknown, says why, and costs nothing': {
				...{ node: verifyEmail, items: LEADS, calls: 0, status: 'success' },
				...{ outcomes: ['unknown', 'unknown'], sources: ['local', 'local'] },
				fields: { reason: ['Email is empty', 'Email is empty'] },
				also(run) {
					expect(run.hints()).toEqual(['Nothing charged.<br>2 items: all skipped.', ALL_EMPTY]);
					const warning = { type: 'warning', location: 'outputPane' };
					expect(run.lastTask().hints?.[1]).toMatchObject(warning);
				},
			},
			'causes a warning in a dry run, which answers the items locally': {
				...{ node: verifyEmail, items: LEADS, options: { dryRun: true }, calls: 0 },
				item: { 0: { lookupsNeeded: 0, answeredLocally: 2 } },
				also: (run) => expect(run.hints()).toEqual([ALL_EMPTY]),
			},
			'is named in the description of a run that fails before its calls': {
				...{ node: verifyEmail, items: LEADS, calls: 0 },
				options: { alsoFailItemsIf: ['inputIsInvalid'] },
				fails: /^Email is empty\. Fix the value/,
				describes: new RegExp(`Nothing charged\\. ${ALL_EMPTY}$`),
			},
			'is named in the description of a run that fails during its calls': {
				...{ node: enrich, items: [{ phone: magic.PHONE.onWhatsApp }] },
				...{
					credential: { apiKey: 'wrong' },
					describes: new RegExp(`Name is empty\\. ${REMEDY}$`),
				},
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
				...{ items: LEADS, calls: 0, outcomes: ['unknown', 'unknown'] },
				item: { 0: { reason: `${displayName} is empty` } },
				hints: new RegExp(`^${displayName} is empty in all 2 items`),
			});
		});

		it('causes no warning if a model leaves the value out', async () => {
			const types = { nodes: { [TOOL_TYPE]: await toolVariant() } };
			const run = await see({
				...{ node: verifyEmail, type: TOOL_TYPE, types },
				fields: { outcome: ['unknown'], reason: ['Email is empty'] },
			});
			expect(run.hints().filter((text) => !receiptOf([text]))).toEqual([]);
		});
	});
});

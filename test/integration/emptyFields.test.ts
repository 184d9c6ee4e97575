import type { IDataObject } from 'n8n-workflow';
import { operations } from '../../nodes/LookupMessaging/operations';
import { inCollections } from '../harness/collections';
import { release, runNode } from '../harness/n8n';
import { credentialsOf, runnerOn } from '../harness/onSandbox';
import { receiptOf } from '../harness/parseReceipt';
import { TOOL_TYPE, toolVariant } from '../harness/toolVariant';
import { magic, startSandbox, type Sandbox } from '../sandbox';

const NUMBER = magic.PHONE.onWhatsApp;
const verifyEmail = {
	...{ resource: 'email', operation: 'verify' },
	email: '={{ $json.mail }}',
};
const sendMessage = {
	...{ resource: 'whatsApp', operation: 'sendMessage' },
	phoneNumber: '={{ $json.phone }}',
	message: 'Hello',
};
const enrich = {
	...{ resource: 'contact', operation: 'enrich' },
	...{ phoneNumber: '={{ $json.phone }}', email: '={{ $json.email }}' },
};
/** With the field Name, which Caller ID has. */
const named = {
	...{ ...enrich, contactName: '={{ $json.nme }}' },
	lookups: ['callerId', 'email', 'phone', 'whatsApp'],
};
const EMPTY = 'Email is empty. Check the field name in its expression.';
const ALL_EMPTY = 'Email is empty in all 8 items. Check the field name in its expression.';

/** Leads as a form or a spreadsheet gives them; none has a field `mail`. */
const leads = Array.from({ length: 8 }, (_, n) => ({ email: `ada${n}@mail.example` }));
const wrongKey = { credential: { apiKey: 'wrong' } };

describe(`empty fields, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 100_000 });
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());

	const run = runnerOn(() => sandbox);
	/** The hints beside the receipt. */
	const warningsOf = (hints: string[]) => hints.filter((text) => !receiptOf([text]));
	const outcomesOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.outcome);

	describe('a misspelt expression', () => {
		it('makes every lead unknown, says why, and costs nothing', async () => {
			const node = await run(verifyEmail, { items: leads });

			expect(node.status).toBe('success');
			expect(node.items()).toHaveLength(8);
			for (const { json } of node.items()) {
				expect(json).toMatchObject({ outcome: 'unknown', source: 'local' });
				expect(json.reason).toBe('Email is empty');
			}
			expect(node.hints()).toEqual(['Nothing charged.<br>8 items: all skipped.', ALL_EMPTY]);
			const { hints } = node.lastTask();
			expect(hints?.[1]).toMatchObject({ type: 'warning', location: 'outputPane' });
			expect(sandbox.log).toEqual([]);
		});

		it('sends every lead to Unknown', async () => {
			const node = await run({ ...verifyEmail, routeByResult: true }, { items: leads });
			expect(node.outputs().map(({ length }) => length)).toEqual([0, 0, 8]);
			expect(warningsOf(node.hints())).toEqual([ALL_EMPTY]);
		});

		it('causes a warning with one item', async () => {
			const node = await run(verifyEmail, { items: leads.slice(0, 1) });
			expect(warningsOf(node.hints())).toEqual([EMPTY]);
		});

		it('causes a warning in a dry run, which answers the items locally', async () => {
			const options = { dryRun: true };
			const node = await run({ ...verifyEmail, ...inCollections(options) }, { items: leads });
			expect(node.items()[0].json).toMatchObject({ lookupsNeeded: 0, answeredLocally: 8 });
			expect(node.hints()).toEqual([ALL_EMPTY]);
		});

		it.each(
			operations
				.filter(({ subject, outcomes, resource }) => subject && outcomes && resource !== 'contact')
				.map((operation) => [operation.action, operation] as const),
		)('of %s is unknown, and never a no', async (_, { resource, value, fields, subject = '' }) => {
			const { displayName } = fields.find(({ name }) => name === subject) ?? {};
			const parameters = { resource, operation: value, [subject]: '={{ $json.misspelt }}' };
			const node = await run(parameters, { items: leads.slice(0, 2) });

			expect(outcomesOf(node.items())).toEqual(['unknown', 'unknown']);
			expect(node.items()[0].json.reason).toBe(`${displayName} is empty`);
			expect(warningsOf(node.hints())).toEqual([
				`${displayName} is empty in all 2 items. Check the field name in its expression.`,
			]);
			expect(sandbox.log).toEqual([]);
		});

		it('in part of a value causes a warning too, although no value is empty', async () => {
			const phoneNumber = '=+49{{ $json.telephone }}';
			const checkNumber = { resource: 'whatsApp', operation: 'checkNumber', phoneNumber };
			const node = await run(checkNumber, { items: leads });
			expect(warningsOf(node.hints())).toEqual([
				'Phone Number refers to a field that no item has. Check the field name in its expression.',
			]);
		});

		it('in an option or an optional field causes a warning with one item', async () => {
			const options = { checkNumberFirst: '={{ $json.check }}' };
			const message = await run({ ...sendMessage, options }, { items: [{ phone: NUMBER }] });
			expect(warningsOf(message.hints())).toEqual([
				'Check Number First is empty. Check the field name in its expression.',
			]);

			const items = [{ phone: NUMBER, name: 'Ada' }];
			const contact = await run(named, { items });
			expect(warningsOf(contact.hints())).toEqual([
				EMPTY,
				'Name is empty. Check the field name in its expression.',
			]);
		});

		it('of Max Paid Lookups does not remove the limit: nothing is sent', async () => {
			const options = { maxPaidLookups: '={{ $json.limit }}' };
			const node = await run({
				...verifyEmail,
				email: 'ada@mail.example',
				...inCollections(options),
			});
			expect(node.error?.message).toMatch(
				/Max Paid Lookups is empty\. Enter a whole number, or 0 for no limit/,
			);
			expect(sandbox.log).toEqual([]);
		});
	});

	describe('a run that fails', () => {
		const failing = { ...verifyEmail, options: { alsoFailItemsIf: ['inputIsInvalid'] } };
		const stop = { ...failing, options: { ...failing.options, ifSomeItemsFail: 'stopNode' } };

		it.each([
			['an empty value that is to fail', failing, 'NodeOperationError'],
			['the same with Stop at the First Failure', stop, 'NodeOperationError'],
			[
				'an operation that is no lookup',
				{ ...sendMessage, phoneNumber: '={{ $json.mail }}' },
				'NodeOperationError',
			],
		])('before its calls has the warning in its description: %s', async (_, parameters, name) => {
			const node = await run(parameters, { items: leads });
			expect(node.error).toMatchObject({
				name,
				message: expect.stringMatching(
					/^(?:Email|Phone Number) is empty\. Fix (?:the value|that)\b/,
				),
				description: expect.stringMatching(
					/Nothing charged\. (?:Email|Phone Number) is empty in all 8 items\. Check the field name in its expression\.$/,
				),
			});
			expect(sandbox.log).toEqual([]);
		});

		it('during its calls has the warning in its description', async () => {
			const parameters = named;
			const items = [{ phone: NUMBER, email: '' }];
			const node = await run(parameters, { items, ...wrongKey });
			expect(node.error).toMatchObject({
				name: 'NodeApiError',
				description: expect.stringMatching(
					/\. Name is empty\. Check the field name in its expression\.$/,
				),
			});
		});

		it('continues item by item with On Error: Continue, and warns in a hint', async () => {
			const node = await run(failing, { items: leads, onError: 'continueRegularOutput' });
			expect(node.items()).toHaveLength(8);
			expect(node.items()[0].json.error).toMatch(/^Email is empty\. .*You weren't charged/);
			expect(warningsOf(node.hints())).toEqual([ALL_EMPTY]);
		});

		it('returns its items at the error output, and warns in a hint', async () => {
			const parameters = { ...failing, routeByResult: true };
			const node = await run(parameters, { items: leads, onError: 'continueErrorOutput' });
			expect(node.outputs().map(({ length }) => length)).toEqual([0, 0, 0, 8]);
			expect(warningsOf(node.hints())).toEqual([ALL_EMPTY]);
		});

		it('because of a wrong key has no warning if one item has a value', async () => {
			const items = [...leads, { mail: '' }];
			const parameters = { ...verifyEmail, email: '={{ $json.email }}', output: 'raw' };
			const node = await run(parameters, { items, ...wrongKey });
			expect(node.status).toBe('error');
			expect(node.error?.description).not.toMatch(/is empty/);
		});
	});

	describe('a value that is left out on purpose', () => {
		it('is unknown in its item alone, without a warning', async () => {
			const items = [{ mail: 'ada@mail.example' }, { mail: '' }, {}, { mail: ' \u200b' }];
			const node = await run(verifyEmail, { items });
			expect(outcomesOf(node.items())).toEqual(['positive', 'unknown', 'unknown', 'unknown']);
			expect(warningsOf(node.hints())).toEqual([]);
			expect(sandbox.log).toHaveLength(1);
		});

		it('causes no warning in one form submission: an optional field may be empty', async () => {
			const node = await run(enrich, { items: [{ phone: NUMBER, email: '' }] });
			expect(node.items()[0].json).toMatchObject({ outcome: 'positive' });
			expect(node.items()[0].json).not.toHaveProperty('email');
			expect(warningsOf(node.hints())).toEqual([]);
		});

		it('makes a contact without any value unknown, with a reason', async () => {
			const items = [{ phone: '', email: ' \u200b' }];
			const node = await run(enrich, { items });
			expect(node.items()[0].json).toMatchObject({
				outcome: 'unknown',
				source: 'local',
				reason: expect.stringMatching(/^Contact has no value for the chosen lookups/),
				input: {},
			});
			expect(warningsOf(node.hints())).toEqual([]);
			expect(sandbox.log).toEqual([]);
		});

		it('causes a warning if all contacts lack it, and the rest is looked up', async () => {
			const items = [NUMBER, '+12025550103'].map((phone) => ({ phone, email: '' }));
			const node = await run(enrich, { items });
			expect(outcomesOf(node.items())).not.toContain('unknown');
			expect(warningsOf(node.hints())).toEqual([
				'Email is empty in all 2 items. Check the field name in its expression.',
			]);
		});

		it('causes no warning if its field is hidden', async () => {
			const checkMany = {
				...{ resource: 'batch', operation: 'checkMany', numbersFrom: 'list' },
				...{ phoneNumber: '={{ $json.misspelt }}', phoneNumbers: `${NUMBER}, ,` },
			};
			const node = await run(checkMany);
			expect(outcomesOf(node.items())).toEqual(['positive']);
			expect(warningsOf(node.hints())).toEqual([]);
		});

		it('causes no warning if a model leaves it out', async () => {
			const node = await runNode({
				credentials: credentialsOf(sandbox),
				types: { nodes: { [TOOL_TYPE]: await toolVariant() } },
				type: TOOL_TYPE,
				parameters: verifyEmail,
			});
			expect(node.items()[0].json).toMatchObject({ outcome: 'unknown', reason: 'Email is empty' });
			expect(warningsOf(node.hints())).toEqual([]);
		});
	});
});

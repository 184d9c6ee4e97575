import type { IDataObject, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { operations } from '../../nodes/LookupMessaging/operations';
import { magic, startSandbox, type Sandbox } from '../sandbox';
import { release, runNode, type NodeOptions } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { resetTime } from '../harness/time';
import { callingTool, type Reply } from '../harness/toolCalls';
import { TOOL_TYPE, toolVariant } from '../harness/toolVariant';

const NUMBER = magic.PHONE.onWhatsApp;
/** As a model leaves out what it is to fill in: n8n itself looks at what is fixed only. */
const EMPTY = "={{ '' }}";

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

/** What a tool of these parameters is described as to a model. */
async function describedAs(given: object): Promise<string> {
	const { description } = await toolVariant();
	const node = {
		name: 'Tool',
		type: TOOL_TYPE,
		typeVersion: 1,
		id: '1',
		position: [0, 0],
	} as never;
	const { properties } = description;
	const { getNodeParameters, getToolDescriptionForNode } = NodeHelpers;
	const parameters = getNodeParameters(properties, given as never, true, false, node, description);
	const toolNode = { ...(node as object), parameters } as never;
	return getToolDescriptionForNode(toolNode, { description } as INodeType);
}

describe(`the node as a tool of a model, n8n ${release}`, () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => {
		resetTime();
		sandbox.reset();
	});
	afterAll(async () => await sandbox.close());
	expectOnlyE164(() => sandbox);

	const call = async (parameters: object, options: Partial<NodeOptions> = {}) =>
		await runNode({
			credentials: credentialsOf(sandbox),
			types: { nodes: { [TOOL_TYPE]: await toolVariant() } },
			type: TOOL_TYPE,
			parameters,
			...options,
		});
	const numbers = (count: number) =>
		Array.from({ length: count }, (_, index) => `+1202555${1000 + index}`).join(', ');

	it.each(operations.map((operation) => [operation.action, operation] as const))(
		'%s says what it does, which arguments it takes, and whether to repeat it',
		async (_, { resource, value, description, outcomes, free }) => {
			const toolText = await describedAs({ resource, operation: value });

			expect(toolText.startsWith(description)).toBe(true);
			for (const name of Object.values(outcomes ?? {}))
				expect(toolText).toContain(name.toLowerCase() === 'unknown' ? 'unknown' : name);
			expect(/credits/.test(toolText) || free === true).toBe(true);
			expect(toolText).not.toMatch(/undefined|\.\./);
			expect(toolText.length).toBeLessThan(500);
		},
	);

	it('has the description of its user, if there is one', async () => {
		const parameters = { resource: 'phone', operation: 'validate', toolDescription: 'Ask me' };
		expect(await describedAs(parameters)).toBe('Ask me');
	});

	it('has no Stored Results: one input, one output', async () => {
		const { description } = await toolVariant();
		const fields = description.properties.flatMap(({ name, options = [], displayOptions }) => [
			{ name, displayOptions },
			...options.map((option) => ({ displayOptions: undefined, ...option })),
		]);
		const found = fields.filter(({ name }) => /^(?:storedResults|maxAgeDays)$/.test(name));
		expect(found).toHaveLength(2 * 7);
		for (const { displayOptions } of found)
			expect(displayOptions?.hide).toEqual({ '@tool': [true] });
		const check = { resource: 'phone', operation: 'validate', phoneNumber: NUMBER };
		const result = await call({ ...check, storedResults: true });
		expect(result.outputs()).toHaveLength(1);
		expect(result.items()[0].json).not.toHaveProperty('ageDays');
	});

	it('returns no fields without a value', async () => {
		const contact = { resource: 'contact', operation: 'enrich', phoneNumber: NUMBER };
		const [{ json }] = (await call(contact)).items();

		expect(json).toMatchObject({ outcome: 'positive', phone: { outcome: 'positive' } });
		expect(JSON.stringify(json)).not.toContain('null');
		expect(json).not.toHaveProperty('email');
	});

	it('keeps the nulls if its user chose the fields', async () => {
		const parameters = { resource: 'email', operation: 'verify', email: 'ada@example.com' };
		const chosen = { output: 'selectedFields', selectedFields: ['disposable', 'outcome'] };
		const [{ json }] = (await call({ ...parameters, ...chosen })).items();
		expect(json).toEqual({ outcome: 'positive', disposable: null });
	});

	it('returns ten results at most, in one item that says how many there were', async () => {
		const search = { resource: 'scraper', operation: 'searchForum', query: magic.SCRAPER.many };
		const items = (await call(search)).items();

		expect(items).toHaveLength(1);
		const { count, results } = items[0].json as { count: number; results: IDataObject[] };
		expect(count).toBe(250);
		expect(results).toHaveLength(10);
	});

	it('takes several numbers in one call', async () => {
		const phoneNumbers = '+12025550102, +12025550103';
		const result = await call({ resource: 'batch', operation: 'checkMany', phoneNumbers });
		expect(result.items().map(({ json }) => json.outcome)).toEqual(['positive', 'negative']);
	});

	const email = 'ada@mail.example';
	it.each([
		[
			...(['a batch', { resource: 'batch', operation: 'submit', numbersFrom: 'items' }] as const),
			{ totalNumbers: 1 },
		],
		['an answer', { resource: 'email', operation: 'verify', email }, { input: email }],
	])('adds no field of its caller to %s', async (_, parameters, fields) => {
		const items = [{ phoneNumber: NUMBER, authorization: 'Bearer of the caller' }];
		const own = { ...parameters, phoneNumber: NUMBER, includeOtherInputFields: undefined };
		const [{ json }] = (await call(own, { items })).items();
		expect(json).toMatchObject({ outcome: 'positive', ...fields });
		expect(json).not.toHaveProperty('submitted');
		expect(JSON.stringify(json)).not.toContain('caller');
	});

	it('pays once for a value of two parallel calls', async () => {
		const phoneNumbers = "={{ $fromAI('numbers', 'The numbers', 'string') }}";
		const parameters = { resource: 'batch', operation: 'checkMany', phoneNumbers };
		const credentials = credentialsOf(sandbox);
		const lists = [numbers(3), numbers(3), numbers(5)];
		let replies: Reply[] = [];
		await callingTool({ credentials, parameters }, async (callOnce) => {
			replies = await Promise.all(lists.map((list) => callOnce({ numbers: list })));
		});

		expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(5);
		expect(replies.map(({ items }) => items?.length)).toEqual([3, 3, 5]);
		expect(replies.flatMap(({ items = [] }) => items)).not.toContainEqual(
			expect.objectContaining({ source: 'failed' }),
		);
	});

	describe('Max Paid Lookups', () => {
		const check = { resource: 'batch', operation: 'submit' };

		it.each([
			['25 unless set', {}, 25],
			['the number that is set', { maxPaidLookups: 30 }, 30],
			['its own, not that of the options', { spendingLimits: { maxPaidLookups: 99 } }, 25],
		])('is %s', async (_, parameters, most) => {
			const enough = await call({ ...check, ...parameters, phoneNumbers: numbers(most) });
			expect(enough.status).toBe('success');

			const tooMany = await call({ ...check, ...parameters, phoneNumbers: numbers(most + 1) });
			expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(most);
			expect(tooMany.error?.message).toBe(
				`The run would make ${most + 1} paid lookups, which is more than Max Paid Lookups (${most}). ` +
					"Look up fewer values, or ask the user to raise Max Paid Lookups in this tool. You weren't charged.",
			);
		});

		it('has no limit if it is 0', async () => {
			const parameters = { ...check, maxPaidLookups: 0, phoneNumbers: numbers(200) };
			expect((await call(parameters)).status).toBe('success');
		});
	});

	describe('an error tells the model', () => {
		const send = { resource: 'whatsApp', operation: 'sendMessage', phoneNumber: NUMBER };

		const NOT_TO_REPEAT =
			/^The connection broke .* Don't repeat this call, because that can do the work and charge for it twice\. Tell the user\. You may have been charged\.$/;
		const TO_CORRECT = /^Message is empty.* Fix that and call again\. You weren't charged/;
		const TO_ASK = /Ask the user to check the API key .*doesn't help\./;

		it.each<[what: string, message: string, apiKey: string | undefined, words: RegExp]>([
			['not to repeat a message that may have been sent', 'Hello', undefined, NOT_TO_REPEAT],
			['to correct an argument', EMPTY, undefined, TO_CORRECT],
			['to leave a wrong key to the user', 'Hello', 'sandbox-key-wrong', TO_ASK],
		])('%s', async (_, message, apiKey, words) => {
			if (!apiKey) sandbox.fault({ kind: 'resetAfterCharge' });
			const credentials = credentialsOf(sandbox, apiKey ? { apiKey } : {});
			const { error } = await call({ ...send, message }, { credentials });
			expect(error?.message).toMatch(words);
			expect(sandbox.log).toHaveLength(message === EMPTY ? 0 : 1);
		});

		it('the same about single lookups of a contact', async () => {
			sandbox.fault({ kind: 'resetAfterCharge', path: 'checkemail' });
			const contact = { resource: 'contact', operation: 'enrich', lookups: ['phone', 'email'] };
			const [{ json }] = (await call({ ...contact, phoneNumber: NUMBER, email })).items();
			const reason = expect.stringMatching(/Don't repeat this call/) as string;
			expect(json).toMatchObject({ email: { reason } });
		});

		it('the same about single values of a list, and in error items', async () => {
			const body = { error: 'Not now.' };
			sandbox.fault({ kind: 'status', status: 400, body, skip: 1, times: 1 });
			const parameters = { resource: 'batch', operation: 'checkMany', maxPaidLookups: 0 };
			const items = (await call({ ...parameters, phoneNumbers: numbers(1001) })).items();
			expect(items.filter(({ json }) => json.source === 'failed')).toHaveLength(1);
			const { reason } = items[1000].json;
			expect(reason).toMatch(/Check the value with the user before you call again\./);

			const onError = 'continueRegularOutput';
			const [{ json }] = (await call({ ...send, message: EMPTY }, { onError })).items();
			expect(json.error).toMatch(/^Message is empty.* Fix that and call again\./);
		});
	});
});

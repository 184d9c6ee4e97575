import { magic, startSandbox, type ErrorStatus, type Sandbox } from '../../sandbox';
import { Batches, countersOf } from '../../sandbox/jobs/batches';
import { post, send, urlOf } from './requests';
import { faultsOf } from './schemas';

const { PHONE } = magic;

interface Row {
	phone_number: string;
	status: string;
	[field: string]: unknown;
}

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ batchNumbersPerSecond: 0 });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());

const submit = async (phone_numbers: unknown, api_key: string = sandbox.keys.main) =>
	await post(urlOf(sandbox, 'batch'), { api_key, phone_numbers });

const submitted = async (phone_numbers: string[]) =>
	((await submit(phone_numbers)).body as { batch_id: string }).batch_id;

const poll = async (id: string, api_key: string = sandbox.keys.main, from = sandbox) =>
	await send(`${from.roots.lookupUrl}/wavalidation/batch/${id}?api_key=${api_key}`);

const rowsOf = async (phone_numbers: string[]) => {
	const id = await submitted(phone_numbers);
	sandbox.finishBatches();
	return ((await poll(id)).body as { results: Row[] }).results;
};

const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => `+1202555${String(index).padStart(4, '0')}`);

describe('a submission', () => {
	it('takes one credit for each unique number, compared by their exact texts', async () => {
		const seen = await submit(['+12025550102', '+1 202 555 0102', '+12025550102', 'nobody']);
		expect(faultsOf('batchSubmitted', seen.body)).toEqual([]);
		const { batch_id, total_numbers } = seen.body as Record<string, unknown>;
		expect([seen.status, total_numbers]).toEqual([200, 3]);
		expect(sandbox.debits(sandbox.keys.main)).toMatchObject([
			{ product: 'whatsapp', amount: 3, question: batch_id },
		]);
		expect(sandbox.log[0].charged).toBe(3);
	});

	it('is accepted whole or not at all', async () => {
		const { main } = sandbox.keys;
		sandbox.setBalance(main, 'whatsapp', 2);
		const tooMany = await submit(numbers(3));
		expect(faultsOf('batchNoCredits', tooMany.body)).toEqual([]);
		expect(tooMany).toMatchObject({ status: 402, body: { required: 3, available: 2 } });
		expect(sandbox.spent(main).whatsapp).toBe(0);
		expect((await submit([...numbers(2), ...numbers(2)])).status).toBe(200);
		expect(sandbox.balances(main).whatsapp).toBe(0);
	});

	it('has at most 1000 numbers as they were sent, duplicates included', async () => {
		expect((await submit(numbers(1000))).body).toMatchObject({ total_numbers: 1000 });
		const tooLarge = await submit(Array.from({ length: 1001 }, () => PHONE.onWhatsApp));
		expect(faultsOf('batchTooLarge', tooLarge.body)).toEqual([]);
		expect(tooLarge).toMatchObject({ status: 400, body: { submitted: 1001 } });
		expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(1000);
	});

	it.each([[undefined], [null], [[]], ['+12025550102'], [{ 0: '+12025550102' }]])(
		'of %j is an empty list',
		async (phone_numbers) => {
			const seen = await submit(phone_numbers);
			expect(faultsOf('batchEmpty', seen.body)).toEqual([]);
			expect(seen.status).toBe(400);
		},
	);

	it('takes its key from the body or the query, and checks it first', async () => {
		const phone_numbers = [PHONE.onWhatsApp];
		const inQuery = urlOf(sandbox, 'batch', { api_key: sandbox.keys.main });
		expect((await post(inQuery, { phone_numbers })).status).toBe(200);
		for (const key of ['wrong', '']) {
			const seen = await submit(undefined, key);
			expect(faultsOf('lookupBadKey', seen.body)).toEqual([]);
			expect(seen.status).toBe(401);
		}
	});
});

describe('a poll', () => {
	it('is free, and only for the key that submitted', async () => {
		const { main, other } = sandbox.keys;
		const id = await submitted(numbers(2));
		expect(faultsOf('batchWaiting', (await poll(id)).body)).toEqual([]);
		for (const seen of [await poll(id, other), await poll('unknown'), await poll('')]) {
			expect(faultsOf('batchNotFound', seen.body)).toEqual([]);
			expect(seen.status).toBe(404);
		}
		expect(faultsOf('lookupBadKey', (await poll(id, 'wrong')).body)).toEqual([]);
		expect([sandbox.spent(main).whatsapp, sandbox.spent(other).whatsapp]).toEqual([2, 0]);
	});

	it('shows counters and rows up to the progress of the batch', async () => {
		const id = await submitted(numbers(3));
		expect((await poll(id)).body).toMatchObject({ completed: 0, failed: 0, pending: 3 });
		sandbox.finishBatches();
		const { body } = await poll(id);
		expect(faultsOf('batchCompleted', body)).toEqual([]);
		expect(body).toMatchObject({ batch_id: id, completed: 3, failed: 0, pending: 0 });
	});
});

describe('rows', () => {
	it('are in the order of submission, with the exact texts', async () => {
		const texts = ['+12025550102', '+12025550103', '+1 202 555 0102', '+442079460127'];
		const rows = await rowsOf(texts);
		expect(rows.map(({ phone_number }) => phone_number)).toEqual(texts);
		expect(rows).toMatchObject([
			{
				wa_status: 'VALID_CONFIRMED',
				numberstatus: true,
				businessnumber: false,
				formatted_number: '+12025550102',
				country: 'US',
				validation_data: { status: 'VALID_CONFIRMED', timezone: expect.any(Array) },
			},
			{ wa_status: 'INVALID', numberstatus: false, formatted_number: '+12025550103' },
			{ wa_status: 'INVALID', formatted_number: '', validation_data: { status: 'INVALID' } },
			{ wa_status: 'VALID_CONFIRMED', businessnumber: true, country: 'GB' },
		]);
	});

	it('of the magic numbers fail, get lost, lack their word, or are inactive', async () => {
		const { batchRowFails, whatsAppFails, batchRowLost, batchRowWordless, batchRowInactive } =
			PHONE;
		const failing = [batchRowFails, whatsAppFails];
		const others = [batchRowLost, batchRowWordless, batchRowInactive];
		const rows = await rowsOf([...failing, ...others]);
		expect(rows).toMatchObject([
			{ status: 'failed', error: expect.any(String) },
			{ status: 'failed', error: expect.any(String) },
			{ phone_number: batchRowWordless, status: 'completed' },
			{ wa_status: 'VALID_CONFIRMED', numberstatus: false },
		]);
		expect(rows[0]).not.toHaveProperty('wa_status');
		expect(rows[2]).not.toHaveProperty('wa_status');
	});

	it('that fail count as completed and failed, and 0 is pending at the end', async () => {
		const id = await submitted([PHONE.batchRowFails, PHONE.batchRowLost, PHONE.onWhatsApp]);
		sandbox.finishBatches();
		const { body } = await poll(id);
		expect(faultsOf('batchCompleted', body)).toEqual([]);
		expect(body).toMatchObject({ total_numbers: 3, completed: 3, failed: 1, pending: 0 });
		expect((body as { results: Row[] }).results).toHaveLength(2);
	});
});

it('batches process numbers at a speed that may change, and subtract failures twice as SPEC does', () => {
	let now = 0;
	const batches = new Batches(2, true, () => now);
	const batch = batches.submit('a', [PHONE.batchRowFails, PHONE.onWhatsApp, '+442079460123', 'x']);
	const counters = () => countersOf(batch, batches.processed(batch));
	expect(counters()).toMatchObject({ status: 'processing', completed: 0, pending: 4 });
	now = 1_000;
	expect(counters()).toMatchObject({ completed: 2, failed: 1, pending: 1 });
	batches.setSpeed(0);
	now = 100_000;
	expect(counters()).toMatchObject({ completed: 2 });
	batches.setSpeed(1);
	now = 101_000;
	expect(counters()).toMatchObject({ completed: 3, failed: 1, pending: 0, status: 'processing' });
	now = 102_000;
	expect(counters()).toMatchObject({ completed: 4, failed: 1, pending: 0, status: 'completed' });
	batches.reset();
	expect(batches.of('a')).toEqual([]);
	expect(() => batches.setSpeed(-1)).toThrow('speed');
});

it.each<ErrorStatus>(['http', 'ok'])(
	'batches name row fields as the option says, with errors as %s',
	async (mode) => {
		const names = { validation: 'details', error: 'message' };
		const own = await startSandbox({ batchRowNames: names, errorStatus: mode });
		const api_key = own.keys.main;
		const phone_numbers = [PHONE.onWhatsApp, PHONE.batchRowFails];
		const { body } = await post(urlOf(own, 'batch'), { api_key, phone_numbers });
		own.finishBatches();
		const seen = await poll((body as { batch_id: string }).batch_id, api_key, own);
		expect((seen.body as { results: Row[] }).results).toMatchObject([
			{ details: { carrier: expect.any(String) } },
			{ message: expect.any(String) },
		]);
		expect((await poll('unknown', api_key, own)).status).toBe(mode === 'ok' ? 200 : 404);
		await own.close();
	},
);

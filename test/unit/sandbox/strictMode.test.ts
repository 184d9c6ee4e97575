import { startSandbox, type Sandbox } from '../../sandbox';
import { connect, type Connected } from './mcpClient';
import { ask, post, send, urlOf, type Place } from './requests';

const E164 = '+442079460127';
const BARE = '442079460127';
/** Spellings of the same number that no mode takes. */
const FORMATTED = ['+44 20 7946 0127', '00442079460127', ' 442079460127', '+442079460127;ext=4'];

type Spelled = (number: string) => Promise<unknown>;

/** How a number is sent to each endpoint, and what the answer says about one that was understood. */
const waysOf = (sandbox: Sandbox, tools: Connected) => {
	const asked =
		(place: Place, parameter: string, more = {}): Spelled =>
		async (number) =>
			(await ask(sandbox, place, { [parameter]: number, ...more })).body;
	const called =
		(name: string, parameter: string, more = {}): Spelled =>
		async (number) =>
			(await tools.call(name, { [parameter]: number, ...more })).structuredContent;
	const posted: Spelled = async (phone_number) =>
		(await post(urlOf(sandbox, 'phone'), { phone_number, api_key: sandbox.keys.main })).body;
	const api_key = sandbox.keys.main;
	const batched: Spelled = async (number) => {
		const batch = await post(urlOf(sandbox, 'batch'), { phone_numbers: [number], api_key });
		const { batch_id } = batch.body as { batch_id: string };
		sandbox.finishBatches();
		const url = `${sandbox.roots.lookupUrl}/wavalidation/batch/${batch_id}?api_key=${api_key}`;
		return ((await send(url)).body as { results: unknown[] }).results[0];
	};
	const batchedByTool: Spelled = async (number) => {
		const submitted = await tools.call('submit_whatsapp_batch', { phone_numbers: [number] });
		const { batch_id } = submitted.structuredContent as { batch_id: string };
		sandbox.finishBatches();
		const { structuredContent } = await tools.call('get_whatsapp_batch', { batch_id });
		return (structuredContent as { results: unknown[] }).results[0];
	};
	const message = { message: 'hello' };
	const detailed: Array<[string, Spelled, object]> = [
		['GET phonevalidation', asked('phone', 'phone_number'), { status: 'VALID_CONFIRMED' }],
		['POST phonevalidation', posted, { status: 'VALID_CONFIRMED' }],
		['calleridvalidation', asked('caller', 'phone_number'), { success: true }],
		['validate_phone', called('validate_phone', 'phone_number'), { status: 'VALID_CONFIRMED' }],
		['lookup_caller_id', called('lookup_caller_id', 'phone_number'), { success: true }],
	];
	const withCountryCode: Array<[string, Spelled, object]> = [
		['checkwanumber', asked('whatsApp', 'number'), { whatsapp: true }],
		['checkapi', asked('phoneBasic', 'number'), { valid: true }],
		['check', asked('callerBasic', 'number'), { status: true }],
		['sendwasms', asked('send', 'number', message), { status: true }],
		['a batch', batched, { wa_status: 'VALID_CONFIRMED' }],
		['check_whatsapp_number', called('check_whatsapp_number', 'number'), { whatsapp: true }],
		[
			'validate_phone, basic',
			called('validate_phone', 'phone_number', { detail: 'basic' }),
			{ valid: true },
		],
		['send_whatsapp_message', called('send_whatsapp_message', 'number', message), { status: true }],
		['submit_whatsapp_batch', batchedByTool, { wa_status: 'VALID_CONFIRMED' }],
	];
	return { detailed, withCountryCode };
};

describe.each([
	['by default', undefined],
	['strict', true],
	['not strict', false],
])('%s', (_, strict) => {
	let sandbox: Sandbox;
	let tools: Connected;
	beforeAll(async () => {
		sandbox = await startSandbox({ strict });
		tools = await connect(`${sandbox.roots.mcpUrl}/mcp?api_key=${sandbox.keys.main}`);
	});
	afterAll(async () => {
		await tools.close();
		await sandbox.close();
	});
	beforeEach(() => sandbox.reset());

	it('takes E.164 by every route, and formatting by none', async () => {
		const { detailed, withCountryCode } = waysOf(sandbox, tools);
		for (const [way, spelled, understood] of [...detailed, ...withCountryCode]) {
			expect([way, await spelled(E164)]).toEqual([way, expect.objectContaining(understood)]);
			for (const number of FORMATTED) {
				const answer = [way, number, await spelled(number)];
				expect(answer).toEqual([way, number, expect.not.objectContaining(understood)]);
			}
		}
		expect(sandbox.looseNumbers()).toHaveLength(14 * FORMATTED.length);
	});

	it('takes bare digits only if a country code is the rule, and then not when it is strict', async () => {
		const { detailed, withCountryCode } = waysOf(sandbox, tools);
		for (const [way, spelled, understood] of detailed) {
			expect([way, await spelled(BARE)]).toEqual([way, expect.not.objectContaining(understood)]);
		}
		for (const [way, spelled, understood] of withCountryCode) {
			const isTaken = strict === false;
			const wanted = isTaken
				? expect.objectContaining(understood)
				: expect.not.objectContaining(understood);
			expect([way, await spelled(BARE)]).toEqual([way, wanted]);
		}
		expect(sandbox.looseNumbers().map(({ number }) => number)).toEqual(
			Array.from({ length: 14 }, () => BARE),
		);
	});
});

describe('loose numbers', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	const seen = () => sandbox.looseNumbers().map(({ number, path }) => [path, number]);

	it('are listed with their place, in order, and no others are', async () => {
		await ask(sandbox, 'whatsApp', { number: E164 });
		await ask(sandbox, 'phone', { phone_number: '02079460127', country_code: 'gb' });
		expect(sandbox.looseNumbers()).toEqual([]);

		await ask(sandbox, 'phone', { phone_number: '02079460127', country_code: 'none' });
		await ask(sandbox, 'caller', { phone_number: '02079460127', country_code: 'GB' });
		await ask(sandbox, 'send', { number: '', message: '+44 20' });
		const phone_numbers = [E164, '+44-2079460127', BARE];
		await post(urlOf(sandbox, 'batch'), { api_key: sandbox.keys.main, phone_numbers });
		expect(seen()).toEqual([
			['/api/v1/phonevalidation', '02079460127'],
			['/api/v1/calleridvalidation', '02079460127'],
			['/api/v1/sendwasms', ''],
			['/api/v1/wavalidation/batch', '+44-2079460127'],
			['/api/v1/wavalidation/batch', BARE],
		]);
		expect(sandbox.looseNumbers()[0]).toMatchObject({ host: 'lookup', at: expect.any(Number) });
	});

	it('are found in forms, in numbers of JSON, and where no endpoint reads them', async () => {
		const form = new FormData();
		form.append('number', '+44 2079460127');
		await send(urlOf(sandbox, 'send', { number: E164 }), { method: 'POST', body: form });
		await post(urlOf(sandbox, 'phone', { phone_number: BARE }), { phone_number: 442079460127 });
		await send(`${sandbox.roots.baseUrl}/nowhere?number=x`);
		expect(seen()).toEqual([
			['/api/v1/sendwasms', '+44 2079460127'],
			['/api/v1/phonevalidation', BARE],
			['/api/v1/phonevalidation', BARE],
			['/api/v1/nowhere', 'x'],
		]);
	});

	it('are recorded although a fault answers for the endpoint, and remain after the log but not after a reset', async () => {
		sandbox.fault({ kind: 'status', status: 503 });
		await ask(sandbox, 'whatsApp', { number: BARE });
		sandbox.clearLog();
		expect(seen()).toEqual([['/api/v1/checkwanumber', BARE]]);
		const url = new URL('/_sandbox/loose-numbers', sandbox.roots.baseUrl).href;
		expect((await send(url)).body).toEqual(sandbox.looseNumbers());
		sandbox.reset();
		expect((await send(url)).body).toEqual([]);
	});
});

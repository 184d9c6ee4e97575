import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { BinaryFile, ServiceRequest } from '../../../nodes/LookupMessaging/engine/client';
import type {
	AnswerRecord,
	Failure,
	LookupResult,
	Outcome,
} from '../../../nodes/LookupMessaging/engine/results';
import {
	isFailed,
	isLocalAnswer,
	isRefusal,
	type Params,
} from '../../../nodes/LookupMessaging/engine/operation';
import { fileOf, openFile } from '../../../nodes/LookupMessaging/engine/plan/inputFiles';
import { checkWhatsAppNumber } from '../../../nodes/LookupMessaging/operations/whatsApp/checkNumber';
import { sendWhatsAppMessage } from '../../../nodes/LookupMessaging/operations/whatsApp/sendMessage';
import { magic, startSandbox, type ErrorStatus, type FaultRule, type Sandbox } from '../../sandbox';
import { perform, performInSandbox, scriptedClient } from '../fakes/fakeClient';
import { ok } from '../fakes/replies';

const { PHONE } = magic;
const NUMBER = '+442079460123';
const ON_WHATSAPP = PHONE.onWhatsApp;
const NOT_ON_WHATSAPP = PHONE.notOnWhatsApp;
const LIMIT = 2_097_152;

const file = (more: Partial<BinaryFile> = {}): BinaryFile => ({
	item: 0,
	property: 'data',
	fileName: 'invoice.pdf',
	mimeType: 'application/pdf',
	bytes: 5,
	...more,
});
const text: Params = { phoneNumber: NUMBER, message: 'Hello', media: 'none' };
const withFile = (found: unknown = file()): Params => ({
	...text,
	media: 'binaryField',
	binaryPropertyName: 'data',
	file: found as object,
});

describe('what is prepared for a message', () => {
	const question = { number: NUMBER, text: 'Hello', isCheckedFirst: false };
	const media = { field: 'media', source: file() };

	test.each<[title: string, given: Params, prepared: object]>([
		['a text', text, question],
		['a number without its formatting', { ...text, phoneNumber: ' 0044 20 7946-0123 ' }, question],
		[
			'a national number completed',
			{ ...text, phoneNumber: '020 7946 0123', country: '+44' },
			question,
		],
		[
			'a number whose extension is left out',
			{ ...text, phoneNumber: `${NUMBER} ext. 5` },
			{ ...question, extension: '5' },
		],
		[
			'a country that cannot be read, and is not needed',
			{ ...text, country: 'Atlantis' },
			question,
		],
		[
			'a text as it is',
			{ ...text, message: '  *Hi* 👩‍💻\n\n+1 & more% ' },
			{ ...question, text: '  *Hi* 👩‍💻\n\n+1 & more% ' },
		],
		['a number for a text', { ...text, message: 4711 }, { ...question, text: '4711' }],
		[
			'the number checked first',
			{ ...text, checkNumberFirst: true },
			{ ...question, isCheckedFirst: true },
		],
		['a file', withFile(), { ...question, media }],
		[
			'a file of exactly the limit',
			withFile(file({ bytes: LIMIT })),
			{ ...question, media: { field: 'media', source: file({ bytes: LIMIT }) } },
		],
		[
			'another name for the form field',
			{ ...withFile(), mediaFieldName: ' attachment ' },
			{ ...question, media: { ...media, field: 'attachment' } },
		],
		['no name for the form field', { ...withFile(), mediaFieldName: ' ' }, { ...question, media }],
		[
			'a text alone, where Media is None',
			{ ...withFile(file({ bytes: LIMIT + 1 })), media: 'none' },
			question,
		],
	])('%s', (_, given, prepared) => {
		expect(sendWhatsAppMessage.prepare(Object.freeze(given))).toEqual(prepared);
	});

	test.each<[title: string, given: Params, field: string, reason: RegExp]>([
		['no number', { ...text, phoneNumber: '' }, 'Phone Number', /^is empty/],
		['no phone number', { ...text, phoneNumber: 'Ada' }, 'Phone Number', /"Ada".*no digits/],
		[
			'a number without its country',
			{ ...text, phoneNumber: '020 7946 0123' },
			'Phone Number',
			/can't be read without its country\. Set Country/,
		],
		[
			'a country that cannot be read',
			{ ...text, phoneNumber: '020 7946 0123', country: 'Atlantis' },
			'Country',
			/"Atlantis"/,
		],
		[
			'a number that its country does not know',
			{ ...text, phoneNumber: '7946 0123', country: 'GB' },
			'Phone Number',
			/lacks its area code/,
		],
		['an empty text', { ...text, message: '' }, 'Message', /^is empty/],
		['a blank text', { ...text, message: ' \n\u200b ' }, 'Message', /^is empty/],
		['a missing text', { ...text, message: null }, 'Message', /^is empty$/],
		['a list of texts', { ...text, message: ['a', 'b'] }, 'Message', /^is a list/],
		['an object for a text', { ...text, message: { body: 'a' } }, 'Message', /^is an object/],
		['a file without a text', { ...withFile(), message: '' }, 'Message', /^is empty/],
		[
			'a file that is not there',
			withFile({ problem: `("data") isn't a binary field of this item` }),
			'Input Binary Field',
			/^\("data"\) isn't a binary field/,
		],
		['no word about the file', withFile(null), 'Input Binary Field', /doesn't name a binary field/],
		[
			'an empty file',
			withFile(file({ bytes: 0 })),
			'Input Binary Field',
			/"invoice.pdf", which is empty$/,
		],
		[
			'a file over the limit',
			withFile(file({ bytes: LIMIT + 1 })),
			'Input Binary Field',
			/"invoice.pdf" of 2,097,153 bytes\. Media can have at most 2,097,152 \(2 MB\)$/,
		],
	])('%s is an error of the item, before anything is sent', (_, given, field, reason) => {
		expect(sendWhatsAppMessage.prepare(Object.freeze(given))).toMatchObject({
			local: expect.stringMatching(/^(?:empty|malformed|incomplete|parameter)$/),
			field,
			reason: expect.stringMatching(reason),
		});
	});

	test('is never shared with a duplicate, and is no lookup', () => {
		expect(sendWhatsAppMessage).not.toHaveProperty('repeatable');
		expect(sendWhatsAppMessage).not.toHaveProperty('asksOnce');
		expect(sendWhatsAppMessage).not.toHaveProperty('outcomes');
		expect(sendWhatsAppMessage.credits?.({})).toEqual({ balance: 'whatsapp', cost: 'not stated' });
	});
});

const SEND: ServiceRequest = {
	service: 'main',
	method: 'GET',
	path: '/sendwasms',
	query: { number: NUMBER, message: 'Hello' },
};
const SEND_FILE: ServiceRequest = {
	service: 'main',
	method: 'POST',
	path: '/sendwasms',
	form: { fields: { number: NUMBER, message: 'Hello' }, file: { field: 'media', source: file() } },
};
const checkOf = (number: string): ServiceRequest => ({
	service: 'main',
	method: 'GET',
	path: '/checkwanumber',
	query: { number },
});
const sendTo = (number: string): ServiceRequest => ({
	...SEND,
	query: { number, message: 'Hello' },
});

interface Row {
	title: string;
	given: Params;
	sends: ServiceRequest[];
	key?: 'empty' | 'wrong';
	fault?: FaultRule;
	/** The outcome, the scope of a refusal, or `lost`. */
	says: Outcome | 'account' | 'lost' | 'question';
	record?: AnswerRecord;
	reason?: RegExp | string;
	/** Messages that the service has accepted. */
	delivered?: number;
	credits?: number;
}

const SENT = {
	phoneNumber: NUMBER,
	sent: true,
	message: 'Message sent',
	messageId: expect.any(String),
};
const to = (number: string): Params => ({ ...text, phoneNumber: number });
const checked = (number: string): Params => ({ ...to(number), checkNumberFirst: true });
const LEFT_OUT = 'extension 5 was left out';
const answering = (body: object, path = 'sendwasms'): FaultRule => ({ kind: 'body', body, path });

const rows: Row[] = [
	{
		title: 'a text',
		given: text,
		sends: [SEND],
		says: 'positive',
		record: SENT,
		delivered: 1,
		credits: 1,
	},
	{
		title: 'a text to a number as people write it',
		given: { ...text, phoneNumber: '(0)20 7946-0123 ext. 5', country: 'United Kingdom' },
		sends: [SEND],
		says: 'positive',
		record: { ...SENT, extension: '5' },
		reason: LEFT_OUT,
		delivered: 1,
		credits: 1,
	},
	{
		title: 'a text with a file',
		given: withFile(),
		sends: [SEND_FILE],
		says: 'positive',
		record: { ...SENT, fileName: 'invoice.pdf' },
		delivered: 1,
		credits: 1,
	},
	{
		title: 'a number on WhatsApp, checked first',
		given: checked(ON_WHATSAPP),
		sends: [checkOf(ON_WHATSAPP), sendTo(ON_WHATSAPP)],
		says: 'positive',
		record: { ...SENT, phoneNumber: ON_WHATSAPP },
		delivered: 1,
		credits: 2,
	},
	{
		title: 'a number that is not, checked first',
		given: checked(NOT_ON_WHATSAPP),
		sends: [checkOf(NOT_ON_WHATSAPP)],
		says: 'negative',
		record: { phoneNumber: NOT_ON_WHATSAPP, sent: false },
		reason: "the number isn't on WhatsApp, so nothing was sent",
		credits: 1,
	},
	{
		title: 'a number that is not, with an extension, checked first',
		given: checked(`${NOT_ON_WHATSAPP} x5`),
		sends: [checkOf(NOT_ON_WHATSAPP)],
		says: 'negative',
		record: { phoneNumber: NOT_ON_WHATSAPP, sent: false, extension: '5' },
		reason: `The number isn't on WhatsApp, so nothing was sent. Extension 5 was left out.`,
		credits: 1,
	},
	{
		title: 'a file to a number that is not, checked first',
		given: { ...withFile(), phoneNumber: NOT_ON_WHATSAPP, checkNumberFirst: true },
		sends: [checkOf(NOT_ON_WHATSAPP)],
		says: 'negative',
		record: { phoneNumber: NOT_ON_WHATSAPP, sent: false },
		credits: 1,
	},
	{
		title: 'a check without an answer',
		given: checked(ON_WHATSAPP),
		sends: [checkOf(ON_WHATSAPP)],
		fault: answering({ status: true, number: ON_WHATSAPP }, 'checkwanumber'),
		says: 'unknown',
		record: { phoneNumber: ON_WHATSAPP, sent: false },
		reason: "the service didn't say whether the number is on WhatsApp, so nothing was sent",
		credits: 1,
	},
	{
		title: 'a check that is refused',
		given: checked(PHONE.whatsAppFails),
		sends: [checkOf(PHONE.whatsAppFails)],
		says: 'question',
		reason: /WhatsApp lookup failed/,
	},
	{
		title: 'a check that is lost',
		given: checked(ON_WHATSAPP),
		sends: [checkOf(ON_WHATSAPP)],
		fault: { kind: 'html', path: 'checkwanumber' },
		says: 'lost',
		credits: 1,
	},
	{
		title: 'a wrong key at the check',
		given: checked(ON_WHATSAPP),
		sends: [checkOf(ON_WHATSAPP)],
		key: 'wrong',
		says: 'account',
		reason: /Invalid API key\./,
	},
	{
		title: 'a recipient that is refused',
		given: to(PHONE.sendRefused),
		sends: [sendTo(PHONE.sendRefused)],
		says: 'question',
		reason: /The recipient cannot receive messages\./,
	},
	{
		title: 'a recipient that is refused after the check',
		given: checked(ON_WHATSAPP),
		sends: [checkOf(ON_WHATSAPP), sendTo(ON_WHATSAPP)],
		fault: answering({ status: false, error: 'Blocked by recipient.' }),
		says: 'question',
		reason: /Blocked by recipient\./,
		delivered: 1,
		credits: 2,
	},
	{
		title: 'a number that does not exist',
		given: to('+15550100100'),
		sends: [sendTo('+15550100100')],
		says: 'question',
		reason: /Invalid phone number\./,
	},
	{
		title: 'a wrong key',
		given: text,
		sends: [SEND],
		key: 'wrong',
		says: 'account',
		reason: /Invalid API key\./,
	},
	{
		title: 'a wrong key with a file',
		given: withFile(),
		sends: [SEND_FILE],
		key: 'wrong',
		says: 'account',
		reason: /Invalid API key\./,
	},
	{
		title: 'no credits',
		given: text,
		sends: [SEND],
		key: 'empty',
		says: 'account',
		reason: /^not enough WhatsApp credits$/,
	},
	{
		title: 'no credits with a file',
		given: withFile(),
		sends: [SEND_FILE],
		key: 'empty',
		says: 'account',
		reason: /^not enough WhatsApp credits$/,
	},
	{
		title: 'a refusal without words',
		given: text,
		sends: [SEND],
		fault: answering({ status: false }),
		says: 'question',
		reason: /gave no reason/,
		delivered: 1,
		credits: 1,
	},
	{
		title: 'a refusal in a message',
		given: text,
		sends: [SEND],
		fault: answering({ status: false, message: 'Not now' }),
		says: 'question',
		reason: /Not now/,
		delivered: 1,
		credits: 1,
	},
	{
		title: 'a reply without a status',
		given: text,
		sends: [SEND],
		fault: answering({ message: 'Queued' }),
		says: 'unknown',
		record: { phoneNumber: NUMBER, sent: null, message: 'Queued' },
		reason: /didn't say/,
		delivered: 1,
		credits: 1,
	},
	{
		title: 'another name for the ID, and a number',
		given: text,
		sends: [SEND],
		fault: answering({ status: true, message: '', id: 4711, error: null }),
		says: 'positive',
		record: { phoneNumber: NUMBER, sent: true, messageId: '4711' },
		delivered: 1,
		credits: 1,
	},
	...[
		{ message: 'Message not sent' },
		{ message: 'Failed to send' },
		{ message: 'Recipient is not on WhatsApp' },
		{ message: 'OK', sent: false },
		{ message: 'OK', number: '+493012345678' },
	].map((said) => ({
		title: `a success that is denied (${JSON.stringify(said)})`,
		given: text,
		sends: [SEND],
		fault: answering({ status: true, ...said }),
		says: 'unknown' as const,
		record: { phoneNumber: NUMBER, sent: null, message: said.message },
		reason: /may have been sent/,
		delivered: 1,
		credits: 1,
	})),
	{
		title: 'no ID',
		given: text,
		sends: [SEND],
		fault: answering({ status: true }),
		says: 'positive',
		record: { phoneNumber: NUMBER, sent: true },
		delivered: 1,
		credits: 1,
	},
	{
		title: 'a reply that is lost',
		given: text,
		sends: [SEND],
		fault: { kind: 'truncatedJson' },
		says: 'lost',
		delivered: 1,
		credits: 1,
	},
	{
		title: 'a reply to a file that is lost',
		given: withFile(),
		sends: [SEND_FILE],
		fault: { kind: 'emptyBody' },
		says: 'lost',
		delivered: 1,
		credits: 1,
	},
	{
		title: 'a form field that the service does not know',
		given: { ...withFile(), mediaFieldName: 'attachment' },
		sends: [
			{ ...SEND_FILE, form: { ...SEND_FILE.form!, file: { field: 'attachment', source: file() } } },
		],
		says: 'question',
		reason: /Unexpected file field: attachment\./,
	},
];

const known = (record: object) =>
	Object.fromEntries(
		Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
	);

describe.each<ErrorStatus>(['http', 'ok'])('a message, with errors as %s', (errorStatus) => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ errorStatus });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	test.each(rows)('reads $title as $says', async (row) => {
		if (row.fault) sandbox.fault(row.fault);
		const question = sendWhatsAppMessage.prepare(Object.freeze(row.given));
		expect(isLocalAnswer(question)).toBe(false);
		const key = row.key === 'wrong' ? 'wrong' : sandbox.keys[row.key ?? 'main'];
		const files = { data: Buffer.from('%PDF-') };
		const {
			failure: ofCall,
			readings,
			requests,
		} = await performInSandbox(sandbox, sendWhatsAppMessage, [question], { key, files });

		expect(requests).toEqual(row.sends);
		expect(sandbox.log).toHaveLength(row.sends.length);
		expect(sandbox.messages(sandbox.keys.main)).toHaveLength(row.delivered ?? 0);
		expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(row.credits ?? 0);

		const [read] = readings ?? [];
		const reading =
			read && 'outcome' in read ? sendWhatsAppMessage.present?.(read, question) : read;
		const isAnswer = reading !== undefined && 'outcome' in reading;
		const failure = isFailed(reading) ? reading.failure : ofCall;
		if (failure) {
			const isCheckAlone = requests.every(({ path }) => path === '/checkwanumber');
			const word = failure.cause === 'refused' ? failure.scope : failure.cause;
			expect([isAnswer, word]).toEqual([false, row.says]);
			expect(failure.isPreliminary ?? false).toBe(isCheckAlone);
		} else expect(isAnswer && reading.outcome).toBe(row.says);

		const reason = failure?.reason ?? (isAnswer ? reading.reason : undefined);
		if (typeof row.reason === 'string') expect(reason).toBe(row.reason);
		else if (row.reason) expect(reason).toMatch(row.reason);
		if (!isAnswer || isRefusal(reading)) return;

		expect(known(reading.record)).toEqual(known(row.record ?? {}));
		const declared = new Map(sendWhatsAppMessage.output.map(({ name, type }) => [name, type]));
		for (const [name, value] of Object.entries(known(reading.record))) {
			expect([name, typeof value]).toEqual([name, declared.get(name)]);
		}
	});

	test('carries text, file name, MIME type and bytes of a file', async () => {
		const source = file({ fileName: 'Größe "1".pdf' });
		const question = sendWhatsAppMessage.prepare({ ...withFile(source), message: 'a & b +1\n👩‍💻' });
		await performInSandbox(sandbox, sendWhatsAppMessage, [question], {
			files: { data: Buffer.from('%PDF-') },
		});

		expect(sandbox.messages(sandbox.keys.main)).toMatchObject([
			{
				number: NUMBER,
				message: 'a & b +1\n👩‍💻',
				media: { field: 'media', fileName: 'Größe "1".pdf', mimeType: 'application/pdf', size: 5 },
			},
		]);
	});
});

describe('a message with a status of success', () => {
	const outcomeOf = async (body: IDataObject) => {
		const client = scriptedClient([ok({ status: true, message_id: 'm1', ...body })]);
		const message = sendWhatsAppMessage.prepare({ ...text, message: 'Scan the QR code' });
		const { readings } = await perform(sendWhatsAppMessage, [message], client);
		return readings?.map((reading) => ('outcome' in reading ? reading.outcome : 'failed'));
	};

	test.each<IDataObject>([
		...[{ response: { error: 'session closed' } }, { data: { status: 'failed' } }],
		...[{ data: { success: false } }, { results: [{ status: 'failed' }] }],
		...[{ errors: [{ code: 131026, title: 'Message undeliverable' }] }, { message: 'false' }],
		...[{ delivered: false }, { sent: 0 }, { sent_count: 0 }, { result: 'failed' }],
		...[
			'Device disconnected',
			'Please scan QR code',
			'Insufficient credits',
			'Session expired',
		].map((message) => ({ message })),
		{ data: { message: 'Device disconnected' } },
	])('may not have been sent beside %j', async (body) => {
		expect(await outcomeOf(body)).toEqual(['unknown']);
	});

	test.each<IDataObject>([
		...[{ response: { error: null } }, { data: { status: 'queued' } }, { errors: [] }],
		...[{ delivered: true }, { result: 'success' }, { message: 'Message sent' }],
		{ data: { message: 'Scan the QR code' } },
	])('has been sent beside %j', async (body) => {
		expect(await outcomeOf(body)).toEqual(['positive']);
	});
});

describe('Check Number First', () => {
	const onWhatsApp: LookupResult = {
		answer: { outcome: 'positive', record: {} },
		response: {},
		source: 'service',
	};
	const send = async (phoneNumber: string, check: LookupResult) => {
		const question = sendWhatsAppMessage.prepare({ ...checked(phoneNumber) });
		const client = scriptedClient([ok({ status: true })], { lookUp: () => check });
		return { question, client, ...(await perform(sendWhatsAppMessage, [question], client)) };
	};

	test('is a lookup of Check Number that all spellings of the number share', async () => {
		for (const spelling of [NUMBER, ' +44 20 7946-0123', '0044 (20) 79460123']) {
			const { question, client } = await send(spelling, onWhatsApp);
			expect(client.lookups).toEqual([
				{ lookup: checkWhatsAppNumber, question: { number: NUMBER } },
			]);
			expect(sendWhatsAppMessage.lookups?.(question, () => undefined)).toEqual(client.lookups);
			expect(client.calls.map(({ step }) => step)).toEqual(['send']);
		}
	});

	test('is no lookup if it is off', async () => {
		const question = sendWhatsAppMessage.prepare({ ...text });
		const client = scriptedClient([ok({ status: true })]);
		await perform(sendWhatsAppMessage, [question], client);
		expect([client.lookups, client.calls.length]).toEqual([[], 1]);
		expect(sendWhatsAppMessage.lookups?.(question, () => undefined)).toEqual([]);
	});

	test('prevents the message from being sent when it fails, with the whole failure', async () => {
		const failure: Failure = {
			cause: 'lost',
			reason: 'it broke',
			scope: 'question',
			mayHaveCost: true,
		};
		const { readings, client } = await send(NUMBER, { failure });
		expect(readings).toEqual([{ failure: { ...failure, isPreliminary: true } }]);
		expect(client.calls).toEqual([]);
	});
});

describe('a file of an item', () => {
	/** What the node sees of n8n: one store beside the items, and a count of the files that were read. */
	function contextOf(items: INodeExecutionData[], store: Record<string, number> = {}) {
		const read: string[] = [];
		const binaryOf = (item: number, property: string) => {
			const binary = items[item].binary?.[property];
			if (!binary) throw new Error(`The item has no binary field '${property}'`);
			return binary;
		};
		const context = {
			getInputData: () => items,
			helpers: {
				assertBinaryData: binaryOf,
				async getBinaryMetadata(id: string) {
					if (!(id in store)) throw new Error(`ENOENT: no such file, open '/home/node/${id}'`);
					return { fileSize: store[id] };
				},
				async getBinaryDataBuffer(item: number, property: string) {
					read.push(property);
					const { id = '' } = binaryOf(item, property);
					if (!(id in store)) throw new Error(`ENOENT: no such file, open '/home/node/${id}'`);
					return Buffer.alloc(store[id]);
				},
			},
		};
		return { context: context as unknown as IExecuteFunctions, read };
	}
	const mimeType = 'image/png';
	const inMemory = (bytes: number) => Buffer.alloc(bytes).toString('base64');

	test.each([0, 1, 2, 3, LIMIT - 1, LIMIT, LIMIT + 1])(
		'of %d bytes has that size in every binary mode, without being read',
		async (bytes) => {
			const ids = ['filesystem-v2:a', 'filesystem:a', 'database:a', 's3:a'];
			const { context, read } = contextOf(
				[
					{ json: {}, binary: { data: { data: inMemory(bytes), mimeType } } },
					...ids.map((id) => ({
						json: {},
						binary: { data: { data: id.split(':')[0], id, mimeType } },
					})),
				],
				Object.fromEntries(ids.map((id) => [id, bytes])),
			);
			for (const item of [0, 1, 2, 3, 4]) {
				expect(await fileOf(context, item, 'data')).toEqual({
					item,
					property: 'data',
					fileName: 'data',
					mimeType,
					bytes,
				});
			}
			expect(read).toEqual([]);
		},
	);

	test('has its own name, or that of its field with the extension', async () => {
		const data = inMemory(1);
		const { context } = contextOf([
			{
				json: {},
				binary: {
					a: { data, mimeType, fileName: 'a b.png', fileExtension: 'png' },
					b: { data, mimeType, fileName: '', fileExtension: 'png' },
					c: { data, mimeType },
				},
			},
		]);
		const nameOf = async (property: string) => {
			const found = await fileOf(context, 0, property);
			return 'fileName' in found ? found.fileName : found.problem;
		};
		expect([await nameOf('a'), await nameOf('b'), await nameOf('c')]).toEqual([
			'a b.png',
			'b.png',
			'c',
		]);
	});

	test('that is missing is a problem that names the existing files', async () => {
		const data = { data: inMemory(1), mimeType };
		const { context } = contextOf([
			{ json: { a: 1 } },
			{ json: {}, binary: { photo: data, scan: data } },
			{ json: { _files: { scan: data }, size: { mimeType } } },
		]);
		const problems = [];
		for (const item of [0, 1, 2]) problems.push(await fileOf(context, item, 'data'));
		expect(problems).toEqual([
			{ problem: `("data") isn't a binary field of this item. The item has no files` },
			{ problem: `("data") isn't a binary field of this item. The item has "photo", "scan"` },
			{ problem: `("data") isn't a binary field of this item. The item has "_files.scan"` },
		]);
	});

	test('that the storage has lost is a problem without the path of the storage', async () => {
		const binary = { data: { data: 'filesystem-v2', id: 'filesystem-v2:gone', mimeType } };
		const { context } = contextOf([{ json: {}, binary }]);
		expect(await fileOf(context, 0, 'data')).toEqual({
			problem: '("data") names a file that is no longer in n8n\'s storage',
		});
		expect(await openFile(context, file())).toBeUndefined();
	});
});

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	type AnswerRecord,
	type BinaryFile,
	fileOf,
	isFailed,
	isLocalAnswer,
	isRefusal,
	type Outcome,
	type Params,
	type ServiceRequest,
} from '../../engine';
import { sendWhatsAppMessage } from '../../../nodes/LookupMessaging/operations/whatsApp/sendMessage';
import { magic, type ErrorStatus, type FaultRule } from '../../sandbox';
import { perform, performInSandbox, scriptedClient } from '../fakes/fakeClient';
import { ok } from '../fakes/replies';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const { PHONE } = magic;
const NUMBER = '+442079460123';
const ON_WHATSAPP = PHONE.onWhatsApp;
const NOT_ON_WHATSAPP = PHONE.notOnWhatsApp;
const LIMIT = 2_097_152;

const file = (more: Partial<BinaryFile> = {}): BinaryFile => ({
	...{ item: 0, property: 'data', fileName: 'invoice.pdf', mimeType: 'application/pdf' },
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

	test.each<[given: Params, more: object]>([
		[{}, {}],
		[{ phoneNumber: `${NUMBER} ext. 5` }, { extension: '5' }],
		...['  *Hi* 👩‍💻\n\n+1 & more% ', 4711, 'none'].map((message): [Params, object] => [
			...([{ message }, { text: String(message) }] as const),
		]),
		[{ checkNumberFirst: true }, { isCheckedFirst: true }],
		[withFile(), { media }],
		[withFile(file({ bytes: LIMIT })), { media: { ...media, source: file({ bytes: LIMIT }) } }],
		[
			{ ...withFile(), mediaFieldName: ' attachment ' },
			{ media: { ...media, field: 'attachment' } },
		],
		[{ ...withFile(), mediaFieldName: ' ' }, { media }],
		[{ ...withFile(file({ bytes: LIMIT + 1 })), media: 'none' }, {}],
	])('of %j is %j', (given, more) => {
		const prepared = sendWhatsAppMessage.prepare(Object.freeze({ ...text, ...given }));
		expect(prepared).toEqual({ ...question, ...more });
	});

	const FILE = 'Input Binary Field';
	const MISSING = { problem: `("data") isn't a binary field of this item` };
	const OVER = /"invoice.pdf" of 2,097,153 bytes\. Media can have at most 2,097,152 \(2 MB\)$/;
	test.each<[title: string, field: string, reason: RegExp, given: Params]>([
		...['', ' \n\u200b ', null].map((message): [string, string, RegExp, Params] => [
			...(['an empty text', 'Message', /^is empty/, { message }] as const),
		]),
		...['undefined', ' NaN', '[object Object]'].map((message): [string, string, RegExp, Params] => [
			...(['what a program writes for no text', 'Message', /missing value$/, { message }] as const),
		]),
		['a list of texts', 'Message', /^is a list/, { message: ['a', 'b'] }],
		['an object for a text', 'Message', /^is an object/, { message: { body: 'a' } }],
		['too long a text', 'Message', /too long for a URL/, { message: 'ж'.repeat(5_330) }],
		['a file without a text', 'Message', /^is empty/, { ...withFile(), message: '' }],
		['a missing file', FILE, /^\("data"\) isn't a binary field/, withFile(MISSING)],
		['no word about the file', FILE, /doesn't name a binary field/, withFile(null)],
		...['number', 'Message', 'api_key'].map((mediaFieldName): [string, string, RegExp, Params] => [
			...(['a field of its own for a file', 'Media Field Name', /this node sets itself$/] as const),
			{ ...withFile(), mediaFieldName },
		]),
		['an empty file', FILE, /"invoice.pdf", which is empty$/, withFile(file({ bytes: 0 }))],
		['a file over the limit', FILE, OVER, withFile(file({ bytes: LIMIT + 1 }))],
	])('%s is an error of the item, before anything is sent', (_, field, reason, given) => {
		expect(sendWhatsAppMessage.prepare(Object.freeze({ ...text, ...given }))).toMatchObject({
			local: expect.stringMatching(/^(?:empty|malformed|incomplete|parameter)$/),
			...{ field, reason: expect.stringMatching(reason) },
		});
	});
});

const main = { service: 'main', path: '/sendwasms' } as const;
const sendTo = (number: string): ServiceRequest => ({
	...{ ...main, method: 'GET', query: { number, message: 'Hello' } },
});
const SEND = sendTo(NUMBER);
const SEND_FILE: ServiceRequest = {
	...{ ...main, method: 'POST' },
	form: { fields: { number: NUMBER, message: 'Hello' }, file: { field: 'media', source: file() } },
};
const checkOf = (number: string): ServiceRequest => ({
	...{ service: 'main', method: 'GET', path: '/checkwanumber', query: { number } },
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
	...{ phoneNumber: NUMBER, sent: true, message: 'Message sent' },
	messageId: expect.any(String),
};
const to = (number: string): Params => ({ ...text, phoneNumber: number });
const checked = (number: string): Params => ({ ...to(number), checkNumberFirst: true });
const answering = (body: object, path = 'sendwasms'): FaultRule => ({ kind: 'body', body, path });
const NOTHING_SENT = { phoneNumber: NOT_ON_WHATSAPP, sent: false };

/** A text, and a text with a file; each is delivered and charged unless it says otherwise. */
const asText = { given: text, sends: [SEND], delivered: 1, credits: 1 };
const asFile = { given: withFile(), sends: [SEND_FILE], delivered: 1, credits: 1 };
const REFUSED = { delivered: 0, credits: 0 };
/** A check that is followed by no message. */
const checkOnly = (number: string) => ({ given: checked(number), sends: [checkOf(number)] });
/** A reply to a text, and how it is read. */
const reply = (title: string, body: object, says: Row['says'], more: Partial<Row> = {}): Row => ({
	...{ title, ...asText, fault: answering(body), says, ...more },
});
const SENT_TO = { phoneNumber: NUMBER, sent: true };
const NO_CREDITS = /^not enough WhatsApp credits$/;

const rows: Row[] = [
	{ title: 'a text', ...asText, says: 'positive', record: SENT },
	{
		...{ title: 'a text to a number as people write it', ...asText, says: 'positive' },
		given: { ...text, phoneNumber: '(0)20 7946-0123 ext. 5', country: 'United Kingdom' },
		...{ record: { ...SENT, extension: '5' }, reason: 'extension 5 was left out' },
	},
	{
		...{ title: 'a number that is not, with an extension', ...checkOnly(NOT_ON_WHATSAPP) },
		...{ given: checked(`${NOT_ON_WHATSAPP} x5`), says: 'negative', credits: 1 },
		record: { ...NOTHING_SENT, extension: '5' },
		reason: `The number isn't on WhatsApp, so nothing was sent. Extension 5 was left out.`,
	},
	{
		...{
			title: 'a check without an answer',
			...checkOnly(ON_WHATSAPP),
			says: 'unknown',
			credits: 1,
		},
		fault: answering({ status: true, number: ON_WHATSAPP }, 'checkwanumber'),
		record: { phoneNumber: ON_WHATSAPP, sent: false },
		reason: "the service didn't say whether the number is on WhatsApp, so nothing was sent",
	},
	{
		...{ title: 'a check that is lost', ...checkOnly(ON_WHATSAPP), says: 'lost', credits: 1 },
		fault: { kind: 'html', path: 'checkwanumber' },
	},
	...[
		{ status: false, error: 'Blocked by recipient.' },
		{ status: 'error', message: 'Blocked by recipient.' },
	].map(
		(body): Row => ({
			...{ title: `a recipient that is refused after the check: ${body.status}`, says: 'question' },
			...{ given: checked(ON_WHATSAPP), sends: [checkOf(ON_WHATSAPP), sendTo(ON_WHATSAPP)] },
			fault: answering(body as IDataObject),
			...{ reason: /Blocked by recipient\./, delivered: 1, credits: 2 },
		}),
	),
	...[asText, asFile].flatMap((sent, n): Row[] => [
		{
			...{ title: `a wrong key, ${['text', 'file'][n]}`, ...sent, ...REFUSED, key: 'wrong' },
			...{ says: 'account', reason: /Invalid API key\./ },
		},
		{
			...{ title: `no credits, ${['text', 'file'][n]}`, ...sent, ...REFUSED, key: 'empty' },
			...{ says: 'account', reason: NO_CREDITS },
		},
	]),
	reply('a refusal without words', { status: false }, 'question', { reason: /gave no reason/ }),
	reply('a refusal in a message', { status: false, message: 'Not now' }, 'question', {
		reason: /Not now/,
	}),
	reply('a reply without a status', { message: 'Queued' }, 'unknown', {
		...{ record: { phoneNumber: NUMBER, sent: null, message: 'Queued' }, reason: /didn't say/ },
	}),
	...[{ id: 4711 }, { data: { messageId: 4711 } }].map((named) =>
		reply(
			`another name for the ID, and a number (${JSON.stringify(named)})`,
			{ status: true, message: '', error: null, ...named },
			...(['positive', { record: { ...SENT_TO, messageId: '4711' } }] as const),
		),
	),
	...[
		{ message: 'Message not sent' },
		{ message: 'Failed to send' },
		{ message: 'Recipient is not on WhatsApp' },
		{ message: 'OK', sent: false },
		{ message: 'OK', number: '+493012345678' },
	].map((said) =>
		reply(
			`a success that is denied (${JSON.stringify(said)})`,
			{ status: true, ...said },
			'unknown',
			{
				record: { phoneNumber: NUMBER, sent: null, message: said.message },
				reason: /may have been sent/,
			},
		),
	),
	reply('no ID', { status: true }, 'positive', { record: SENT_TO }),
	...[{ media_sent: false }, { has_media: false }, { attachments: 0 }, { files: [] }].flatMap(
		(said): Row[] => {
			const message = 'Message sent';
			const fault = answering({ status: true, message, ...said });
			const title = `a success without a file (${JSON.stringify(said)})`;
			const record = { phoneNumber: NUMBER, message };
			const ofFile = { ...record, fileName: 'invoice.pdf' };
			return [
				{
					title: `${title} for one`,
					...asFile,
					fault,
					says: 'unknown',
					record: ofFile,
					reason: /may/,
				},
				{ title, ...asText, fault, says: 'positive', record: { ...record, sent: true } },
			];
		},
	),
];

const known = (record: object) =>
	Object.fromEntries(
		Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
	);

describe.each<ErrorStatus>(['http', 'ok'])('a message, with errors as %s', (errorStatus) => {
	const sandbox = sandboxOfTests({ errorStatus });

	test.each(rows)('reads $title as $says', async (row) => {
		if (row.fault) sandbox.fault(row.fault);
		const question = sendWhatsAppMessage.prepare(Object.freeze(row.given));
		expect(isLocalAnswer(question)).toBe(false);
		const key = row.key === 'wrong' ? 'wrong' : sandbox.keys[row.key ?? 'main'];
		const files = { data: Buffer.from('%PDF-') };
		const performed = await performInSandbox(sandbox, sendWhatsAppMessage, [question], {
			...{ key, files },
		});
		const { failure: ofCall, readings, requests } = performed;

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
});

describe('a message with a status of success', () => {
	const outcomeOf = async (body: IDataObject, message = 'Scan the QR code') => {
		const client = scriptedClient([ok({ status: true, message_id: 'm1', ...body })]);
		const question = sendWhatsAppMessage.prepare({ ...text, message });
		const { readings } = await perform(sendWhatsAppMessage, [question], client);
		return readings?.map((reading) => ('outcome' in reading ? reading.outcome : 'failed'));
	};

	test.each(['Hi', 'Not sent? Reply STOP', 'Your account is offline: error 404'])(
		'was sent where the service repeats its text: %s',
		async (message) => {
			for (const said of [{ message }, { data: { text: message } }, { body: message }])
				expect([said, await outcomeOf(said, message)]).toEqual([said, ['positive']]);
		},
	);

	test('is not known to be sent if the reply has too many fields to be read', async () => {
		expect(await outcomeOf({ list: Array.from({ length: 10_000 }, () => 1) })).toEqual(['unknown']);
	});

	const DENIED: IDataObject[] = [
		// Flags and counts
		...[{ sent: 0 }, { delivered: false }, { messagesSent: '0' }, { whatsapp: false }],
		...[{ canReceiveMessage: false }, { accepted: [] }, { queued: false }, { messages: [] }],
		...[{ recipients: 0 }, { failed: 1 }, { not_on_whatsapp: true }, { unregistered: true }],
		...[{ rejected: [NUMBER] }, { limit_reached: true }, { err: 'ECONNRESET' }],
		...[{ exception: 'Connection Closed' }, { qrcode: '2@abc' }, { refunded: true }],
		...[{ live: false }, { dry_run: true }, { sandbox: 1 }, { errors: [{ code: 131026 }] }],
		// States and codes
		...[{ result: 'failed' }, { data: 'undelivered' }, { message_status: 'opted_out' }],
		...[{ data: [{ deliveryStatus: 'gesperrt' }] }, { results: { '442079460123': 'failed' } }],
		...[{ statuses: ['failed'] }, { messages: [{ status: { groupName: 'REJECTED', id: 12 } }] }],
		...[{ error_code: 131026 }, { status_code: 429 }, { state: 0 }, { ack: -1 }],
		...[{ ackName: 'ERROR' }, { result: false }, { data: { success: false } }],
		// Words
		...['Device disconnected', '0 messages sent', 'Nicht gesendet', 'false', 'Skipped'].map(
			(message) => ({ message }),
		),
		...['Message not sent', 'Session expired', 'offline', 'disconnected', 'LOGGED_OUT']
			.concat("The message wasn't sent", 'The recipient is not on WhatsApp')
			.map((hint) => ({ hint })),
		{ info: 'Recipient is not reachable' },
		// Another recipient
		...[
			...['to', 'recipient', 'number', 'phone', 'phone_number', 'receiver', 'msisdn'],
			...['recipientPhone', 'wa_id'],
		].map((name) => ({ [name]: '+12025550199' })),
		...['chatId', 'jid', 'remoteJid'].map((name) => ({ [name]: '12025550199@c.us' })),
		...[{ to: '12025550199:4@s.whatsapp.net' }, { message: 'Message sent to 12025550199' }],
		{ message: 'Sent to +1 (202) 555-0199' },
	];
	const SENT_BESIDE: IDataObject[] = [
		...[{ response: { error: null } }, { errors: [] }, { delivered: true }, { result: null }],
		{ accepted: [NUMBER] },
		...[{ failed: 0, queued: 0 }, { not_on_whatsapp: false }, { status_code: 202 }, { ack: 0 }],
		...[{ dry_run: false, sandbox: 0, refunded: null, pending: true }, { rejected: [] }],
		...['queued', 'PENDING', 'SERVER_ACK'].map((status) => ({ data: { status } })),
		...[{ result: '3EB0C767D26A' }, { results: [{ name: 'Ada', status: 'sent' }] }],
		...[{ results: { '442079460123': 'queued' } }, { data: { message: 'Scan the QR code' } }],
		...[
			...[`Message sent to ${NUMBER.replace('+', '')}`, 'Sent to 1 of 1 recipients, no errors'],
			...['Message sent successfully. ID: 3EB0C767D26A', 'Nachricht wurde gesendet'],
			...['Message sent. Remaining credits: 99', 'Message sent, 4 credits remaining'],
			...['El mensaje ha sido enviado con éxito', 'Mensagem enviada com sucesso'],
		].map((message) => ({ message })),
		...[{ sender: { number: '+12025550199' } }, { carrier: 'Blocked', credits_left: 4 }],
		...[{ contacts: [{ wa_id: '442079460123' }] }, { chatId: '442079460123:12@c.us' }],
		{ messages: [{ status: { groupName: 'PENDING', description: 'Sent to next instance' } }] },
		{ isStatus: false, id: { remote: '120363000000000000@g.us' } },
	];
	test.each([
		...DENIED.map((said) => ['unknown', said] as const),
		...SENT_BESIDE.map((said) => ['positive', said] as const),
	])('is %s beside %j, however deep in objects and lists', async (outcome, said) => {
		for (const body of [said, { a: [[{ b: { c: { d: [{ ok: true }, said] } } }]] }])
			expect(await outcomeOf(body)).toEqual([outcome]);
	});
});

describe('a file of an item', () => {
	const mimeType = 'image/png';
	const inMemory = (bytes: number) => Buffer.alloc(bytes).toString('base64');
	const found = async (item: INodeExecutionData) => {
		const assertBinaryData = (_: number, property: string) => item.binary![property];
		const context = { getInputData: () => [item], helpers: { assertBinaryData } };
		return await fileOf(context as unknown as IExecuteFunctions, 0, 'data');
	};

	test.each([0, 1, 2, 3, LIMIT + 1])('of %d bytes in memory has that size', async (bytes) => {
		const item = { json: {}, binary: { data: { data: inMemory(bytes), mimeType } } };
		expect(await found(item)).toEqual({
			...{ item: 0, property: 'data', fileName: 'data', mimeType, bytes },
		});
	});

	test('that is missing is a problem that names the files in the JSON of the item', async () => {
		const json = { _files: { scan: { data: inMemory(1), mimeType } }, size: { mimeType } };
		expect(await found({ json })).toEqual({
			problem: `("data") isn't a binary field of this item. The item has "_files.scan"`,
		});
	});
});

import { createHash } from 'node:crypto';

import { magic, startSandbox, type ErrorStatus, type Sandbox } from '../../sandbox';
import { ask, send, urlOf } from './requests';
import { faultsOf } from './schemas';

const { PHONE } = magic;
const LIMIT = 2_097_152;

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.reset());

interface Part {
	field?: string;
	bytes?: Buffer;
	fileName?: string;
	mimeType?: string;
}

const formOf = (fields: Record<string, string>, ...parts: Part[]) => {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	for (const { field = 'media', bytes = Buffer.from('x'), fileName = 'a.png', mimeType } of parts) {
		form.append(field, new Blob([bytes], { type: mimeType ?? 'image/png' }), fileName);
	}
	return form;
};

const sendForm = async (form: FormData, query: Record<string, string> = {}, from = sandbox) =>
	await send(urlOf(from, 'send', { api_key: from.keys.main, ...query }), {
		method: 'POST',
		body: form,
	});

const message = { number: PHONE.onWhatsApp, message: 'Grüße &\r\n+good-bye' };

it('the sandbox keeps what was sent, by account and in order', async () => {
	await ask(sandbox, 'send', { number: '+442079460123', message: 'one' });
	const second = await ask(sandbox, 'send', message);
	await ask(sandbox, 'send', { number: PHONE.sendRefused, message: 'three' });
	const { main, other } = sandbox.keys;
	expect(sandbox.messages(main)).toMatchObject([
		{ number: '+442079460123', message: 'one' },
		{ ...message, messageId: (second.body as { message_id: string }).message_id },
	]);
	expect(sandbox.messages(main)[0]).toMatchObject({ media: undefined, at: expect.any(Number) });
	expect(sandbox.messages(other)).toEqual([]);
	expect(() => sandbox.messages('wrong')).toThrow('no account');
	expect(sandbox.debits(main)).toMatchObject([
		{ product: 'whatsapp', amount: 1, endpoint: '/api/v1/sendwasms', question: '+442079460123' },
		{ product: 'whatsapp', amount: 1, question: PHONE.onWhatsApp },
	]);
	sandbox.reset();
	expect(sandbox.messages(main)).toEqual([]);
});

describe('a form', () => {
	it('carries media, which the log shows without its bytes', async () => {
		const bytes = Buffer.from([0, 13, 10, 45, 45, 255]);
		const fileName = 'фото "1".png';
		const seen = await sendForm(formOf(message, { bytes, fileName }));
		expect(faultsOf('sent', seen.body)).toEqual([]);
		const sha256 = createHash('sha256').update(bytes).digest('hex');
		const media = { field: 'media', fileName, mimeType: 'image/png', size: 6, sha256 };
		expect(sandbox.log[0]).toMatchObject({
			method: 'POST',
			status: 200,
			charged: 1,
			body: { fields: message, files: [media] },
		});
		expect(sandbox.messages(sandbox.keys.main)).toMatchObject([{ ...message, media }]);
	});

	it('takes its key from the query alone', async () => {
		const url = urlOf(sandbox, 'send');
		const body = formOf({ ...message, api_key: sandbox.keys.main }, {});
		const seen = await send(url, { method: 'POST', body });
		expect(faultsOf('familyABadKey', seen.body)).toEqual([]);
	});

	it.each<[string, FormData]>([
		['a file in another field', formOf(message, { field: 'file' })],
		['two files', formOf(message, {}, {})],
		['no message', formOf({ number: PHONE.onWhatsApp }, {})],
		['no number', formOf({ message: 'hello' }, {})],
	])('with %s is refused', async (_, form) => {
		const seen = await sendForm(form);
		expect(faultsOf('familyAError', seen.body)).toEqual([]);
		expect([seen.status, sandbox.spent(sandbox.keys.main).whatsapp]).toEqual([400, 0]);
	});
});

describe.each<ErrorStatus>(['http', 'ok'])('media of 2 MB, with errors as %s', (errorStatus) => {
	it('is the most that is accepted', async () => {
		const own = await startSandbox({ errorStatus });
		const sized = async (size: number) =>
			await sendForm(formOf(message, { bytes: Buffer.alloc(size) }), {}, own);
		const [most, tooMuch] = [await sized(LIMIT), await sized(LIMIT + 1)];
		expect(faultsOf('sent', most.body)).toEqual([]);
		expect(faultsOf('familyAError', tooMuch.body)).toEqual([]);
		expect(tooMuch.status).toBe(errorStatus === 'http' ? 413 : 200);
		expect(own.spent(own.keys.main).whatsapp).toBe(1);
		await own.close();
	});
});

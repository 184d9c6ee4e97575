/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { Readable } from 'node:stream';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { FaultEffect, Sandbox } from '../sandbox';
import { magic, startSandbox } from '../sandbox';
import type { NodeOptions, NodeRun } from '../harness/n8n';
import { AT_ONCE, release, runNode, runWorkflow } from '../harness/n8n';
import { credentialsOf, expectOnlyE164 } from '../harness/onSandbox';
import { parseReceipt, receiptOf } from '../harness/parseReceipt';

const { PHONE } = magic;
const LIMIT = 2_097_152;
const sendText = {
	resource: 'whatsApp',
	operation: 'sendMessage',
	phoneNumber: '={{ $json.number }}',
	message: '=Hello {{ $json.n }}',
};
const sendFile = { ...sendText, media: 'binaryField' };
const checkedFirst = { options: { checkNumberFirst: true, [AT_ONCE]: 1 } };
const inTurn = { options: { [AT_ONCE]: 1 } };

/** Items with a number each; duplicate numbers are equal in everything but their place. */
const toItems = (...numbers: string[]) =>
	numbers.map((number) => ({ number, n: number.slice(-3) }));
const NUMBERS = [
	'+442079460121',
	'+442079460122',
	'+442079460123',
	'+442079460124',
	'+442079460125',
];
const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const links = (...items: number[]) => items.map((item) => ({ item }));
const columnOf = (items: INodeExecutionData[], field: string) =>
	items.map(({ json }) => json[field]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

type RunError = Error & { description?: string | null; context?: IDataObject };
const errorOf = (run: NodeRun) => run.error as RunError;

describe(`messages, n8n ${release}`, () => {
	let sandbox: Sandbox;
	const root = mkdtempSync(join(tmpdir(), 'send-message-'));
	const diOfCore = require.resolve('@n8n/di', { paths: [dirname(require.resolve('n8n-core'))] });
	const { Container } = jest.requireActual<{
		Container: { get<T>(type: new (...args: never[]) => T): T };
	}>(diOfCore);
	const store = Container.get(BinaryDataService);

	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await sandbox.close();
		rmSync(root, { recursive: true, force: true });
	});
	expectOnlyE164(() => sandbox);

	const credentials = (apiKey = sandbox.keys.main) => credentialsOf(sandbox, { apiKey });
	const run = async (
		parameters: object,
		options: Partial<NodeOptions> & { apiKey?: string } = {},
	) => await runNode({ credentials: credentials(options.apiKey), parameters, ...options });
	const outbox = () => sandbox.messages(sandbox.keys.main);
	const recipients = () => outbox().map(({ number }) => number);
	const paths = () => sandbox.log.map(({ method, path }) => `${method} ${path.split('/').pop()}`);

	describe('a text', () => {
		it('is sent by GET, with its plus sign and line breaks, and the key in the query', async () => {
			const message = 'a & b = 1+1 %2B\n👩‍💻 #?';
			const items = [{ number: '+44 20 7946 0121' }, { number: '00442079460122' }];
			const result = await run({ ...sendText, message }, { items });

			expect(result.status).toBe('success');
			expect(sandbox.log).toMatchObject(
				['+442079460121', '+442079460122'].map((number) => ({
					host: 'main',
					method: 'GET',
					path: '/api/v1/sendwasms',
					query: { number, message, api_key: sandbox.keys.main },
				})),
			);
			for (const { url } of sandbox.log) expect(url).toMatch(/number=%2B44/);
			expect(outbox().map((sent) => [sent.message, sent.media])).toEqual([
				[message, undefined],
				[message, undefined],
			]);
		});

		it('is never shared: duplicates are sent each time', async () => {
			const items = toItems(NUMBERS[0], NUMBERS[1], NUMBERS[0], NUMBERS[0]);
			const result = await run(sendText, { items });

			expect(recipients().sort()).toEqual([NUMBERS[0], NUMBERS[0], NUMBERS[0], NUMBERS[1]]);
			const ids = columnOf(result.items(), 'messageId');
			expect(new Set(ids).size).toBe(4);
			expect(ids.sort()).toEqual(
				outbox()
					.map(({ messageId }) => messageId)
					.sort(),
			);
			expect(columnOf(result.items(), 'source')).toEqual(Array(4).fill('service'));
			expect(linksOf(result.items())).toEqual(links(0, 1, 2, 3));
			expect(receiptOf(result.hints())).toMatchObject({
				...{ items: 4, calls: 4, duplicates: 0 },
				unpriced: { whatsapp: 4 },
			});
		});

		it('returns one item each, with the number in E.164 beside the fields of the input', async () => {
			const options = { putOutputInField: 'sms' };
			const result = await run(
				{ ...sendText, includeOtherInputFields: true, options },
				{ items: toItems('44 20 7946 0121', NUMBERS[1]) },
			);

			expect(result.items().map(({ json }) => json)).toEqual(
				['44 20 7946 0121', NUMBERS[1]].map((number, index) => ({
					number,
					n: number.slice(-3),
					sms: {
						...{ input: number, outcome: 'positive', source: 'service', reason: null },
						phoneNumber: NUMBERS[index],
						...{ sent: true, message: 'Message sent', fileName: null },
						extension: null,
						messageId: outbox().find((sent) => sent.number === NUMBERS[index])?.messageId,
					},
				})),
			);
		});

		it.each([
			[
				'an empty message',
				{ message: '={{ $json.n === "122" ? "" : "Hello" }}' },
				/^Message is empty.*\[item 1\]$/,
			],
			[
				'no phone number',
				{ phoneNumber: '={{ $json.n === "122" ? "Ada" : $json.number }}' },
				/^Phone Number \("Ada"\).*\[item 1\]$/,
			],
			[
				'a number without its country',
				{ phoneNumber: '={{ $json.n === "122" ? "020 7946 0122" : $json.number }}' },
				/^Phone Number.* can't be read without its country\. Set Country.*\[item 1\]$/,
			],
		])(
			'with %s stops the node before anything is sent, and fails alone if the node continues',
			async (_, broken, words) => {
				const items = toItems(...NUMBERS.slice(0, 3));
				const stopped = await run({ ...sendText, ...broken }, { items });
				expect(errorOf(stopped).message).toMatch(words);
				expect(errorOf(stopped).message).toContain("You weren't charged");
				expect(errorOf(stopped).message).not.toContain('Malformed');
				expect(sandbox.log).toEqual([]);

				const result = await run(
					{ ...sendText, ...broken },
					{ items, onError: 'continueErrorOutput' },
				);
				expect(columnOf(result.items(0), 'sent')).toEqual([true, true]);
				expect(linksOf(result.items(0))).toEqual(links(0, 2));
				expect(result.items(1)[0].json.error).toMatch(words);
				expect(recipients().sort()).toEqual([NUMBERS[0], NUMBERS[2]]);
			},
		);

		it('takes Additional Parameters, but not the names of its own parameters', async () => {
			const withParameter = (name: string) => ({
				options: { additionalParameters: { parameter: [{ name, value: 'a+b' }] } },
			});
			await run(
				{ ...sendText, ...withParameter('tag') },
				{ items: toItems(...NUMBERS.slice(0, 2)) },
			);
			expect(sandbox.log.map(({ query }) => query.tag)).toEqual(['a+b', 'a+b']);

			const refused = await run(
				{ ...sendText, ...withParameter('message') },
				{ items: toItems(...NUMBERS) },
			);
			expect(errorOf(refused).message).toContain('Additional Parameters has "message"');
			expect(outbox()).toHaveLength(2);
		});
	});

	describe('Check Number First', () => {
		it('checks a number once for all its messages, in every spelling', async () => {
			const items = ['+44 20 7946 0121', '+442079460121', '+44-20-7946-0121'].map((number) => ({
				...{ number, n: number.slice(-3) },
			}));
			const result = await run({ ...sendText, ...checkedFirst }, { items });

			expect(errorOf(result)).toBeUndefined();
			expect(paths().filter((path) => path.endsWith('checkwanumber'))).toHaveLength(1);
			expect(recipients()).toEqual(items.map(() => NUMBERS[0]));
		});

		const checkedInTurn = { ...inTurn.options, checkNumberFirst: true };

		it('pays for no check before the previous message is sent', async () => {
			sandbox.fault({ path: 'sendwasms', kind: 'status', status: 402 });
			const parameters = { ...sendText, options: checkedInTurn };
			const items = toItems(...NUMBERS.map(() => magic.PHONE.onWhatsApp));
			const result = await run(parameters, { items });

			expect(sandbox.log.map(({ path }) => path.split('/').pop())).toEqual([
				...['checkwanumber', 'sendwasms'],
			]);
			expect(errorOf(result).message).toMatch(
				/Earlier calls for this item were charged\. See the receipt/,
			);
		});

		it.each([401, 402])('a check refused with HTTP %s ends the run', async (status) => {
			sandbox.fault({ path: 'checkwanumber', kind: 'status', status, times: 1 });
			const options = {
				...{ checkNumberFirst: '={{ $itemIndex === 0 }}', [AT_ONCE]: 1 },
			};
			const onError = 'continueRegularOutput';
			const result = await run({ ...sendText, options }, { items: toItems(...NUMBERS), onError });

			expect(paths()).toEqual(['GET checkwanumber']);
			expect(columnOf(result.items(), 'error')).toEqual(
				NUMBERS.map((_, item) => expect.stringMatching(new RegExp(`\\[item ${item}\\]$`))),
			);
			expect(result.hints()[0]).toMatch(/5 items: 4 not reached, 1 failed \(item 0: /);
		});

		it('an unanswered check is not a message that may have been sent', async () => {
			sandbox.fault({ path: 'checkwanumber', kind: 'resetAfterCharge', skip: 1, times: 1 });
			const parameters = { ...sendText, options: checkedInTurn };
			const items = toItems(PHONE.onWhatsApp, PHONE.whatsAppBusiness);
			const result = await run(parameters, { items });

			expect(errorOf(result).description).toMatch(/Done already: item 0\.$/);
		});

		const items = toItems(PHONE.onWhatsApp, PHONE.notOnWhatsApp, PHONE.onWhatsApp);

		it('sends to numbers on WhatsApp, and says why the others were left out', async () => {
			const result = await run({ ...sendText, ...checkedFirst }, { items });

			expect(recipients()).toEqual([PHONE.onWhatsApp, PHONE.onWhatsApp]);
			expect(paths().filter((path) => path === 'GET checkwanumber')).toHaveLength(2);
			expect(columnOf(result.items(), 'outcome')).toEqual(['positive', 'negative', 'positive']);
			expect(columnOf(result.items(), 'sent')).toEqual([true, false, true]);
			expect(result.items()[1].json).toMatchObject({
				phoneNumber: PHONE.notOnWhatsApp,
				reason: "the number isn't on WhatsApp, so nothing was sent",
			});
			expect(receiptOf(result.hints())).toMatchObject({ items: 3, calls: 4, failed: 0 });
			expect(sandbox.spent(sandbox.keys.main).whatsapp).toBe(4);
		});

		it.each<[title: string, effect: FaultEffect]>([
			['refused', { kind: 'status', status: 422 }],
			['lost', { kind: 'resetAfterCharge' }],
		])('sends nothing to a number whose check is %s', async (_, effect) => {
			sandbox.fault({ ...effect, path: 'checkwanumber', skip: 1, times: 1 });
			const result = await run(
				{ ...sendText, ...checkedFirst },
				{ items, onError: 'continueRegularOutput' },
			);

			expect(columnOf(result.items(), 'sent')).toEqual([true, undefined, true]);
			expect(result.items()[1].json.error).toMatch(/\[item 1\]$/);
			expect(recipients()).toEqual([PHONE.onWhatsApp, PHONE.onWhatsApp]);
		});
	});

	describe('a failed message', () => {
		const lost: Array<[title: string, effect: FaultEffect]> = [
			['that breaks off', { kind: 'resetAfterCharge' }],
			['that never comes', { kind: 'hangAfterCharge' }],
			['that is a page', { kind: 'html' }],
		];

		it.each(lost)(
			'with the reply %s is not repeated; the error says which recipients got one',
			async (_, effect) => {
				sandbox.fault({ ...effect, skip: 2, times: 1 });
				const options = { ...inTurn.options, timeout: 1 };
				const result = await run({ ...sendText, options }, { items: toItems(...NUMBERS) });

				expect(result.status).toBe('error');
				expect(recipients()).toEqual(NUMBERS.slice(0, 3));
				expect(sandbox.log).toHaveLength(3);
				const { message, description, context } = errorOf(result);
				expect(message).toMatch(/may have been charged.*\[item 2\]$/);
				expect(context?.itemIndex).toBe(2);
				expect(description).toMatch(/Done already: items 0, 1\. Possibly done: item 2\.$/);
				expect(parseReceipt(description ?? '')).toMatchObject({
					items: 5,
					calls: 3,
					open: 1,
					...{ failed: 1, notReached: 2 },
				});
			},
		);

		it.each(lost)(
			'with the reply %s fails its item alone when the node continues',
			async (_, effect) => {
				for (const parameters of [sendText, sendFile]) {
					sandbox.reset();
					sandbox.fault({ ...effect, skip: 2, times: 1 });
					const data = {
						data: Buffer.from('GIF').toString('base64'),
						mimeType: 'image/gif',
						fileName: 'a.gif',
					};
					const items = toItems(...NUMBERS).map((json) => ({ json, binary: { data } }));
					const options = { ...inTurn.options, timeout: 1 };
					const result = await run(
						{ ...parameters, options },
						{ items, onError: 'continueErrorOutput' },
					);

					expect(recipients()).toEqual(NUMBERS);
					expect(columnOf(result.items(0), 'sent')).toEqual([true, true, true, true]);
					expect(linksOf(result.items(0))).toEqual(links(0, 1, 3, 4));
					expect(linksOf(result.items(1))).toEqual(links(2));
					expect(result.items(1)[0].json.error).toMatch(/may have been charged.*\[item 2\]$/);
					expect(receiptOf(result.hints())).toMatchObject({ calls: 5, open: 1, failed: 1 });
				}
			},
		);

		it('whose recipient is refused fails in the words of the service, and the others are sent', async () => {
			const items = toItems(NUMBERS[0], PHONE.sendRefused, NUMBERS[1], PHONE.sendRefused);
			const result = await run(sendText, { items, onError: 'continueErrorOutput' });

			expect(recipients().sort()).toEqual([NUMBERS[0], NUMBERS[1]]);
			expect(linksOf(result.items(0))).toEqual(links(0, 2));
			expect(linksOf(result.items(1))).toEqual(links(1, 3));
			for (const error of columnOf(result.items(1), 'error')) {
				expect(error).toContain('The recipient cannot receive messages.');
			}
		});

		it('without credits ends the run with one call', async () => {
			const { main } = sandbox.keys;
			sandbox.setBalance(main, 'whatsapp', 2);
			const result = await run({ ...sendText, ...inTurn }, { items: toItems(...NUMBERS) });

			expect(errorOf(result).message).toMatch(/Not enough WhatsApp credits\..*\[item 2\]$/);
			expect(errorOf(result).description).toMatch(/Done already: items 0, 1\.$/);
			expect(recipients()).toEqual(NUMBERS.slice(0, 2));
			expect(sandbox.log).toHaveLength(3);
		});
	});

	describe('the key', () => {
		const data = {
			data: Buffer.from('GIF').toString('base64'),
			mimeType: 'image/gif',
			fileName: 'a.gif',
		};
		const items = toItems(...NUMBERS.slice(0, 3)).map((json) => ({ json, binary: { data } }));
		const faults: Array<[string, FaultEffect]> = [
			['an answer', { kind: 'latency', ms: 0 }],
			['an echo of it', { kind: 'echoKey' }],
			['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/?api_key=0', status: 307 }],
			['a broken connection', { kind: 'resetAfterCharge' }],
			['a server error', { kind: 'status', status: 500 }],
			['a page', { kind: 'html' }],
		];

		it.each(faults)(
			'is in the query alone, and in no item, error or hint after %s',
			async (_, effect) => {
				const { main } = sandbox.keys;
				sandbox.fault(effect);
				for (const parameters of [
					sendText,
					sendFile,
					{ ...sendFile, options: { checkNumberFirst: true } },
				]) {
					for (const onError of [
						undefined,
						'continueRegularOutput',
						'continueErrorOutput',
					] as const) {
						const result = await run({ ...parameters, output: 'raw' }, { items, onError });
						const seen = [
							JSON.stringify(result.raw),
							inspect(result.raw, { depth: Infinity, showHidden: true, maxStringLength: Infinity }),
							inspect(result.error, { depth: Infinity, showHidden: true }),
							result.hints().join(),
						].join('\n');
						expect(seen).not.toContain(main);
					}
				}
				for (const { query, headers, body } of sandbox.log) {
					expect(query.api_key).toBe(main);
					expect(JSON.stringify([headers, body])).not.toContain(main);
				}
			},
		);
	});

	describe.each(['memory', 'file system', 'database'])('media with binary data in %s', (mode) => {
		/** How often the contents of a file were read. */
		let reads: number;
		const contents = new Map<string, Buffer>();

		beforeAll(async () => {
			if (mode === 'memory') return;
			const config = Container.get(BinaryDataConfig);
			Object.assign(config, {
				mode: 'filesystem',
				availableModes: ['filesystem'],
				localStoragePath: root,
			});
			await store.init();
			// n8n's server brings the store for its database; what the node sees of it is this
			const manager: unknown = {
				getMetadata: async (id: string) => ({ fileSize: contents.get(id)?.length }),
				getAsStream: async (id: string) => Readable.from([contents.get(id)]),
			};
			store.setManager('database', manager as Parameters<typeof store.setManager>[1]);
		});
		beforeEach(() => {
			reads = 0;
			const { getAsBuffer, getAsStream } = BinaryDataService.prototype;
			jest.spyOn(store, 'getAsStream').mockImplementation(async (id, chunkSize) => {
				reads += 1;
				return await getAsStream.call(store, id, chunkSize);
			});
			jest.spyOn(store, 'getAsBuffer').mockImplementation(async (binary) => {
				reads += 1;
				return await getAsBuffer.call(store, binary);
			});
		});
		afterEach(() => jest.restoreAllMocks());

		/** A file as an earlier node of the workflow would have left it. */
		async function stored(bytes: Buffer, fileName: string, mimeType: string): Promise<IBinaryData> {
			const described = { data: '', fileName, mimeType };
			if (mode === 'memory') return { ...described, data: bytes.toString('base64') };
			if (mode === 'database') {
				const id = String(contents.size);
				contents.set(id, bytes);
				return { ...described, data: 'database', id: `database:${id}` };
			}
			const location = { type: 'execution', workflowId: 'workflow', executionId: '1' } as const;
			return await store.store(location, bytes, described);
		}
		const bytesOf = (size: number) => Buffer.alloc(size, `${size} bytes of noise; `);
		const pdf = async (size: number, name = `${size}.pdf`) =>
			await stored(bytesOf(size), name, 'application/pdf');
		const withFiles = (files: Array<INodeExecutionData['binary']>) =>
			files.map((binary, n) => ({ json: { number: NUMBERS[n], n }, binary }));

		it('arrives with text, file name, MIME type, size and every byte, up to the limit', async () => {
			const png = await stored(bytesOf(70_000), 'Größe "1", 日本 100%.png', 'image/png');
			const items = withFiles([{ data: await pdf(1) }, { data: png }, { data: await pdf(LIMIT) }]);
			const result = await run({ ...sendFile, message: '=& {{ $json.n }} +1 👩‍💻' }, { items });

			expect([result.status, result.error?.message]).toEqual(['success', undefined]);
			expect(columnOf(result.items(), 'fileName')).toEqual([
				'1.pdf',
				'Größe "1", 日本 100%.png',
				'2097152.pdf',
			]);
			expect(linksOf(result.items())).toEqual(links(0, 1, 2));
			expect(reads).toBe(3);
			const expected = [1, 70_000, LIMIT].map((size, n) => ({
				number: NUMBERS[n],
				message: `& ${n} +1 👩‍💻`,
				media: {
					field: 'media',
					fileName: items[n].binary?.data.fileName,
					mimeType: items[n].binary?.data.mimeType,
					size,
					sha256: sha256(bytesOf(size)),
				},
			}));
			const arrived = outbox().sort((a, b) => a.number.localeCompare(b.number));
			expect(arrived).toMatchObject(expected);
			for (const { method, path, query, headers, body } of sandbox.log) {
				expect([method, path]).toEqual(['POST', '/api/v1/sendwasms']);
				expect(query).toEqual({ api_key: sandbox.keys.main });
				expect(headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
				expect(Object.keys((body as { fields: object }).fields).sort()).toEqual([
					'message',
					'number',
				]);
			}
		});

		it('leaves the line breaks of the text as they are', async () => {
			const texts = ['one\ntwo\n', '\r\n\r\n1\r2\n\r3 "ä" 👩‍💻', '\nlast', 'a\r\nb', 'none'];
			const file = { data: await pdf(10) };
			const items = texts.map((text, n) => ({ json: { number: NUMBERS[n], text }, binary: file }));
			const result = await run({ ...sendFile, message: '={{ $json.text }}' }, { items });

			expect(columnOf(result.items(), 'sent')).toEqual(texts.map(() => true));
			const arrived = outbox().sort((a, b) => a.number.localeCompare(b.number));
			expect(arrived.map(({ message }) => message)).toEqual(texts);
			expect(arrived.map(({ media }) => media?.fileName)).toEqual(texts.map(() => '10.pdf'));
		});

		it('is sent for every item, in the form field that the user names', async () => {
			const data = await pdf(10);
			const items = withFiles([{ scan: data }, { scan: data }]);
			const parameters = { ...sendFile, binaryPropertyName: 'scan' };
			await run(parameters, { items });
			expect(outbox().map(({ media }) => media?.fileName)).toEqual(['10.pdf', '10.pdf']);

			const options = { mediaFieldName: 'attachment' };
			const other = await run({ ...parameters, options }, { items });
			expect(errorOf(other).message).toContain('Unexpected file field: attachment.');
		});

		const broken: Array<
			[title: string, file: () => Promise<INodeExecutionData['binary']>, words: RegExp]
		> = [
			[
				'over the limit',
				async () => ({ data: await pdf(LIMIT + 1, 'film.mp4') }),
				/^Input Binary Field \("data"\) has the file "film.mp4" of 2,097,153 bytes\. Media can have at most 2,097,152 \(2 MB\)\..*\[item 1\]$/,
			],
			[
				'empty',
				async () => ({ data: await pdf(0, 'none.pdf') }),
				/^Input Binary Field \("data"\) has the file "none.pdf", which is empty\..*\[item 1\]$/,
			],
			[
				'under another name',
				async () => ({ photo: await pdf(3), scan: await pdf(4) }),
				/^Input Binary Field \("data"\) isn't a binary field of this item\. The item has "photo", "scan"\..*\[item 1\]$/,
			],
			[
				'not there at all',
				async () => undefined,
				/^Input Binary Field \("data"\) isn't a binary field of this item\. The item has no files\..*\[item 1\]$/,
			],
		];

		it.each(broken)('%s is refused before anything is read or sent', async (_, file, words) => {
			const items = withFiles([{ data: await pdf(5) }, await file(), { data: await pdf(6) }]);
			const stopped = await run(sendFile, { items });
			expect(errorOf(stopped).message).toMatch(words);
			expect(errorOf(stopped).message).toContain("You weren't charged");
			expect(errorOf(stopped).context?.itemIndex).toBe(1);
			expect([sandbox.log, reads]).toEqual([[], 0]);

			const result = await run(sendFile, { items, onError: 'continueErrorOutput' });
			expect(columnOf(result.items(0), 'fileName')).toEqual(['5.pdf', '6.pdf']);
			expect(linksOf(result.items(0))).toEqual(links(0, 2));
			expect(linksOf(result.items(1))).toEqual(links(1));
			expect(result.items(1)[0].json.error).toMatch(words);
			expect(recipients().sort()).toEqual([NUMBERS[0], NUMBERS[2]]);
			expect(reads).toBe(2);
		});

		it('for a number that is not on WhatsApp is not read, if the check comes first', async () => {
			const items = withFiles([{ data: await pdf(5) }, { data: await pdf(6) }]);
			items[0].json.number = PHONE.notOnWhatsApp;
			items[1].json.number = PHONE.onWhatsApp;
			const result = await run({ ...sendFile, ...checkedFirst }, { items });

			expect(columnOf(result.items(), 'sent')).toEqual([false, true]);
			expect(columnOf(result.items(), 'fileName')).toEqual([null, '6.pdf']);
			expect([recipients(), reads]).toEqual([[PHONE.onWhatsApp], 1]);
		});

		if (mode === 'memory') {
			it("may be base64 text with line breaks, as users' code makes it", async () => {
				const lines =
					bytesOf(200)
						.toString('base64')
						.match(/.{1,76}/g) ?? [];
				const wrapped = { ...(await pdf(200)), data: lines.join('\r\n') };
				const items = withFiles([{ data: wrapped }, { data: await pdf(3) }]);
				const result = await run({ ...sendFile, ...inTurn }, { items });

				expect(result.error?.message).toBeUndefined();
				expect(outbox().map(({ media }) => media?.sha256)).toEqual(
					[200, 3].map((size) => sha256(bytesOf(size))),
				);
			});
		}

		it('is ignored if Media is None', async () => {
			const items = withFiles([{ data: await pdf(LIMIT + 1) }, undefined]);
			const result = await run({ ...sendText, binaryPropertyName: 'data' }, { items });

			expect(columnOf(result.items(), 'sent')).toEqual([true, true]);
			expect([paths(), reads]).toEqual([['GET sendwasms', 'GET sendwasms'], 0]);
		});

		it('is in memory a few files at a time, whatever the user allows', async () => {
			sandbox.fault({ kind: 'latency', ms: 30 });
			const items = Array.from({ length: 24 }, (_, n) => ({ json: { number: NUMBERS[0], n } }));
			const data = await pdf(1000);
			const result = await run(
				{ ...sendFile, options: { [AT_ONCE]: 100 } },
				{ items: items.map((item) => ({ ...item, binary: { data } })) },
			);

			expect(columnOf(result.items(), 'sent')).toEqual(Array(24).fill(true));
			expect(sandbox.inFlight().peak).toBe(4);
		});

		if (mode !== 'memory') {
			it('that is lost before the sending fails its item, and nothing is sent', async () => {
				const items = withFiles([
					{ data: await pdf(5) },
					{ data: await pdf(6) },
					{ data: await pdf(7) },
				]);
				const lost = items[1].binary?.data.id;
				const { getAsStream } = BinaryDataService.prototype;
				jest.spyOn(store, 'getAsStream').mockImplementation(async (id, chunkSize) => {
					if (id === lost) throw new Error(`ENOENT: no such file, open '${root}'`);
					return await getAsStream.call(store, id, chunkSize);
				});
				const result = await run(sendFile, { items, onError: 'continueErrorOutput' });

				expect(linksOf(result.items(0))).toEqual(links(0, 2));
				expect(result.items(1)[0].json.error).toMatch(
					/^The file "6.pdf" can't be read.*You weren't charged.*\[item 1\]$/,
				);
				expect(JSON.stringify(result.items(1))).not.toContain(root);
				expect(recipients().sort()).toEqual([NUMBERS[0], NUMBERS[2]]);
			});

			it('that the storage does not return in time fails its item, and the others are sent', async () => {
				const items = withFiles([
					{ data: await pdf(5) },
					{ data: await pdf(6) },
					{ data: await pdf(7) },
				]);
				const stuck = items[1].binary?.data.id;
				const { getAsStream } = BinaryDataService.prototype;
				jest.spyOn(store, 'getAsStream').mockImplementation(async (id, chunkSize) => {
					if (id === stuck) return await new Promise<never>(() => undefined);
					return await getAsStream.call(store, id, chunkSize);
				});
				const options = { [AT_ONCE]: 1, timeout: 1 };
				const more = { items, onError: 'continueErrorOutput' } as const;
				const result = await run({ ...sendFile, options }, more);

				expect(linksOf(result.items(0))).toEqual(links(0, 2));
				expect(result.items(1)[0].json.error).toMatch(
					/^The file "6.pdf" can't be read: the file storage of n8n didn't answer within 1 second\. Check n8n's binary data storage.*You weren't charged.*\[item 1\]$/,
				);
				expect(recipients()).toEqual([NUMBERS[0], NUMBERS[2]]);
			});

			it('whose size the storage does not report in time fails its item, and nothing is sent', async () => {
				const items = withFiles([{ data: await pdf(5) }, { data: await pdf(6) }]);
				jest
					.spyOn(store, 'getMetadata')
					.mockImplementation(async () => await new Promise<never>(() => undefined));
				const result = await run({ ...sendFile, options: { timeout: 1 } }, { items });
				expect(errorOf(result).message).toMatch(
					/^The file storage of n8n didn't answer within 1 second/,
				);
				expect(sandbox.log).toEqual([]);
			});

			it('that is already missing is reported before anything is sent', async () => {
				const items = withFiles([{ data: await pdf(5) }, { data: await pdf(6) }]);
				const data = {
					...(await pdf(6)),
					id: `${mode === 'database' ? 'database' : 'filesystem-v2'}:gone`,
				};
				items[1].binary = { data };
				const result = await run(sendFile, { items });

				expect(errorOf(result).message).toMatch(/^Input Binary Field .*no longer in.*\[item 1\]$/);
				expect([sandbox.log, reads]).toEqual([[], 0]);
			});
		}

		if (mode === 'file system' && release === '2.x') {
			it('is found inside the JSON, if the workflow is set so', async () => {
				const file = await pdf(5);
				const result = await runWorkflow({
					credentials: credentials(),
					workflow: {
						settings: { binaryMode: 'combined' },
						nodes: [
							{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
							{
								name: 'Send',
								type: 'n8n-nodes-lookup-messaging.lookupMessaging',
								parameters: { ...sendFile, binaryPropertyName: '_files.data' } as never,
								credentials: { lookupMessagingApi: { id: '1', name: '1' } },
							},
						],
						pinData: {
							Start: [0, 1].map((n) => ({
								json: { number: NUMBERS[n], n, _files: { data: { ...file } } },
							})),
						},
						connections: { Start: { main: [[{ node: 'Send', type: 'main', index: 0 }]] } },
					},
				});

				expect(result.error?.message).toBeUndefined();
				expect(columnOf(result.items('Send'), 'fileName')).toEqual(['5.pdf', '5.pdf']);
				expect(outbox().map(({ media }) => media?.size)).toEqual([5, 5]);
			});
		}
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { magic } from '../sandbox';
import type { NodeRun } from '../harness/n8n';
import { AT_ONCE, release, runWorkflow } from '../harness/n8n';
import { storiesOn, type Story } from '../harness/stories';

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
const MANY = Array.from({ length: 25 }, (_, index) => `+44207946${10 * index + 4101}`);
const linksOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const links = (...items: number[]) => items.map((item) => ({ item }));
const columnOf = (items: INodeExecutionData[], field: string) =>
	items.map(({ json }) => json[field]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

type RunError = Error & { description?: string | null; context?: IDataObject };
const errorOf = (run: NodeRun) => run.error as RunError;

describe(`messages, n8n ${release}`, () => {
	const on = storiesOn();
	const root = mkdtempSync(join(tmpdir(), 'send-message-'));
	const diOfCore = require.resolve('@n8n/di', { paths: [dirname(require.resolve('n8n-core'))] });
	const { Container } = jest.requireActual<{
		Container: { get<T>(type: new (...args: never[]) => T): T };
	}>(diOfCore);
	const store = Container.get(BinaryDataService);

	afterAll(() => rmSync(root, { recursive: true, force: true }));
	const run = on.act;
	const outbox = () => on.service().messages(on.service().keys.main);
	const recipients = on.messages;

	describe('a text', () => {
		const THREE = toItems(...NUMBERS.slice(0, 3));
		const message = 'a & b = 1+1 %2B\n👩‍💻 #?';
		on.tell({
			'is sent by GET, with its plus sign and line breaks, and the key in the query': {
				...{ node: { ...sendText, message }, status: 'success' },
				items: [{ number: '+44 20 7946 0121' }, { number: '00442079460122' }],
				...{ sent: { message: [message, message] }, messages: NUMBERS.slice(0, 2) },
				also() {
					const api_key = on.service().keys.main;
					const request = { host: 'main', method: 'GET', path: '/api/v1/sendwasms' };
					expect(on.service().log).toMatchObject(
						NUMBERS.slice(0, 2).map((number) => ({
							...{ ...request, query: { number, message, api_key } },
							url: expect.stringMatching(/number=%2B44/) as string,
						})),
					);
					expect(outbox().map((sent) => [sent.message, sent.media])).toEqual([
						...[
							[message, undefined],
							[message, undefined],
						],
					]);
				},
			},
			'is never shared: duplicates are sent each time': {
				...{ node: sendText, sources: Array(4).fill('service'), links: [[0, 1, 2, 3]] },
				items: toItems(NUMBERS[0], NUMBERS[1], NUMBERS[0], NUMBERS[0]),
				receipt: { items: 4, calls: 4, duplicates: 0, unpriced: { whatsapp: 4 } },
				also(result) {
					expect(recipients().sort()).toEqual([NUMBERS[0], NUMBERS[0], NUMBERS[0], NUMBERS[1]]);
					const ids = outbox().map(({ messageId }) => messageId);
					expect(new Set(ids).size).toBe(4);
					expect(columnOf(result.items(), 'messageId').sort()).toEqual(ids.sort());
				},
			},
		});

		it.each([
			['message', '"" : "Hello"', /^Message is empty.*\[item 1\]$/],
			['phoneNumber', '"Ada" : $json.number', /^Phone Number \("Ada"\).*\[item 1\]$/],
			[
				...(['phoneNumber', '"020 7946 0122" : $json.number'] as const),
				/^Phone Number.* can't be read without its country\. Set Country.*\[item 1\]$/,
			],
		])(
			'with a wrong %s (%s) stops the node before anything is sent, or fails alone',
			async (field, expression, words) => {
				const node = { ...sendText, [field]: `={{ $json.n === "122" ? ${expression} }}` };
				const story = { node, items: THREE };
				await on.see({ ...story, fails: words, isSilentOn: /Malformed/, calls: 0 });
				await on.see({ ...story, fails: /You weren't charged/ });
				const continued = { onError: 'continueErrorOutput', links: [[0, 2], [1]] } as const;
				const result = await on.see({ ...story, ...continued, fields: { sent: [true, true] } });
				expect(result.items(1)[0].json.error).toMatch(words);
				expect(recipients().sort()).toEqual([NUMBERS[0], NUMBERS[2]]);
			},
		);
	});

	describe('Check Number First', () => {
		const { onWhatsApp, notOnWhatsApp } = PHONE;
		const SPELLINGS = ['+44 20 7946 0121', '+442079460121', '+44-20-7946-0121'];
		const told: Story = { node: sendText, ...checkedFirst };
		const items = toItems(onWhatsApp, notOnWhatsApp, onWhatsApp);
		const path = 'checkwanumber';
		on.tell({
			'checks a number once for all its messages, in every spelling': {
				...{ ...told, items: toItems(...SPELLINGS), status: 'success' },
				...{ messages: SPELLINGS.map(() => NUMBERS[0]), calls: { [path]: 1, sendwasms: 3 } },
			},
			'pays for ten checks, and no more, until a message is taken': {
				...{ ...told, options: { checkNumberFirst: true }, items: toItems(...MANY) },
				faults: [
					{ path: 'sendwasms', kind: 'status', status: 400, body: { error: 'Session lost' } },
				],
				...{ onError: 'continueRegularOutput', calls: { [path]: 10, sendwasms: 10 } },
			},
			'ends the run with a check that the account is refused for': [401, 402].map((status) => ({
				...{
					node: sendText,
					items: toItems(...NUMBERS),
					onError: 'continueRegularOutput' as const,
				},
				options: { checkNumberFirst: '={{ $itemIndex === 0 }}', [AT_ONCE]: 1 },
				...{ faults: [{ path, kind: 'status' as const, status, times: 1 }], calls: { [path]: 1 } },
				fields: { error: NUMBERS.map((_, item) => new RegExp(`\\[item ${item}\\]$`)) },
				hints: /5 items: 4 not reached, 1 failed \(item 0: /,
			})),
			'does not count an unanswered check as a message that may have been sent': {
				...{ ...told, items: toItems(onWhatsApp, notOnWhatsApp) },
				faults: [{ path, kind: 'resetAfterCharge', skip: 1, times: 1 }],
				describes: /Done already: item 0\.$/,
			},
			'sends to numbers on WhatsApp, and says why the others were left out': {
				...{ ...told, items, messages: [onWhatsApp, onWhatsApp], spent: { whatsapp: 4 } },
				...{
					outcomes: ['positive', 'negative', 'positive'],
					fields: { sent: [true, false, true] },
				},
				calls: { [path]: 2, sendwasms: 2 },
				item: {
					1: {
						...{ phoneNumber: notOnWhatsApp },
						reason: "the number isn't on WhatsApp, so nothing was sent",
					},
				},
				receipt: { items: 3, calls: 4, failed: 0 },
			},
		});
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
			for (const { method, path, query, headers, body } of on.service().log) {
				expect([method, path]).toEqual(['POST', '/api/v1/sendwasms']);
				expect(query).toEqual({ api_key: on.service().keys.main });
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
				'under another name',
				async () => ({ photo: await pdf(3), scan: await pdf(4) }),
				/^Input Binary Field \("data"\) isn't a binary field of this item\. The item has "photo", "scan"\..*\[item 1\]$/,
			],
		];

		it.each(broken)('%s is refused before anything is read or sent', async (_, file, words) => {
			const items = withFiles([{ data: await pdf(5) }, await file(), { data: await pdf(6) }]);
			const stopped = await run(sendFile, { items });
			expect(errorOf(stopped).message).toMatch(words);
			expect(errorOf(stopped).message).toContain("You weren't charged");
			expect(errorOf(stopped).context?.itemIndex).toBe(1);
			expect([on.service().log, reads]).toEqual([[], 0]);

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

		if (mode !== 'memory') {
			it.each<[string, () => Promise<never>, RegExp]>([
				[
					'has lost',
					async () => {
						throw new Error(`ENOENT: no such file, open '${root}'`);
					},
					/^The file "6.pdf" can't be read.*You weren't charged.*\[item 1\]$/,
				],
				[
					'does not return in time',
					async () => await new Promise<never>(() => undefined),
					/^The file "6.pdf" can't be read: the file storage of n8n didn't answer within 1 second\. Check n8n's binary data storage.*You weren't charged.*\[item 1\]$/,
				],
			])('that the storage %s fails its item, and the others are sent', async (_, fails, words) => {
				const items = withFiles([
					{ data: await pdf(5) },
					{ data: await pdf(6) },
					{ data: await pdf(7) },
				]);
				const broken = items[1].binary?.data.id;
				const { getAsStream } = BinaryDataService.prototype;
				jest.spyOn(store, 'getAsStream').mockImplementation(async (id, chunkSize) => {
					return id === broken ? await fails() : await getAsStream.call(store, id, chunkSize);
				});
				const options = { [AT_ONCE]: 1, timeout: 1 };
				const more = { items, onError: 'continueErrorOutput' } as const;
				const result = await run({ ...sendFile, options }, more);

				expect(linksOf(result.items(0))).toEqual(links(0, 2));
				expect(result.items(1)[0].json.error).toMatch(words);
				expect(JSON.stringify(result.items(1))).not.toContain(root);
				expect(recipients()).toEqual([NUMBERS[0], NUMBERS[2]]);
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
				expect([on.service().log, reads]).toEqual([[], 0]);
			});
		}

		if (mode === 'file system' && release === '2.x') {
			it('is found inside the JSON, if the workflow is set so', async () => {
				const file = await pdf(5);
				const result = await runWorkflow({
					credentials: on.credentials(),
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

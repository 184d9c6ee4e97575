import type { IDataObject } from 'n8n-workflow';
import { classify, readRetryAfter, redactor } from '../../engine';
import { inOneGo } from '../fakes/inOneGo';

const NOW = Date.parse('2026-11-22T16:00:00Z');

test.each([
	['0', 0],
	['7', 7_000],
	[' 7 ', 7_000],
	['1.5', 1_500],
	['0.5', 500],
	['0.0001', 1],
	['Sun, 22 Nov 2026 16:00:30 GMT', 30_000],
	['Sunday, 22-Nov-26 16:00:30 GMT', 30_000],
	['Sun Nov 22 16:00:30 2026', 30_000],
	['2026-11-22T16:00:30Z', 30_000],
	['2026-11-22T17:00:30+01:00', 30_000],
])('Retry-After %j asks for a pause of %d ms', (header, ms) => {
	expect(readRetryAfter(header, NOW)).toBe(ms);
});

/** None of these names a time to come. */
const NONE = [
	...['-1', '-0.5', '+2', '2, 2', '1,5', '2s', '2 seconds', '1e3', '0x10', '.5', '5.'],
	...['', ' ', 'soon', 'NaN', 'Infinity', '1'.repeat(400), '11/22/2027', 'Sun, soon', '2027-01'],
	...['Sun, 22 Nov 2026 16:00:00 GMT', 'Sun, 22 Nov 2026 15:59:59 GMT', '2020-01-01T00:00:00Z'],
];

test.each(NONE)(
	'Retry-After %j names no pause, and HTTP 503 with it may have been charged, like one without',
	(header) => {
		expect(readRetryAfter(header, NOW)).toBeUndefined();
		jest.spyOn(Date, 'now').mockReturnValue(NOW);
		const request = { service: 'main', method: 'GET', path: '/checkemail' } as const;
		const headers = { 'retry-after': header };
		const [failed, throttled] = [503, 429].map((statusCode) =>
			inOneGo(classify({ statusCode, headers, body: '' }, redactor(''), request)),
		);
		expect(failed).toMatchObject({ cause: 'lost', status: 503 });
		expect(throttled).toEqual({
			...{ cause: 'throttled', scope: 'question', status: 429, retryAfterMs: undefined },
			reason: 'the service is limiting the request rate (HTTP 429)',
		});
		jest.restoreAllMocks();
	},
);

test.each([429, 503])(
	'HTTP %d says in words that nothing was done only if it refuses',
	(statusCode) => {
		const request = { service: 'main', method: 'GET', path: '/sendwasms' } as const;
		const isInWords = (body: object) => {
			const headers = { 'retry-after': '1' };
			const reply = { statusCode, headers, body: JSON.stringify(body) };
			const classified = inOneGo(classify(reply, redactor(''), request));
			expect(classified).toMatchObject({ cause: 'throttled' });
			return 'cause' in classified && classified.isInWords === true;
		};
		const done: IDataObject[] = [
			...['queued', 'sent', 'accepted', 'success', true].map((status) => ({ status })),
			...[{ sent: true }, { success: 'true' }, { charged: true }, { id: '3EB0A1B2' }],
			...[{ msg_id: 'm-17' }, { taskId: 'task-1' }, { data: { id: 'wamid.HBgL' } }],
			...[{ error: 'Too many requests. Message accepted for later delivery' }],
			{ error: 'Rate limit reached, your message is queued and will be sent shortly' },
			{ error: 'Rate limit exceeded: the message was sent but not confirmed' },
			...[{ enqueued: true }, { queueId: 'q-12345' }, { sid: 'SM1' }, { uuid: 'u' }, { queued: 1 }],
			...[{ batch: { id: 'abc-def' } }, { job: 'abc-def' }],
			...[
				'Rate limit reached, message added to queue',
				'Too many requests. Your message has been enqueued',
				'Slow down! We will deliver your message when possible',
				'Requests limit reached. Message processed',
			].map((error) => ({ error })),
		];
		for (const body of done)
			expect([body, isInWords({ message: 'Too many requests', ...body })]).toEqual([body, false]);
		const undone: IDataObject[] = [
			...[
				{ jsonrpc: '2.0', id: 2 },
				{ detail: 'Slow down' },
				{ retry_after: 3 },
				{ type: 'about:blank', title: 'Slow down' },
			],
			...[{ status: 'error' }, { sent: false }, { id: '429' }, { status: 429 }, { code: 'slow' }],
			...[
				'Too many messages sent, slow down',
				"Rate limit exceeded. Your message wasn't sent",
				'Too many requests. The message could not be queued or sent',
				'Rate limit: 20 messages sent per minute',
				'Slow down. No credits were charged',
			].map((error) => ({ error })),
		];
		for (const body of undone)
			expect([body, isInWords({ message: 'Too many requests', ...body })]).toEqual([body, true]);
		const words = 'Rate limit exceeded';
		expect(isInWords({ status: false, error: words })).toBe(true);
		expect(isInWords({ message: words })).toBe(true);
		for (const flag of ['status', 'success']) {
			expect(isInWords({ [flag]: true, message: `Message sent. ${words}` })).toBe(false);
		}
	},
);

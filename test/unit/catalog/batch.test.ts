import type { IDataObject } from 'n8n-workflow';
import type { Params } from '../../engine';
import { checkManyNumbers } from '../../../nodes/LookupMessaging/operations/batch/checkMany';
import { batchAnswer, getBatch } from '../../../nodes/LookupMessaging/operations/batch/get';
import { type Batch, pollOf } from '../../../nodes/LookupMessaging/operations/batch/job';
import { readRow, rowAnswer } from '../../../nodes/LookupMessaging/operations/batch/row';
import { submitNumbers } from '../../../nodes/LookupMessaging/operations/batch/submit';
import { BUSY, LASTING } from '../../models/jobReplies';
import { perform, scriptedClient } from '../fakes/fakeClient';
import { answered, headOf, ok } from '../fakes/replies';

const numbersOf = (given: Params) => {
	const prepared = submitNumbers.prepare(given);
	if (typeof prepared === 'object' && prepared !== null && 'parts' in prepared) {
		return [...(prepared.parts as Iterable<{ question: unknown }>)].map(({ question }) => question);
	}
	return [prepared];
};
describe('the numbers of an item', () => {
	test.each([null, '', ' , ', []])('an empty list (%j) is unknown', (phoneNumbers) => {
		const empty = { local: 'empty', field: 'Phone Numbers', reason: 'is empty' };
		expect(numbersOf({ numbersFrom: 'list', phoneNumbers })).toEqual([empty]);
	});

	test.each(['["b-1", "b-2", "b-1"]', ['b-1', 'b-2', ' b-1']])(
		'Get asks for each of %j once',
		(batchId) => {
			const { parts } = getBatch.prepare({ batchId }) as { parts: Iterable<{ input: unknown }> };
			expect([...parts].map(({ input }) => input)).toEqual(['b-1', 'b-2']);
		},
	);
});

describe('a submission', () => {
	const submit = async (status: number, body: IDataObject) => {
		const client = scriptedClient([answered(status, body)]);
		const told = await perform(submitNumbers, [{ number: '+442079460018' }], client);
		return { ...told, jobs: client.jobs.map(({ id }) => id) };
	};

	test.each([
		[{ message: 'could not queue' }, /could not queue/],
		[{}, /ended with the status "rejected"/],
	])('with an ID and a word of failure is no clear yes: %j', async (more, reason) => {
		const body = { batch_id: 'b-1', status: 'rejected', total_numbers: 1, ...more };
		const { readings, jobs } = await submit(200, body);
		expect(readings).toMatchObject([{ outcome: 'unknown', reason }]);
		expect(jobs).toEqual(['b-1']);
	});

	test('with a word of failure and without an ID is refused in the words of the service', async () => {
		const { failure } = await submit(200, { status: 'failed', message: 'The queue is full' });
		expect(failure).toMatchObject({ refusal: { reason: 'The queue is full' } });
	});
});

describe('a poll of a batch', () => {
	const pollAs = async (status: number, body: IDataObject) => {
		const batch = { batch_id: 'b1', total_numbers: 1 };
		const row = { phone_number: '+442079460018', status: 'completed', wa_status: 'INVALID' };
		const client = scriptedClient([
			ok({ ...batch, status: 'processing' }),
			answered(status, body),
			ok({ ...batch, status: 'completed', results: [row] }),
		]);
		await perform(checkManyNumbers, [{ number: '+442079460018' }], client);
		return client.unread.length;
	};

	test.each(BUSY)('is repeated after %j', async (body) => {
		expect([await pollAs(200, body), await pollAs(400, body)]).toEqual([0, 0]);
	});

	test.each(LASTING)(
		'is not repeated at once after %j, unless the batch may be too new',
		async (body) => {
			const isNew = /not found/i.test(String(body.error));
			expect(await pollAs(200, body)).toBe(isNew ? 0 : 1);
		},
	);
});

describe('a row', () => {
	const completed = { phone_number: '+1', status: 'completed' };
	const YES = { ...completed, wa_status: 'VALID_CONFIRMED', numberstatus: true };
	test.each([
		{ formatted_number: '+493012345678' },
		{ success: false },
		{ message: 'upstream timeout' },
		{ failure_reason: 'try again later' },
		...['DE', '+49', 49].map((country) => ({ formatted_number: '+442079460018', country })),
	])(
		'with another number, another country or with trouble is neither a yes nor a no (%j)',
		(said) => {
			for (const numberstatus of [true, false]) {
				const row = { ...YES, phone_number: '+442079460018', numberstatus, ...said };
				expect(readRow(row)).toMatchObject({ outcome: 'unknown' });
			}
		},
	);

	const NO = { ...completed, wa_status: 'INVALID', numberstatus: false };
	const readIn = (said: object) => {
		const body = { batch_id: 'b', status: 'completed', results: [YES, NO], ...said };
		const batch = pollOf('b').read(body, headOf(pollOf('b').request)) as Batch;
		return batch.rows.map((row) => rowAnswer(row, batch).outcome);
	};
	test.each([
		...[{ error: 'WhatsApp session offline' }, { warnings: ['Session lost: 2 not checked'] }],
		...[{ message: 'Some numbers were not checked' }, { partial: true }, { success: false }],
		...[{ wa_connected: false }, { data: null, error: 'Stopped' }],
	])('is no clear no where its batch says %j', (said) => {
		expect(readIn(said)).toEqual(['positive', 'unknown']);
	});
	test.each([
		...[{ message: 'Batch completed' }, { error: null, success: true }, { failed: 1, pending: 1 }],
		...[{ message: 'Processing completed. 2 failed.' }, { skipped: 1, errors: [{ number: '+1' }] }],
		{
			name: 'Failed leads',
			webhook: { status: 'pending' },
			webhook_url: 'https://a.example/retry',
		},
	])('is a clear no where its batch says %j', (said) => {
		expect(readIn(said)).toEqual(['positive', 'negative']);
	});

	test.each<[answers: string, rows: object[]]>([
		['positive', [YES, YES]],
		['positive', [{ status: 'failed', error: 'timeout' }, YES]],
		['positive', [YES, { status: 'failed', error: 'timeout' }]],
		['positive', [{ ...YES, businessnumber: true }, YES]],
		['positive', [YES, { ...YES, status: 'Completed', phone_number: 1 }]],
		['negative', [{ status: 'pending' }, NO, { status: 'pending' }]],
		['unknown', [YES, NO, YES]],
		['unknown', [true, false].map((businessnumber) => ({ ...YES, businessnumber }))],
		['negative negative', [NO, NO].map((row) => ({ ...row, phone_number: '' }))],
	])('is one for each number: %s from %j', (answers, rows) => {
		const results = rows.map((row) => ({ phone_number: '+1', ...row }));
		const body = { batch_id: 'b', status: 'completed', results };
		const batch = pollOf('b').read(body, headOf(pollOf('b').request)) as Batch;
		const shown = [...batchAnswer(batch, true).rows!];
		expect(shown.map(({ outcome }) => outcome).join(' ')).toBe(answers);
		if (answers === 'unknown') expect(shown[0]).toMatchObject({ response: { rows: results } });
	});

	test('is of the number that was asked, where the service drops its + and reads it as another', () => {
		const row = { ...YES, phone_number: '442079460018', formatted_number: '+91442079460018' };
		expect(readRow(row, undefined, '+442079460018')).toMatchObject({ outcome: 'unknown' });
		const own = { ...row, formatted_number: '+442079460018' };
		expect(readRow(own, undefined, '+442079460018')).toMatchObject({ outcome: 'positive' });
	});

	test('is a yes beside a count of the rows', () => {
		const row = { ...YES, phone_number: '+442079460018', number: 1_000_000 };
		expect(readRow(row)).toMatchObject({ outcome: 'positive' });
		expect(readRow({ ...row, number: '+493012345678' })).toMatchObject({ outcome: 'unknown' });
	});

	test.each(['GB', 'IM', '44', '+44', '', null, 'Unknown', 'United Kingdom'])(
		'is a yes with the country of its number, or none that can be told: %j',
		(country) => {
			const number = '+442079460018';
			const row = { ...YES, phone_number: number, formatted_number: number, country };
			expect(readRow(row)).toMatchObject({ outcome: 'positive' });
		},
	);

	test.each([
		['442079460018', '+442079460018'],
		['+44 20 7946 0018', '+442079460018'],
		[442079460018, '+442079460018'],
		['02079460018', '+12025550102'],
		['', '+12025550102'],
	])('has its number in E.164 (%j)', (formatted_number, expected) => {
		const row = { ...completed, phone_number: expected, formatted_number };
		expect(readRow(row)).toMatchObject({ record: { phoneNumber: expected } });
	});

	test.each(['validation', 'validation_data', 'data'])(
		'has the full validation data, whatever the name of the field (%s)',
		(name) => {
			const data = { linetype: 'Mobile', timezone: ['Europe/London'] };
			const row = { ...completed, wa_status: 'INVALID', numberstatus: false, [name]: data };
			expect(readRow(row)).toMatchObject({ record: { validation: data } });
			for (const none of [
				{ ...completed, timezone: [] },
				{ ...row, status: 'pending' },
			])
				expect(readRow(none)).toMatchObject({ record: { validation: null } });
		},
	);

	test.each(['error', 'error_message', 'errorMessage', 'failure_reason', 'message'])(
		'returns the reason of a failed one, whatever the name of the field (%s)',
		(name) => {
			const row = { phone_number: '+1', status: 'failed', [name]: 'upstream gave up' };
			expect(readRow(row).reason).toMatch(
				/\(upstream gave up\)\. Submitting it again costs another credit/,
			);
			const counts = { completed: 1, failed: 0, pending: 0 };
			const batch = { id: 'b', status: 'completed', total: 1, rows: [row], body: {}, counts };
			expect(rowAnswer(row, batch)).toMatchObject({ outcome: 'unknown', record: { batchId: 'b' } });
		},
	);
});

import type { IDataObject } from 'n8n-workflow';
import {
	type Answer,
	type AnyOperation,
	equalityKey,
	isLocalAnswer,
	isRefusal,
	keptOf,
	type Params,
	readAnswer,
	readHead,
	rowKeyOf,
	rowOf,
	takesStoredResults,
} from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { headOf } from '../fakes/replies';
import { ask } from './requestToSandbox';
import { rows, type Row } from './rows';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const NOW = Date.UTC(2026, 0, 2);
const BASE_URLS = { main: 'api.example/v1', lookup: 'lookup.example/v1', geoip: 'geoip.example' };
const nameOf = ({ resource, value }: AnyOperation) => `${resource}.${value}`;
const operationOf = (name: string) => operations.find((each) => nameOf(each) === name)!;
const takers = operations.filter((each) => takesStoredResults(each) && each.repeatable);
const told = (record: object) =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => (value ?? null) !== null));

/** The key of the row of what an item asks. */
function keyOf(name: string, params: Params, additional: Array<[string, string]> = []) {
	const operation = operationOf(name);
	const question = operation.prepare(params);
	expect(isLocalAnswer(question)).toBe(false);
	return rowKeyOf(operation, equalityKey(operation, question, additional), BASE_URLS);
}

/** The answer after it has gone through a table, and the row. */
function roundTrip(operation: AnyOperation, answer: Answer, response: IDataObject = {}) {
	const kept = keptOf(operation, answer, response);
	if (!kept) throw new Error('There is no row');
	const head = { key: `${nameOf(operation)} x`, outcome: answer.outcome, answeredAt: NOW };
	const row = JSON.parse(JSON.stringify(rowOf({ ...head, ...kept }, true))) as IDataObject;
	const read = readHead(row, NOW);
	if (typeof read === 'string') throw new Error(read);
	return { row, read, answer: readAnswer(operation, read) };
}

test('the operations that take stored results are tested', () => {
	expect(operations.filter(takesStoredResults).map(nameOf).sort()).toEqual([
		...['batch.checkMany', 'callerId.lookUp', 'contact.enrich', 'email.verify', 'geoIp.locate'],
		...['phone.validate', 'whatsApp.checkNumber'],
	]);
});

describe('an answer that is written to a table and read', () => {
	const sandbox = sandboxOfTests();

	const isAnswered = ({ of, says }: Row) =>
		takers.includes(operationOf(of)) && ['negative', 'positive'].includes(says);

	test.each(rows.filter(isAnswered))('is the same for $of, $title', async (row) => {
		const operation = operationOf(row.of);
		if ('run' in operation) throw new Error('It has no request');
		const question = operation.prepare({ ...row.given });
		const request = operation.request(question);
		if (row.answered) sandbox.fault({ kind: 'body', body: row.answered, status: row.under });
		const { status, body } = await ask(sandbox, request, sandbox.keys.main);
		const answer = operation.read(body, headOf(request, status), question);
		if (isRefusal(answer)) throw new Error('It was refused');

		const trip = roundTrip(operation, answer, body);
		const ofCall = operation.output.flatMap(({ name, ofCall }) => (ofCall ? [name] : []));
		const record = told(answer.record);
		for (const name of ofCall) delete record[name];
		expect(trip.answer).toEqual({ record, reason: answer.reason, response: body });
		expect(trip.read.outcome).toBe(answer.outcome);
		expect('error' in trip.row).toBe(false);
	});

	test.each(takers.map((operation) => [nameOf(operation), operation] as const))(
		'keeps every declared field of %s that is about the value',
		(_, operation) => {
			const examples = operation.output.map(({ name, example }) => [name, example]);
			const record = Object.fromEntries(examples) as Answer['record'];
			const { answer } = roundTrip(operation, { outcome: 'positive', record });
			const about = operation.output.filter(({ ofCall, example }) => !ofCall && example !== null);
			expect(Object.keys((answer as Answer).record)).toEqual(about.map(({ name }) => name));
		},
	);

	test('keeps a value of another type than the declared one, since it was paid for', () => {
		const record = { asn: 'AS64496', latitude: '37.4', timezone: ['UTC'] };
		const { answer } = roundTrip(operationOf('geoIp.locate'), { outcome: 'positive', record });
		expect((answer as Answer).record).toEqual(record);
	});
});

describe('the key of a row', () => {
	const NUMBER = '+44 20 7946 0123';
	const phone = { phoneNumber: NUMBER };
	const mails = (...all: string[]) => all.map((email) => ({ email }));
	test.each<[key: string, ...spellings: Params[]]>([
		[
			'email.verify api.example/v1/checkemail?email=ada@example.com',
			...mails('ada@example.com', ' ada@EXAMPLE.com\u200b', 'mailto:ada@example.com'),
		],
		[
			'email.verify api.example/v1/checkemail?email=ada@xn--bcher-kva.example',
			...mails('ada@bücher.example', 'ada@BÜCHER.example', 'ada@xn--bcher-kva.example'),
		],
		[
			'phone.validate lookup.example/v1/phonevalidation?phone_number=+442079460123',
			...[{ phoneNumber: NUMBER }, { phoneNumber: '+44 (0)20-7946-0123' }],
			...[{ phoneNumber: '020 7946 0123', country: 'GB' }, { phoneNumber: '00442079460123' }],
		],
		[
			'phone.validate api.example/v1/checkapi?number=+442079460123',
			{ phoneNumber: NUMBER, responseDetail: 'basic' },
		],
		['whatsApp.checkNumber api.example/v1/checkwanumber?number=+442079460123', phone],
		['callerId.lookUp lookup.example/v1/calleridvalidation?phone_number=+442079460123', phone],
		[
			'batch.checkMany lookup.example/v1?number=+442079460123',
			{ numbersFrom: 'items', phoneNumber: NUMBER },
		],
		[
			'geoIp.locate geoip.example/?ip=2606:4700::11:0:0:1',
			{ ipAddress: '2606:4700:0:0:11:0:0:1' },
			{ ipAddress: '[2606:4700::0011:0:0:1]' },
		],
		[
			'geoIp.locate geoip.example/?ip=8.8.8.8',
			...['8.8.8.8', '::ffff:8.8.8.8', '::FFFF:0808:0808'].map((ipAddress) => ({ ipAddress })),
		],
	])('%s', (key, ...spellings) => {
		const [name] = key.split(' ');
		for (const params of spellings) expect(keyOf(name, params)).toBe(key);
	});

	test('differs where anything that is sent differs', () => {
		const params = { phoneNumber: '+442079460123' };
		const keys = [
			keyOf('phone.validate', params),
			keyOf('phone.validate', { ...params, responseDetail: 'basic' }),
			keyOf('phone.validate', params, [['ip', '203.0.113.7']]),
			keyOf('phone.validate', params, [['ip', '203.0.113.7&x=1']]),
			keyOf('phone.validate', params, Object.entries({ ip: '203.0.113.7', x: '1' })),
			keyOf('callerId.lookUp', params),
			keyOf('batch.checkMany', { ...params, numbersFrom: 'items' }),
			keyOf('batch.checkMany', { ...params, numbersFrom: 'items' }, [['number', 'x']]),
			...['US', 'CA'].map((country) =>
				keyOf('phone.validate', { phoneNumber: '5550143', country }),
			),
			...['8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::', '2606:4700::1', '2606:4700:1::'].map(
				(ipAddress) => keyOf('geoIp.locate', { ipAddress }),
			),
			keyOf('geoIp.locate', { ipAddress: '8.8.8.8', responseDetail: 'basic' }),
			keyOf('callerId.lookUp', { ...params, responseDetail: 'basic' }),
		];
		expect(new Set(keys).size).toBe(keys.length);
		expect(keys[2]).toBe(
			'phone.validate lookup.example/v1/phonevalidation?phone_number=+442079460123 ip=203.0.113.7',
		);
	});

	const rowKey = (value: unknown) =>
		rowKeyOf({ resource: 'a', value: 'b' }, JSON.stringify([{ value }, []]), {});

	test('differs between a number and its text', () => {
		const values = [1, '1', true, 'true', null, { c: 1 }, { c: '1' }, {}];
		expect(new Set(values.map(rowKey)).size).toBe(values.length);
	});

	test('does not exist for half a character, which no table takes', () => {
		expect(rowKey('\ud800')).toBeUndefined();
	});
});

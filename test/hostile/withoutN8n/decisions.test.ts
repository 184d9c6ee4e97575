import type { IDataObject } from 'n8n-workflow';
import { isRefusal, type Operation, textOf, type Told } from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { rowFor } from '../../../nodes/LookupMessaging/operations/shared/decisions';
import {
	ASKED,
	BESIDE,
	CODES_BESIDE,
	EMPTY_ERRORS,
	FAILURES,
	FOR_GOOD,
	FOR_NOW,
	ODD_WORDS,
	OTHER,
	OTHER_FLAGS,
	replyFrom,
	SAME,
	type Pick,
} from '../../models/lookupReplies';
import { expectEqual } from '../../harness/expectEqual';
import { headOf } from '../../unit/fakes/replies';
import { isFullRun } from '../fullRun';

/**
 * Random replies, over words, types and presence of fields. What is read of one is held against rules that do not come from the
 * tables: what must take an answer back, and what must leave it.
 */

interface Subject {
	of: string;
	table: number;
	question: object;
	asked?: string;
	/** Whether the number may be sent without its area code. */
	mayBePart?: boolean;
	good: IDataObject[];
	/** The fields that repeat what was asked, by its kind. */
	repeats: Record<string, string[]>;
	/** Flags of other services for the same question, by the one that the page names. */
	flags?: string;
	/** Fields beside these, status, success, error and message. */
	fields: string[];
}

const COUNTRY = ['countrycode', 'countrycodenum'];
const PHONE = { number: ASKED.number };
const SUBJECTS: Subject[] = [
	{
		of: 'phone.validate',
		table: 0,
		question: { ...PHONE, detailed: true },
		asked: ASKED.number,
		mayBePart: true,
		good: [{ status: 'VALID_CONFIRMED' }, { status: 'INVALID' }, { error: 'Lookup failed' }],
		repeats: { number: ['number', 'formatted_number', 'formatinternational'], country: COUNTRY },
		flags: 'is_valid',
		fields: ['valid'],
	},
	{
		of: 'phone.validate',
		table: 1,
		question: { ...PHONE, detailed: false },
		asked: ASKED.number,
		good: [{ status: true, valid: true }, { status: true, valid: false }, { status: false }],
		repeats: { number: ['number'], country: ['country'] },
		flags: 'is_valid',
		fields: ['valid'],
	},
	...[true, false].map((detailed) => ({
		of: 'callerId.lookUp',
		table: 0,
		question: { ...PHONE, detailed },
		asked: ASKED.number,
		good: [
			{ success: true, name: 'Ada', valid: 'VALID_CONFIRMED' },
			{ success: true, name: null, valid: 'INVALID' },
			{ status: true, name: null },
			{ success: false, message: 'Invalid phone number' },
			{ error: 'Lookup failed' },
		],
		repeats: { number: ['number', 'formatinternational'], country: COUNTRY },
		flags: 'found',
		fields: ['name', 'valid'],
	})),
	{
		of: 'whatsApp.checkNumber',
		table: 0,
		question: PHONE,
		asked: ASKED.number,
		good: [{ status: true, whatsapp: true }, { status: true, whatsapp: false }, { status: false }],
		repeats: { number: ['number'] },
		flags: 'numberstatus',
		fields: ['whatsapp'],
	},
	{
		of: 'email.verify',
		table: 0,
		question: { email: ASKED.email },
		asked: ASKED.email,
		good: [
			{ balance: 7, status: true, emailexist: true, verdict: 'deliverable' },
			{ balance: 7, status: true, emailexist: false, verdict: 'undeliverable' },
			{ balance: 7, status: true, emailformat: false, verdict: 'invalid_format' },
			{ balance: 7, status: false, reason_code: 'network_timeout' },
			{ status: true, valid: true, smtp_check: true },
			{ status: true, valid: false, smtp_check: false },
			{ status: false, error: 'Invalid API key.' },
			{ status: true },
		],
		repeats: { email: ['email'] },
		flags: 'is_deliverable',
		fields: [
			...['verdict', 'reason_code', 'balance', 'valid'],
			...['emailexist', 'emailformat', 'mx_found', 'smtp_check', 'catch_all'],
			...['deliverability', 'sub_status', 'smtp_code'],
		],
	},
	...[0, 1].map((table) => ({
		of: 'geoIp.locate',
		table,
		question: { ip: ASKED.ip, detailed: table === 0 },
		asked: ASKED.ip,
		good: [
			{ status: true, country: 'GB', city: 'London' },
			{ status: false },
			{ status: false, error: 'IP address could not be resolved.' },
			{ error: 'Lookup failed' },
		],
		repeats: { ip: ['ip'] },
		flags: 'located',
		fields: [
			...['country', 'country_name', 'region', 'city', 'latitude', 'longitude'],
			...['isp', 'timezone'],
		],
	})),
	{
		of: 'account.getBalance',
		table: 0,
		question: {},
		good: [{ status: true, wa_balance: 5, phone_balance: 0 }, { status: false }],
		repeats: {},
		fields: ['wa_balance', 'email_balance', 'geoip_balance', 'phone_balance'],
	},
	{
		of: 'account.getStatus',
		table: 0,
		question: {},
		good: [{ status: true }, { status: false }],
		repeats: {},
		fields: [],
	},
];
/** The other operations with tables: several calls or rows make one result, or SPEC shows no fields. */
const TESTED_ELSEWHERE = /^(?:audit|batch|scraper|whatsApp\.sendMessage)\b/;

test('every table of the catalog is tested here, or by operations/jobs, catalog/scraper and catalog/sendMessage', () => {
	const tables = operations.flatMap(({ resource, value, decide = [] }) =>
		decide.map((_, table) => `${resource}.${value} ${table}`),
	);
	const tested = new Set(SUBJECTS.map(({ of, table }) => `${of} ${table}`));
	const others = tables.filter((name) => !TESTED_ELSEWHERE.test(name));
	expect([...tested].sort()).toEqual(others.sort());
});

const COMMON = [
	...['status', 'success', 'error', 'message', ...BESIDE, ...CODES_BESIDE, 'reason_code'],
	...Object.keys(FOR_NOW),
];
const STATUSES = [200, 200, 200, 200, 400, 401, 402, 404, 422];

function operationOf({ of }: Subject): Operation<unknown> {
	const found = operations.find(({ resource, value }) => `${resource}.${value}` === of);
	if (!found || 'run' in found) throw new Error(`${of} is no operation of one call`);
	return found;
}

/** A generator of whole numbers that gives the same ones for the same seed (Park and Miller). */
function picker(seed: number): Pick {
	let state = (seed * 48_271 + 11) % 2_147_483_647 || 1;
	return (below) => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
}

/** Values that speak against a yes, by field. None of them is beside one. */
const DENIALS: Record<string, string[]> = {
	...{ status: ['false', 'invalid'], success: ['false'], valid: ['false', '0', 'no', 'invalid'] },
	...Object.fromEntries(
		['whatsapp', 'emailexist', 'smtp_check', 'emailformat', 'mx_found'].map((name) => [
			name,
			['false', '0', 'no'],
		]),
	),
	verdict: ['undeliverable', 'invalid_format', 'unknown'],
	reason_code: ['mailbox_not_found', 'invalid_syntax', 'network_timeout', 'catch_all'],
};
/** The word of a value, which may have an object around it. */
const wordOf = (value: unknown) => {
	const word = typeof value === 'object' ? (Object(value) as IDataObject).value : value;
	return textOf(word).trim().toLowerCase();
};
const denialsIn = (body: IDataObject, fields: string[]) =>
	Object.keys(DENIALS).filter(
		(name) => fields.includes(name) && DENIALS[name].includes(wordOf(body[name])),
	);
/** Sentences of the model that say no. */
const NOES = FAILURES.filter(({ about }) => about === 'noNumber' || about === 'noPlace');
const TROUBLES = FAILURES.filter(({ isTrouble }) => isTrouble);
const saysNo = (body: IDataObject) =>
	NOES.some(({ words }) => JSON.stringify(body).includes(JSON.stringify(words)));

/** Random choices, others for each run. */
function* choices(runs: number): Generator<Pick> {
	for (let run = 0; run < runs; run += 1) {
		const pick = picker(run + 1);
		for (let warm = 0; warm < 5; warm += 1) pick(10);
		yield pick;
	}
}

/** Each value in each of the fields, as a reply that has nothing else. */
const inEach = (fields: string[], values: unknown[]) =>
	fields.flatMap((name) => values.map((value) => ({ [name]: value }) as IDataObject));
const fromTable = (table: Record<string, unknown[]>) =>
	Object.entries(table).flatMap(([name, values]) => inEach([name], values));
const flagsThatSay = (isYes: boolean, flags: string) =>
	Object.entries(OTHER_FLAGS[flags]).flatMap(([name, affirms]) =>
		inEach([name], isYes === affirms ? [true, 1, 'yes', 'TRUE'] : [false, 0, 'No']),
	);

const RUNS = isFullRun ? 3_000 : 150;
/** As many as it takes to reach every row of every table. */
const READ_RUNS = isFullRun ? 12_000 : 3_000;

describe.each(SUBJECTS)('the replies to $of, by table $table', (subject) => {
	const { asked, flags, repeats } = subject;
	const operation = operationOf(subject);
	const table = operation.decide![subject.table];
	const fields = [
		...[...subject.fields, ...Object.values(repeats).flat(), ...COMMON],
		...Object.keys(flags ? OTHER_FLAGS[flags] : {}),
	];
	const heads = new Map(
		STATUSES.map((status) => [status, headOf(operation.request(subject.question), status)]),
	);
	const read = (body: IDataObject, status = 200, isPart?: boolean) =>
		operation.read(body, heads.get(status)!, { ...subject.question, isPart });
	const outcomeOf = (...reply: Parameters<typeof read>) => {
		const reading = read(...reply);
		return isRefusal(reading) ? 'refused' : reading.outcome;
	};

	/** Drawn and read once for all tests. */
	const draw = (pick: Pick) => {
		const body = replyFrom(subject.good[pick(subject.good.length)], fields, pick);
		const status = STATUSES[pick(STATUSES.length)];
		const isPart = subject.mayBePart && pick(2) === 0;
		const told: Told = { body, head: heads.get(status)!, asked, isPart };
		return { ...{ body, status, isPart, pick, told }, outcome: outcomeOf(body, status, isPart) };
	};
	let all: Array<ReturnType<typeof draw>> = [];
	beforeAll(() => {
		all = Array.from(choices(READ_RUNS), draw);
	});
	afterAll(() => {
		all = [];
	});
	const some = () => all.slice(0, RUNS);
	/** What those with this answer come to beside each of these. */
	const expectBeside = (answer: string, besides: IDataObject[], isTakenBack: boolean) => {
		for (const { body, status, isPart, pick, outcome } of all) {
			// A sentence that says no holds beside a flag that says yes
			if (outcome !== answer || (answer === 'negative' && saysNo(body))) continue;
			const reply = { ...body, ...besides[pick(besides.length)] };
			const again = outcomeOf(reply, status, isPart);
			expectEqual([reply, status, again === answer], [reply, status, !isTakenBack]);
		}
	};

	test('reach every row of the table, and some reach none', () => {
		const decided = new Set<unknown>();
		for (const { told } of all)
			if (decided.size <= table.rows.length) decided.add(rowFor(table, told));
		const unreached = table.rows.filter((row) => !decided.has(row));
		expect(unreached.map(({ when }) => when.map(({ words }) => words))).toEqual([]);
		expect(decided.has(undefined)).toBe(true);
	});

	test('are a yes only if no field says no, and a no only if a field or a sentence does', () => {
		for (const { body, outcome } of all) {
			const denials = denialsIn(body, [...subject.fields, 'status', 'success']);
			if (outcome === 'positive') expectEqual([body, denials], [body, []]);
			if (outcome === 'negative')
				expectEqual([body, denials.length > 0 || saysNo(body)], [body, true]);
		}
	});

	test('with unknown words are never a no', () => {
		for (const pick of choices(RUNS)) {
			const names = fields.filter(() => pick(2) === 0);
			const body = Object.fromEntries(
				names.map((name) => [name, ODD_WORDS[pick(ODD_WORDS.length)]]),
			);
			expectEqual([body, outcomeOf(body) === 'negative'], [body, false]);
		}
	});

	if (asked !== undefined) {
		test.each(['positive', 'negative'])('that are %s are so no longer beside trouble', (answer) => {
			const words = TROUBLES.map(({ words }) => words);
			expectBeside(answer, fromTable(FOR_NOW), true);
			expectBeside(answer, inEach(['error', 'message', ...BESIDE], words), true);
		});

		test.each(['positive', 'negative'])(
			'that are %s are so no longer if about something else',
			(answer) => {
				for (const [kind, names] of Object.entries(repeats))
					expectBeside(answer, inEach(names, OTHER[kind]), true);
			},
		);

		test.each(['positive', 'negative'])(
			'that are %s stay so beside what says the same or nothing',
			(answer) => {
				for (const [kind, names] of Object.entries(repeats))
					expectBeside(answer, inEach(names, SAME[kind]), false);
				// Beside no place, nothing else may be said
				if (answer === 'negative' && asked === ASKED.ip) return;
				expectBeside(answer, fromTable(FOR_GOOD), false);
				if (flags) expectBeside(answer, flagsThatSay(answer === 'positive', flags), false);
			},
		);
	}

	if (flags) {
		test('are no answer beside a flag that says the opposite', () => {
			expectBeside('positive', flagsThatSay(false, flags), true);
			expectBeside('negative', flagsThatSay(true, flags), true);
		});
	}

	test('mean the same with an empty error', () => {
		for (const { body, status, isPart, pick } of some()) {
			const error = EMPTY_ERRORS[pick(EMPTY_ERRORS.length)] as IDataObject[string];
			const [given, without] = [error, undefined].map((each) =>
				read({ ...body, error: each }, status, isPart),
			);
			expectEqual(given, without);
		}
	});
});

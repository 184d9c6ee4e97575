/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { INodeProperties } from 'n8n-workflow';
import { reportCounts, isFullRun } from '../fullRun';
import { withExactIntegers } from '../../../nodes/LookupMessaging/engine/plan/exactIntegers';
import type { AnyOperation, Params } from '../../../nodes/LookupMessaging/engine/operation';
import { operations } from '../../../nodes/LookupMessaging/operations';

/** What patterns of texts stumble over: runs of one piece, with something before or behind that makes them look again. */
const PIECES = [
	...[
		'a',
		' ',
		'"',
		':',
		'.',
		'@',
		'1',
		'+',
		'-',
		'(',
		'[',
		'/',
		'\\',
		',',
		'\n',
		'\u200b',
		'é',
		'😀',
		'\u200c',
		'क्\u200d',
	],
	...[
		'a@',
		'1 ',
		'::',
		'%',
		'0',
		'<',
		'"a',
		'a"',
		'{"a":',
		'٣',
		'1,',
		'a\n',
		'%2e',
		'=',
		"'",
		'00',
		'1e',
	],
	...[
		'tel:',
		'mailto:',
		'https://',
		'\t',
		'x10',
		'·',
		'1/',
		'()',
		',,',
		'; ',
		'insufficient ',
		'not found',
	],
];
const AROUND: Array<[before: string, after: string]> = [
	...(
		[
			['', ''],
			['', 'x'],
			['"', '"'],
			['[', ']'],
			['+', '1'],
			['a@', ''],
			['https://', ''],
		] as const
	).map(([before, after]): [string, string] => [before, after]),
];
const SHORT = 10_000;
const GROWTH = 8;
/** Processor time that needs a closer look, and how much it may grow with the text. Quadratic work grows 64 times. */
const WORTH_MS = 100;
const SUSPICIOUS_GROWTH = 3 * GROWTH;

const RIGHT: Params = {
	...{ phoneNumber: '+442079460123', email: 'a@b.example', ipAddress: '8.8.8.8', message: 'Hello' },
	...{ brandName: 'x', brandUrl: 'https://b.example', auditId: '1', batchId: '1', query: 'q' },
	...{ postUrl: 'https://b.example/p', lookups: ['phone', 'email', 'geoIp'], tool: 'x' },
	...{ argumentsMode: 'json', argumentsJson: '{}' },
};
const OF_TEXT = ['json', 'resourceLocator', 'string'];

const fields = operations.flatMap((operation) =>
	[...operation.fields, ...(operation.options ?? [])]
		.filter(({ type }) => OF_TEXT.includes(type))
		.map((field) => [operation, field] as const),
);

function cpuMs(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** Whether a work takes so much longer for a longer text that it must go over it again and again. */
function isSquared(work: (length: number) => unknown): boolean {
	const long = cpuMs(() => work(SHORT * GROWTH));
	if (long < WORTH_MS) return false;
	// Once more: the first time another process may have been charged to this one
	const short = Math.max(
		1,
		cpuMs(() => work(SHORT)),
	);
	return (
		Math.min(
			long,
			cpuMs(() => work(SHORT * GROWTH)),
		) >
		SUSPICIOUS_GROWTH * short
	);
}

const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

function prepareWith(operation: AnyOperation, { name }: INodeProperties, text: string) {
	const list = name === 'phoneNumbers' ? { numbersFrom: 'list' } : {};
	operation.prepare({ ...RIGHT, ...list, [name]: text });
}

describe('the time that a text takes', () => {
	const tried = { texts: 0, 'in quadratic time': 0 };
	afterAll(() => reportCounts({ part: 'Texts', counts: tried }));

	test.each(
		fields.map(([operation, field]) => [
			`${operation.resource}.${operation.value}, ${field.name}`,
			operation,
			field,
		]),
	)('grows no faster than the text: %s', (_, operation, field) => {
		for (const [index, piece] of PIECES.entries()) {
			for (const [before, after] of isFullRun ? AROUND : [AROUND[0], AROUND[1 + (index % 6)]]) {
				const of = (length: number) => before + repeated(piece, length) + after;
				const squared = isSquared((length) => prepareWith(operation, field, of(length)));
				expect([before, piece, after, squared]).toEqual([before, piece, after, false]);
				tried.texts += 1;
			}
		}
	});

	test('grows no faster than the JSON of a reply, beside an integer that would be rounded', () => {
		for (const piece of [...PIECES, '12345678901234567890,', '\\"', '\\\\', '"1234567890123456"']) {
			for (const [before, after] of AROUND) {
				const of = (length: number) =>
					`[12345678901234567890,"${before}${repeated(piece, length)}${after}`;
				const squared = isSquared((length) => [...withExactIntegers(of(length))]);
				expect([before, piece, after, squared]).toEqual([before, piece, after, false]);
				tried.texts += 1;
			}
		}
	});

	const readers = operations.filter((operation) => 'read' in operation);
	test.each(readers.map((operation) => [`${operation.resource}.${operation.value}`, operation]))(
		'grows no faster than what the service says: %s',
		(_, operation) => {
			const question = operation.prepare(RIGHT);
			if (!('read' in operation)) return;
			const head = { status: 200, headers: {}, request: operation.request(question) };
			for (const piece of PIECES) {
				const squared = isSquared((length) => {
					const text = repeated(piece, length);
					operation.read({ status: false, error: text }, head, question);
					operation.read(
						{ status: true, data: [{ text, author: text }], verdict: text },
						head,
						question,
					);
				});
				expect([piece, squared]).toEqual([piece, false]);
				tried.texts += 1;
			}
		},
	);
});

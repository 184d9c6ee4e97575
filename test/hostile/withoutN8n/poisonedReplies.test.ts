import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { type Params, type ServiceRequest, tableOf } from '../../engine';
import { operations } from '../../../nodes/LookupMessaging/operations';
import { ChangedReplies, NUMBERS, type Shown } from '../../models/replies/changedReplies';
import { isFullRun } from '../fullRun';

/** Values that throw or surprise where they are made into text or a number, or where an object is copied. */
const POISON = [
	...['{"toString":0}', '{"valueOf":0,"toString":null}', '[{"toString":0}]', '[[[]]]', '{}', '[]'],
	...[
		...['{"toJSON":1}', '{"constructor":null}', '{"__proto__":{"a":1}}', '{"length":-1}'],
		'{"then":1}',
	],
	...['{"hasOwnProperty":1,"0":"a"}', '1e400', '-1e400', '1e-400', '-0', '99999999999999999999'],
	...[
		...['null', 'true', 'false', '""', '"\\u0000"', '"\\ud800"', '"=1+1"', '"__proto__"', '-1'],
		'0.5',
	],
];

/** The paths to all values of a body. */
function pathsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [path];
	const inner = Object.entries(value).flatMap(([name, held]) => pathsIn(held, [...path, name]));
	return path.length > 0 ? [path, ...inner] : inner;
}

/** The JSON of a body with other values at these paths. */
function poisoned(body: IDataObject, at: Array<[path: string[], json: string]>): string {
	const marks = new Map<string, string>();
	const copy = structuredClone(body);
	for (const [index, [path, json]] of at.entries()) {
		let holder: unknown = copy;
		for (const name of path.slice(0, -1)) holder = Object(holder)[name] as unknown;
		if (typeof holder !== 'object' || holder === null) continue;
		const mark = `poison-${index}-`;
		Reflect.set(holder, path.at(-1) ?? '', mark);
		marks.set(JSON.stringify(mark), json);
	}
	let text = JSON.stringify(copy);
	for (const [mark, json] of marks) text = text.replaceAll(mark, () => json);
	return text;
}

describe('a reply with unexpected values', () => {
	let replies: ChangedReplies;
	beforeAll(async () => (replies = await ChangedReplies.start()));
	afterAll(async () => await replies.close());

	const choice = fc.tuple(
		fc.array(fc.tuple(fc.nat(), fc.constantFrom(...POISON)), { minLength: 1, maxLength: 4 }),
		fc.constantFrom({}, { output: 'raw' as const }, { layout: tableOf([]) }),
	);

	test.each(operations.map((operation) => [`${operation.resource}.${operation.value}`, operation]))(
		'is read and shown without an exception, and an item is returned: %s',
		async (_, operation) => {
			const property = fc.asyncProperty(choice, async ([picks, shown]) => {
				const texts: string[] = [];
				const change = (body: IDataObject) => {
					const paths = pathsIn(body);
					const at = picks.map(([n, json]): [string[], string] => [paths[n % paths.length], json]);
					const text = poisoned(body, at);
					texts.push(text);
					return text;
				};
				const { items, faults } = await replies.comeOut(operation, change, shown);
				expect({ texts, faults }).toEqual({ texts, faults: [] });
				expect(items.length).toBeGreaterThan(0);
			});
			await fc.assert(property, isFullRun ? { numRuns: 60 } : { numRuns: 4, seed: 31 });
		},
		isFullRun ? 600_000 : 60_000,
	);

	/** What differs from call to call. */
	const OF_CALL = new Set([
		...['balance', 'batchId', 'batch_id', 'creditsLeft', 'rateLimitRemaining'],
		...['rateLimitResetSeconds', 'ratelimit_remain', 'ratelimit_seconds'],
	]);
	const people = NUMBERS.map((phoneNumber, index) => ({
		...{ phoneNumber, email: `person${index}@example.com`, ipAddress: `8.8.${index}.8` },
	}));
	const ofPerson = ({ query, body }: ServiceRequest, { phoneNumber, email, ipAddress }: Params) =>
		[phoneNumber, email, ipAddress].some((value) =>
			JSON.stringify([query, body]).includes(JSON.stringify(value)),
		);
	const several: Array<[of: string, items: Params[]]> = [
		['batch.checkMany', NUMBERS.map((phoneNumber) => ({ phoneNumber }))],
		['batch.get', [{}]],
		['scraper.searchForum', [{}]],
		['scraper.searchMicroblog', [{}]],
		['scraper.getMicroblogComments', [{}]],
		['contact.enrich', people],
	];

	test.each(several)(
		'leaves the other rows and items unchanged: %s',
		async (of, given) => {
			const operation = operations.find((each) => `${each.resource}.${each.value}` === of)!;
			const comeOut = async (change: Parameters<ChangedReplies['comeOut']>[1], shown: Shown) => {
				const { items, faults } = await replies.comeOut(operation, change, shown, given);
				const texts = items.map(({ json }) =>
					JSON.stringify(json, (name, value: unknown) => (OF_CALL.has(name) ? null : value)),
				);
				return { texts, faults };
			};
			const unchanged = new Map<Shown, ReturnType<typeof comeOut>>();
			const property = fc.asyncProperty(choice, fc.nat(2), async ([picks, shown], nth) => {
				const known = unchanged.get(shown) ?? comeOut((body) => JSON.stringify(body), shown);
				unchanged.set(shown, known);
				const clean = await known;
				expect(clean.texts.length).toBeGreaterThanOrEqual(3);
				let changes = 0;
				const change = (body: IDataObject, _: number, request: ServiceRequest) => {
					const isIn = ([name, row]: string[]) => Array.isArray(body[name]) && row === `${nth}`;
					const paths = given === people ? pathsIn(body) : pathsIn(body).filter(isIn);
					if (paths.length === 0 || (given === people && !ofPerson(request, people[nth])))
						return JSON.stringify(body);
					changes += 1;
					return poisoned(
						body,
						picks.map(([n, json]) => [paths[n % paths.length], json]),
					);
				};
				const { texts, faults } = await comeOut(change, shown);
				const beside = clean.texts.filter((_, index) => index !== nth);
				expect(faults).toEqual([]);
				expect(changes).toBeGreaterThan(0);
				expect(texts).toEqual(expect.arrayContaining(beside));
			});
			await fc.assert(property, isFullRun ? { numRuns: 60 } : { numRuns: 4, seed: 31 });
		},
		isFullRun ? 600_000 : 60_000,
	);
});

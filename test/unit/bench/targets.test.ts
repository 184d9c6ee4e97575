import type { LoadResult, Results, Sample } from '../../bench/results.mts';
import {
	inProcessVerdictsOf,
	verdictsOf,
	type Sources,
	type Verdict,
} from '../../bench/targets.mts';

const load = (items: number, samples: Record<string, Array<Partial<Sample>>>, more = {}) =>
	({ items, samples, ...more }) as unknown as LoadResult;
const results = (loads: Record<string, LoadResult>, figures = {}) =>
	({ loads, figures }) as unknown as Results;

/** Those that were measured. */
const measured = (sources: Sources): Verdict[] =>
	[...verdictsOf(sources), ...inProcessVerdictsOf(sources)].filter(
		({ value }) => value !== undefined,
	);

it('has no verdict on what was not measured', () => {
	const verdicts = [...verdictsOf({}), ...inProcessVerdictsOf({})];
	expect(verdicts.length).toBeGreaterThan(15);
	expect(verdicts.filter((verdict) => 'value' in verdict || 'isReached' in verdict)).toEqual([]);
});

it('compares medians with those of a peer', () => {
	const thousand = load(1_000, {
		own: [{ wallMs: 340 }, { wallMs: 900 }, { wallMs: 100 }],
		httpRequest: [{ wallMs: 1_000 }],
	});
	expect(measured({ server: results({ '1000@50': thousand }) })).toEqual([
		expect.objectContaining({ target: '≤ 0.35×', value: '0.34×', isReached: true }),
	]);
});

it('reports what is beyond a limit', () => {
	const thousand = load(1_000, { own: [{ cpuMs: 120 }], loop: [{ cpuMs: 100 }] });
	expect(measured({ server: results({ '1000@50': thousand }) })).toEqual([
		expect.objectContaining({ target: '≤ 1.15×', value: '1.20×', isReached: false }),
	]);
});

describe('a service that limits the rate', () => {
	const pace = (own: Partial<Sample>) =>
		measured({
			server: results({
				pace: load(
					1_000,
					{ own: [{ wallMs: 11_000, delivered: 1_000, refused: 20, ...own }] },
					{ leastMs: 10_000 },
				),
			}),
		});

	it('is used in time, for all items, and with few refusals', () => {
		expect(pace({})).toEqual([
			expect.objectContaining({ value: '1.10×, 1,000 of 1,000, 2.0 %', isReached: true }),
		]);
	});

	it.each([{ wallMs: 12_100 }, { delivered: 999 }, { refused: 50 }])('is not with %j', (own) => {
		expect(pace(own)).toEqual([expect.objectContaining({ isReached: false })]);
	});
});

it.each([
	[700, true],
	[701, false],
])('%d paid calls are made for 700 distinct values', (paid, isReached) => {
	const duplicates = load(1_000, { own: [{ paid, delivered: 1_000 }] });
	expect(measured({ server: results({ duplicates }) })).toEqual([
		expect.objectContaining({ value: `${paid} for 1,000`, isReached }),
	]);
});

it.each([
	[[0.92, 0.88, 0.95], '0.92', true],
	[[0.62], '0.62', false],
])('two processes have shares of %j', (share, value, isReached) => {
	const workers = {
		...{ measuredAt: '', commit: '' },
		sharings: [
			{
				pacing: 'fixed windows',
				processes: 2,
				seconds: 60,
				share,
				refused: [0],
				leastShare: [0.5],
			},
		],
	};
	expect(measured({ workers })).toEqual([
		expect.objectContaining({ target: '≥ 0.90', value, isReached }),
	]);
});

it('expects fewer requests of batches, not more', () => {
	const of = (requests: number) =>
		measured({
			inProcess: results({
				batches: load(10_000, { own: [{ requests: 10_000 }], ownBatches: [{ requests }] }),
			}),
		});
	expect(of(40)).toEqual([expect.objectContaining({ value: '250×', isReached: true })]);
	expect(of(400)).toEqual([expect.objectContaining({ value: '25×', isReached: false })]);
});

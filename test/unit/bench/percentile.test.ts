import { medianOf, percentile, type LoadResult } from '../../bench/results.mts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

it.each([
	[hundred, 0.99, 99],
	[hundred, 0.5, 50],
	[hundred, 1, 100],
	[[7], 0.99, 7],
	[[3, 1, 2], 0.5, 2],
	[Array.from({ length: 400 }, (_, index) => index + 1), 0.99, 396],
])('returns the percentile of %j at %d', (values, share, expected) => {
	expect(percentile(values, share)).toBe(expected);
});

it('sorts a copy', () => {
	const values = [3, 1, 2];
	percentile(values, 0.5);
	expect(values).toEqual([3, 1, 2]);
});

describe('the median of a figure', () => {
	const load = {
		samples: { own: [{ wallMs: 3, healthP99Ms: 40 }, { wallMs: 1 }, { wallMs: 2 }] },
	} as unknown as LoadResult;

	it('covers the samples that have it', () => {
		expect(medianOf(load, 'own', 'wallMs')).toBe(2);
		expect(medianOf(load, 'own', 'healthP99Ms')).toBe(40);
	});

	it('does not exist if nobody measured it', () => {
		expect(medianOf(load, 'own', 'rssMb')).toBeUndefined();
		expect(medianOf(load, 'pool', 'wallMs')).toBeUndefined();
		expect(medianOf(undefined, 'own', 'wallMs')).toBeUndefined();
	});
});

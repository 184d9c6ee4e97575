import { judgeSpending } from '../../models/proofs';
import { isFullRun } from '../fullRun';

const RUNS = isFullRun ? 2_000 : 150;

describe(`what two readings of a late balance prove, in ${RUNS} random runs`, () => {
	const seeds = Array.from({ length: RUNS }, (_, n) => n + 1);

	test('never says that a charged call was free, alone or with others', async () => {
		const told = { no: 0, yes: 0, perhaps: 0 };
		for (const seed of seeds) {
			const { said, charged, open } = await judgeSpending(seed);
			expect({ seed, isWrong: said === 'no' && charged > 0 }).toEqual({ seed, isWrong: false });
			if (open > 0) told[said ?? 'perhaps'] += 1;
		}
		// The readings prove something all the same
		expect(told.no).toBeGreaterThan(RUNS / 100);
		expect(told.yes).toBeGreaterThan(RUNS / 100);
		expect(told.perhaps).toBeGreaterThan(RUNS / 20);
	});
});

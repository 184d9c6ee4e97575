import type { IDataObject } from 'n8n-workflow';
import { DayCount, keptIn, RunShare } from '../../engine';
import { HandClock } from '../fakes/handClock';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');

function onDay() {
	const clock = new HandClock();
	clock.at = NOON;
	const count = new DayCount();
	return { clock, open: (data?: unknown) => new RunShare(count, clock, keptIn(data, 'w', 'a')) };
}

describe('the count of a day', () => {
	test('is kept by day, so a clock that is set back over midnight loses none', () => {
		const { clock, open } = onDay();
		open().made(4);
		clock.setBack(DAY_MS);
		open().made(1);
		expect(open().reserve(5, 5)).toEqual({ made: 1, reserved: 0 });
		clock.at += DAY_MS;
		expect(open().reserve(2, 5)).toEqual({ made: 4, reserved: 0 });
	});
});

describe('what n8n keeps of it', () => {
	test('has each workflow and account separately, and the latest hundred', () => {
		const data: IDataObject = {};
		const account = (n: number) => keptIn(data, 'w', `account ${n}`);
		for (let n = 0; n < 150; n += 1) account(n)?.write('2026-03-01', n);
		expect(account(149)?.read('2026-03-01')).toBe(149);
		expect(account(50)?.read('2026-03-01')).toBe(50);
		expect(account(49)?.read('2026-03-01')).toBe(0);
		expect(keptIn(data, 'other', 'account 149')?.read('2026-03-01')).toBe(0);
		expect(JSON.stringify(data)).not.toContain('account');
	});

	test.each([
		...[undefined, null, 'text', 5, {}, { paidLookupsPerDay: 'text' }],
		...[{ paidLookupsPerDay: [] }, { paidLookupsPerDay: { day: '2026-03-01', counts: 'x' } }],
	])('may be unreadable (%j)', (data) => {
		const { open } = onDay();
		open(data).made(2);
		expect(open(data).reserve(4, 5)).toEqual({ made: 2, reserved: 0 });
	});

	test.each(['4', -4, 1.5, null, NaN, Infinity, {}])('has no count of %j', (odd) => {
		const data: IDataObject = {};
		onDay().open(data).made(1);
		const { counts } = data.paidLookupsPerDay as { counts: IDataObject };
		for (const name of Object.keys(counts)) counts[name] = odd;
		expect(onDay().open(data).reserve(5, 5)).toBeUndefined();
	});
});

import { inTime } from '../../engine';

const until = (signal?: AbortSignal) => ({ getExecutionCancelSignal: () => signal });
const never = async () => await new Promise<never>(() => undefined);
/** A storage that answers, but not at once. */
const storing = async () => {
	for (let ticks = 0; ticks < 10; ticks += 1) await Promise.resolve();
	return 'stored';
};
const LATE = "the file storage of n8n didn't answer";

describe('a wait for the storage of files', () => {
	test('continues for a while after Stop if paid files are stored', async () => {
		const stopped = until(AbortSignal.abort());
		expect(await inTime(stopped, 1_000_000, storing(), 1_000_000)).toBe('stored');
		await expect(inTime(stopped, 1_000_000, storing())).rejects.toMatchObject({
			failure: { reason: `${LATE} before the execution was stopped` },
		});
		await expect(inTime(stopped, 1_000_000, never(), 10)).rejects.toMatchObject({
			failure: { reason: `${LATE} before the execution was stopped` },
		});
	});
});

import type { IPollFunctions } from 'n8n-workflow';
import { exclusively, STUCK_MS } from '../../../nodes/LookupMessagingTrigger/mutex';
import { flush, held } from '../fakes/fakeSend';

let nodes = 0;
/** The context of an activation. */
const contextOf = (id = `node-${(nodes += 1)}`) =>
	({ getWorkflow: () => ({ id: 'workflow' }), getNode: () => ({ id }) }) as IPollFunctions;

describe('polls of one node', () => {
	it('are skipped while one is under way, and made again after it', async () => {
		const context = contextOf();
		const { released, release } = held<string>();
		const first = exclusively(context, async () => await released);
		expect(await exclusively(context, async () => 'second')).toBeUndefined();
		release('first');
		expect(await first).toBe('first');
		expect(await exclusively(context, async () => 'third')).toBe('third');
	});

	it('wait for the one under way if they are the first of an activation', async () => {
		const order: string[] = [];
		const { released, release } = held();
		const poll = (name: string, until?: Promise<unknown>) => async (isFirst: boolean) => {
			order.push(`${name} begins${isFirst ? ', first' : ''}`);
			await until;
			order.push(`${name} ends`);
		};
		const old = contextOf('node');
		const polls = [
			exclusively(old, poll('old', released)),
			exclusively(contextOf('node'), poll('new')),
			exclusively(old, poll('skipped')),
		];
		await flush();
		release();
		await Promise.all(polls);
		await exclusively(old, poll('later'));

		expect(order).toEqual([
			...['old begins, first', 'old ends', 'new begins, first', 'new ends'],
			...['later begins', 'later ends'],
		]);
	});

	it('are blocked neither by one that failed, nor by those of other nodes', async () => {
		const context = contextOf();
		const fails = exclusively(context, async () => await Promise.reject(new Error('out')));
		const other = await exclusively(contextOf(), async () => 'other');
		expect(other).toBe('other');
		await expect(fails).rejects.toThrow('out');
		expect(await exclusively(context, async () => 'next')).toBe('next');
	});

	it('are not blocked for ever by one that hangs', async () => {
		const context = contextOf();
		void exclusively(context, async () => await new Promise(() => undefined));
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + STUCK_MS - 1_000);
		expect(await exclusively(context, async () => 'next')).toBeUndefined();
		now.mockReturnValue(Date.now() + 2_000);
		expect(await exclusively(context, async () => 'next')).toBe('next');
		now.mockRestore();
	});
});

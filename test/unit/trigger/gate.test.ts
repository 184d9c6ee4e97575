import type { IPollFunctions } from 'n8n-workflow';
import { oneAtATime, STUCK_MS } from '../../../nodes/LookupMessagingTrigger/gate';
import { gate, turn } from '../engine/stage';

let nodes = 0;
/** The context of an activation. */
const contextOf = (id = `node-${(nodes += 1)}`) =>
	({ getWorkflow: () => ({ id: 'workflow' }), getNode: () => ({ id }) }) as IPollFunctions;

describe('polls of one node', () => {
	it('that come while one is under way are left out, and later ones are not', async () => {
		const context = contextOf();
		const { opened, open } = gate<string>();
		const first = oneAtATime(context, async () => await opened);
		expect(await oneAtATime(context, async () => 'second')).toBeUndefined();
		open('first');

		expect(await first).toBe('first');
		expect(await oneAtATime(context, async () => 'third')).toBe('third');
	});

	it('wait for their turn where they are the first of an activation', async () => {
		const order: string[] = [];
		const { opened, open } = gate<undefined>();
		const poll = (name: string, until?: Promise<unknown>) => async (isFirst: boolean) => {
			order.push(`${name} begins${isFirst ? ', first' : ''}`);
			await until;
			order.push(`${name} ends`);
		};
		const old = contextOf('node');
		const polls = [
			oneAtATime(old, poll('old', opened)),
			oneAtATime(contextOf('node'), poll('new')),
			oneAtATime(old, poll('left out')),
		];
		await turn();
		open(undefined);
		await Promise.all(polls);
		await oneAtATime(old, poll('later'));

		expect(order).toEqual([
			...['old begins, first', 'old ends', 'new begins, first', 'new ends'],
			...['later begins', 'later ends'],
		]);
	});

	it('are not held up by one that failed, nor by those of other nodes', async () => {
		const context = contextOf();
		const fails = oneAtATime(context, async () => await Promise.reject(new Error('out')));
		const other = await oneAtATime(contextOf(), async () => 'other');

		expect(other).toBe('other');
		await expect(fails).rejects.toThrow('out');
		expect(await oneAtATime(context, async () => 'next')).toBe('next');
	});

	it('are not held up for ever by one that hangs', async () => {
		const context = contextOf();
		void oneAtATime(context, async () => await new Promise(() => undefined));
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + STUCK_MS - 1_000);
		expect(await oneAtATime(context, async () => 'next')).toBeUndefined();
		now.mockReturnValue(Date.now() + 2_000);

		expect(await oneAtATime(context, async () => 'next')).toBe('next');
		now.mockRestore();
	});
});

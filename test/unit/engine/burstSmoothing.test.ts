import { BurstSmoother } from '../../../nodes/LookupMessaging/engine/pacing/fairQueue';

/** A burst smoother whose ticks begin when the test says so, and how many of the waiting calls have started. */
function openSmoother() {
	let [waiting, started, asked] = [0, 0, 0];
	let begin = () => {};
	const go = () => {
		for (; waiting > 0 && smoother.hasRoom(); waiting -= 1) {
			smoother.take();
			started += 1;
		}
	};
	const ticks = {
		nextTick: async () => {
			asked += 1;
			await new Promise<void>((resolve) => (begin = resolve));
		},
	};
	const smoother = new BurstSmoother(ticks, go);
	return {
		started: () => started,
		/** Ticks that were waited for. */
		asked: () => asked,
		come: (count: number) => {
			waiting += count;
			go();
		},
		leave: () => (waiting = 0),
		nextTick: async () => {
			begin();
			await Promise.resolve();
			await Promise.resolve();
		},
	};
}

test('five calls start in each tick, and the others wait', async () => {
	const { started, come, nextTick } = openSmoother();
	come(3);
	come(9);
	expect(started()).toBe(5);
	await nextTick();
	expect(started()).toBe(10);
	come(4);
	expect(started()).toBe(10);
	await nextTick();
	expect(started()).toBe(15);
	await nextTick();
	expect(started()).toBe(16);
});

test('a call that comes later in a tick takes what is left of it', async () => {
	const { started, come, nextTick } = openSmoother();
	come(8);
	await nextTick();
	expect(started()).toBe(8);
	come(12);
	expect(started()).toBe(5 + 5);
});

test('a call that comes in a later tick starts at once', async () => {
	const { started, come, nextTick } = openSmoother();
	come(1);
	await nextTick();
	come(5);
	expect(started()).toBe(6);
});

test('a call that left while it waited does not start', async () => {
	const { started, come, leave, nextTick } = openSmoother();
	come(10);
	leave();
	await nextTick();
	expect(started()).toBe(5);
});

test('no tick is waited for when no call waits', async () => {
	const { asked, come, nextTick } = openSmoother();
	come(2);
	expect(asked()).toBe(1);
	await nextTick();
	await nextTick();
	expect(asked()).toBe(1);
	come(3);
	expect(asked()).toBe(2);
});

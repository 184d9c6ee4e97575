import { Gate } from '../../../nodes/LookupMessaging/engine/gate';

/** A gate whose turns come when the test says so, and how many of those who wait have passed it. */
function openGate() {
	let [waiting, gone, asked, now] = [0, 0, 0, 1_000_000];
	let begin = () => {};
	const go = () => {
		for (; waiting > 0 && gate.isOpen(); waiting -= 1) {
			gate.pass();
			gone += 1;
		}
	};
	const turns = {
		now: () => now,
		nextTurn: async () => {
			asked += 1;
			await new Promise<void>((resolve) => (begin = resolve));
		},
	};
	const gate = new Gate(turns, go);
	return {
		gone: () => gone,
		/** Turns that were waited for. */
		asked: () => asked,
		come: (count: number) => {
			waiting += count;
			go();
		},
		leave: () => (waiting = 0),
		/** @param lastedMs how long the turn before it took */
		nextTurn: async (lastedMs = 1) => {
			now += lastedMs;
			begin();
			await Promise.resolve();
			await Promise.resolve();
		},
	};
}

test('five go in each turn, and others have to wait', async () => {
	const { gone, come, nextTurn } = openGate();
	come(3);
	come(9);
	expect(gone()).toBe(5);
	await nextTurn();
	expect(gone()).toBe(10);
	come(4);
	expect(gone()).toBe(10);
	await nextTurn();
	expect(gone()).toBe(15);
	await nextTurn();
	expect(gone()).toBe(16);
});

test('after a long turn so many more go, and afterwards five again', async () => {
	const { gone, come, nextTurn } = openGate();
	come(60);
	await nextTurn(40);
	expect(gone()).toBe(5 + 40);
	await nextTurn(3);
	expect(gone()).toBe(5 + 40 + 5);
});

test('who comes in the rest of a turn takes what is left of it', async () => {
	const { gone, come, nextTurn } = openGate();
	come(8);
	await nextTurn(20);
	expect(gone()).toBe(8);
	come(12);
	expect(gone()).toBe(8 + 12);
	come(12);
	expect(gone()).toBe(5 + 20);
});

test('a clock that is set back holds nobody up', async () => {
	const { gone, come, nextTurn } = openGate();
	come(10);
	await nextTurn(-60_000);
	expect(gone()).toBe(10);
});

test('who comes in a later turn goes at once', async () => {
	const { gone, come, nextTurn } = openGate();
	come(1);
	await nextTurn();
	come(5);
	expect(gone()).toBe(6);
});

test('who has left while he had to wait does not go', async () => {
	const { gone, come, leave, nextTurn } = openGate();
	come(10);
	leave();
	await nextTurn();
	expect(gone()).toBe(5);
});

test('no turn is waited for when nobody is there', async () => {
	const { asked, come, nextTurn } = openGate();
	come(2);
	expect(asked()).toBe(1);
	await nextTurn();
	await nextTurn();
	expect(asked()).toBe(1);
	come(3);
	expect(asked()).toBe(2);
});

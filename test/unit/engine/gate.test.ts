import { Gate } from '../../../nodes/LookupMessaging/engine/gate';

/** A gate whose turns come when the test says so, and who has passed it, in order. */
function openGate() {
	const gone: number[] = [];
	let begin = () => {};
	let now = 1_000_000;
	const turns = { asked: 0 };
	const gate = new Gate({
		now: () => now,
		nextTurn: async () => {
			turns.asked += 1;
			await new Promise<void>((resolve) => (begin = resolve));
		},
	});
	return {
		gone,
		turns,
		pass: (...names: number[]) => names.forEach((name) => gate.pass(() => gone.push(name))),
		/** @param lastedMs how long the turn before it took */
		nextTurn: async (lastedMs = 1) => {
			now += lastedMs;
			begin();
			await Promise.resolve();
			await Promise.resolve();
		},
	};
}

test('five go in each turn, in order, and others have to wait', async () => {
	const { gone, pass, nextTurn } = openGate();
	pass(1, 2, 3);
	pass(4, 5, 6, 7, 8, 9, 10, 11, 12);
	expect(gone).toEqual([1, 2, 3, 4, 5]);
	await nextTurn();
	expect(gone).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	pass(13, 14, 15, 16);
	expect(gone).toHaveLength(10);
	await nextTurn();
	expect(gone).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
	await nextTurn();
	expect(gone[15]).toBe(16);
});

test('after a long turn so many more go, and afterwards five again', async () => {
	const { gone, pass, nextTurn } = openGate();
	pass(...Array.from({ length: 60 }, (_, n) => n));
	await nextTurn(40);
	expect(gone).toHaveLength(5 + 40);
	await nextTurn(3);
	expect(gone).toHaveLength(5 + 40 + 5);
});

test('a clock that is set back holds nobody up', async () => {
	const { gone, pass, nextTurn } = openGate();
	pass(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	await nextTurn(-60_000);
	expect(gone).toHaveLength(10);
});

test('who comes in a later turn goes at once', async () => {
	const { gone, pass, nextTurn } = openGate();
	pass(1);
	await nextTurn();
	pass(2, 3, 4, 5, 6);
	expect(gone).toEqual([1, 2, 3, 4, 5, 6]);
});

test('no turn is waited for when nobody is there', async () => {
	const { pass, turns, nextTurn } = openGate();
	pass(1, 2);
	expect(turns.asked).toBe(1);
	await nextTurn();
	await nextTurn();
	expect(turns.asked).toBe(1);
	pass(3);
	expect(turns.asked).toBe(2);
});

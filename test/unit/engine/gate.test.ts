import { Gate } from '../../../nodes/LookupMessaging/engine/gate';

/** A gate whose turns come when the test says so, and who has passed it, in order. */
function openGate() {
	const gone: number[] = [];
	let begin = () => {};
	const turns = { asked: 0 };
	const gate = new Gate(async () => {
		turns.asked += 1;
		await new Promise<void>((resolve) => (begin = resolve));
	});
	return {
		gone,
		turns,
		pass: (...names: number[]) => names.forEach((name) => gate.pass(() => gone.push(name))),
		nextTurn: async () => {
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

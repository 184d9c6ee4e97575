import { type Credits, isFailed, RunAccount, SharedAccount, wereCharged } from '../engine';
import { randomOf, Timeline } from './spending';

/** A run with Check Balance before and after it, on a simulated account whose balance is late. */

const PRICE: Credits = { balance: 'email', atMost: 1, charged: () => 1 };
/** By how much a balance is late at most, in milliseconds. The last one has been shown before the run. */
const LAGS = [0, 500, 3_000, 10_000, 25_000];

interface Judgement {
	/** What Cost Log says of the calls that may have been charged. */
	said: 'no' | 'yes' | undefined;
	/** How many of them there were, and how many were charged. */
	open: number;
	charged: number;
}

export async function judgeSpending(seed: number): Promise<Judgement> {
	const random = randomOf(seed);
	const upTo = (most: number) => Math.floor(random() * (most + 1));
	const hasOthers = random() < 0.4;
	const mostLag = LAGS[upTo(LAGS.length - 1)];
	const time = new Timeline();
	const past: Array<{ at: number; left: number }> = [{ at: 0, left: 1_000 }];
	const charge = (credits: number) =>
		past.push({ at: time.now(), left: (past.at(-1)?.left ?? 0) - credits });
	const read = async () => {
		await time.sleep(upTo(200));
		const at = time.now() - mostLag / 2 - upTo(mostLag / 2);
		const { left } = past.findLast((each) => each.at <= at) ?? past[0];
		await time.sleep(upTo(200));
		return { email: left };
	};
	const pause = async (ms: number) => {
		await time.sleep(ms);
		return undefined;
	};
	const shared = new SharedAccount(time);
	const run = new RunAccount(shared, new Map(), read, pause);
	const judgement: Judgement = { said: undefined, open: 0, charged: 0 };
	const call = async () => {
		const admitted = await run.admit(PRICE, 'call');
		if (isFailed(admitted)) throw new Error('There is no floor');
		await time.sleep(upTo(1_000));
		const [isOpen, isCharged] = [random() < 0.3, random() < 0.5];
		if (!isOpen || isCharged) charge(1);
		await time.sleep(upTo(1_000));
		if (isOpen) judgement.open += 1;
		if (isOpen && isCharged) judgement.charged += 1;
		admitted.end(isOpen ? { how: 'open', goesOn: false } : { how: 'answered', charged: 1 });
	};
	const spendBeside = async () => {
		for (let n = upTo(4); n > 0 && hasOthers; n -= 1) {
			await time.sleep(upTo(6_000));
			charge(1 + upTo(2));
		}
	};
	/** An earlier run, long enough to show how late the balance is. */
	const showLag = async () => {
		const earlier = new RunAccount(shared, new Map(), read, pause);
		await earlier.look();
		for (let n = 0; n < 60; n += 1) {
			const admitted = await earlier.admit(PRICE, 'call');
			await time.sleep(500);
			charge(1);
			if (!isFailed(admitted)) admitted.end({ how: 'answered', charged: 1 });
		}
		await earlier.lookBack();
	};
	const work = async () => {
		if (mostLag > 10_000) await showLag();
		await run.look();
		const gap = upTo(3) === 0 ? 20_000 : 500;
		const worker = async () => {
			for (let n = 1 + upTo(3); n > 0; n -= 1) {
				await time.sleep(upTo(gap));
				await call();
			}
		};
		await Promise.all(Array.from({ length: 1 + upTo(2) }, worker));
		judgement.said = wereCharged(await run.lookBack(), 'email');
	};
	const all = Promise.all([work(), spendBeside()]);
	await time.run();
	await all;
	return judgement;
}

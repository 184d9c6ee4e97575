import { estimateRun } from '../../../nodes/LookupMessaging/engine/afford';
import { recallFrom } from '../../../nodes/LookupMessaging/engine/consultations';
import {
	defineOperation,
	isRefusal,
	type Answer,
	type Balance,
	type Operation,
	type Reading,
} from '../../../nodes/LookupMessaging/engine/operation';
import type { Settlement } from '../../../nodes/LookupMessaging/engine/perform';
import {
	equalityKey,
	type Ask,
	type Plan,
	type PlannedTalk,
} from '../../../nodes/LookupMessaging/engine/plan';
import {
	consult,
	exchange,
	isFailed,
	type Consultation,
	type Consulted,
	type Failed,
	type Talk,
} from '../../../nodes/LookupMessaging/engine/talk';
import type { Reply } from '../../../nodes/LookupMessaging/engine/transport';
import { ok } from './replies';
import { ask, gate, perform, remembering, scriptStage, talking, turn, yes } from './stage';

/** A lookup that other operations may ask: the question is a path, upper and lower case alike. */
function lookup(resource: string, balance: Balance): Operation<unknown> {
	return defineOperation<string>({
		...{ resource, value: 'look', name: 'Look', action: 'Look', description: 'Looks' },
		...{ fields: [], rules: {}, output: [], repeatable: true },
		prepare: ({ path }) => String(path),
		canonical: (path) => path.toLowerCase(),
		request: (path) => ({ service: 'main', method: 'GET', path: `/${resource}/${path}` }),
		credits: () => ({ balance, atMost: 1, charged: () => 1 }),
		read: (body) => body.reading as unknown as Reading,
	});
}

const phone = lookup('phone', 'phone');
const email = lookup('email', 'email');
const OPERATIONS: Record<string, Operation<unknown>> = { phone, email };

/** `phone:a email:b`, asked at once; what follows a `>` is asked after that. */
const parse = (question: string): Consultation[][] =>
	question.split(' > ').map((stage) =>
		stage.split(' ').map((text) => {
			const [resource, asked] = text.split(':');
			return { operation: OPERATIONS[resource], question: asked };
		}),
	);

/** Asks what its question says. The record has what came of each; with `strict`, one failure is its own. */
const contact = (isStrict = false) =>
	talking(
		function* ([question]): Talk<Array<Failed | Reading>> {
			const told: Array<Consulted | Failed> = [];
			for (const stage of parse(question)) told.push(...(yield* consult(stage)));
			const failed = told.find(isFailed);
			if (failed && (isStrict || told.every(isFailed))) return [failed];
			const sources = told.map((each) => (isFailed(each) ? each.failure.cause : each.source));
			const records = told.map((each) => (isFailed(each) ? null : each.answer.record));
			return [yes({ sources, records })];
		},
		{ consults: (question) => parse(question).flat() },
	);

const YES = ok({ reading: { ...yes({ list: [1] }) } });
const refusal = (refused: 'account' | 'question'): Reply =>
	ok({ reading: { refused, reason: refused } });
const sourcesOf = (answers: Array<{ answer: Answer } | undefined>) =>
	answers.map((each) => each?.answer.record.sources);
const MANY = { maxConcurrentRequests: 10 };

describe('a talk that asks other operations', () => {
	test('shares the answer to an equal question with other talks, whoever was first', async () => {
		const stage = scriptStage(() => YES);
		const questions = ['phone:a email:x', 'phone:A email:y', 'email:x', 'phone:b'];
		const { answers, ledger } = await perform(contact(), questions, stage);

		expect(stage.sent.map(({ path }) => path)).toEqual([
			...['/phone/a', '/email/x', '/email/y', '/phone/b'],
		]);
		expect(sourcesOf(answers)).toEqual([
			['service', 'service'],
			['duplicate', 'service'],
			['duplicate'],
			['service'],
		]);
		expect(ledger).toMatchObject({ paidCalls: 4, shared: 2, recalled: 0, unanswered: 0 });
		expect([...ledger.credits]).toEqual([
			['phone', 2],
			['email', 2],
		]);
	});

	test('waits for a question that is under way', async () => {
		const reply = gate<Reply>();
		const stage = scriptStage(async () => await reply.opened);
		const performed = perform(contact(), ['phone:a', 'phone:a', 'phone:A'], stage, MANY);
		await turn();
		expect(stage.sent).toHaveLength(1);
		reply.open(YES);
		const { fates, answers } = await performed;
		expect(fates).toEqual(['positive', 'positive', 'positive']);
		expect(sourcesOf(answers)).toEqual([['service'], ['duplicate'], ['duplicate']]);
	});

	test('takes the same words to two operations for two questions', async () => {
		const stage = scriptStage(() => YES);
		await perform(contact(), ['phone:a email:a'], stage);
		expect(stage.sent).toHaveLength(2);
	});

	test('gives nobody the object of another', async () => {
		const { answers } = await perform(
			contact(),
			['phone:a', 'phone:a'],
			scriptStage(() => YES),
		);
		const [[one], [other]] = answers.map((each) => each?.answer.record.records as unknown[]);
		expect(one).toEqual({ list: [1] });
		expect(other).toEqual(one);
		expect(other).not.toBe(one);
		expect((other as { list: unknown }).list).not.toBe((one as { list: unknown }).list);
	});

	test('asks in stages, and several things at once, but never more than the user allows', async () => {
		for (const [most, peak] of [
			[1, 1],
			[2, 2],
			[10, 4],
		]) {
			const stage = scriptStage(async () => {
				await turn();
				return YES;
			});
			const questions = ['phone:a email:a > phone:b', 'phone:c email:c > phone:d'];
			await perform(contact(), questions, stage, { maxConcurrentRequests: most });
			expect(stage.sent).toHaveLength(6);
			expect(stage.peak).toBe(peak);
		}
	});
});

describe('what other operations answered', () => {
	test('is kept under their own names, and not asked for again', async () => {
		const kept = new Map<string, Settlement>();
		const stage = scriptStage(() => YES);
		const round = async (question: string) =>
			await perform(contact(), [question], stage, {}, [], remembering(kept));
		await round('phone:a email:x');
		const { answers, ledger } = await round('phone:A email:y');

		expect([...kept.keys()].map((key) => key.split(' ')[0])).toEqual(['phone', 'email', 'email']);
		expect(stage.sent).toHaveLength(3);
		expect(sourcesOf(answers)).toEqual([['memory', 'service']]);
		expect(ledger).toMatchObject({ paidCalls: 1, recalled: 1, shared: 0 });
	});

	test('makes the item a remembered or a shared one only where nothing of it was asked', async () => {
		const kept = new Map<string, Settlement>();
		const stage = scriptStage(() => YES);
		await perform(contact(), ['phone:m'], stage, {}, [], remembering(kept));
		const questions = ['phone:m', 'phone:m phone:a', 'phone:a', 'phone:m phone:a'];
		const { answers } = await perform(contact(), questions, stage, {}, [], remembering(kept));
		expect(answers.map((each) => [each?.isRemembered, each?.isShared])).toEqual([
			[true, true],
			[undefined, undefined],
			[undefined, true],
			[undefined, true],
		]);
	});

	test('is not kept where it failed and may be asked again, nor where it was given back', async () => {
		const kept = new Map<string, Settlement>();
		const inconclusive = ok({ reading: { outcome: 'unknown', record: {}, isRefunded: true } });
		for (const reply of [inconclusive, { kind: 'throttled', status: 429, reason: 'slow' }]) {
			const stage = scriptStage(() => reply as Reply);
			await perform(contact(), ['phone:a'], stage, {}, [], remembering(kept));
		}
		expect(kept.size).toBe(0);
	});

	test('is asked for again where it was given back and the user wants it, one call at a time too', async () => {
		const stage = scriptStage((_, nth) =>
			nth < 2 ? ok({ reading: { outcome: 'unknown', record: {}, isRefunded: true } }) : YES,
		);
		const settings = { retriesInconclusive: true, maxConcurrentRequests: 1 };
		const { fates, ledger } = await perform(contact(), ['phone:a', 'phone:a'], stage, settings);
		expect(fates).toEqual(['positive', 'positive']);
		expect(stage.sent).toHaveLength(3);
		expect(ledger).toMatchObject({ retries: 2, shared: 1 });
	});
});

describe('a failure of another operation', () => {
	test('is handed to the talk, which goes on', async () => {
		const stage = scriptStage(({ path }) =>
			path === '/email/x' ? { kind: 'lost', reason: 'it broke' } : YES,
		);
		const questions = ['phone:a email:x > phone:b', 'email:x'];
		const { answers, failures, ledger } = await perform(contact(), questions, stage);
		expect(sourcesOf(answers)).toEqual([['service', 'lost', 'service'], undefined]);
		expect(failures[1]).toMatchObject({ cause: 'lost', mayHaveCost: true });
		expect(stage.sent).toHaveLength(3);
		expect(ledger).toMatchObject({ paidCalls: 3, lost: 1, unanswered: 2 });
	});

	test('of the account stops that operation and no other', async () => {
		const stage = scriptStage(({ path }) => (path.startsWith('/email') ? refusal('account') : YES));
		const questions = ['phone:a email:x', 'phone:b email:y', 'email:z', 'phone:c'];
		for (const onFailure of ['unknown', 'errorItem', 'stop'] as const) {
			stage.sent.length = 0;
			const { fates } = await perform(contact(), questions, stage, { onFailure });
			const paths = stage.sent.map(({ path }) => path);
			const all = ['/phone/a', '/email/x', '/phone/b', '/phone/c'];
			expect(paths).toEqual(onFailure === 'stop' ? all.slice(0, 3) : all);
			expect(fates.slice(0, 3)).toEqual(['positive', 'positive', 'notSent']);
		}
	});

	test('that its talk makes its own stops all where the node is to stop', async () => {
		const stage = scriptStage(({ path }) => (path === '/email/x' ? refusal('question') : YES));
		const questions = ['phone:a email:x', 'phone:b email:y', 'phone:c'];
		const { fates, failures } = await perform(contact(true), questions, stage, {
			onFailure: 'stop',
		});
		expect(fates).toEqual(['refused', 'notSent', 'notSent']);
		expect(stage.sent).toHaveLength(2);
		expect(failures[0]).toMatchObject({ paidBefore: true });
	});

	test('does not come to an end with the execution: every operation stops', async () => {
		const stage = scriptStage((_, nth) => (nth === 0 ? YES : { kind: 'cancelled' }));
		const questions = ['phone:a email:x', 'phone:b email:y', 'phone:c email:z'];
		const { failures } = await perform(contact(), questions, stage);
		// One call each learns that the execution was stopped
		expect(stage.sent.map(({ path }) => path)).toEqual(['/phone/a', '/email/x', '/phone/b']);
		for (const failure of failures.slice(1)) {
			expect(failure?.reason).toBe('it was not sent, because the execution was stopped');
		}
	});

	test('in the talk itself is no matter of theirs', async () => {
		const own = talking(function* ([path]): Talk<Reading[]> {
			const [told] = yield* consult([{ operation: phone, question: 'a' }]);
			const answer = yield* exchange(ask(path));
			return [isFailed(told) || isRefusal(answer) ? yes() : told.answer];
		});
		const stage = scriptStage(({ path }) => (path === '/bad' ? refusal('account') : YES));
		const { fates } = await perform(own, ['/good', '/bad', '/late'], stage);
		expect(fates).toEqual(['positive', 'refused', 'notSent']);
		expect(stage.sent.map(({ path }) => path)).toEqual(['/phone/a', '/good', '/bad']);
	});
});

describe('the estimate of a run that asks other operations', () => {
	const planOf = (questions: string[]): Plan => {
		const asks = questions.map((question): Ask => ({ question, firstSlot: 0, place: '0.0' }));
		const talks = asks.map((each): PlannedTalk => ({ asks: [each], additional: [] }));
		return { slots: [], talks, remembered: new Map() };
	};

	test('counts each question once, by its own price, and none that was answered before', () => {
		const kept = new Map<string, Settlement>();
		const memory = remembering(kept);
		memory
			.of(email)
			.settle(
				equalityKey(email, 'X'),
				{ kind: 'answer', answer: yes(), response: {} },
				0,
				'execution',
			);
		const plan = planOf(['phone:a email:x > phone:b', 'phone:A email:y', 'email:x', 'email:y']);
		const estimate = estimateRun(contact(), plan, recallFrom(memory), () => false);
		expect(estimate).toEqual({
			...{ lookups: 3, calls: 3, shared: 3, recalled: 1 },
			credits: new Map([
				['phone', 2],
				['email', 1],
			]),
		});
	});

	test('is kept by what the run then does', async () => {
		const questions = ['phone:a email:x > phone:b', 'phone:A email:y', 'email:x', 'email:y'];
		const estimate = estimateRun(
			contact(),
			planOf(questions),
			() => undefined,
			() => false,
		);
		const stage = scriptStage(() => YES);
		const { ledger } = await perform(contact(), questions, stage);
		expect(ledger.lookups).toBe(estimate.lookups);
		expect(ledger.shared).toBe(estimate.shared);
	});
});

describe('the key of a question', () => {
	test('is its canonical spelling where its talk begins with other operations', () => {
		const own = { ...contact(), canonical: (question: unknown) => String(question).toLowerCase() };
		expect(equalityKey(own, 'phone:A')).toBe(equalityKey(own, 'phone:a'));
		expect(equalityKey(own, 'phone:A')).not.toBe(equalityKey(own, 'phone:b'));
	});
});

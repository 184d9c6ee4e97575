import assert from 'node:assert/strict';
import type { Section } from '../report.mts';
import type { ScaleTable } from '../server/scaleTable.mts';
import { leadsOf } from './scaleClaims.mts';

/** What the SQL of examples/scale does when claims bring too little, without n8n. */

const FREE = "No credits. You weren't charged.";
const LOST = 'No answer. The call may have been charged.';

interface Claimed {
	claim: string;
	ids: number[];
}

type Item = { json: object; pairedItem?: object };

export async function checkBroken(section: Section, table: ScaleTable): Promise<void> {
	const checks: Record<string, (broken: Broken) => Promise<void>> = {
		'leads that the results do not cover become open again': uncovered,
		'lost replies stop all claims, though some come': lostReplies,
		'a good claim starts the count of lost ones anew': goodBetween,
		'claims that are never finished stop all': neverFinished,
		'one crash that ends all open claims does not stop them': oneCrash,
		'a crash after each good claim stops them': crashAfterCrash,
		'leads that always fail hold up no others, and are given up': alwaysFailing,
		'a lead that was never sent loses no try': neverSent,
		'a lead that kills its worker is given up, alone': poison,
		'an answer that cannot be kept loses nothing else': unfitAnswer,
		'a claimed lead keeps its question': keepsQuestion,
	};
	for (const [name, check] of Object.entries(checks))
		await section.check(name, async () => {
			await table.set('chunk = 500, max_open_claims = 6');
			await table.empty();
			await check(new Broken(table));
			await table.empty();
		});
}

class Broken {
	constructor(readonly table: ScaleTable) {}

	async load(count: number): Promise<void> {
		await this.table.load(leadsOf(8, count));
	}

	/** A claim, though there is a pause that would end by itself. */
	async claimAfterPause(): Promise<Claimed> {
		await this.table.set("paused_until = null where paused_until <> 'infinity'");
		return await this.claim();
	}

	async claim(): Promise<Claimed> {
		const rows = await this.table.rows<{ claim: string; id: number }>(
			'select claim, id from lookup.claim_leads()',
		);
		return { claim: rows[0]?.claim, ids: rows.map(({ id }) => id) };
	}

	async finish({ claim, ids }: Claimed, items: Item[], answers: Item[] = []) {
		const given = [claim, JSON.stringify(ids), JSON.stringify(items), JSON.stringify(answers)];
		const values = given.map((text) => `'${text.replace(/'/g, "''")}'`).join(', ');
		return await this.table.row(`select * from lookup.finish_claim(${values})`);
	}

	/** @param errorAt what is wrong with the item at a position of the claim, or with that lead */
	async finishWith(claimed: Claimed, errorAt: (at: number, id: number) => string | undefined) {
		const items = claimed.ids.map((id, at) => itemOf(at, errorAt(at, id)));
		return await this.finish(claimed, items);
	}

	async isStopped(): Promise<boolean> {
		const { stopped } = await this.table.row(
			"select coalesce(paused_until = 'infinity', false) as stopped from lookup.settings",
		);
		return stopped as boolean;
	}

	/** All open claims are past their lease, and somebody asks for the next one. */
	async crash(): Promise<void> {
		await this.table.set("lease = '0 seconds'");
		await this.claimAfterPause();
		await this.table.set("lease = '15 minutes'");
	}

	async claimAll(): Promise<number> {
		let count = 0;
		while ((await this.claimAfterPause()).claim) count++;
		return count;
	}
}

function itemOf(at: number, error?: string): Item {
	const json = error
		? { error: `${error} [item ${at}]` }
		: { outcome: 'positive', source: 'service' };
	return { json, pairedItem: { item: at } };
}

async function uncovered(broken: Broken): Promise<void> {
	const { table } = broken;
	await broken.load(4);
	const passedOn = { json: { id: 1, phone: '+491' }, pairedItem: { item: 0 } };
	const elsewhere = { json: { outcome: 'positive' }, pairedItem: { item: 9 } };
	for (const items of [[], [passedOn], [elsewhere, { json: { outcome: 'positive' } }]]) {
		const claimed = await broken.claimAfterPause();
		assert.equal(claimed.ids.length, 4);
		const result = { delivered: 0, failed: 4, kept_answers: 0, was_late: false };
		assert.deepEqual(await broken.finish(claimed, items), result);
		const { failed = 0, open = 0 } = await table.states();
		assert.equal(failed + open, 4);
		assert.equal(
			(await table.row('select count(*) as n from lookup.leads where claim is not null')).n,
			0,
		);
	}
	assert.deepEqual(await table.states(), { failed: 4 });
	assert.ok(await broken.isStopped(), 'three claims without a result');
	await table.empty();
	await broken.load(4);
	const part = await broken.claim();
	await broken.finish(part, [itemOf(0)]);
	assert.deepEqual(await table.states(), { done: 1, open: 3 });
	const { lost } = await table.row('select may_have_been_charged as lost from lookup.claims');
	assert.equal(lost, 3);
}

async function lostReplies(broken: Broken): Promise<void> {
	await broken.table.set('chunk = 10');
	await broken.load(100);
	for (let round = 1; round <= 3; round++) {
		assert.ok(!(await broken.isStopped()), `stopped before claim ${round}`);
		await broken.finishWith(await broken.claimAfterPause(), (at) => (at < 9 ? LOST : undefined));
	}
	assert.ok(await broken.isStopped());
	assert.equal((await broken.claimAfterPause()).claim, undefined);
	assert.deepEqual(await broken.table.states(), { done: 3, failed: 27, open: 70 });
	await broken.table.resume();
	assert.equal((await broken.claim()).ids.length, 10);
}

async function goodBetween(broken: Broken): Promise<void> {
	await broken.table.set('chunk = 10');
	await broken.load(100);
	for (const isLost of [true, true, false, true, true]) {
		const claimed = await broken.claimAfterPause();
		await broken.finishWith(claimed, (at) => (isLost && at < 2 ? LOST : undefined));
	}
	assert.ok(!(await broken.isStopped()));
	const { lost_claims: lost } = await broken.table.row('select * from lookup.settings');
	assert.equal(lost, 2);
	// A claim that was taken before the last lost one says nothing
	await broken.table.empty();
	await broken.load(100);
	const [early, bad] = [await broken.claim(), await broken.claim()];
	await broken.finishWith(bad, () => LOST);
	await broken.finishWith(early, () => undefined);
	assert.equal((await broken.claim()).claim, undefined, 'an earlier claim has ended the pause');
}

async function neverFinished(broken: Broken): Promise<void> {
	await broken.load(9_000);
	let claims = 0;
	while (!(await broken.isStopped())) {
		claims += await broken.claimAll();
		await broken.crash();
		assert.ok(claims < 20, `${claims} claims were never finished, and more were given out`);
	}
	const { tries } = await broken.table.row('select max(tries) as tries from lookup.leads');
	assert.equal(tries, 1);
}

async function oneCrash(broken: Broken): Promise<void> {
	await broken.load(9_000);
	assert.equal(await broken.claimAll(), 6);
	await broken.crash();
	assert.ok(!(await broken.isStopped()));
	const claimed = await broken.claimAfterPause();
	assert.equal(claimed.ids.length, 500);
	assert.equal((await broken.claimAfterPause()).claim, undefined, 'one goes ahead alone');
	await broken.finishWith(claimed, () => undefined);
	assert.equal(await broken.claimAll(), 6);
}

async function crashAfterCrash(broken: Broken): Promise<void> {
	await broken.load(9_000);
	for (let round = 0; round < 2; round++) {
		assert.ok(!(await broken.isStopped()));
		await broken.claimAll();
		await broken.crash();
		if (round === 0) await broken.finishWith(await broken.claimAfterPause(), () => undefined);
	}
	assert.ok(await broken.isStopped(), '12 of 13 claims were lost');
}

async function alwaysFailing(broken: Broken): Promise<void> {
	const { table } = broken;
	await table.set('chunk = 3');
	await broken.load(14);
	const first = await broken.claim();
	const bad = new Set(first.ids);
	await broken.finishWith(first, () => FREE);
	const excused = await table.row('select sum(tries - excused) as tries from lookup.leads');
	assert.deepEqual(excused, { tries: 0 });
	for (let round = 0; round < 12; round++) {
		const claimed = await broken.claimAfterPause();
		if (!claimed.claim) break;
		await broken.finishWith(claimed, (_, id) => (bad.has(id) ? FREE : undefined));
	}
	assert.deepEqual(await table.states(), { done: 11, failed: 3 });
}

async function neverSent(broken: Broken): Promise<void> {
	await broken.table.set('chunk = 50');
	await broken.load(100);
	for (let round = 0; round < 10; round++)
		await broken.finishWith(await broken.claimAfterPause(), (at) => (at < 10 ? undefined : FREE));
	assert.deepEqual(await broken.table.states(), { done: 100 });
}

/** The lead that kills is in the same claim as others: these are not given up with it. */
async function poison(broken: Broken): Promise<void> {
	const { table } = broken;
	await table.set('chunk = 100');
	await broken.load(300);
	const [killer] = (await broken.claim()).ids;
	await broken.crash();
	for (let round = 0; round < 60; round++) {
		await table.resume();
		const claimed = await broken.claim();
		if (!claimed.claim) break;
		if (claimed.ids.includes(killer)) await broken.crash();
		else await broken.finishWith(claimed, () => undefined);
	}
	assert.deepEqual(await table.states(), { done: 299, failed: 1 });
}

async function unfitAnswer(broken: Broken): Promise<void> {
	await broken.load(1);
	const pairedItem = [{ item: 0 }];
	const fit = { operation: 'phone.validate', outcome: 'positive', answer: '{}' };
	const answeredAt = new Date().toISOString();
	const good = { json: { ...fit, key: 'good', answeredAt }, pairedItem };
	const answers = [
		good,
		{ json: { ...fit, key: 'no time' }, pairedItem },
		{ json: { ...fit, key: 'x'.repeat(20_000), answeredAt }, pairedItem },
	];
	const { delivered, kept_answers: kept } = await broken.finish(
		await broken.claim(),
		[itemOf(0)],
		answers,
	);
	assert.deepEqual({ delivered, kept }, { delivered: 1, kept: 1 });
	await broken.table.empty();
	await broken.load(1);
	const unreadable = { json: { ...good.json, answeredAt: 'noon' }, pairedItem };
	await broken.finish(await broken.claim(), [itemOf(0)], [unreadable]);
	assert.deepEqual(await broken.table.states(), { done: 1 });
}

async function keepsQuestion(broken: Broken): Promise<void> {
	const { table } = broken;
	await broken.load(1);
	const claimed = await broken.claim();
	await assert.rejects(table.run("update lookup.leads set phone = '+4915199991111'"), /is claimed/);
	await assert.rejects(table.run('delete from lookup.leads'), /is claimed/);
	await broken.finishWith(claimed, () => undefined);
	await table.run("update lookup.leads set phone = '+4915199991111'");
	await table.run('delete from lookup.leads');
}

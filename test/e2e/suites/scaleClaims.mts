import assert from 'node:assert/strict';
import { readEmailAddress } from '../../../nodes/LookupMessaging/operations/shared/email/emailAddress.ts';
import { readPhoneNumberOrNational } from '../../../nodes/LookupMessaging/operations/shared/phone/phoneNumber.ts';
import { exampleWritings } from '../../models/numbers/writings.ts';
import type { LeadRow, ScaleTable } from '../server/scaleTable.mts';

/** What the SQL of examples/scale promises, without n8n. */

/** A lead, and the number that the node looks up. */
export interface KnownLead extends LeadRow {
	e164: string;
}

/** Numbers that share each ending of four digits, as in a long table. */
const ENDINGS = 300;

/** A German mobile number of a series. */
function numberAt(series: number, index: number): string {
	const pad = (value: number, length: number) => String(value).padStart(length, '0');
	return `+49151${series}${pad(Math.floor(index / ENDINGS), 3)}${pad(index % ENDINGS, 4)}`;
}

const SPELLINGS: Array<(e164: string) => LeadRow> = [
	(e164) => ({ phone: e164 }),
	(e164) => ({ phone: `0${e164.slice(3, 6)} ${e164.slice(6)}`, country: 'DE' }),
	(e164) => ({ phone: `00 ${e164.slice(1)}` }),
	(e164) => ({ phone: `+49 (0)${e164.slice(3, 6)}/${e164.slice(6)}` }),
	(e164) => ({ phone: `${e164} ext. 5` }),
	(e164) => ({ phone: `${e164}.0 ` }),
	(e164) => ({ phone: e164.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))) }),
];

/**
 * Leads in an order that keeps duplicate numbers apart; three in ten have the number of another, spelled in another way.
 * @param series one digit: other numbers for another one
 */
export function leadsOf(series: number, count: number): KnownLead[] {
	const distinct = Math.ceil(0.7 * count);
	const step = 1009; // prime, so that each index comes once
	return Array.from({ length: count }, (_, at) => {
		const index = (at * step) % count;
		const e164 = numberAt(series, index % distinct);
		const spelling = index < distinct ? index % 2 : index % SPELLINGS.length;
		return { e164, ...SPELLINGS[spelling](e164) };
	});
}

/** Every way to write a number: all belong to the group of the number that the node looks up. */
export async function checkGroups(table: ScaleTable): Promise<string> {
	const writings = [...exampleWritings(16)].flatMap(({ phoneNumber, country }) => {
		const read = readPhoneNumberOrNational(phoneNumber, country);
		return 'number' in read ? [{ phone: String(phoneNumber), number: read.number }] : [];
	});
	const words = ['1-800-FLOWERSx1234', '1-800-FLOWERS\uff585'];
	writings.push(...words.map((phone) => ({ phone, number: '+18003569377' })));
	writings.push({ phone: '+4915112345678.0 ', number: '+4915112345678' });
	const given = JSON.stringify(writings).replace(/'/g, "''");
	const apart = await table.rows(
		`select phone, number, lookup.phone_groups(phone) as groups
		from json_to_recordset('${given}') as given (phone text, number text)
		where not right(number, 4) = any(lookup.phone_groups(phone))`,
	);
	assert.deepEqual(apart, []);
	assert.ok(writings.length > 500, `only ${writings.length} writings are asked about`);
	return `${writings.length} writings of numbers of all countries`;
}

/** Spellings of addresses; those of a row are equal to the node. */
const ADDRESSES = [
	[
		...['ada.b@example.com', ' ada.b@EXAMPLE.com', 'mailto:ada.b@example.com?subject=for@ben'],
		...[
			'MAILTO://%61da.b%40example.com',
			'ada.b\uff20ex\u00adample.com',
			'\u200bada.b@example.com.',
		],
	],
	[
		'\u00e9.x@m\u00fcnchen.example',
		'e\u0301.x@M\u00dcNCHEN.example',
		'\u00e9.x@xn--mnchen-3ya.example',
	],
	['a@\u0440\u0444.example', 'a@xn--p1ai.example'],
	['a@stra\u00dfe.example', 'a@STRA\u1e9eE.example', 'a@xn--strae-oqa.example'],
	['a@i\u0307stanbul.example', 'a@\u0130stanbul.example'],
	['+@\uff45xample.com', 'mailto:+@example\u3002com'],
];

export async function checkEmailGroups(table: ScaleTable): Promise<string> {
	const groups = new Set<string>();
	for (const spellings of ADDRESSES) {
		assert.equal(new Set(spellings.map(readEmailAddress)).size, 1, spellings[0]);
		const values = spellings.map((email) => `('${email}')`).join(', ');
		const rows = await table.rows<{ groups: string[] }>(
			`select distinct lookup.email_groups(email) as groups from (values ${values}) as given (email)`,
		);
		assert.equal(rows.length, 1, spellings[0]);
		assert.equal(rows[0].groups.length, 1);
		groups.add(rows[0].groups[0]);
	}
	assert.equal(groups.size, ADDRESSES.length, 'addresses that differ share a group');
	return `${ADDRESSES.flat().length} spellings`;
}

const CLAIMERS = 8;
const CLAIMS_OF_EACH = 12;

/** Many claim at once, over connections of their own. */
export async function checkParallelClaims(table: ScaleTable, leads: KnownLead[]): Promise<string> {
	await table.load(leads);
	// Leads of a group come in tens: claims of 37 cut some in two
	await table.set('chunk = 37, max_open_claims = 1000');
	await claimInParallel(table);
	const claimed = await table.rows<{ id: number; claim: string }>(
		'select id, claim from lookup.leads where claim is not null',
	);
	const { taken, claims } = await table.row<{ taken: number; claims: number }>(
		'select sum(leads) as taken, count(*) as claims from lookup.claims',
	);
	assert.equal(claimed.length, taken, 'a lead was claimed twice');
	const claimOf = new Map<string, string>();
	for (const { id, claim } of claimed) {
		const { e164 } = leads[id - 1];
		assert.equal(claimOf.get(e164) ?? claim, claim, `${e164} is in two open claims`);
		claimOf.set(e164, claim);
	}
	assert.ok(claims > CLAIMERS, `only ${claims} claims`);
	const isTaken = new Set(claimed.map(({ id }) => id));
	const waiting = leads.filter(({ e164 }, index) => claimOf.has(e164) && !isTaken.has(index + 1));
	assert.ok(waiting.length > 0, 'no claim has cut the leads of a number in two');
	await table.empty();
	await table.load(leads);
	await table.set('max_open_claims = 5');
	await claimInParallel(table);
	const { open } = await table.row('select count(*) as open from lookup.claims');
	assert.equal(open, 5);
	await table.empty();
	return `${CLAIMERS} claimers, ${claims} claims; no more than 5 where 5 may be open`;
}

async function claimInParallel(table: ScaleTable): Promise<void> {
	const script = 'select count(*) from lookup.claim_leads();\n'.repeat(CLAIMS_OF_EACH);
	await Promise.all(Array.from({ length: CLAIMERS }, async () => await table.run(script)));
}

const KEY = 'phone.validate lookup.example.com/api/v1/phonevalidation?phone_number=';

/** What n8n would hand to finish_claim. */
function brought(e164: string, outcome: string) {
	const pairedItem = { item: 0 };
	const answeredAt = new Date().toISOString();
	const json = { key: KEY + e164, operation: 'phone.validate', outcome, answeredAt, answer: '{}' };
	// PostgreSQL takes neither of them in JSON
	const reason = 'a\u0000b\ud800c';
	return {
		results: JSON.stringify([{ json: { outcome, source: 'service', reason }, pairedItem }]),
		answers: JSON.stringify([{ json, pairedItem: [pairedItem] }]),
	};
}

/** A claim that went stale is taken up again, and overwrites nothing when it is finished after all. */
export async function checkLateFinish(table: ScaleTable): Promise<void> {
	const [lead] = leadsOf(8, 10);
	await table.load([lead]);
	const claim = async () => (await table.row<{ claim: string }>(CLAIM))?.claim;
	const finish = async (id: string, outcome: string) => {
		const { results, answers } = brought(lead.e164, outcome);
		const given = [id, '[1]', results, answers].map((text) => `'${text.replace(/'/g, "''")}'`);
		return await table.row(`select * from lookup.finish_claim(${given.join(', ')})`);
	};
	const known = async (id: string) =>
		await table.rows(`select outcome from lookup.known_answers('${id}')`);
	const lead1 = async () => await table.row('select state, outcome, reason from lookup.leads');

	const first = await claim();
	assert.equal(await claim(), undefined, 'claimed while it was claimed');
	await stale(table, `id = '${first}'`);
	assert.equal(await claim(), undefined, 'no pause after a claim that was never finished');
	await table.resume();
	const second = await claim();
	assert.notEqual(second, first);
	assert.deepEqual(await known(second), []);
	const late = { delivered: 0, failed: 0, kept_answers: 1, was_late: true };
	assert.deepEqual(await finish(first, 'negative'), late);
	assert.deepEqual(await lead1(), LOST);
	assert.deepEqual(await known(second), [{ outcome: 'negative' }]);
	const inTime = { delivered: 1, failed: 0, kept_answers: 1, was_late: false };
	assert.deepEqual(await finish(second, 'positive'), inTime);
	const done = { state: 'done', outcome: 'positive', reason: 'abc' };
	assert.deepEqual(await lead1(), done);
	assert.deepEqual(await finish(second, 'negative'), late);
	assert.deepEqual(await lead1(), done);
	await table.empty();
}

const CLAIM = 'select claim from lookup.claim_leads() limit 1';
const LOST = { state: 'claimed', outcome: null, reason: 'The claim was never finished.' };

/** Makes claims so old that their worker must be gone. */
export async function stale(table: ScaleTable, where: string): Promise<void> {
	await table.run(`update lookup.claims set taken_at = taken_at - interval '1 day' where ${where}`);
}

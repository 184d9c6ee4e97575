import {
	type Answer,
	type Answered,
	type Failed,
	isFailed,
	type LookupCall,
	type LookupResult,
	type Outcome,
	type Params,
	type Part,
} from '../../engine';
import type { Contact } from '../../../nodes/LookupMessaging/operations/contact/contact';
import { enrichContact } from '../../../nodes/LookupMessaging/operations/contact/enrich';
import { perform, scriptedClient } from '../fakes/fakeClient';

const LONDON = '+442079460123';
const ALL = ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'];
const CHANNELS = ['email', 'phone', 'whatsApp'];
const GIVEN = { phoneNumber: LONDON, email: 'ada@mail.example', ipAddress: '8.8.8.8' };
/** A number of London without its area code, which only the service can complete. */
const LOCAL = { phoneNumber: '7946 0123', country: 'GB' };

const LOST: Failed = { failure: { cause: 'lost', reason: 'it broke', scope: 'question' } };
const NOT_SENT: Failed = { failure: { cause: 'notSent', reason: 'stopped', scope: 'account' } };

const questionOf = (given: Params) => {
	const { parts } = enrichContact.prepare({
		...{ lookups: CHANNELS, stopAtFirstWorkingChannel: true, ...given },
	}) as { parts: Part<Contact>[] };
	return parts[0].question;
};
const answered = (outcome: Outcome): Answered => ({
	answer: { outcome, record: outcome === 'negative' ? {} : { phoneNumber: LONDON } },
	response: {},
	source: 'service',
});

type Answers = Record<string, Failed | Outcome>;

/** Looks a contact up. @param stored lookups whose answers are there already */
async function enrich(given: Params, answers: Answers, stored: string[] = []) {
	const resultOf = ({ lookup }: LookupCall): LookupResult => {
		const result = answers[lookup.resource] ?? 'unknown';
		return typeof result === 'string' ? answered(result) : result;
	};
	const isStored = ({ lookup }: LookupCall) => stored.includes(lookup.resource);
	const client = scriptedClient([], { lookUp: resultOf, isStored });
	const { readings } = await perform(enrichContact, [questionOf(given)], client);
	const [reading] = readings!;
	const namesOf = (calls: LookupCall[]) => calls.map(({ lookup }) => lookup.resource);
	const { record = {} } = reading as Answer | Failed;
	return {
		asked: namesOf(client.lookups),
		notNeeded: namesOf(client.skipped),
		isFailed: isFailed(reading),
		outcome: isFailed(reading) ? undefined : (reading as Answer).outcome,
		nulls: ['phone', 'callerId', 'whatsApp', 'email', 'geoIp'].filter((name) => !record[name]),
		record,
	};
}

describe('with First Working Channel, a contact', () => {
	/** Lookups that cost nothing come first, the others in the order of price. */
	test.each<[stored: string[], answers: Answers, asked: string[], notNeeded: string[]]>([
		[[], { phone: 'positive' }, ['phone'], ['email', 'whatsApp']],
		[[], { phone: 'unknown', email: 'positive' }, ['phone', 'email'], ['whatsApp']],
		[[], { whatsApp: 'positive' }, ['phone', 'email', 'whatsApp'], []],
		[[], { email: 'negative' }, ['phone', 'email', 'whatsApp'], []],
		[[], { phone: LOST, email: 'positive' }, ['phone', 'email'], ['whatsApp']],
		[[], { phone: NOT_SENT, email: LOST }, ['phone', 'email', 'whatsApp'], []],
		[[], { phone: 'negative' }, ['phone', 'email'], []],
		[['whatsApp'], { whatsApp: 'positive' }, ['whatsApp'], ['phone', 'email']],
		[['email'], { phone: 'positive' }, ['email', 'phone'], ['whatsApp']],
		[['email', 'whatsApp'], { email: 'positive' }, ['email'], ['whatsApp', 'phone']],
		[['whatsApp'], { whatsApp: LOST, phone: 'positive' }, ['whatsApp', 'phone'], ['email']],
	])('with %j stored and %j asks %j, and not %j', async (stored, answers, asked, notNeeded) => {
		expect(await enrich(GIVEN, answers, stored)).toMatchObject({ asked, notNeeded });
	});

	test('has null for what was not looked up, which is neither unknown nor a no', async () => {
		expect(await enrich(GIVEN, { phone: 'negative', email: 'positive' })).toMatchObject({
			...{ nulls: ['callerId', 'geoIp'], outcome: 'positive' },
			record: { whatsApp: { source: 'local', outcome: 'negative' } },
		});
		expect(await enrich(GIVEN, { phone: 'positive' })).toMatchObject({
			nulls: ['callerId', 'whatsApp', 'email', 'geoIp'],
			record: { channels: ['phone'], signals: { incomplete: false } },
		});
	});

	test('looks up what is no channel as usual, the caller ID with the known number', async () => {
		const lookups = ALL;
		const { asked } = await enrich({ ...GIVEN, lookups }, { phone: 'positive' });
		expect(asked.sort()).toEqual(['callerId', 'geoIp', 'phone']);

		const known = await enrich({ ...GIVEN, lookups }, { email: 'positive' }, ['email']);
		expect(known.asked.sort()).toEqual(['callerId', 'email', 'geoIp']);

		const invalid = await enrich({ ...GIVEN, lookups }, { phone: 'negative' });
		expect(invalid.asked.sort()).toEqual(['email', 'geoIp', 'phone']);
		expect(invalid.record.callerId).toMatchObject({ source: 'local' });
	});

	test('says the same about an invalid value as without the option, whatever works', async () => {
		const { asked, record } = await enrich({ ...GIVEN, email: 'x' }, { phone: 'positive' });
		expect(asked).toEqual(['phone']);
		expect(record.email).toMatchObject({ source: 'local', outcome: 'negative' });
	});

	test('checks no number on WhatsApp that its validation may still complete', async () => {
		const given = { ...LOCAL, email: 'ada@mail.example' };
		const completed = await enrich(given, { phone: 'unknown' });
		expect(completed).toMatchObject({
			...{ asked: ['phone', 'email', 'whatsApp'], record: { whatsApp: { phoneNumber: LONDON } } },
		});
		expect(await enrich(given, { email: 'positive' }, ['email'])).toMatchObject({
			...{ asked: ['email'], notNeeded: ['phone'] },
			nulls: ['phone', 'callerId', 'whatsApp', 'geoIp'],
		});
		expect(await enrich(given, { phone: LOST })).toMatchObject({
			asked: ['phone', 'email'],
			record: { whatsApp: { source: 'local', outcome: 'unknown' } },
		});
	});

	test('ends when a failed lookup fails the contact, and counts nothing as saved', async () => {
		const given = { ...GIVEN, alsoFailItemsIf: ['lookupFails'] };
		const found = await enrich(given, { phone: LOST });
		expect(found).toMatchObject({ asked: ['phone'], notNeeded: [], isFailed: true });
	});
});

describe('Stop at First Working Channel', () => {
	test('keeps the maximum cost of a contact, except for what works already', () => {
		const namesOf = (cachedOf: Record<string, Outcome>) => {
			const calls = enrichContact.lookups!(questionOf({ ...GIVEN, lookups: ALL }), ({ lookup }) => {
				const outcome = cachedOf[lookup.resource];
				return outcome && answered(outcome);
			});
			return calls.map(({ lookup }) => lookup.resource).sort();
		};
		expect(namesOf({})).toEqual(ALL);
		expect(namesOf({ email: 'unknown' })).toEqual(ALL);
		expect(namesOf({ email: 'positive' })).toEqual(['callerId', 'email', 'geoIp']);
		expect(namesOf({ geoIp: 'positive' })).toEqual(ALL);
	});
});

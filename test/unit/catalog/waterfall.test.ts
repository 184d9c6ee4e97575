import {
	type Answered,
	type Failed,
	type LookupCall,
	type LookupResult,
	type Outcome,
	type Params,
	type Part,
} from '../../engine';
import type { Contact } from '../../../nodes/LookupMessaging/operations/contact/contact';
import { enrichContact } from '../../../nodes/LookupMessaging/operations/contact/enrich';
import { perform, scriptedClient } from '../fakes/fakeClient';

/** Runs are tested on n8n; here are stored answers of every channel, and numbers that the service may complete. */

const LONDON = '+442079460123';
const ALL = ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'];
const GIVEN = { phoneNumber: LONDON, email: 'ada@mail.example', ipAddress: '8.8.8.8' };
/** A number of London without its area code, which only the service can complete. */
const LOCAL = { phoneNumber: '7946 0123', country: 'GB' };
const LOST: Failed = { failure: { cause: 'lost', reason: 'it broke', scope: 'question' } };

const questionOf = (given: Params) => {
	const { parts } = enrichContact.prepare({
		...{ ...GIVEN, lookups: ['email', 'phone', 'whatsApp'], stopAtFirstWorkingChannel: true },
		...given,
	}) as { parts: Part<Contact>[] };
	return parts[0].question;
};
const answered = (outcome: Outcome): Answered => ({
	answer: { outcome, record: { phoneNumber: LONDON } },
	response: {},
	source: 'service',
});
const namesOf = (calls: LookupCall[]) => calls.map(({ lookup }) => lookup.resource);

type Answers = Record<string, Failed | Outcome>;

/** Lookups that cost nothing come first, the others in the order of price. */
test.each<[stored: string[], Answers, asked: string[], notNeeded: string[], given?: Params]>([
	[['whatsApp'], { whatsApp: 'positive' }, ['whatsApp'], ['phone', 'email']],
	[['email', 'whatsApp'], { email: 'positive' }, ['email'], ['whatsApp', 'phone']],
	[['whatsApp'], { whatsApp: LOST, phone: 'positive' }, ['whatsApp', 'phone'], ['email']],
	[[], {}, ['phone', 'email', 'whatsApp'], []],
	[[], {}, ['phone', 'email', 'whatsApp'], [], LOCAL],
	[['email'], { email: 'positive' }, ['email'], ['phone'], LOCAL],
	[[], { phone: LOST }, ['phone', 'email'], [], LOCAL],
	[[], { phone: LOST }, ['phone'], [], { alsoFailItemsIf: ['lookupFails'] }],
])(
	'with First Working Channel, %j stored and %j, a contact asks %j, and not %j',
	async (...[stored, answers, asked, notNeeded, given = {}]) => {
		const lookUp = ({ lookup }: LookupCall): LookupResult => {
			const result = answers[lookup.resource] ?? 'unknown';
			return typeof result === 'string' ? answered(result) : result;
		};
		const isStored = ({ lookup }: LookupCall) => stored.includes(lookup.resource);
		const client = scriptedClient([], { lookUp, isStored });
		await perform(enrichContact, [questionOf(given)], client);
		expect([namesOf(client.lookups), namesOf(client.skipped)]).toEqual([asked, notNeeded]);
	},
);

test('Stop at First Working Channel keeps the maximum cost of a contact, except for what works already', () => {
	const mostWith = (cachedOf: Record<string, Outcome>) => {
		const calls = enrichContact.lookups!(questionOf({ lookups: ALL }), ({ lookup }) => {
			const outcome = cachedOf[lookup.resource];
			return outcome && answered(outcome);
		});
		return namesOf(calls).sort();
	};
	expect(mostWith({})).toEqual(ALL);
	expect(mostWith({ email: 'unknown' })).toEqual(ALL);
	expect(mostWith({ email: 'positive' })).toEqual(['callerId', 'email', 'geoIp']);
	expect(mostWith({ geoIp: 'positive' })).toEqual(ALL);
});

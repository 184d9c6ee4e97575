import type { Client, LookupCall } from '../../engine/client';
import { isFailed, type Cached } from '../../engine/operation';
import type { Contact } from './contact';
import { isAsked, LOOKUPS } from './lookups';
import type { SectionResult } from './sections';
import type { Channel } from './signals';
import {
	lookUpAll,
	numberLookups,
	numberLookupsAtMost,
	type Inquiries,
	type SectionResults,
} from './stages';

/** Stop at First Working Channel: the channels one by one, what costs least first. */

/** In the order in which channels of the same price are asked. */
const CHANNELS: Channel[] = ['phone', 'email', 'whatsApp'];

/** Asks about the channels until one works, and about everything else as always. */
export async function lookUpUntilOneWorks(
	client: Client,
	contact: Contact,
): Promise<SectionResults> {
	const { geoIp } = contact.first;
	const [channels, others] = await Promise.all([
		lookUpChannelsAndCaller(client, contact),
		lookUpAll(client, geoIp ? { geoIp } : {}),
	]);
	return { ...channels, ...others };
}

async function lookUpChannelsAndCaller(client: Client, contact: Contact): Promise<SectionResults> {
	const channels = await lookUpChannels(client, contact);
	const { callerId } = numberLookups(contact, channels.phone);
	return { ...channels, ...(await lookUpAll(client, callerId ? { callerId } : {})) };
}

/** What became of the channels that were asked, and of those that take no call. */
async function lookUpChannels(client: Client, contact: Contact): Promise<SectionResults> {
	const results: SectionResults = {};
	for (;;) {
		const open = openChannels(contact, results);
		const calls = byPrice(client, open);
		const isWorking = Object.values(results).some(works);
		// A failed lookup that fails the contact leaves the others to another try
		const isFailing = contact.isStrict && Object.values(results).some(isFailed);
		if (isWorking) client.skip(calls.map(({ call }) => call));
		if (calls.length === 0 || isWorking || isFailing) return { ...withoutCalls(open), ...results };
		const [{ channel, call }] = calls;
		results[channel] = await client.lookUp(call.lookup, call.question);
	}
}

/** The channels without a result, by what is known of the number. One that its validation may complete is not yet asked about. */
function openChannels(contact: Contact, results: SectionResults): Inquiries {
	const { phone, email } = contact.first;
	const { whatsApp } = numberLookups(contact, results.phone);
	const awaitsPhone = !isAsked(whatsApp) && isAsked(phone) && !results.phone;
	const inquiries: Inquiries = { phone, email, whatsApp: awaitsPhone ? undefined : whatsApp };
	const open = CHANNELS.filter((channel) => inquiries[channel] && !results[channel]);
	return Object.fromEntries(open.map((channel) => [channel, inquiries[channel]]));
}

/** The channels that take a lookup: answers that are there already, then stated prices, then those that are not stated. */
function byPrice(client: Client, open: Inquiries) {
	const calls = CHANNELS.flatMap((channel) => {
		const call = open[channel];
		return isAsked(call) ? [{ channel, call, price: priceOf(client, call) }] : [];
	});
	return calls.sort((a, b) => (a.price === b.price ? 0 : a.price - b.price));
}

function priceOf(client: Client, call: LookupCall): number {
	if (client.isStored(call)) return 0;
	const price = call.lookup.credits?.(call.question);
	if (!price) return 0;
	return 'atMost' in price ? price.atMost : Infinity;
}

/** What is known of channels without a call. */
function withoutCalls(open: Inquiries): SectionResults {
	const known = Object.entries(open).filter(([, inquiry]) => !isAsked(inquiry));
	return Object.fromEntries(known) as SectionResults;
}

function works(result: SectionResult): boolean {
	return 'answer' in result && result.answer.outcome === 'positive';
}

/** All lookups that a contact may take. Where an answer that is there already is of a working channel, no other one is asked. */
export function lookupsAtMost(contact: Contact, cached: Cached): LookupCall[] {
	const all = [
		...Object.values(contact.first).filter(isAsked),
		...numberLookupsAtMost(contact, cached),
	];
	if (!contact.stopsAtFirst) return all;
	const isChannel = ({ lookup }: LookupCall) =>
		CHANNELS.some((channel) => LOOKUPS[channel].operation === lookup);
	const isKnownToWork = all.some((call) => {
		const result = isChannel(call) ? cached(call) : undefined;
		return result !== undefined && works(result);
	});
	return isKnownToWork ? all.filter((call) => !isChannel(call) || cached(call)) : all;
}

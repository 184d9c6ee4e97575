import type { Client, LookupCall } from '../../engine/client';
import { type Cached, isFailed } from '../../engine/operation';
import type { Contact } from './contact';
import { isAsked, LOOKUPS, type SectionResult } from './sections';
import type { Channel } from './signals';
import {
	type Inquiries,
	lookUpAll,
	numberLookups,
	numberLookupsAtMost,
	type SectionResults,
} from './stages';

/** Stop at First Working Channel: the channels one by one, what costs least first. */

/** In the order in which channels of the same price are looked up. */
const CHANNELS: Channel[] = ['phone', 'email', 'whatsApp'];

/** Looks up the channels until one works, and everything else as usual. */
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

/** The results of the channels, including those that need no call. */
async function lookUpChannels(client: Client, contact: Contact): Promise<SectionResults> {
	const results: SectionResults = {};
	for (;;) {
		const open = openChannels(contact, results);
		const calls = byPrice(client, open);
		const isWorking = Object.values(results).some(works);
		// A failed lookup that fails the contact leaves the others to another try
		const isFailing = contact.isStrict && Object.values(results).some(isFailed);
		if (isWorking) client.skip(calls.map(({ call }) => call));
		if (calls.length === 0 || isWorking || isFailing) {
			const known = Object.entries(open).filter(([, inquiry]) => !isAsked(inquiry));
			return { ...Object.fromEntries(known), ...results };
		}
		const [{ channel, call }] = calls;
		results[channel] = await client.lookUp(call.lookup, call.question);
	}
}

/**
 * The channels without a result, by the knowledge about the number. A number that its validation may complete is not looked up
 * yet.
 */
function openChannels(contact: Contact, results: SectionResults): Inquiries {
	const { phone, email } = contact.first;
	const { whatsApp } = numberLookups(contact, results.phone);
	const awaitsPhone = !isAsked(whatsApp) && isAsked(phone) && !results.phone;
	const inquiries: Inquiries = { phone, email, whatsApp: awaitsPhone ? undefined : whatsApp };
	const open = CHANNELS.filter((channel) => inquiries[channel] && !results[channel]);
	return Object.fromEntries(open.map((channel) => [channel, inquiries[channel]]));
}

/** The channels in the order of their lookups: known answers first, then stated prices, then unstated ones. */
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

function works(result: SectionResult): boolean {
	return 'answer' in result && result.answer.outcome === 'positive';
}

/** All lookups that a contact may need. If a known answer is of a working channel, no other one is looked up. */
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

import type { IDataObject } from 'n8n-workflow';
import type { AnswerRecord } from '../../engine/results';
import {
	type DecisionRow,
	type DecisionTable,
	defineOperation,
	isLocalAnswer,
	type Told,
} from '../../engine/operation';
import {
	FAILS,
	HAS_NO_TROUBLE,
	inWords,
	IS_ABOUT_ACCOUNT,
	IS_NO_HTTP_ERROR,
	IS_NO_LOOKUP,
	noneSaysNo,
	OF_WORDS,
	ofOther,
	readBy,
	REFUSES,
	STATUS_IS_FALSE,
	SUCCEEDS,
	that,
	toldText,
	UNKNOWN_ABROAD,
	withoutAccents,
} from '../shared/decisions';
import {
	addressesIn,
	canonicalIpAddress,
	ipAddressField,
	readIpAddress,
} from '../shared/ip/ipAddress';
import {
	countLeft,
	isNothing,
	saysOnlyThat,
	saysWentWrong,
	troubleBesideYes,
	troubleIn,
	wordsOfAll,
} from '../shared/replyWords';
import { planOfCountry } from '../shared/phone/numberingPlans';
import { inShort, orNull } from '../../engine/plan/values';
import { errorText } from '../../engine/refusals/refusal';
import { isOfService } from '../shared/callerName';
import { isDetailed, responseDetailField } from '../shared/responseDetail';

const PLACE = ['country', 'country_name', 'region', 'city'];
const PLACE_FIELDS = [...PLACE, 'latitude', 'longitude'];

const NAMES_PLACE = that(
	'it has a point, a country, a region or city without one, or two different names of a place, that speak of no trouble',
	PLACE_FIELDS,
	({ body }) => isPoint(body) || isCountry(body) || isTown(body) || placesIn(body).size > 1,
);
const NAMES_NO_PLACE = that(
	'it names no place',
	PLACE_FIELDS,
	({ body }) => !isPoint(body) && !PLACE.some((field) => isName(body[field])),
);

/**
 * What databases write for an address without a country: a proxy, a satellite, another one, Tor, an own network. ISO 3166-1 reserves
 * XX and ZZ for it.
 */
const NO_COUNTRY =
	/^\s*(?:A1|A2|O1|T1|XX|ZZ|(?:anonymous )?prox(?:ies|y)|anonymous(?: prox(?:ies|y))?|satellite(?: provider)?|tor(?:[ _-](?:exit|network|node)){0,2}|local(?:[ _-]?host|[ _-]network)?)\s*$/i;
/** "Unknown city", "Pays inconnu". */
const UNKNOWN_PLACE = new RegExp(
	`^[^\\p{L}\\p{N}]{0,3}(?:(?:\\p{L}{1,15} )?(?:${UNKNOWN_ABROAD})|(?:unknown|reserved|private)\\b)`,
	'iu',
);
const COUNTRY_CODE = /^\s*[A-Z]{2}\s*$/i;
/** Longer names are those of no country. */
const LONGEST_COUNTRY = 100;

function isPoint({ latitude, longitude }: IDataObject): boolean {
	const isInRange = isWithin(latitude, 90) && isWithin(longitude, 180);
	// 0, 0 is in the ocean: services write it for an unknown place
	return isInRange && (latitude !== 0 || longitude !== 0);
}

function isCountry({ country, country_name: name }: IDataObject): boolean {
	const texts = [country, name].filter(isName);
	return texts.some(
		(text) =>
			COUNTRY_CODE.test(inShort(text)) ||
			(text.length <= LONGEST_COUNTRY && planOfCountry(text) !== undefined),
	);
}

/** A city or region alone. Services that write something else in the place of names write it for the country too. */
function isTown({ country, country_name: name, region, city }: IDataObject): boolean {
	return ![country, name].some(isName) && placesIn({ region, city }).size > 0;
}

/** Words of services in the place of every name, such as "Invalid IP address". */
const OF_LOOKUP = /\b(?:address|bogon|data ?base|data file|invalid|ip|ipv[46]|license|quota)\b/i;

/** The different names of a place, without a text that says what went wrong. */
function placesIn(body: IDataObject): Set<string> {
	const names = PLACE.map((field) => body[field]).filter(isName);
	const own = names.map((name) => inWords(name).toLowerCase());
	return new Set(own.filter((name) => !isOfLookup(name)));
}

function isOfLookup(text: string): boolean {
	return OF_LOOKUP.test(text) || saysWentWrong(text) || isOfService(text);
}

function isWithin(degrees: unknown, most: number): boolean {
	return typeof degrees === 'number' && Math.abs(degrees) <= most;
}

function isName(value: unknown): value is string {
	const name = toldText(value);
	return (
		name !== undefined &&
		!NO_COUNTRY.test(inShort(name)) &&
		!UNKNOWN_PLACE.test(withoutAccents(name))
	);
}

/** Fields whose values say nothing against, or that other conditions look at. */
const OF_SPEC = new Set('asn error ip latitude longitude range status success'.split(' '));
/** The network of an address and the time there: services know them for addresses without a place. */
const OF_NETWORK = new Set(['isp', 'organization', 'asn_organization', 'timezone']);
const SAYS_NO_MORE = that(
	'no other field says anything but `ip`, `success`, `asn`, `range`, a network or time zone, and counts above 0 of credits or calls left',
	['ip', 'success', 'asn', 'range', ...OF_NETWORK, 'geoip_balance', 'ratelimit_remain'],
	({ body }) => Object.entries(body).every(saysNoMore),
);

function saysNoMore([name, value]: [string, unknown]): boolean {
	const left = countLeft(name, value);
	if (left !== undefined) return left > 0;
	if (OF_SPEC.has(name) || isNothing(value)) return true;
	if (typeof value !== 'string') return false;
	if (PLACE.includes(name)) return !isName(value);
	return toldText(value) === undefined || (OF_NETWORK.has(name) && !isOfLookup(value));
}

/** Whole sentences that say that an address is unknown or has no place. Any other may be about a failed lookup. */
const NO_PLACE = [
	/^(?:(?:the|this) )?(?:ip(?: address)?|address|location|place)(?: of (?:the|this) (?:ip(?: address)?|address))? (?:(?:could not|couldn't|cannot|can't|can not) be (?:geo)?(?:located|resolved|found)|(?:is |was )?(?:not (?:found|known|located|resolved)|unknown|reserved|private|a bogon|unassigned|unallocated))$/i,
	/^no (?:known )?(?:geo(?:graphic(?:al)?)? ?)?(?:location|place|country)(?: (?:is |was )?(?:known|found|available))?(?: for (?:the|this) (?:ip(?: address)?|address))?$/i,
	/^(?:unknown|reserved|private|bogon|unassigned|unallocated) (?:ip(?: address| range)?|address|location|place|range)$|^not located$/i,
	/^(?:could not|couldn't|cannot|can't|unable to) (?:geo)?(?:locate|resolve) (?:(?:the|this) )?(?:ip(?: address)?|address)$/i,
];

function saysNoPlace(words: string): boolean {
	const sentence = words
		.trim()
		.replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '')
		.replace(/[\s-]+/g, ' ');
	return NO_PLACE.some((whole) => whole.test(sentence));
}

const SAYS_NO_PLACE = that(
	'its words say that the address is unknown or has no place, and no field speaks of trouble',
	['error', 'message'],
	(told) => saysOnlyThat(told, saysNoPlace),
);

/** Flags of other services for the question. */
const FLAGS =
	/^(?:is |was )?(?:(?:address|country|ip|location|place) )?(?:found|located|resolved|valid)$/i;

/** SPEC §2.1, §2.5, §7. */
const ROWS: DecisionRow[] = [
	{
		when: [STATUS_IS_FALSE, SAYS_NO_PLACE, NAMES_NO_PLACE],
		says: 'negative',
		why: ({ body }) => wordsOfAll(body)[0],
	},
	{ ...FAILS, when: [STATUS_IS_FALSE, IS_NO_HTTP_ERROR, IS_NO_LOOKUP], says: 'unclear' },
	{ ...FAILS, when: [STATUS_IS_FALSE, IS_NO_HTTP_ERROR] },
	{ when: [REFUSES, NAMES_NO_PLACE], says: 'refused' },
	FAILS,
	{
		when: [NAMES_PLACE, SUCCEEDS, HAS_NO_TROUBLE, noneSaysNo(['found', 'located'], FLAGS)],
		says: 'positive',
	},
];
const FIRST_ROWS: DecisionRow[] = [
	{ when: [REFUSES, IS_ABOUT_ACCOUNT, NAMES_NO_PLACE], says: 'refused' },
	ofOther('address', ['ip'], isOtherAddress),
];
const HAS_NO_WORDS = that(
	'no field has words, a code or a warning, says "not this time" or speaks of trouble',
	OF_WORDS,
	({ body, head }) =>
		errorText(body) === undefined &&
		wordsOfAll(body).length === 0 &&
		troubleIn(body, head.request) === undefined,
);
/** SPEC §2.5: `status` is true when the address was resolved, so false alone says that it was not. */
const UNRESOLVED: DecisionRow = {
	when: [STATUS_IS_FALSE, HAS_NO_WORDS, SAYS_NO_MORE, IS_NO_HTTP_ERROR, NAMES_NO_PLACE],
	says: 'negative',
	why: "the service couldn't locate this address",
};
const otherwise = (told: Told) => troubleBesideYes(told) ?? 'the service returned no place';
const DETAILED: DecisionTable = {
	of: 'Detailed',
	rows: [...FIRST_ROWS, UNRESOLVED, ...ROWS],
	otherwise,
};
const BASIC_REPLIES: DecisionTable = { of: 'Basic', rows: [...FIRST_ROWS, ...ROWS], otherwise };

/** A longer text names more than one address. */
const LONGEST = 1_000;

function isOtherAddress(said: unknown, asked: string): boolean {
	if (typeof said === 'string' && said.length > LONGEST) return true;
	const all = typeof said === 'string' ? addressesIn(said) : [];
	return all.some((address) => address !== canonicalIpAddress(asked));
}

export const locateIp = defineOperation({
	resource: 'geoIp',
	value: 'locate',
	name: 'Locate',
	action: 'Locate IP address',
	description: 'Find the country, city, time zone and network of an IP address',
	fields: [
		ipAddressField,
		responseDetailField('GeoIP URL', 'country code, postal code, region code and network'),
	],
	subject: 'ipAddress',
	outcomes: { positive: 'Located', negative: 'Not Located', unknown: 'Unknown' },
	repeatable: true,
	decide: [DETAILED, BASIC_REPLIES],

	prepare: (params, urls) => {
		const ip = readIpAddress(params.ipAddress);
		return isLocalAnswer(ip) ? ip : { ip, detailed: isDetailed(params, 'geoip', urls) };
	},
	canonical: (question) => ({ ...question, ip: canonicalIpAddress(question.ip) }),

	request: ({ ip, detailed }) =>
		detailed
			? { service: 'geoip', method: 'GET', path: '/', query: { ip } }
			: { service: 'main', method: 'GET', path: '/checkgeoip', query: { ip } },
	credits: () => ({ balance: 'geoip', cost: 'not stated' }),

	read: (body, head, { ip, detailed }) => {
		const record: AnswerRecord = {
			...(detailed ? detailedRecord(body) : basicRecord(body)),
			ipAddress: orNull(body.ip) ?? ip,
		};
		const table = detailed ? DETAILED : BASIC_REPLIES;
		return readBy(table, { body, head, asked: ip }, record, { ipAddress: ip });
	},
	output: [
		{
			name: 'ipAddress',
			type: 'string',
			description: 'The IP address',
			example: '8.8.8.8',
			simplified: true,
		},
		{
			name: 'countryCode',
			type: 'string',
			description: 'Country as a two-letter code (ISO 3166-1); null with Basic',
			example: 'US',
			simplified: true,
		},
		{
			name: 'countryName',
			type: 'string',
			description: 'Country name',
			example: 'United States',
			simplified: true,
		},
		{
			name: 'region',
			type: 'string',
			description: 'State or region',
			example: 'California',
			simplified: true,
		},
		{
			name: 'city',
			type: 'string',
			description: 'City',
			example: 'Mountain View',
			simplified: true,
		},
		{
			name: 'timezone',
			type: 'string',
			description: 'IANA time zone',
			example: 'America/Los_Angeles',
			simplified: true,
		},
		{ name: 'latitude', type: 'number', description: 'Degrees north', example: 37.4 },
		{ name: 'longitude', type: 'number', description: 'Degrees east', example: -122.1 },
		{
			name: 'range',
			type: 'array',
			description: 'Latitude and longitude as the service gives them together; null with Basic',
			example: [37.4, -122.1],
		},
		{ name: 'isp', type: 'string', description: 'Internet provider', example: 'Example ISP' },
		{
			name: 'organization',
			type: 'string',
			description: 'Organization that holds the address',
			example: 'Example Org',
		},
		{ name: 'asn', type: 'number', description: 'Autonomous system number (ASN)', example: 64496 },
		{
			name: 'asnOrganization',
			type: 'string',
			description: 'Organization that runs the autonomous system',
			example: 'Example Net',
		},
		{ name: 'postalCode', type: 'string', description: 'Postal code', example: '94043' },
		{ name: 'regionCode', type: 'string', description: 'ISO code of the region', example: 'CA' },
	],
});

/** SPEC §2.5. */
function detailedRecord(body: IDataObject): AnswerRecord {
	return {
		countryCode: orNull(body.country),
		countryName: orNull(body.country_name),
		region: orNull(body.region),
		city: orNull(body.city),
		timezone: orNull(body.timezone),
		latitude: orNull(body.latitude),
		longitude: orNull(body.longitude),
		range: Array.isArray(body.range) ? body.range : null,
		isp: orNull(body.isp),
		organization: orNull(body.organization),
		asn: orNull(body.asn),
		asnOrganization: orNull(body.asn_organization),
		postalCode: orNull(body.postal_code),
		regionCode: orNull(body.region_iso),
	};
}

/** SPEC §2.1, GeoIPResponse: the country is a full name. */
function basicRecord(body: IDataObject): AnswerRecord {
	return {
		countryName: orNull(body.country),
		region: orNull(body.region),
		city: orNull(body.city),
		timezone: orNull(body.timezone),
		latitude: orNull(body.latitude),
		longitude: orNull(body.longitude),
		isp: orNull(body.isp),
	};
}

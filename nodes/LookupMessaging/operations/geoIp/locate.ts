import type { IDataObject } from 'n8n-workflow';
import type { AnswerRecord } from '../../engine/results';
import {
	defineOperation,
	isLocalAnswer,
	negative,
	positive,
	unclear,
	unknown,
} from '../../engine/operation';
import { canonicalIpAddress, ipAddressField, readIpAddress } from '../shared/ip/ipAddress';
import { orNull } from '../../engine/plan/values';
import { errorText, hasError, isAccountRefusal, refused } from '../../engine/refusals/refusal';
import { BASIC, responseDetailField } from '../shared/responseDetail';

/** Words of a failed lookup, which does not mean that the address is unknown. */
const TROUBLE =
	/temporar|unavailable|try again|time[d -]?\s?out|too many requests|rate.?limit|slow down|internal .*error/i;
/** Words that speak of the address; under an HTTP error "not found" alone may as well speak of the path. */
const NO_PLACE = /\bip\b|address|locat|geo|resolv/i;
/** Fields of which one at least is known when an address was located. */
const PLACE = ['countryCode', 'countryName', 'region', 'city'];

export const locateIp = defineOperation({
	resource: 'geoIp',
	value: 'locate',
	name: 'Locate',
	action: 'Locate IP address',
	description: 'Find the country, city, time zone and network of an IP address',
	fields: [ipAddressField, responseDetailField],
	subject: 'ipAddress',
	outcomes: { positive: 'Located', negative: 'Not Located', unknown: 'Unknown' },
	repeatable: true,
	rules: {
		positive: '`status` is true and a place is named',
		negative: '`status` is false (not resolved)',
		unknown:
			'no place is named, the service was in trouble, or IANA does not call the address globally reachable (then no call is made)',
		refused: 'wrong key or no credits end the run',
	},

	prepare: ({ ipAddress, responseDetail }) => {
		const ip = readIpAddress(ipAddress);
		return isLocalAnswer(ip) ? ip : { ip, detailed: responseDetail !== BASIC };
	},
	canonical: (question) => ({ ...question, ip: canonicalIpAddress(question.ip) }),

	request: ({ ip, detailed }) =>
		detailed
			? { service: 'geoip', method: 'GET', path: '/', query: { ip } }
			: { service: 'main', method: 'GET', path: '/checkgeoip', query: { ip } },
	credits: () => ({ balance: 'geoip', cost: 'not stated' }),

	read: (body, head, { ip, detailed }) => {
		const isFailure = body.status === false || hasError(body);
		if (isFailure && isAccountRefusal(body, head)) return refused(body, head);
		const record: AnswerRecord = {
			...(detailed ? detailedRecord(body) : basicRecord(body)),
			ipAddress: orNull(body.ip) ?? ip,
		};
		const reason = errorText(body);
		if (body.status === false && (head.status < 400 || isAboutAddress(reason))) {
			return readUnresolved(record, reason);
		}
		if (isFailure) return refused(body, head);
		return PLACE.some((field) => typeof record[field] === 'string') || isPoint(record)
			? positive(record)
			: unclear(record, 'the service returned no place');
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

function isPoint({ latitude }: AnswerRecord): boolean {
	return typeof latitude === 'number';
}

function isAboutAddress(reason = ''): boolean {
	return NO_PLACE.test(reason) || TROUBLE.test(reason);
}

/** Not resolved, unless the service reports a problem of its own. */
function readUnresolved(record: AnswerRecord, reason = "the service couldn't locate this address") {
	return TROUBLE.test(reason) ? unknown(record, reason) : negative(record, reason);
}

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

import { answered, paidLookup, refused, type Endpoint } from '../endpoint';
import { familyA, familyAError, familyARefusals } from '../familyA';
import { locateIp } from '../places';

const MALFORMED = 'Invalid IP address.';

/** GET /checkgeoip (SPEC §2.1). Cost not stated; the sandbox takes 1 geolocation credit per resolved address. */
export const checkGeoIp = familyA(
	'checkgeoip',
	paidLookup({
		product: 'geoip',
		parameter: 'ip',
		...familyARefusals('geoip'),
		find: locateIp,
		conclude: (place, ip, call) => {
			if (place === 'malformed') return familyAError(400, MALFORMED);
			if (place === 'unresolved') return familyAError(404, 'IP address could not be resolved.');
			call.charge('geoip', 1, ip);
			return answered({
				status: true,
				ip,
				country: place.countryName,
				region: place.region ?? '',
				city: place.city ?? '',
				latitude: place.latitude,
				longitude: place.longitude,
				timezone: place.timezone,
				isp: place.isp,
			});
		},
	}),
);

const geoError = (status: number, error: string) => refused(status, { status: false, error });

/**
 * GET / of the geolocation host (SPEC §2.5, §4.2). Cost not stated; the sandbox takes 1 geolocation credit per
 * resolved address. An address that is not resolved is an answer: `status` false, and nothing but the address.
 */
export const geoIp: Endpoint = {
	host: 'geoip',
	methods: ['GET'],
	path: '/',
	answer: paidLookup({
		product: 'geoip',
		parameter: 'ip',
		badKey: () => geoError(401, 'Invalid Api Key'),
		missing: (parameter) => geoError(400, `${parameter} is required.`),
		noCredits: () => geoError(402, 'Insufficient geoip API credits.'),
		find: locateIp,
		conclude: (place, ip, call) => {
			if (place === 'malformed') return geoError(400, MALFORMED);
			if (place === 'unresolved') return answered({ status: false, ip });
			call.charge('geoip', 1, ip);
			return answered({
				status: true,
				ip,
				range: [place.latitude, place.longitude],
				country: place.country,
				country_name: place.countryName,
				city: place.city,
				region: place.region,
				region_iso: place.regionIso,
				postal_code: place.postalCode,
				isp: place.isp,
				organization: place.organization,
				latitude: place.latitude,
				longitude: place.longitude,
				asn: place.asn,
				asn_organization: place.organization,
				timezone: place.timezone,
			});
		},
	}),
};

import { answered, paidLookup, refused, type Endpoint } from '../http/endpoint';
import { familyA, familyAError, familyARefusals } from '../http/familyA';
import { locateIp } from '../answers/ipLocations';

const MALFORMED = 'Invalid IP address.';

/** GET /checkgeoip (SPEC §2.1). Cost not stated; the sandbox takes 1 geolocation credit per resolved address. */
export const checkGeoIp = familyA(
	'checkgeoip',
	paidLookup({
		product: 'geoip',
		parameter: 'ip',
		...familyARefusals('geoip'),
		find: locateIp,
		conclude: (location, ip, call) => {
			if (location === 'malformed') return familyAError(400, MALFORMED);
			if (location === 'unresolved') return familyAError(404, 'IP address could not be resolved.');
			call.charge('geoip', 1, ip);
			return answered({
				status: true,
				ip,
				country: location.countryName,
				region: location.region ?? '',
				city: location.city ?? '',
				latitude: location.latitude,
				longitude: location.longitude,
				timezone: location.timezone,
				isp: location.isp,
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
		conclude: (location, ip, call) => {
			if (location === 'malformed') return geoError(400, MALFORMED);
			if (location === 'unresolved') return answered({ status: false, ip });
			call.charge('geoip', 1, ip);
			return answered({
				status: true,
				ip,
				range: [location.latitude, location.longitude],
				country: location.country,
				country_name: location.countryName,
				city: location.city,
				region: location.region,
				region_iso: location.regionIso,
				postal_code: location.postalCode,
				isp: location.isp,
				organization: location.organization,
				latitude: location.latitude,
				longitude: location.longitude,
				asn: location.asn,
				asn_organization: location.organization,
				timezone: location.timezone,
			});
		},
	}),
};

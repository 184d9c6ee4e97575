/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { BlockList, isIP } from 'node:net';

import { hash } from './hash';
import { IP } from './magicInputs';

/** What geolocation knows about an address; city and the like are null where only the country is known. */
interface IpLocation {
	country: string;
	countryName: string;
	region: string | null;
	regionIso: string | null;
	city: string | null;
	postalCode: string | null;
	latitude: number;
	longitude: number;
	timezone: string;
	isp: string;
	organization: string;
	/** From 64496–64511, the AS numbers kept for documentation (RFC 5398). */
	asn: number;
}

/** `malformed` is not an IP address; `unresolved` is an address without a known location. */
type IpFinding = 'malformed' | 'unresolved' | IpLocation;

/** The location of an address, chosen by the hash of its canonical form: two spellings of one address agree. */
export function locateIp(ip: string): IpFinding {
	const address = canonical(ip);
	if (!address) return 'malformed';
	if (isReserved(address) || IP.unresolved.includes(address)) return 'unresolved';
	const location = LOCATIONS[hash(address) % LOCATIONS.length];
	return IP.countryOnly.includes(address) ? countryOnly(location) : location;
}

const countryOnly = (location: IpLocation): IpLocation => ({
	...location,
	region: null,
	regionIso: null,
	city: null,
	postalCode: null,
});

/** The canonical spelling of an address, IPv4-mapped IPv6 as IPv4. Undefined when it is not an address, or has a zone. */
function canonical(ip: string): string | undefined {
	if (isIP(ip) === 4) return ip;
	if (isIP(ip) !== 6 || ip.includes('%')) return undefined;
	const address = new URL(`http://[${ip}]`).hostname.slice(1, -1);
	const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
	if (!mapped) return address;
	const [high, low] = mapped.slice(1).map((group) => parseInt(group, 16));
	return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Blocks that IANA keeps for special purposes, documentation included: no public host has such an address. */
const reserved = new BlockList();
for (const block of [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	'192.0.2.0/24',
	'192.88.99.0/24',
	'192.168.0.0/16',
	'198.18.0.0/15',
	'198.51.100.0/24',
	'203.0.113.0/24',
	'224.0.0.0/3',
]) {
	const [network, bits] = block.split('/');
	reserved.addSubnet(network, Number(bits), 'ipv4');
}
reserved.addSubnet('2001:db8::', 32, 'ipv6');
reserved.addSubnet('3fff::', 20, 'ipv6');

const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

const isReserved = (address: string) =>
	isIP(address) === 4
		? reserved.check(address, 'ipv4')
		: reserved.check(address, 'ipv6') || !global6.check(address, 'ipv6');

type Row = [
	country: string,
	countryName: string,
	region: string,
	regionIso: string,
	city: string,
	postalCode: string,
	latitude: number,
	longitude: number,
	timezone: string,
];

const ROWS: Row[] = [
	[
		'AU',
		'Australia',
		'New South Wales',
		'NSW',
		'Sydney',
		'2000',
		-33.8688,
		151.2093,
		'Australia/Sydney',
	],
	[
		'BR',
		'Brazil',
		'São Paulo',
		'SP',
		'São Paulo',
		'01000',
		-23.5505,
		-46.6333,
		'America/Sao_Paulo',
	],
	['CA', 'Canada', 'Ontario', 'ON', 'Toronto', 'M5H', 43.6532, -79.3832, 'America/Toronto'],
	['DE', 'Germany', 'Land Berlin', 'BE', 'Berlin', '10117', 52.52, 13.405, 'Europe/Berlin'],
	['ES', 'Spain', 'Catalonia', 'CT', 'Barcelona', '08001', 41.3874, 2.1686, 'Europe/Madrid'],
	['FR', 'France', 'Île-de-France', 'IDF', 'Paris', '75001', 48.8566, 2.3522, 'Europe/Paris'],
	['GB', 'United Kingdom', 'England', 'ENG', 'London', 'EC1A', 51.5074, -0.1278, 'Europe/London'],
	['IN', 'India', 'Maharashtra', 'MH', 'Mumbai', '400001', 19.076, 72.8777, 'Asia/Kolkata'],
	['JP', 'Japan', 'Tokyo', '13', 'Tokyo', '100-0001', 35.6762, 139.6503, 'Asia/Tokyo'],
	['KE', 'Kenya', 'Nairobi County', '30', 'Nairobi', '00100', -1.2864, 36.8172, 'Africa/Nairobi'],
	[
		'US',
		'United States',
		'California',
		'CA',
		'San Francisco',
		'94103',
		37.7749,
		-122.4194,
		'America/Los_Angeles',
	],
	[
		'ZA',
		'South Africa',
		'Western Cape',
		'WC',
		'Cape Town',
		'8001',
		-33.9249,
		18.4241,
		'Africa/Johannesburg',
	],
];

const FIRST_DOCUMENTATION_ASN = 64496;

const LOCATIONS: IpLocation[] = ROWS.map(
	(
		[country, countryName, region, regionIso, city, postalCode, latitude, longitude, timezone],
		index,
	) => ({
		country,
		countryName,
		region,
		regionIso,
		city,
		postalCode,
		latitude,
		longitude,
		timezone,
		isp: `Sandbox Net ${country}`,
		organization: `Sandbox Network ${country}`,
		asn: FIRST_DOCUMENTATION_ASN + index,
	}),
);

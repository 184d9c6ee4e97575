/**
 * Blocks of IANA's address registries. Made by `npm run generate` from scripts/generate/addressRegistries.ts. Registries:
 * iana-ipv4-special-registry 2025-10-09
 * iana-ipv6-special-registry 2025-10-09
 * ipv6-address-space 2025-10-23
 * ipv6-unicast-address-assignments 2025-10-10
 */

/** Blocks that are globally reachable, or allocated. */
export const GLOBAL = [
	'192.0.0.9/32',
	'192.0.0.10/32',
	'192.31.196.0/24',
	'192.52.193.0/24',
	'192.175.48.0/24',
	'2001:1::1/128',
	'2001:1::2/128',
	'2001:1::3/128',
	'2001:3::/32',
	'2001:4:112::/48',
	'2001:20::/28',
	'2001:30::/28',
	'2620:4f:8000::/48',
	'2001:200::/23',
	'2001:400::/23',
	'2001:600::/23',
	'2001:800::/22',
	'2001:c00::/23',
	'2001:e00::/23',
	'2001:1200::/23',
	'2001:1400::/22',
	'2001:1800::/23',
	'2001:1a00::/23',
	'2001:1c00::/22',
	'2001:2000::/19',
	'2001:4000::/23',
	'2001:4200::/23',
	'2001:4400::/23',
	'2001:4600::/23',
	'2001:4800::/23',
	'2001:4a00::/23',
	'2001:4c00::/23',
	'2001:5000::/20',
	'2001:8000::/19',
	'2001:a000::/20',
	'2001:b000::/20',
	'2003::/18',
	'2400::/12',
	'2410::/12',
	'2600::/12',
	'2610::/23',
	'2620::/23',
	'2630::/12',
	'2800::/12',
	'2a00::/12',
	'2a10::/12',
	'2c00::/12',
];

/** Blocks that are not globally reachable, by what their addresses are. */
export const NOT_GLOBAL: Record<string, string[]> = {
	'a 6a44 relay address': ['192.88.99.2/32'],
	'a NAT64 discovery address': ['192.0.0.170/32', '192.0.0.171/32'],
	'a Teredo address': ['2001::/32'],
	'a benchmarking address': ['198.18.0.0/15', '2001:2::/48'],
	'a deprecated 6to4 relay address': ['192.88.99.0/24'],
	'a deprecated ORCHID address': ['2001:10::/28'],
	'a discard-only address': ['100::/64'],
	'a documentation address': [
		'192.0.2.0/24',
		'198.51.100.0/24',
		'203.0.113.0/24',
		'2001:db8::/32',
		'3fff::/20',
	],
	'a dummy address': ['192.0.0.8/32', '100:0:0:1::/64'],
	'a link-local address': ['169.254.0.0/16', 'fe80::/10'],
	'a local-use NAT64 address': ['64:ff9b:1::/48'],
	'a loopback address': ['127.0.0.0/8'],
	'a multicast address': ['224.0.0.0/4', 'ff00::/8'],
	'a private (unique local) address': ['fc00::/7'],
	'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
	'a reserved address': ['240.0.0.0/4'],
	'a segment routing (SRv6) address': ['5f00::/16'],
	'a shared address of carrier-grade NAT': ['100.64.0.0/10'],
	'a site-local address': ['fec0::/10'],
	'an IPv4 service continuity address': ['192.0.0.0/29'],
	'an address for IETF protocols': ['192.0.0.0/24', '2001::/23'],
	'an address of "this network"': ['0.0.0.0/8'],
	'the broadcast address': ['255.255.255.255/32'],
	'the loopback address': ['::1/128'],
	'the unspecified address': ['0.0.0.0/32', '::/128'],
};

/** Blocks whose addresses carry an IPv4 address in the 32 bits after the prefix, and are as reachable as that address. */
export const CARRYING_IPV4: Record<string, string[]> = {
	'a 6to4 address': ['2002::/16'],
	'a NAT64 address': ['64:ff9b::/96'],
	'an IPv4-mapped address': ['::ffff:0:0/96'],
};

import type { INodeProperties } from 'n8n-workflow';
import type { LocalAnswer } from '../../engine/operation';
import { quote, readText } from '../../engine/plan/values';

export const ipAddressField: INodeProperties = {
	displayName: 'IP Address',
	name: 'ipAddress',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 8.8.8.8',
	description: 'The IPv4 or IPv6 address to locate',
};

/** An address with its zone has fewer. */
const MOST_CHARACTERS = 200;

/** Ranges that no geolocation can know (IANA special-purpose address registries), in IPv6 form. */
const RESERVED: Array<[prefix: string, bits: number, name: string]> = [
	...ipv4Ranges([
		['0.0.0.0', 8, 'an unspecified address'],
		['10.0.0.0', 8, 'a private address'],
		['100.64.0.0', 10, 'an address of a carrier-grade NAT'],
		['127.0.0.0', 8, 'a loopback address'],
		['169.254.0.0', 16, 'a link-local address'],
		['172.16.0.0', 12, 'a private address'],
		['192.0.0.0', 24, 'an address kept for protocols'],
		['192.0.2.0', 24, 'a documentation address'],
		['192.168.0.0', 16, 'a private address'],
		['198.18.0.0', 15, 'a benchmarking address'],
		['198.51.100.0', 24, 'a documentation address'],
		['203.0.113.0', 24, 'a documentation address'],
		['224.0.0.0', 4, 'a multicast address'],
		['240.0.0.0', 4, 'a reserved address'],
	]),
	['::', 128, 'an unspecified address'],
	['::1', 128, 'a loopback address'],
	['64:ff9b:1::', 48, 'an address of a local translation'],
	['100::', 64, 'a discard-only address'],
	['2001:2::', 48, 'a benchmarking address'],
	['2001:db8::', 32, 'a documentation address'],
	['3fff::', 20, 'a documentation address'],
	['5f00::', 16, 'a segment routing address'],
	['fc00::', 7, 'a private (unique local) address'],
	['fe80::', 10, 'a link-local address'],
	['fec0::', 10, 'a site-local address'],
	['ff00::', 8, 'a multicast address'],
];
const RESERVED_BITS = RESERVED.map(([prefix, bits, name]) => ({
	prefix: (parseIp(prefix) ?? '').slice(0, bits),
	name,
}));

/**
 * Reads an IP address in any valid spelling. Returns it trimmed, without brackets and zone, or the local answer for text that is
 * no IP address (malformed) and for addresses that are not on the public internet (reserved).
 */
export function readIpAddress(value: unknown): LocalAnswer | string {
	const text = readText(value, ipAddressField.displayName, 'an IP address', MOST_CHARACTERS);
	if (typeof text !== 'string') return text;
	const answer = (local: LocalAnswer['local'], reason: string): LocalAnswer => ({
		local,
		field: ipAddressField.displayName,
		reason: `(${quote(text)}) ${reason}`,
	});

	// A zone says where a host may reach the address, not what it is; only IPv6 has them (RFC 4007 §11)
	const address = text.replace(/^\[(.*)\]$/, '$1').replace(/^(.*:.*)%[\w.~-]+$/, '$1');
	const bits = parseIp(address);
	if (bits === undefined) {
		if (/[,;\s]/.test(address))
			return answer('malformed', 'holds more than one address; give one per item');
		return answer('malformed', 'is not an IPv4 or IPv6 address');
	}
	const reserved = RESERVED_BITS.find(({ prefix }) => bits.startsWith(prefix));
	if (reserved) return answer('reserved', `is ${reserved.name}, which has no location`);
	return address;
}

/** The spelling that all equal addresses share: the 128 bits, IPv4 as mapped into IPv6. */
export function canonicalIpAddress(address: string): string {
	return parseIp(address) ?? address;
}

/** The 128 bits of an address as a string of 0 and 1 (RFC 4291 §2.2), or undefined for what is none. */
function parseIp(text: string): string | undefined {
	if (!text.includes(':')) {
		const groups = ipv4Groups(text);
		return groups && toBits([0, 0, 0, 0, 0, 0xffff, ...groups]);
	}
	const halves = text.split('::');
	if (halves.length > 2) return undefined;
	const [head, tail] = halves.map((half, index) => ipv6Groups(half, index === halves.length - 1));
	if (!head || (halves.length === 2 && !tail)) return undefined;
	if (!tail) return head.length === 8 ? toBits(head) : undefined;
	const gap = 8 - head.length - tail.length;
	if (gap < 1) return undefined;
	return toBits([...head, ...new Array<number>(gap).fill(0), ...tail]);
}

function ipv6Groups(half: string, isLast: boolean): number[] | undefined {
	if (half === '') return [];
	const groups: number[] = [];
	const parts = half.split(':');
	for (const [index, part] of parts.entries()) {
		if (/^[0-9a-f]{1,4}$/i.test(part)) {
			groups.push(parseInt(part, 16));
			continue;
		}
		const embedded = isLast && index === parts.length - 1 ? ipv4Groups(part) : undefined;
		if (!embedded) return undefined;
		groups.push(...embedded);
	}
	return groups;
}

/** A dotted quad as two 16-bit groups. Leading zeros are refused: they mean octal to some and decimal to others. */
function ipv4Groups(text: string): number[] | undefined {
	const octets = text.split('.');
	if (octets.length !== 4 || !octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet)))
		return undefined;
	const [a, b, c, d] = octets.map(Number);
	return Math.max(a, b, c, d) > 255 ? undefined : [a * 256 + b, c * 256 + d];
}

function toBits(groups: number[]): string {
	return groups.map((group) => group.toString(2).padStart(16, '0')).join('');
}

function ipv4Ranges(ranges: typeof RESERVED): typeof RESERVED {
	return ranges.map(([prefix, bits, name]) => [`::ffff:${prefix}`, bits + 96, name]);
}

/** An IP address as text of 0 and 1: 32 characters for IPv4, 128 for IPv6. */
export type IpBits = string;

export const IPV4_LENGTH = 32;
export const IPV6_LENGTH = 128;

/** The bits of an IPv4 or IPv6 address in ASCII (RFC 4291 §2.2), without brackets and zone; undefined for any other text. */
export function parseIp(text: string): IpBits | undefined {
	const groups = text.includes(':') ? ipv6Groups(text) : ipv4Groups(text);
	return groups?.map((group) => group.toString(2).padStart(16, '0')).join('');
}

/** 32 bits as a dotted quad. */
export function dottedQuad(bits: IpBits): string {
	return [0, 8, 16, 24].map((from) => parseInt(bits.slice(from, from + 8), 2)).join('.');
}

/** 128 bits as text: in lower case, with the longest run of zero groups shortened (RFC 5952 §4). */
export function ipv6Text(bits: IpBits): string {
	const groups = (bits.match(/.{16}/g) ?? []).map((group) => parseInt(group, 2).toString(16));
	const text = groups.join(':');
	const runs = [...text.matchAll(/\b0(?::0)+\b/g)].map(([run]) => run);
	const longest = Math.max(0, ...runs.map((run) => run.length));
	const run = runs.find(({ length }) => length === longest);
	return run === undefined ? text : text.replace(new RegExp(`(?:^|:)\\b${run}\\b(?:$|:)`), '::');
}

function ipv6Groups(text: string): number[] | undefined {
	const halves = text.split('::');
	if (halves.length > 2) return undefined;
	const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
	if (!head || (halves.length === 2 && !tail)) return undefined;
	if (!tail) return head.length === 8 ? head : undefined;
	const gap = 8 - head.length - tail.length;
	return gap < 1 ? undefined : [...head, ...new Array<number>(gap).fill(0), ...tail];
}

function groupsOf(half: string, isLast: boolean): number[] | undefined {
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

import {
	ADDRESS_REGISTRIES,
	type AddressRegistry,
} from '../../../scripts/generate/addressRegistries';

/** What IANA's registries say of an address: computed on integers from their rows, without the reader or its table. */

export type Family = 4 | 6;

export interface Block {
	family: Family;
	/** CIDR notation, as in the registry. */
	text: string;
	first: bigint;
	last: bigint;
	/** Length of the prefix. */
	bits: number;
	/** The registry's name for the block. */
	name: string;
	/** Globally Reachable, or Status. */
	verdict: string;
}

const LENGTH: Record<Family, number> = { 4: 32, 6: 128 };

const lastOf = (family: Family) => (1n << BigInt(LENGTH[family])) - 1n;

const rowsOf = (id: string): Block[] =>
	ADDRESS_REGISTRIES.filter((registry) => registry.id === id).flatMap(readRows);

export const SPECIAL = [
	...rowsOf('iana-ipv4-special-registry'),
	...rowsOf('iana-ipv6-special-registry'),
];
/** Multicast and site-local. */
export const NOT_UNICAST = [...rowsOf('ipv4-address-space'), ...rowsOf('ipv6-address-space')];
export const ALLOCATED = rowsOf('ipv6-unicast-address-assignments');

/** Where an IPv4 address begins in the IPv6 addresses of a block. They have its verdict, not the registry's own. */
export const CARRYING = [
	{ text: '::ffff:0:0/96', shift: 0n },
	{ text: '64:ff9b::/96', shift: 0n },
	{ text: '2002::/16', shift: 80n },
];

/** Whether an address may be looked up: globally reachable and allocated. */
export function isGlobal(family: Family, value: bigint): boolean {
	const special = longest(SPECIAL, family, value);
	const carrying = CARRYING.find(({ text }) => text === special?.text);
	if (carrying) return isGlobal(4, (value >> carrying.shift) & lastOf(4));
	// N/A (Teredo) and the empty verdict of what is deprecated are no True
	if (special) return special.verdict === 'True';
	if (longest(NOT_UNICAST, family, value)) return false;
	return family === 4 || longest(ALLOCATED, family, value) !== undefined;
}

/** The IPv6 address of a block that carries an IPv4 address; zeros stand where the block leaves room. */
export function carried(text: string, ipv4: bigint): bigint {
	const { shift } = CARRYING.find((one) => one.text === text)!;
	return SPECIAL.find((block) => block.text === text)!.first | (ipv4 << shift);
}

/** An address as text, IPv6 with all its groups. */
export function textOf(family: Family, value: bigint): string {
	const [parts, bits] = family === 4 ? [4, 8n] : [8, 16n];
	const values = Array.from(
		{ length: parts },
		(_, index) => (value >> (BigInt(parts - 1 - index) * bits)) & ((1n << bits) - 1n),
	);
	return family === 4 ? values.join('.') : values.map((group) => group.toString(16)).join(':');
}

/** The first and the last address of a block, and their neighbours outside it. */
export function edgesOf({ family, first, last }: Block): bigint[] {
	return [first - 1n, first, last, last + 1n].filter(
		(value) => value >= 0n && value <= lastOf(family),
	);
}

/** The most specific of the blocks that hold an address. */
export function longest(blocks: Block[], family: Family, value: bigint): Block | undefined {
	return blocks
		.filter((block) => block.family === family && block.first <= value && value <= block.last)
		.reduce<
			Block | undefined
		>((best, block) => (best && best.bits > block.bits ? best : block), undefined);
}

function readRows({ rows }: AddressRegistry): Block[] {
	return rows
		.trim()
		.split('\n')
		.map((row) => {
			const [text, name, verdict] = row.split(',');
			const [address, size] = text.split('/');
			const family: Family = address.includes(':') ? 6 : 4;
			const bits = Number(size);
			const first = valueOf(address);
			const last = first + (1n << BigInt(LENGTH[family] - bits)) - 1n;
			return { family, text, first, last, bits, name, verdict };
		});
}

function valueOf(address: string): bigint {
	if (!address.includes(':')) {
		return address.split('.').reduce((value, octet) => value * 256n + BigInt(octet), 0n);
	}
	const [head, tail = ''] = address.split('::').map((half) => half.split(':').filter(Boolean));
	const gap = new Array<string>(8 - head.length - tail.length).fill('0');
	return [...head, ...gap, ...tail].reduce(
		(value, group) => value * 65_536n + BigInt(`0x${group}`),
		0n,
	);
}

import { CARRYING_IPV4, GLOBAL, NOT_GLOBAL } from './addressBlocks';
import { dottedQuad, IPV4_LENGTH, IPV6_LENGTH, parseIp, type IpBits } from './parseIp';

interface Block {
	/** Number of bits of its addresses: 32 or 128. */
	length: number;
	prefix: IpBits;
	/** The kind of its addresses, such as "a private address"; undefined if they are globally reachable. */
	what?: string;
	carriesIpv4?: true;
}

/** The longest prefixes first. */
const BLOCKS = [
	...GLOBAL.map(readBlock),
	...Object.entries(NOT_GLOBAL).flatMap(([what, blocks]) =>
		blocks.map((block): Block => ({ ...readBlock(block), what })),
	),
	...Object.entries(CARRYING_IPV4).flatMap(([what, blocks]) =>
		blocks.map((block): Block => ({ ...readBlock(block), what, carriesIpv4: true })),
	),
].sort((one, other) => other.prefix.length - one.prefix.length);

/**
 * The kind of an address that is not globally reachable by IANA's registries, such as "a private address". Undefined for a
 * reachable one. The block with the longest prefix decides. Outside all blocks IPv4 is allocated, and IPv6 is not.
 */
export function whatIsNotGlobal(bits: IpBits): string | undefined {
	const block = BLOCKS.find(({ length, prefix }) => {
		return length === bits.length && bits.startsWith(prefix);
	});
	if (!block) {
		return bits.length === IPV6_LENGTH ? 'an address that IANA has not allocated' : undefined;
	}
	if (!block.carriesIpv4) return block.what;
	const start = block.prefix.length;
	const carried = bits.slice(start, start + IPV4_LENGTH);
	const what = whatIsNotGlobal(carried);
	return what && `${block.what} that carries ${dottedQuad(carried)}, ${what}`;
}

/** @param block in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3) */
function readBlock(block: string): Block {
	const [address, size] = block.split('/');
	const bits = parseIp(address) ?? '';
	return { length: bits.length, prefix: bits.slice(0, Number(size)) };
}

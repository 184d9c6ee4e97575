import { ADDRESS_REGISTRIES, type AddressRegistry } from './addressRegistries';

/** A row of a registry. */
interface Row {
	block: string;
	name: string;
	verdict: string;
}

/** Blocks whose addresses carry an IPv4 address in the 32 bits after the prefix (RFC 4291 §2.5.5.2, RFC 6052 §2.1, RFC 3056 §2). */
const CARRYING_IPV4: Record<string, string> = {
	'::ffff:0:0/96': 'an IPv4-mapped address',
	'64:ff9b::/96': 'a NAT64 address',
	'2002::/16': 'a 6to4 address',
};

/** What an address is, by the name that IANA has for its block. */
const WORDS: Record<string, string> = {
	'6a44-relay anycast address': 'a 6a44 relay address',
	Benchmarking: 'a benchmarking address',
	'Deprecated (6to4 Relay Anycast)': 'a deprecated 6to4 relay address',
	'Deprecated (previously ORCHID)': 'a deprecated ORCHID address',
	'Discard-Only Address Block': 'a discard-only address',
	Documentation: 'a documentation address',
	'Documentation (TEST-NET-1)': 'a documentation address',
	'Documentation (TEST-NET-2)': 'a documentation address',
	'Documentation (TEST-NET-3)': 'a documentation address',
	'Dummy IPv6 Prefix': 'a dummy address',
	'IETF Protocol Assignments': 'an address for IETF protocols',
	'IPv4 Service Continuity Prefix': 'an IPv4 service continuity address',
	'IPv4 dummy address': 'a dummy address',
	'IPv4-IPv6 Translat.': 'a local-use NAT64 address',
	'Limited Broadcast': 'the broadcast address',
	'Link Local': 'a link-local address',
	'Link-Local Unicast': 'a link-local address',
	Loopback: 'a loopback address',
	'Loopback Address': 'the loopback address',
	Multicast: 'a multicast address',
	'NAT64/DNS64 Discovery': 'a NAT64 discovery address',
	'Private-Use': 'a private address',
	Reserved: 'a reserved address',
	'Segment Routing (SRv6) SIDs': 'a segment routing (SRv6) address',
	'Shared Address Space': 'a shared address of carrier-grade NAT',
	'Site-Local': 'a site-local address',
	TEREDO: 'a Teredo address',
	'This host on this network': 'the unspecified address',
	'This network': 'an address of "this network"',
	'Unique-Local': 'a private (unique local) address',
	'Unspecified Address': 'the unspecified address',
};

/** The table of the address reader, as a TypeScript file, from the rows of IANA's registries. */
export function addressBlocksModule(): string {
	const rows = withoutDuplicates(ADDRESS_REGISTRIES.flatMap(rowsOf));
	const carrying = rows.filter(({ block }) => block in CARRYING_IPV4);
	const others = rows.filter(({ block }) => !(block in CARRYING_IPV4));
	const notGlobal = others.filter((row) => !isGlobal(row));
	return `${head()}
/** Blocks that are globally reachable, or allocated. */
${list('GLOBAL', others.filter(isGlobal))}

/** Blocks that are not globally reachable, by what their addresses are. */
${record('NOT_GLOBAL', notGlobal, ({ name }) => WORDS[name] ?? noWordsFor(name))}

/** Blocks whose addresses carry an IPv4 address in the 32 bits after the prefix, and are as reachable as that address. */
${record('CARRYING_IPV4', carrying, ({ block }) => CARRYING_IPV4[block])}
`;
}

function head(): string {
	const dates = ADDRESS_REGISTRIES.flatMap(({ id, updated }) => updated && `${id} ${updated}`);
	return `/**
 * Blocks of IANA's address registries. Made by \`npm run generate\` from scripts/generate/addressRegistries.ts. Registries:
 * ${dates.filter(Boolean).join('\n * ')}
 */
`;
}

/** Only True is: N/A (Teredo) and the empty verdict of a terminated block aren't. */
const isGlobal = ({ verdict }: Row) => verdict === 'True' || verdict === 'ALLOCATED';

function rowsOf({ rows }: AddressRegistry): Row[] {
	return rows
		.trim()
		.split('\n')
		.map((line) => {
			const [block, name, verdict] = line.split(',');
			return { block, name, verdict };
		});
}

/** What the special-purpose registries say of a block, they say before the others. */
function withoutDuplicates(rows: Row[]): Row[] {
	const first = (block: string) => rows.find((row) => row.block === block);
	return rows.filter((row) => first(row.block) === row);
}

const blocksOf = (rows: Row[]) => rows.map(({ block }) => `'${block}'`);

function list(name: string, rows: Row[]): string {
	return `export const ${name} = [\n${blocksOf(rows)
		.map((block) => `\t${block},\n`)
		.join('')}];`;
}

function record(name: string, rows: Row[], keyOf: (row: Row) => string): string {
	const keys = [...new Set(rows.map(keyOf))].sort();
	const entries = keys.map((key) => {
		const blocks = blocksOf(rows.filter((row) => keyOf(row) === key));
		const short = `'${key}': [${blocks.join(', ')}],`;
		// As Prettier would have it: in one line of 100 columns with a tab of two, else one per line
		if (short.length <= 98) return `\t${short}\n`;
		return `\t'${key}': [\n${blocks.map((block) => `\t\t${block},\n`).join('')}\t],\n`;
	});
	return `export const ${name}: Record<string, string[]> = {\n${entries.join('')}};`;
}

function noWordsFor(name: string): never {
	throw new Error(`scripts/generate/addressBlocks.ts has no words for "${name}"`);
}

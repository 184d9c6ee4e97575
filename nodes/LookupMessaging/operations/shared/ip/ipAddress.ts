import type { INodeProperties } from 'n8n-workflow';
import type { LocalAnswer } from '../../../engine/operation';
import { numberIn, quote } from '../../../engine/plan/values';
import { asciiForms, readLookedUp } from '../readText';
import { dottedQuad, IPV4_LENGTH, ipv6Text, parseIp } from './parseIp';
import { whatIsNotGlobal } from './reachability';

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
const MAX_CHARACTERS = 200;

/** The prefix of IPv4-mapped IPv6 addresses, ::ffff:0:0/96 (RFC 4291 §2.5.5.2). */
const MAPPED = '0'.repeat(80) + '1'.repeat(16);

/**
 * Reads an IP address in any valid spelling, with the digits of any script and full-width signs; or a list or a header of a proxy,
 * if it has one address alone. Returns it in ASCII, without brackets, zone, port and the signs around it, or the local answer:
 * malformed for text without an IP address, reserved for an address that is not globally reachable.
 */
export function readIpAddress(value: unknown): LocalAnswer | string {
	const text = readLookedUp(value, ipAddressField.displayName, 'an IP address', MAX_CHARACTERS);
	if (typeof text !== 'string') return text;
	const answer = (local: LocalAnswer['local'], reason: string): LocalAnswer => ({
		local,
		field: ipAddressField.displayName,
		reason: `(${quote(text)}) ${reason}`,
	});

	const entries = toAscii(text)
		.replace(OF_FORWARDED, '')
		.split(/[\s,;|]+/)
		.map(bare)
		.filter((entry) => entry !== '');
	const isOne = new Set(entries.map(canonicalIpAddress)).size === 1;
	const [address] = entries;
	const bits = isOne ? parseIp(address) : undefined;
	if (bits === undefined) {
		const found = /[^\da-f.:]/i.test(text) ? addressesIn(text).length : 0;
		if (found > 1)
			return answer('incomplete', 'contains more than one address. Enter one per item');
		if (found === 1 && /[\da-f:]\/\d{1,3}$/i.test(address) && isOne) {
			return answer('incomplete', 'is a network, not one address. Enter one of its addresses');
		}
		if (found === 1) {
			return answer('incomplete', 'has other text beside the address. Enter the address alone');
		}
		const spelling = isOne && oddSpelling(address);
		if (spelling) return answer('incomplete', spelling);
		return answer('malformed', "isn't an IP address");
	}
	const what = whatIsNotGlobal(bits);
	return what ? answer('reserved', `is ${what}, so it has no location`) : address;
}

const LARGEST_IPV4 = 0xff_ff_ff_ff;

/** Why a spelling that some programs accept isn't read: it is not the same address to all of them. */
function oddSpelling(text: string): string | undefined {
	if (parseIp(text.replace(/(?<!\d)0+(?=\d)/g, '')) !== undefined) {
		return 'has leading zeros, which some programs read as octal. Enter the address without them';
	}
	const plain = text.replaceAll('[.]', '.');
	if ([plain, plain.replace(/(?<=\d)[.:]\d*$/, '')].some(isIpAddress)) {
		return 'has a port or signs that no address has. Enter the address alone';
	}
	const isHex = /^0x[\da-f]{7,8}$/i.test(text);
	const number = /^\d{8,10}$/.test(text) ? numberIn(text) : undefined;
	const isNumber = isHex || (number !== undefined && number <= LARGEST_IPV4);
	return isNumber ? 'is a number. Enter the address with dots, such as 8.8.8.8' : undefined;
}

/** What a Forwarded header has beside the address of the client (RFC 7239 §4). */
const OF_FORWARDED = /;\s*(?:host=[\w.:-]*|proto=https?)(?=\s*(?:[;,]|$))/gi;

/** An entry of a list without the signs around it, its port, its zone, and the prefix length of a single address. */
function bare(entry: string): string {
	return (
		entry
			.replace(/^for=/i, '')
			.replace(/^["'`‘’“”(<{]+|(?<!["'`‘’“”)>}.])["'`‘’“”)>}.]+$/g, '')
			.replace(/^(\d+(?:\.\d+){3}|\[.*\]):\d{1,5}$/, '$1')
			.replace(/^\[(.*)\]$/, '$1')
			.replace(/^(\d[\d.]*)\/32$|^([\da-f:.]*:[\da-f:.]*)\/128$/i, '$1$2')
			// A zone says where a host may reach the address, not what it is; only IPv6 has zones (RFC 4007 §11)
			.replace(/^(.*:.*)%[\w.~-]+$/, '$1')
	);
}

/** A label before an address; one of hexadecimal digits may be part of it. */
const LABEL = /\b(?=[\da-f]*[g-z_-])[a-z][\w-]*[:=]/gi;

const IN_OTHER_SCRIPT = /\P{ASCII}+[:=]?/gu;

/** The addresses in a text, with or without a label, brackets, a zone, a port or a prefix length. */
export function addressesIn(text: string): string[] {
	const plain = toAscii(text).replace(LABEL, ' ').replace(IN_OTHER_SCRIPT, ' ');
	const all = plain.match(/(?<![\w.:])[\da-f.:]{2,}(?![\w.:])/gi) ?? [];
	const withoutPort = (each: string) => (isIpAddress(each) ? each : each.replace(/:\d*$|\.$/, ''));
	return all.map(withoutPort).filter(isIpAddress).map(canonicalIpAddress);
}

function isIpAddress(text: string): boolean {
	return text.length <= MAX_CHARACTERS && parseIp(text) !== undefined;
}

/** The spelling that all equal addresses share: that of RFC 5952 §4; an IPv4 address inside IPv6 as IPv4. */
export function canonicalIpAddress(address: string): string {
	const bits = parseIp(address);
	if (bits === undefined) return address;
	if (bits.length === IPV4_LENGTH) return dottedQuad(bits);
	return bits.startsWith(MAPPED) ? dottedQuad(bits.slice(MAPPED.length)) : ipv6Text(bits);
}

/**
 * The text of East Asian keyboards and other scripts in ASCII. Superscripts and circled digits are unchanged: they are not digits
 * here.
 */
function toAscii(text: string): string {
	return asciiForms(text).replace(/[\u3002\uff61]/g, '.');
}

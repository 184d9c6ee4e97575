import fc from 'fast-check';
import { readIpAddress } from '../../../nodes/LookupMessaging/operations/shared/ip/ipAddress';
import {
	carried,
	CARRYING,
	isGlobal,
	lastOf,
	textOf,
	type Family,
} from '../../models/ip/ianaVerdict';
import { isFullRun, reportCounts } from '../fullRun';

/** Addresses that are read otherwise than IANA's registries say; all are valid. */
const misread: string[] = [];
let count = 0;

function check(family: Family, value: bigint): void {
	const address = textOf(family, value);
	const read = readIpAddress(address);
	const verdict = typeof read === 'string' ? 'asked' : read.local;
	if (verdict !== (isGlobal(family, value) ? 'asked' : 'reserved')) misread.push(address);
	count += 1;
}

/** The first and the last address of the blocks of one size inside another block. */
function* edges(length: number, bits: number, within = 0n, withinBits = 0): Generator<bigint> {
	const size = 1n << BigInt(length - bits);
	const blocks = 1n << BigInt(bits - withinBits);
	const step = isFullRun ? 1n : 97n;
	for (let index = 0n; index < blocks; index += step) {
		const first = within + index * size;
		yield first;
		yield first + size - 1n;
	}
}

describe("the verdict on an IP address is IANA's", () => {
	afterEach(() => {
		expect(misread).toEqual([]);
		reportCounts({
			part: 'IP addresses',
			counts: { verdicts: count, "other than IANA's": misread.length },
		});
		count = 0;
	});

	test('for all of IPv4, in steps of /16, plain and inside IPv6', () => {
		for (const value of edges(32, 16)) {
			check(4, value);
			for (const { text } of CARRYING) check(6, carried(text, value));
		}
		expect(count).toBeGreaterThan(5_000);
	});

	test('for all of IPv6, in steps of /16, and of /32 in 2001::/16', () => {
		for (const value of edges(128, 16)) check(6, value);
		for (const value of edges(128, 32, 0x2001n << 112n, 16)) check(6, value);
		expect(count).toBeGreaterThan(2_500);
	});

	test('for random addresses', () => {
		const numRuns = isFullRun ? 50_000 : 2_000;
		for (const family of [4, 6] as const) {
			for (const value of fc.sample(fc.bigInt({ min: 0n, max: lastOf(family) }), {
				seed: 8,
				numRuns,
			})) {
				check(family, value);
			}
		}
		expect(count).toBe(2 * numRuns);
	});
});

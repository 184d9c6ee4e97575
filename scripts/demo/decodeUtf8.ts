import { UserError } from './userError';

/** How the files begin that are taken for CSV files by mistake. */
const SIGNATURES: Array<[bytes: number[], what: string]> = [
	[[0x50, 0x4b, 0x03, 0x04], 'a workbook or another zip file'],
	[[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook'],
	[[0xff, 0xfe], 'text in UTF-16'],
	[[0xfe, 0xff], 'text in UTF-16'],
];
const LOOKED_AT = 1_000;

/** The text of a UTF-8 file, without its byte order mark. Throws a UserError for anything else. */
export function decodeUtf8(bytes: Uint8Array, file: string): string {
	const refuse = (what: string) =>
		new UserError(
			`${file} is ${what}. Save it as "CSV UTF-8", then run it again. You weren't charged.`,
		);
	const known = SIGNATURES.find(([start]) => start.every((byte, at) => bytes[at] === byte));
	if (known) throw refuse(known[1]);
	if (bytes.subarray(0, LOOKED_AT).includes(0)) throw refuse('text in UTF-16, or not a text file');
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		throw refuse('text in another encoding, such as Latin-1');
	}
}

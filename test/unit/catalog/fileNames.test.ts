import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import { fileOf } from '../../engine';
import { readToolResult } from '../../../nodes/LookupMessaging/operations/toolServer/toolResult';
import { isFullRun } from '../../hostile/fullRun';

/** Names of files, which a tool server or an earlier node of the workflow may choose as it likes. */

const PIXEL = 'R0lGODlhAQABAAAAACw=';

/** The name of a file in the answer of a tool. */
function nameFromTool(uri: unknown, mimeType: unknown): unknown {
	const resource = { uri, mimeType, blob: PIXEL };
	const result = { content: [{ type: 'resource', resource }] } as never;
	const answer = readToolResult(result, { tool: 't', args: {}, splits: false });
	return 'files' in answer ? answer.files?.data.fileName : undefined;
}

/** The name of a file that goes with a message. */
async function nameOfMedia(fileName: unknown, fileExtension: unknown, property = 'data') {
	const assertBinaryData = () => ({ mimeType: 'x/y', data: PIXEL, fileName, fileExtension });
	const context = { helpers: { assertBinaryData } } as unknown as IExecuteFunctions;
	const found = await fileOf(context, 0, property);
	return 'fileName' in found ? found.fileName : undefined;
}

const PIECES = [
	...['.', '..', '/', '\\', ' ', '\r\n', '\0', '\u007f', '\u0085', '"', ';', 'a', '.pdf'],
	...['ä', '%2e', '😀'],
];
const names = fc.oneof(
	fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join('')),
	fc.string({ unit: 'binary' }),
	fc.constantFrom('x'.repeat(300), `${'x'.repeat(300)}/a.pdf`, null, undefined, 0, {}, []),
);

const isUsable = (name: unknown) =>
	typeof name === 'string' &&
	/^[^/\\\p{Cc}]{1,255}$/u.test(name) &&
	name.length <= 255 &&
	/[^.\s]/.test(name);

test('a file has a name that file systems accept, whatever its sender calls it', async () => {
	await fc.assert(
		fc.asyncProperty(names, names, async (name, other) => {
			const found = [
				nameFromTool(name, other),
				await nameOfMedia(name, other),
				await nameOfMedia('', other, typeof name === 'string' ? name : 'data'),
			];
			expect(found.filter((each) => !isUsable(each))).toEqual([]);
		}),
		{ seed: 7, numRuns: isFullRun ? 2_000 : 300 },
	);
});

test.each([
	['..', 'file.pdf', 'data.pdf'],
	['.', 'file.pdf', 'data.pdf'],
	['a/..', 'file.pdf', 'data.pdf'],
	['a\\', 'file.pdf', 'data.pdf'],
	['a\r\nb', 'file.pdf', 'data.pdf'],
	['', 'file.pdf', 'data.pdf'],
	['..\\..\\report.doc', 'report.doc', 'report.doc'],
	['/etc/report', 'report', 'report'],
	['Übersicht 2.pdf', 'Übersicht 2.pdf', 'Übersicht 2.pdf'],
	['.profile', '.profile', '.profile'],
])('a file called %j is %s from a tool, and %s with a message', async (name, ofTool, ofMedia) => {
	expect(nameFromTool(name, 'application/pdf')).toBe(ofTool);
	expect(await nameOfMedia(name, 'pdf')).toBe(ofMedia);
});

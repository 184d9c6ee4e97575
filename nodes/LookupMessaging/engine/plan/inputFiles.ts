import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type BinaryFile } from '../client';
import { whenAborted } from '../gate';
import { CallFailed } from '../results';
import { storageFailure } from '../operation';
import { count, fileNameIn, isObject, quote, textOf } from './values';

/** Files of input items, in every binary data mode. Sizes are known before a byte is read. */

const CHUNK_BYTES = 64 * 1024;
/** Longest name of a binary property, with its path. */
const LONGEST_NAME = 1_000;

/**
 * Waits for n8n's storage of files, which may hang.
 * @param afterStopMs how much longer to wait after Stop, in milliseconds
 * @throws CallFailed after the time, in milliseconds, and at Stop
 */
export async function inTime<Value>(
	context: Pick<IExecuteFunctions, 'getExecutionCancelSignal'>,
	timeoutMs: number,
	stored: Promise<Value>,
	afterStopMs = 0,
): Promise<Value> {
	const timeout = AbortSignal.timeout(timeoutMs);
	const stop = context.getExecutionCancelSignal();
	const end = new AbortController();
	const giveUp = () => end.abort();
	const late = whenAborted(end.signal).then(() => {
		const limit = `within ${count(timeoutMs / 1000, 'second')}`;
		const when = timeout.aborted ? limit : 'before the execution was stopped';
		throw new CallFailed(storageFailure(`the file storage of n8n didn't answer ${when}`));
	});
	const atStop = () =>
		afterStopMs > 0 ? AbortSignal.timeout(afterStopMs).addEventListener('abort', giveUp) : giveUp();
	timeout.addEventListener('abort', giveUp);
	stop?.addEventListener('abort', atStop);
	if (stop?.aborted) atStop();
	return await Promise.race([stored, late]).finally(() =>
		stop?.removeEventListener('abort', atStop),
	);
}

/**
 * The metadata of a binary property, or why there is none, as a predicate of the field that names it. Reads no contents.
 * @param property the name of the binary property, or its path in the item's JSON if n8n keeps files there
 */
export async function fileOf(
	context: IExecuteFunctions,
	item: number,
	property: string,
): Promise<BinaryFile | { problem: string }> {
	if (property.length > LONGEST_NAME)
		return { problem: `(${quote(property)}) isn't the name of a field` };
	const binary = binaryOf(context, item, property);
	if (!binary) return { problem: missing(property, context.getInputData()[item]) };
	const bytes = await sizeOf(context, binary);
	if (bytes === undefined) {
		return { problem: `("${property}") names a file that is no longer in n8n's storage` };
	}
	const { fileName, fileExtension, mimeType } = binary;
	const unnamed = fileExtension ? `${property}.${textOf(fileExtension)}` : property;
	const name = fileNameIn(textOf(fileName)) ?? fileNameIn(unnamed) ?? 'file';
	return { item, property, fileName: name, mimeType, bytes };
}

/**
 * The file as a part of a form; undefined if n8n's storage no longer has it unchanged. A stored file is read in chunks while it
 * is sent, so it is never in memory as a whole. In memory mode n8n holds it anyway.
 */
export async function openFile(
	context: IExecuteFunctions,
	file: BinaryFile,
): Promise<File | undefined> {
	const { item, property, fileName, mimeType, bytes: expected } = file;
	const binary = binaryOf(context, item, property);
	if (!binary?.id) {
		const bytes = await context.helpers.getBinaryDataBuffer(item, property).catch(() => undefined);
		// Fewer are fine: base64 text with line breaks looks longer than it is
		if (!bytes || bytes.length > expected) return undefined;
		return new File([bytes], fileName, { type: mimeType });
	}
	if ((await sizeOf(context, binary)) !== expected) return undefined;
	const contents = await context.helpers
		.getBinaryStream(binary.id, CHUNK_BYTES)
		.catch(() => undefined);
	return contents && new StoredFile(file, contents);
}

/** A file whose contents are streamed from n8n's storage. They can be read once. */
class StoredFile extends File {
	constructor(
		{ fileName, mimeType, bytes }: BinaryFile,
		private readonly contents: AsyncIterable<Uint8Array>,
	) {
		super([], fileName, { type: mimeType });
		Object.defineProperty(this, 'size', { value: bytes });
	}

	stream(): ReadableStream<Uint8Array> {
		return ReadableStream.from(this.contents);
	}
}

/** n8n knows where the workflow keeps files: beside the item's JSON, or inside it. */
function binaryOf(
	context: IExecuteFunctions,
	item: number,
	property: string,
): IBinaryData | undefined {
	try {
		// A name that all objects have, such as "constructor", is no file
		const found: Partial<IBinaryData> = context.helpers.assertBinaryData(item, property);
		return typeof found.mimeType === 'string' ? (found as IBinaryData) : undefined;
	} catch {
		return undefined;
	}
}

/** In memory mode the data is base64 text; otherwise it is a reference, and the store knows the size. */
async function sizeOf(
	context: IExecuteFunctions,
	{ id, data }: IBinaryData,
): Promise<number | undefined> {
	if (!id) return Buffer.byteLength(data, 'base64');
	const metadata = await context.helpers.getBinaryMetadata(id).catch(() => undefined);
	return metadata?.fileSize;
}

function missing(property: string, item: INodeExecutionData): string {
	if (item.binary?.[property]) return `("${property}") has no MIME type`;
	const names = [...Object.keys(item.binary ?? {}), ...pathsOfFiles(item.json)];
	const files = names.map((name) => `"${name}"`).join(', ') || 'no files';
	return `("${property}") isn't a binary field of this item. The item has ${files}`;
}

/** Paths of the files in an item's JSON: n8n 2.x puts them one level down if the workflow is set so. */
function pathsOfFiles(json: IDataObject): string[] {
	return Object.entries(json).flatMap(([name, value]) => {
		if (isStoredFile(value)) return [name];
		if (typeof value !== 'object' || value === null) return [];
		return Object.entries(value)
			.filter(([, inner]) => isStoredFile(inner))
			.map(([inner]) => `${name}.${inner}`);
	});
}

function isStoredFile(value: unknown): boolean {
	return isObject(value) && 'mimeType' in value && ('data' in value || 'id' in value);
}

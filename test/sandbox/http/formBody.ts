import { createHash } from 'node:crypto';

import type { FormBody, UploadedFile } from '../types';

/** Reads a multipart body; undefined when it is none. Of files it keeps everything but the bytes. */
export async function readForm(bytes: Buffer, contentType: string): Promise<FormBody | undefined> {
	const headers = { 'content-type': contentType };
	const form = await new Response(bytes, { headers }).formData().catch(() => undefined);
	if (!form) return undefined;
	const fields: Record<string, string> = {};
	const files: UploadedFile[] = [];
	for (const [field, value] of form.entries()) {
		if (typeof value === 'string') fields[field] = value;
		else files.push(await described(field, value));
	}
	return { fields, files };
}

async function described(field: string, file: File): Promise<UploadedFile> {
	const bytes = Buffer.from(await file.arrayBuffer());
	return {
		field,
		fileName: file.name,
		mimeType: file.type,
		size: bytes.length,
		sha256: createHash('sha256').update(bytes).digest('hex'),
	};
}

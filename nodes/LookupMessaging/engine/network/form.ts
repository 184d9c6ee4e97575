import type { IExecuteFunctions } from 'n8n-workflow';
import { inTime, openFile } from '../plan/inputFiles';
import type { ServiceRequest } from '../client';

/** The multipart body, or why its file cannot be sent. */
export async function formData(
	context: IExecuteFunctions,
	{ fields, file }: NonNullable<ServiceRequest['form']>,
	timeoutMs: number,
): Promise<FormData | { reason: string }> {
	const reading = inTime(context, timeoutMs, openFile(context, file.source));
	const opened = await reading.catch(({ message }: Error) => message);
	const cannotRead = `the file "${file.source.fileName}" can't be read`;
	if (!opened) return { reason: `${cannotRead}: n8n's storage has changed or removed it` };
	if (typeof opened === 'string') return { reason: `${cannotRead}: ${opened}` };
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) addText(form, name, value);
	form.append(file.field, opened);
	return form;
}

/** A line break that a form's text would not keep: forms write every one as CR LF. */
const OTHER_LINE_BREAK = /\r(?!\n)|(?<!\r)\n/;

/** Adds a text as it is. As bytes without a file name it keeps its line breaks, and is a text all the same (RFC 7578, 4.4). */
function addText(form: FormData, name: string, text: string) {
	if (!OTHER_LINE_BREAK.test(text)) form.append(name, text);
	else form.append(name, new Blob([text], { type: 'text/plain;charset=utf-8' }), '');
}

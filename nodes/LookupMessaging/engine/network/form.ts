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
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append(file.field, opened);
	return form;
}

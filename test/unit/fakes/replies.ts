import type { IDataObject } from 'n8n-workflow';
import type { ReplyHead, ServiceRequest } from '../../../nodes/LookupMessaging/engine/client';
import type { Reply } from '../../../nodes/LookupMessaging/engine/results';

/** An answer under HTTP 2xx. */
export function ok(body: IDataObject, status = 200): Reply {
	return { kind: 'ok', status, headers: {}, body };
}

/** An answer under HTTP 3xx or 4xx; without a body, one that was no JSON object. */
export function httpError(status: number, body?: IDataObject): Reply {
	return { kind: 'httpError', status, headers: {}, ...(body && { body }) };
}

/** What a read function receives of the reply beside its body. */
export function headOf(request: ServiceRequest, status = 200): ReplyHead {
	return { status, headers: {}, request };
}

/** An answer under any HTTP status that is read. */
export function answered(status: number, body: IDataObject): Reply {
	return status < 300 ? ok(body, status) : httpError(status, body);
}

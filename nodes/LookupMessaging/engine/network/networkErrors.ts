import { textOf } from '../plan/values';
import { lostFailure } from '../operation';
import type { Reply } from '../results';

/** Classifies errors of n8n's HTTP helper: whether the request was sent, and whether another try may get through. */

/** Failures to connect: the request was not sent. */
const NOT_SENT: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: "the host name couldn't be looked up",
	EHOSTUNREACH: 'there is no route to the host',
	ENETUNREACH: 'there is no route to the network',
	ETIMEDOUT: 'it took too long',
	ECONNRESET: 'the connection broke before the request was sent',
};
/** These codes can also come after the request was sent. */
const AT_ANY_TIME = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET']);
/** Of Node for a TLS handshake, and of n8n's agent for a proxy: the connection ended before it was ready for the request. */
const NOT_READY =
	/^(?:Client network socket disconnected before secure TLS connection was established|Proxy connection ended before receiving CONNECT response)$/;
const CONNECT_ERROR = /^connect E/;
const SELF_SIGNED = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']);
/**
 * Codes of a failed TLS handshake: a wrong certificate, or a port that speaks plain HTTP. Node reports a TLS error as EPROTO
 * while the request still waits for the handshake, and otherwise as ERR_SSL_…. So ERR_SSL_… may come after the service has done
 * its work, for example plain text within the connection or a damaged record. The exception is a service that requested a client
 * certificate (RFC 8446 §6.2).
 */
const NO_TLS =
	/^(?:EPROTO$|CERT_|UNABLE_TO_|ERR_TLS_(?:CERT|HANDSHAKE)|ERR_SSL_\w*ALERT_CERTIFICATE_REQUIRED$)/;
/** Messages of a damaged record, which has the general code EPROTO. */
const DAMAGED_RECORD = /bad record mac|decryption failed/i;
/** The service may have read the request. */
export const LOST_REASONS: Record<string, string> = {
	ECONNABORTED: 'no answer arrived in time',
	ETIMEDOUT: 'no answer arrived in time',
	ECONNRESET: 'the connection broke before the answer arrived',
	EPIPE: 'the connection broke before the answer arrived',
	ERR_CANCELED: 'the execution was stopped before the answer arrived',
};
/** Unreadable replies, by code, or by message since n8n 1.x drops the code. */
const UNREADABLE: Array<[sign: RegExp, reason: string]> = [
	[/^(?:stream has been )?aborted$/, LOST_REASONS.ECONNRESET],
	[/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, LOST_REASONS.ECONNRESET],
	[/^HPE_/, "the answer isn't valid HTTP"],
	[/^(?:Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_ZSTD)/, "the answer can't be decompressed"],
	[
		/^incorrect (?:data|header) check$|^unexpected end of file$/,
		"the answer can't be decompressed",
	],
];
/** n8n wraps the error of the HTTP library. The code is in one of these places, in one of the causes. */
interface NetworkError {
	code?: unknown;
	httpCode?: unknown;
	syscall?: unknown;
	cause?: NetworkError;
	/** Of the addresses of a host, if there are several. */
	errors?: unknown;
	message?: unknown;
	/** Of n8n 1.x, which keeps no cause. */
	messages?: unknown;
}

/** An exception of n8n's HTTP helper caused by the network or the body. All others are faults of this package. */
export class NetworkFailure extends Error {
	/** @param error the original exception */
	constructor(readonly error: NetworkError) {
		super('The network has failed');
	}
}

/** @param host host of the request, for the message */
export function classifyError(error: NetworkError, host: string): Reply {
	const causes = [error, error.cause, error.cause?.cause];
	const codes = causes.flatMap((cause) => [cause?.code, cause?.httpCode]).filter(isText);
	const messages = causes
		.flatMap((cause) => [cause?.message, cause?.messages].flat())
		.filter(isText);
	const noConnection = (reason: string, isTransient?: true): Reply => ({
		...{ cause: 'unreachable', scope: 'question' },
		reason: `can't connect to ${host}: ${reason}`,
		...(isTransient && { isTransient }),
	});
	const isUnsent =
		causes.some(isConnectError) ||
		messages.some((text) => CONNECT_ERROR.test(text) || NOT_READY.test(text));
	if (isUnsent && codes.length === 0) return noConnection(NOT_SENT.ECONNRESET, true);
	for (const code of codes) {
		if (SELF_SIGNED.has(code)) return noConnection('its TLS certificate is self-signed');
		if (NO_TLS.test(code) && !messages.some((text) => DAMAGED_RECORD.test(text))) {
			return noConnection(`the TLS connection failed (${code})`);
		}
		if (code in NOT_SENT && (isUnsent || !AT_ANY_TIME.has(code)))
			return noConnection(NOT_SENT[code], true);
		if (AT_ANY_TIME.has(code) || code in LOST_REASONS)
			return lostFailure(LOST_REASONS[code] ?? LOST_REASONS.ECONNRESET);
	}
	const signs = [...codes, ...messages];
	const unreadable = UNREADABLE.find(([sign]) => signs.some((text) => sign.test(text)));
	return lostFailure(unreadable?.[1] ?? 'the call ended for an unknown reason');
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isConnectError(cause: NetworkError | undefined): boolean {
	const { errors, message, syscall } = cause ?? {};
	if (Array.isArray(errors)) return errors.length > 0 && errors.every(isConnectError);
	return syscall === 'connect' || CONNECT_ERROR.test(textOf(message));
}

import { refusedAlways, type Reply } from './endpoint';
import type { HostName } from '../types';

const TEXT = 'Too many requests';

/** How each host words an error of its own. */
const BODIES: Record<HostName, object> = {
	main: { status: false, error: TEXT },
	lookup: { error: TEXT },
	geoip: { status: false, error: TEXT },
	tools: { jsonrpc: '2.0', error: { code: -32000, message: TEXT }, id: null },
};

/** The answer to a call beyond the pace, which the endpoint never sees. */
export const tooManyRequests = (host: HostName, retryAfter: string | undefined): Reply =>
	refusedAlways(429, BODIES[host], retryAfter === undefined ? {} : { 'retry-after': retryAfter });

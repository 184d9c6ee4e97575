import { answered, type Endpoint } from '../http/endpoint';

/** GET /healthz of the tool server: needs no key (SPEC §4.3). */
export const health: Endpoint = {
	host: 'tools',
	methods: ['GET'],
	path: '/healthz',
	unpaced: true,
	answer: () => answered({ status: 'ok' }),
};

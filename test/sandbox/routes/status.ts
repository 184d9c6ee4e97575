import { answered, type Endpoint } from '../http/endpoint';
import { familyA } from '../http/familyA';

/** GET /status: the only REST endpoint that needs no key (SPEC §4.1, §5.1). */
export const status: Endpoint = {
	...familyA('status', () => answered({ status: true, message: 'System is operational' })),
	unpaced: true,
};

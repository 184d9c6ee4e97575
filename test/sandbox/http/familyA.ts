import { refused, type Endpoint } from './endpoint';

/** The main API's root path (SPEC §9). */
export const MAIN = '/api/v1';

/** Family A's ErrorResponse (SPEC §2.1, §7). */
const errorResponse = (error: string) => ({ status: false, error });

/** A Family A error with the HTTP status that the `http` mode shows. */
export const familyAError = (status: number, error: string) =>
	refused(status, errorResponse(error));

/** The refusals that Family A's paid lookups share; SPEC §7 has one row for all of them. */
export const familyARefusals = (credits: string) => ({
	badKey: () => familyAError(401, 'Invalid API key.'),
	missing: (parameter: string) => familyAError(400, `${parameter} is required.`),
	noCredits: () => familyAError(402, `Insufficient ${credits} API credits.`),
});

/** A GET endpoint of the main host. */
export const familyA = (name: string, answer: Endpoint['answer']): Endpoint => ({
	host: 'main',
	methods: ['GET'],
	path: `${MAIN}/${name}`,
	answer,
});

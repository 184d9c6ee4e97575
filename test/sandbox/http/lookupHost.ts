import { refused } from './endpoint';

/** The lookup API's root path (SPEC §9). */
export const LOOKUP = '/api/v1';

/** An error of the lookup host: an `error` text and nothing else (SPEC §7). */
export const lookupError = (status: number, error: string) => refused(status, { error });

/** The refusals that the lookup host's endpoints share (SPEC §7). */
export const lookupRefusals = (credits: string) => ({
	badKey: () => lookupError(401, 'Invalid API key.'),
	missing: (parameter: string) => lookupError(400, `${parameter} is required.`),
	noCredits: () => lookupError(402, `Insufficient ${credits} API credits.`),
});

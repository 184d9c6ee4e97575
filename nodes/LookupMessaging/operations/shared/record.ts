import type { GenericValue } from 'n8n-workflow';

/** A value of the service for the output: what is absent or an empty string becomes null. */
export function orNull(value: GenericValue): GenericValue {
	return value === '' || value === undefined ? null : value;
}

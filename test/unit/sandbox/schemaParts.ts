/** The words that the schemas are written in. */
import type { SchemaObject } from 'ajv';

export const boolean = { type: 'boolean' };
export const integer = { type: 'integer' };
export const credits = { type: 'integer', minimum: 0 };
export const number = { type: 'number' };
export const string = { type: 'string' };
export const text = { type: 'string', minLength: 1 };
export const textOrNull = { type: 'string', nullable: true };
export const only = (value: unknown) => ({ const: value });
export const oneOf = (...values: string[]) => ({ enum: values });
export const COUNTRY = { type: 'string', pattern: '^[A-Z]{2}$' };
export const ZONES = {
	type: 'array',
	items: { type: 'string', pattern: '^[A-Za-z_]+/' },
	minItems: 1,
};
export const POSITION = {
	type: 'array',
	items: [number, number],
	minItems: 2,
	additionalItems: false,
};

/** All of these fields, and no other. */
export const exactly = (properties: Record<string, object>): SchemaObject => ({
	type: 'object',
	properties,
	required: Object.keys(properties),
	additionalProperties: false,
});

export const LINE_TYPE = oneOf(
	'Mobile',
	'Fixed Line',
	'Fixed Line or Mobile',
	'Toll-Free',
	'Premium Rate',
	'Shared Cost',
	'VoIP',
	'Personal Number',
	'Pager',
	'Universal Access Number',
	'Voicemail',
	'Unknown',
);
export const BASIC_LINE_TYPE = oneOf('mobile', 'landline', 'voip', 'unknown');

/**
 * SPEC's field tables as JSON schemas, written by hand and strict: every field named is present, no other is.
 * Where a table says "may be empty", so may the schema's string.
 */
import Ajv, { type SchemaObject } from 'ajv';

import { jobSchemas } from './jobSchemas';
import { platformSchemas } from './platformSchemas';
import {
	boolean,
	integer,
	credits,
	number,
	string,
	text,
	textOrNull,
	only,
	COUNTRY,
	ZONES,
	POSITION,
	exactly,
	LINE_TYPE,
	BASIC_LINE_TYPE,
} from './schemaParts';

const emailRecord = (
	emailformat: boolean,
	emailexist: boolean,
	verdict: string,
	reason_code: object,
) =>
	exactly({
		balance: credits,
		status: only(true),
		email: text,
		emailformat: only(emailformat),
		emailexist: only(emailexist),
		verdict: only(verdict),
		reason_code,
	});

const familyAErrorOf = (error: string) => exactly({ status: only(false), error: only(error) });
const lookupErrorOf = (error: string) => exactly({ error: only(error) });

export const schemas = {
	// §2.1
	status: exactly({ status: only(true), message: text }),
	familyAError: exactly({ status: only(false), error: text }),
	familyABadKey: familyAErrorOf('Invalid API key.'),
	familyANoWhatsAppCredits: familyAErrorOf('Insufficient WA API credits.'),
	whatsAppCheck: exactly({ status: only(true), number: text, whatsapp: boolean }),
	phoneBasicValid: exactly({
		status: only(true),
		number: text,
		valid: only(true),
		country: COUNTRY,
		carrier: string,
		line_type: BASIC_LINE_TYPE,
	}),
	phoneBasicInvalid: exactly({
		status: only(true),
		number: text,
		valid: only(false),
		country: string,
		carrier: string,
		line_type: only('unknown'),
	}),
	callerBasic: exactly({
		status: only(true),
		number: text,
		name: string,
		carrier: string,
		line_type: BASIC_LINE_TYPE,
		location: text,
	}),
	emailDeclared: exactly({
		status: only(true),
		email: text,
		valid: boolean,
		disposable: boolean,
		mx_found: boolean,
		smtp_check: boolean,
	}),
	geoBasic: exactly({
		status: only(true),
		ip: text,
		country: { type: 'string', minLength: 3 },
		region: string,
		city: string,
		latitude: number,
		longitude: number,
		timezone: text,
		isp: text,
	}),
	balance: exactly({
		status: only(true),
		wa_balance: credits,
		email_balance: credits,
		geoip_balance: credits,
		phone_balance: credits,
	}),
	// §2.2
	phoneValid: exactly({
		status: only('VALID_CONFIRMED'),
		formatted_number: { type: 'string', pattern: '^\\+[\\d -]+$' },
		linetype: LINE_TYPE,
		carrier: string,
		location: text,
		countrycodenum: integer,
		countrycode: COUNTRY,
		countryname: text,
		formatnational: text,
		formatinternational: { type: 'string', pattern: '^\\+[\\d -]+$' },
		timezone: ZONES,
		ratelimit_remain: credits,
		ratelimit_seconds: { type: 'integer', minimum: 1 },
	}),
	phoneInvalid: exactly({ status: only('INVALID') }),
	lookupBadKey: lookupErrorOf('Invalid API key.'),
	lookupError: exactly({ error: text }),
	phoneNoCredits: lookupErrorOf('Insufficient phone API credits.'),
	// §2.3
	caller: exactly({
		success: only(true),
		number: { type: 'string', pattern: '^\\+' },
		name: textOrNull,
		valid: only('VALID_CONFIRMED'),
		line_type: LINE_TYPE,
		carrier: string,
		countrycode: COUNTRY,
		countryname: text,
		countrycodenum: integer,
		formatnational: text,
		formatinternational: { type: 'string', pattern: '^\\+' },
		location: text,
		timezone: ZONES,
	}),
	callerInvalid: exactly({ success: only(false), message: only('Invalid phone number') }),
	callerFailed: exactly({
		success: only(false),
		message: { type: 'string', minLength: 1, not: only('Invalid phone number') },
	}),
	callerNoCredits: lookupErrorOf('Insufficient callerinfo API credits.'),
	// §2.5
	geo: exactly({
		status: only(true),
		ip: text,
		range: POSITION,
		country: COUNTRY,
		country_name: text,
		city: textOrNull,
		region: textOrNull,
		region_iso: textOrNull,
		postal_code: textOrNull,
		isp: text,
		organization: text,
		latitude: number,
		longitude: number,
		asn: { type: 'integer', minimum: 64496, maximum: 64511 },
		asn_organization: text,
		timezone: text,
	}),
	geoUnresolved: exactly({ status: only(false), ip: text }),
	geoBadKey: familyAErrorOf('Invalid Api Key'),
	geoError: exactly({ status: only(false), error: text }),
	// §2.6, §7
	emailDeliverable: emailRecord(true, true, 'deliverable', only('mailbox_accepted')),
	emailUndeliverable: emailRecord(true, false, 'undeliverable', only('mailbox_not_found')),
	emailCatchAll: emailRecord(true, true, 'unknown', only('catch_all')),
	emailUnknown: emailRecord(true, false, 'unknown', text),
	emailInvalidFormat: emailRecord(false, false, 'invalid_format', only('invalid_syntax')),
	emailInconclusive: exactly({
		balance: credits,
		status: only(false),
		error: only('Service temporarily unavailable, please try again.'),
		reason_code: only('network_timeout'),
	}),
	emailBadKey: familyAErrorOf('Invalid API key.'),
	emailNoCredits: exactly({
		balance: only(0),
		status: only(false),
		error: only('Please recharge'),
	}),
	emailMissing: exactly({ balance: credits, status: only(false), error: text }),
	// §4.3: the body is not shown
	health: { type: 'object' },
	...jobSchemas,
	...platformSchemas,
} satisfies Record<string, SchemaObject>;

export type SchemaName = keyof typeof schemas;

const ajv = new Ajv({ allErrors: true, strict: true });
const validators = new Map(
	Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema as SchemaObject)]),
);

/** What is wrong with a body by the schema of that name; empty when it fits. */
export function faultsOf(name: SchemaName, body: unknown): string[] {
	const validate = validators.get(name)!;
	validate(body);
	return (validate.errors ?? []).map(
		({ instancePath, message, params }) =>
			`${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
	);
}

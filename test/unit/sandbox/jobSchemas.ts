/** SPEC's tables for batches (§2.4, §7), and what the sandbox says about audits; SPEC shows two of their fields (§2.1). */
import type { SchemaObject } from 'ajv';

import {
	boolean,
	COUNTRY,
	credits,
	exactly,
	integer,
	oneOf,
	only,
	string,
	text,
} from './schemaParts';

const UUID = { type: 'string', pattern: '^[0-9a-f-]{36}$' };
const list = (items: object) => ({ type: 'array', items });
const percent = { type: 'integer', minimum: 0, maximum: 100 };

const row = (status: string, more: Record<string, object> = {}) =>
	exactly({ phone_number: text, status: only(status), ...more });

/** What a completed row of the wordless number has; every other one has a `wa_status` too. */
const wordless = {
	numberstatus: boolean,
	businessnumber: boolean,
	formatted_number: { type: 'string', pattern: '^(\\+\\d+)?$' },
	carrier: string,
	country: { anyOf: [COUNTRY, only('')] },
	validation_data: { type: 'object' },
};
const checked = { wa_status: oneOf('VALID_CONFIRMED', 'INVALID'), ...wordless };

const batch = (status: string, row_: object) =>
	exactly({
		batch_id: UUID,
		status: only(status),
		total_numbers: integer,
		completed: integer,
		failed: integer,
		pending: integer,
		results: list(row_),
	});

const completedRows = {
	anyOf: [row('completed', checked), row('completed', wordless), row('failed', { error: text })],
};

const unfinishedAudit = (status: string) =>
	exactly({ audit_id: UUID, status: only(status), progress: percent });

const subject = {
	brand_name: text,
	brand_url: text,
	competitors: list(text),
	overall_score: percent,
};

const platformResult = exactly({
	platform: text,
	visibility_score: percent,
	prompts_tested: integer,
	mentions: credits,
	average_position: { type: 'integer', nullable: true },
	sentiment: oneOf('positive', 'neutral', 'negative'),
	citations: list(text),
	competitors: list(exactly({ name: text, mentions: credits, visibility_score: percent })),
});
const results = { ...list(platformResult), minItems: 4, maxItems: 4 };

export const jobSchemas = {
	batchSubmitted: exactly({ batch_id: UUID, total_numbers: integer, status: only('processing') }),
	batchWaiting: batch('processing', row('pending')),
	batchCompleted: batch('completed', completedRows),
	batchNoCredits: exactly({
		error: only('Insufficient WA API credits.'),
		required: integer,
		available: integer,
	}),
	batchTooLarge: exactly({
		error: only('Batch size exceeds the maximum allowed limit of 1000 numbers.'),
		submitted: integer,
		max_allowed: only(1000),
	}),
	batchEmpty: exactly({ error: only('phone_numbers array is required and must not be empty.') }),
	batchNotFound: exactly({ error: only('Batch not found or access denied.') }),
	auditStarted: exactly({ status: only(true), audit_id: UUID }),
	auditPending: unfinishedAudit('pending'),
	auditFailed: exactly({ audit_id: UUID, status: only('failed'), error: text }),
	auditCompleted: exactly({ audit_id: UUID, status: only('completed'), ...subject, results }),
	auditWordless: exactly({ audit_id: UUID, ...subject, results }),
	summaryCompleted: exactly({
		audit_id: UUID,
		status: only('completed'),
		...subject,
		platforms: only(4),
		strongest_platform: text,
		weakest_platform: text,
		total_mentions: credits,
	}),
} satisfies Record<string, SchemaObject>;

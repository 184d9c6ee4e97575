import type { LookupCall } from '../../engine/client';
import {
	type BaseUrlsSet,
	isFailed,
	isLocalAnswer,
	LOCAL_OUTCOME,
	type LocalAnswer,
	type Operation,
	type Params,
} from '../../engine/operation';
import { asReason } from '../../engine/plan/values';
import type { AnswerRecord, LookupResult, Outcome, OutputField } from '../../engine/results';
import { lookUpCallerId } from '../callerId/lookUp';
import { verifyEmail } from '../email/verify';
import { locateIp } from '../geoIp/locate';
import { validatePhone } from '../phone/validate';
import { checkWhatsAppNumber } from '../whatsApp/checkNumber';

/** The lookups of a contact, and the sections of the output that they fill. */

interface Lookup {
	/** As the editor and reasons name it. */
	name: string;
	operation: Operation<unknown>;
}

/** By section, in the order of the output. */
export const LOOKUPS = {
	phone: { name: 'Phone Validation', operation: validatePhone },
	callerId: { name: 'Caller ID', operation: lookUpCallerId },
	whatsApp: { name: 'WhatsApp', operation: checkWhatsAppNumber },
	email: { name: 'Email Verification', operation: verifyEmail },
	geoIp: { name: 'GeoIP', operation: locateIp },
} satisfies Record<string, Lookup>;

export type Section = keyof typeof LOOKUPS;

export const SECTIONS = Object.keys(LOOKUPS) as Section[];

/** A lookup of a contact, or the local answer instead. */
export type Inquiry = LookupCall | LocalAnswer;

/** The operation of a section reads the values. @param urls decide how many fields it returns */
export function inquire(section: Section, params: Params, urls?: BaseUrlsSet): Inquiry {
	const { operation }: Lookup = LOOKUPS[section];
	const question = operation.prepare(params, urls);
	return isLocalAnswer(question) ? question : { lookup: operation, question };
}

export function isAsked(inquiry: Inquiry | undefined): inquiry is LookupCall {
	return inquiry !== undefined && !isLocalAnswer(inquiry);
}

export type SectionResult = LocalAnswer | LookupResult;

/** A section of the output: the Simplified output of its operation. The summary is first, the source last. */
type SectionRecord = AnswerRecord & {
	outcome: Outcome;
	reason: string | null;
	source: 'duplicate' | 'failed' | 'stored' | 'local' | 'memory' | 'service';
	/** With Stored Results only. */
	ageDays?: number;
};

/** The chosen sections; null without a lookup. */
export type Sections = Partial<Record<Section, SectionRecord | null>>;

/** Turns the results of the lookups into the sections of the output. */
export function sectionsOf(
	results: Partial<Record<Section, SectionResult>>,
	chosen: Section[],
): Sections {
	const entries = chosen.map((section) => {
		const result = results[section];
		if (!result) return [section, null];
		const { outcome, ...origin } = headOf(result);
		return [section, { outcome, ...fieldsOf(section, result), ...origin }];
	});
	return Object.fromEntries(entries) as Sections;
}

function headOf(
	result: SectionResult,
): Pick<SectionRecord, 'ageDays' | 'outcome' | 'reason' | 'source'> {
	if (isLocalAnswer(result)) {
		const { local, field, reason } = result;
		const why = asReason([`${field} ${reason}`]);
		return { outcome: LOCAL_OUTCOME[local], reason: why, source: 'local' };
	}
	if (isFailed(result)) {
		const { explanation, failure } = result;
		return { outcome: 'unknown', reason: explanation ?? failure.reason, source: 'failed' };
	}
	const { outcome, reason = null } = result.answer;
	const { source, ageDays } = result;
	return { outcome, reason, source, ...(ageDays !== undefined && { ageDays }) };
}

function fieldsOf(section: Section, result: SectionResult): AnswerRecord {
	const record = isLocalAnswer(result) || isFailed(result) ? {} : result.answer.record;
	return Object.fromEntries(shownIn(section).map(({ name }) => [name, record[name] ?? null]));
}

/** What the Simplified output of a section's operation has. */
function shownIn(section: Section): OutputField[] {
	return LOOKUPS[section].operation.output.filter(({ simplified }) => simplified);
}

/** Fields of a section that only repeat the input or another section. Flat Columns leaves them out. */
const REPEATED: Record<Section, string[]> = {
	phone: [],
	callerId: ['phoneNumber', 'lineType', 'carrier', 'countryCode'],
	whatsApp: ['phoneNumber', 'extension', 'onWhatsApp'],
	email: ['mailboxExists'],
	geoIp: ['ipAddress'],
};

/** A section as a field of the output, with its own fields. */
export function sectionField(section: Section): OutputField {
	const { name } = LOOKUPS[section];
	const own = shownIn(section);
	const fields = [
		textField('outcome', true),
		...own.map((field) => ({ ...field, simplified: !REPEATED[section].includes(field.name) })),
		...['reason', 'source'].map((field) => textField(field, false)),
	];
	const example = Object.fromEntries(own.map((field) => [field.name, field.example]));
	return {
		name: section,
		type: 'object',
		description: `${name}: outcome, ${own.map((field) => field.name).join(', ')}, reason, source. Unknown fields are left out.`,
		example: { outcome: 'positive', ...example, source: 'service' },
		simplified: true,
		isLookup: true,
		fields,
	};
}

/** A field that every section has. */
function textField(name: string, simplified: boolean): OutputField {
	return { name, type: 'string', description: '', example: '', simplified };
}

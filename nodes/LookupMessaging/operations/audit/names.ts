import type { INodeProperties } from 'n8n-workflow';
import { isLocalAnswer, type LocalAnswer, type Params } from '../../engine/operation';
import { normalized, textOf } from '../../engine/plan/values';
import { isPlaceholder, LINE_BREAKS, readPhrase } from '../shared/readText';
import { readUrl } from '../shared/url';

/** The request for an audit (SPEC §2.1, AuditRunRequest). */
export interface AuditRequest {
	brandName: string;
	brandUrl: string;
	competitors: string[];
}

/** Hardly any name is longer, and hardly anybody compares with more brands. */
const MAX_IN_NAME = 1_000;
const MAX_NAMES = 1_000;
const MAX_IN_LIST = 100_000;

const brandNameField: INodeProperties = {
	displayName: 'Brand Name',
	name: 'brandName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Example Coffee',
	description: 'The brand to audit',
};

const brandUrlField: INodeProperties = {
	displayName: 'Brand URL',
	name: 'brandUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://www.example.com',
	description: 'The website of the brand. If https:// is missing, it is added.',
};

const competitorsField: INodeProperties = {
	displayName: 'Competitors',
	name: 'competitors',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. Other Coffee, Third Coffee',
	description:
		'Brands to compare with, separated by commas, semicolons or line breaks. An expression can return an array.',
};

/** The parameters that Run and Run and Wait share. */
export const requestFields: INodeProperties[] = [brandNameField, brandUrlField, competitorsField];

export function readRequest(params: Params): AuditRequest | LocalAnswer {
	const brandName = readPhrase(
		params.brandName,
		brandNameField.displayName,
		'the name of a brand',
		MAX_IN_NAME,
	);
	if (isLocalAnswer(brandName)) return brandName;
	const brandUrl = readUrl(params.brandUrl, brandUrlField.displayName, 'the URL of a website');
	if (isLocalAnswer(brandUrl)) return brandUrl;
	const competitors = readWords(params.competitors);
	if (competitors) return { brandName, brandUrl, competitors };
	return {
		local: 'malformed',
		field: competitorsField.displayName,
		reason:
			'contains something that isn\'t a name, or more than 1,000 names. Enter names separated by commas, or a JSON array such as ["A", "B"]',
	};
}

/**
 * Reads a list: an array, an array as JSON, or text with separators. Each entry once, in its first spelling, without those that stand
 * for a missing value; undefined if an entry is not text or the list is too long, or if the text begins as a JSON array or object and is no array.
 */
export function readWords(value: unknown): string[] | undefined {
	if (value === null || value === undefined) return [];
	const entries = entriesOf(value);
	if (!entries?.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
		return undefined;
	}
	const texts = entries.map((entry) => textOf(entry).trim());
	const isWrong = (text: string) => text.length > MAX_IN_NAME || OBJECT.test(text);
	if (texts.length > MAX_NAMES || texts.some(isWrong)) return undefined;
	const words = texts.filter((word) => word !== '' && !isPlaceholder(word));
	const seen = new Set<string>();
	return words.filter((word) => {
		const { size } = seen;
		const key = normalized(word, 'NFKC').toLowerCase().replace(/\s+/g, ' ');
		return seen.add(key).size > size;
	});
}

/** What JavaScript makes of an object in a text. */
const OBJECT = /^\[object /;
/** A list that is not JSON: copied from code, truncated, or without quotes. No name looks like it. */
const BROKEN_LIST = /^\[\s*(?:["'\u2018\u201c[{]|\])|^\[[^\],]*,[^\]]*\]$|^\{/;

const SEPARATORS = `,;|\\t${LINE_BREAKS}\\u060c\\u3001\\uff0c\\uff1b`;
const SPACES = `[^\\S\\t${LINE_BREAKS}]*`;
const ENDS = `${SPACES}(?=[${SEPARATORS}]|$)`;
/** Legal forms of companies. SAS without dots is a brand of its own, and NV a state. */
const FORMS = [
	'a/s|a\\.?b|ag|aps|asa|b\\.?v|co\\.|corp(?:oration)?|d\\.?o\\.?o|gmbh(?: ?& ?co\\.? ?(?:kga?a?|ohg))?|inc(?:orporated)?|kgaa?|k\\.?k',
	'limited|llc|llp|ltda?|n\\.v|ohg|oyj?|plc|(?:pte|pty|pvt)\\.?(?: (?:limited|ltd))?|s\\.?a|s\\.a\\.s|s\\.?a\\.?r\\.?l|s\\.?[el]|s\\.?p\\.?a',
	's\\.?r\\.?[lo]|sp\\.? ?z ?o\\.? ?o|ug',
].join('|');
const OF_FORM = `,(?= ?(?:${FORMS})\\.?${ENDS})`;
/** A name in quotes, or one without separators. After a curly quote it looks no further than the next, so many take no longer. */
const ENTRY = new RegExp(
	`${SPACES}(?:"([^"]*)"|“([^“”\\r\\n]*)”)${ENDS}|([^${SEPARATORS}]+(?:${OF_FORM}[^${SEPARATORS}]+)*)`,
	'gi',
);
/** A quote that does not end: what follows it may be one name or several. */
const OPEN_QUOTE = /^\s*["“][^"”]*$/;
/** The mark of an entry of a list. */
const BULLET = /^\s*[-*•–·]\s+/;
const NUMBER = /^\s*(\d{1,3})[.)]\s+/;

/** How a JSON array of texts or numbers begins. */
const LIST_OF_WORDS = /^\[\s*["\d\]-]/;

function entriesOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return [value];
	if (value.length > MAX_IN_LIST) return undefined;
	const text = value.trim();
	try {
		const json: unknown = LIST_OF_WORDS.test(text) ? JSON.parse(text) : undefined;
		if (Array.isArray(json)) return json;
	} catch {
		// A brand may be called "[solidcore]"
	}
	if (BROKEN_LIST.test(text)) return undefined;
	const entries: string[] = [];
	for (const [, ...forms] of text.matchAll(ENTRY)) {
		if (entries.length > MAX_NAMES) return undefined;
		entries.push(forms.find(Boolean) ?? '');
	}
	if (entries.some((entry) => OPEN_QUOTE.test(entry))) return undefined;
	// A name may begin with a number of its own: 1. FC Köln
	const isNumbered =
		entries.length > 1 &&
		entries.every((entry, index) => NUMBER.exec(entry)?.[1] === `${index + 1}`);
	return entries.map((entry) => entry.replace(isNumbered ? NUMBER : BULLET, ''));
}

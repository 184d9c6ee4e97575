import type { INodeProperties } from 'n8n-workflow';
import { isLocalAnswer, type LocalAnswer, type Params } from '../../engine/operation';
import { readText } from '../../engine/plan/values';
import { readUrl } from '../shared/url';

/** The request for an audit (SPEC §2.1, AuditRunRequest). */
export interface AuditRequest {
	brandName: string;
	brandUrl: string;
	competitors: string[];
}

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
	description: 'The website of the brand, with https://',
};

const competitorsField: INodeProperties = {
	displayName: 'Competitors',
	name: 'competitors',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. Other Coffee, Third Coffee',
	description:
		'Brands to compare with: separated by commas or line breaks, or an expression that gives an array',
};

/** The parameters that Run and Run and Wait share. */
export const requestFields: INodeProperties[] = [brandNameField, brandUrlField, competitorsField];

export function readRequest(params: Params): AuditRequest | LocalAnswer {
	const brandName = readText(params.brandName, brandNameField.displayName, 'the name of a brand');
	if (isLocalAnswer(brandName)) return brandName;
	const brandUrl = readUrl(params.brandUrl, brandUrlField.displayName, 'the URL of a website');
	if (isLocalAnswer(brandUrl)) return brandUrl;
	const competitors = readWords(params.competitors);
	if (competitors) return { brandName, brandUrl, competitors };
	return {
		local: 'malformed',
		field: competitorsField.displayName,
		reason: 'holds something that is no name; a list of names was expected',
	};
}

/** Reads a list: an array, or text with commas or line breaks. Each entry once; undefined when an entry is not text. */
export function readWords(value: unknown): string[] | undefined {
	if (value === null || value === undefined) return [];
	const entries: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(/[,\r\n]+/)
			: [value];
	if (!entries.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
		return undefined;
	}
	const words = entries.map((entry) => String(entry).trim()).filter((word) => word !== '');
	return [...new Set(words)];
}

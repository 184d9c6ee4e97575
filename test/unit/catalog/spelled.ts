import type { GenericValue } from 'n8n-workflow';

/** Several spellings of a value in one text, between bars; any other value is one spelling. */
export const spelled = (spellings: GenericValue): GenericValue[] =>
	typeof spellings === 'string' ? spellings.split(/ \|\s+/) : [spellings];

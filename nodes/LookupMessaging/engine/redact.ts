import type { GenericValue, IDataObject } from 'n8n-workflow';

const PLACEHOLDER = '[API key]';

/**
 * Makes a function that takes the API key out of a reply body, wherever the service repeats it: in texts and in names, plain
 * or URL-encoded. Bodies without it come back as they are.
 */
export function redactor(apiKey: string): (body: object) => IDataObject {
	const spellings = [...new Set([apiKey, encodeURIComponent(apiKey)])].filter(
		(spelling) => spelling !== '',
	);
	const clean = (text: string) =>
		spellings.reduce((cleaned, spelling) => cleaned.split(spelling).join(PLACEHOLDER), text);

	const cleanValue = (value: GenericValue): GenericValue => {
		if (typeof value === 'string') return clean(value);
		if (Array.isArray(value)) return value.map(cleanValue);
		return typeof value === 'object' && value !== null ? cleanObject(value) : value;
	};
	const cleanObject = (body: object): IDataObject =>
		Object.fromEntries(
			Object.entries(body).map(([name, value]) => [clean(name), cleanValue(value)]),
		);

	return cleanObject;
}

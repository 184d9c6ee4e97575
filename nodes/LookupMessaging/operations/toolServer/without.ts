import type { IDataObject } from 'n8n-workflow';

/** A copy of an object without some of its members. */
export function without(object: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

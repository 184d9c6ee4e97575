import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../engine/plan/values';
import { HOLDERS } from '../shared/results';

/** Lists as the forum platform itself writes them, which a scraper may hand on: a post is a list of one, beside a list of its comments. */

/** The entries of such a list, or those of a plain one; undefined for any other value. */
export function entriesOfList(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value;
	if (!isObject(value) || value.kind !== 'Listing' || !isObject(value.data)) return undefined;
	const { children } = value.data;
	// The last entry may name further ones
	const isShown = (entry: unknown) => !isObject(entry) || entry.kind !== 'more';
	return Array.isArray(children) ? children.filter(isShown) : undefined;
}

/** A body with the post and the comments of such lists under the usual names. */
export function withoutListings(body: IDataObject): IDataObject {
	for (const name of HOLDERS) {
		const value = body[name];
		const lists: unknown[] = Array.isArray(value) ? value : [value];
		if (!lists.slice(0, 2).every((list) => isObject(list) && entriesOfList(list))) continue;
		const [posts, comments = []] = lists.map((list) => entriesOfList(list) ?? []);
		if (isObject(posts?.[0]))
			return { ...body, [name]: null, post: posts[0], comments } as IDataObject;
	}
	return body;
}

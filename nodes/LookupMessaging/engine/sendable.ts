import { FORBIDDEN_NAME } from './depth';
import type { ServiceRequest } from './operation';
import { parseUrl, type Root } from './roots';
import { isWhole } from './text';

/** Longest that a URL's values may be together, in characters. No server takes more, and few as much. */
const MOST_IN_URL = 100_000;

/**
 * What would make a request another one than was meant, or none at all, as a clause; undefined when nothing would.
 * Whatever operations put into requests, this is where it is held to: to its own path, in characters that can be sent.
 */
export function requestProblem(
	root: Root,
	{ path, query = {}, form }: ServiceRequest,
): string | undefined {
	const target = parseUrl(`${root.url}${path}`);
	// "..", for one, leads to another path, and cannot be encoded (WHATWG URL, double-dot URL path segment)
	if (target?.pathname !== (`${root.prefix}${path}` || '/')) {
		return 'it would go to another path than its own, because of a value in the path';
	}
	const named = [...Object.entries(query), ...Object.entries(form?.fields ?? {})];
	const broken = named.find((pair) => !pair.every(isWhole));
	if (broken) {
		const name = isWhole(broken[0]) ? ` "${broken[0]}"` : '';
		return `the parameter${name} holds half a character; copy it again from its source`;
	}
	if (named.some(([name]) => name === FORBIDDEN_NAME)) {
		return `a parameter cannot have the name "${FORBIDDEN_NAME}"`;
	}
	const length = Object.values(query).join('').length;
	if (length <= MOST_IN_URL) return undefined;
	const count = (characters: number) => characters.toLocaleString('en-US');
	return `its values have ${count(length)} characters, and a URL takes ${count(MOST_IN_URL)}; give less`;
}

import type { ServiceName } from '../client';
import type { Failure } from '../results';
import { BASE_URL_FIELDS } from '../network/credential';
import type { OpenNetwork } from '../network/networks';
import { isPricedByLookups, type AnyOperation, type Cached } from '../operation';
import type { Task } from '../plan/plan';

/** The base URLs that the paid calls of the tasks go to; none for a free operation. */
export function servicesOf(
	operation: AnyOperation,
	tasks: Task[],
	cached: Cached,
): Set<ServiceName> {
	const questions = tasks.flatMap((task) => task.questions.map(({ question }) => question));
	if (operation.free) return new Set();
	if (!('run' in operation)) {
		return new Set(questions.map((question) => operation.request(question).service));
	}
	const { lookups, endpoints } = operation;
	const named = endpoints.map((name) => name.split(' ')[1]).filter(isServiceName);
	const own = isPricedByLookups(operation) ? [] : named;
	const ofLookups = questions
		.flatMap((question) => lookups?.(question, cached) ?? [])
		.filter((call) => cached(call) === undefined)
		.map(({ lookup, question }) => lookup.request(question).service);
	return new Set([...own, ...ofLookups]);
}

function isServiceName(name: string): name is ServiceName {
	return Object.hasOwn(BASE_URL_FIELDS, name);
}

/**
 * Before the first paid call of a run that uses several base URLs: each must be there and answer, or the run would pay for one part
 * of a question and then find out that it cannot ask the other. With one base URL the first call shows it.
 * @returns why a base URL cannot be used
 */
export async function checkUrls(
	services: Set<ServiceName>,
	{ look }: Pick<OpenNetwork, 'look'>,
): Promise<Failure | undefined> {
	if (services.size < 2) return undefined;
	// One by one, since Max Concurrent Requests may be 1
	for (const service of services) {
		const failure = await look(service);
		if (failure) return failure;
	}
	return undefined;
}

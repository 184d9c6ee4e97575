import type { ServiceName } from '../client';
import { BASE_URL_FIELDS } from '../network/credential';
import { isPricedByLookups, type AnyOperation, type Cached } from '../operation';
import type { Task } from '../plan/plan';
import type { TimeSlices } from '../timeSlices';

/** The base URLs that the paid calls of the tasks go to; none for a free operation. */
export async function servicesOf(
	operation: AnyOperation,
	tasks: Task[],
	cached: Cached,
	slices: TimeSlices,
): Promise<Set<ServiceName>> {
	const services = new Set<ServiceName>();
	if (operation.free) return services;
	if ('run' in operation && !isPricedByLookups(operation)) {
		const named = operation.endpoints.map((name) => name.split(' ')[1]).filter(isServiceName);
		for (const service of named) services.add(service);
	}
	const add = (question: unknown) => {
		if (!('run' in operation)) return void services.add(operation.request(question).service);
		for (const call of operation.lookups?.(question, cached) ?? []) {
			if (cached(call)) continue;
			services.add(call.lookup.request(call.question).service);
		}
	};
	await slices.forEach(tasks, ({ questions }) => {
		for (const { question } of questions) add(question);
	});
	return services;
}

function isServiceName(name: string): name is ServiceName {
	return Object.hasOwn(BASE_URL_FIELDS, name);
}

import { type Cached, defineOperation, servicesOf } from '../../engine';
import { PRICE, tasksOf, workflow, yes } from '../fakes/fakeSend';
import { PAID_CHECK } from '../fakes/paidCheck';

const lookup = defineOperation<string>({
	...PAID_CHECK,
	request: (path) => ({ service: 'geoip', method: 'GET', path }),
});

/** The base URLs of an operation that asks two endpoints of its own, and looks each of its two questions up. */
async function servicesWith(facts: { credits?: () => typeof PRICE; free?: true }, cached: Cached) {
	const operation = workflow(async () => [yes()], {
		endpoints: ['GET main /ask', 'POST mcp /mcp (tools/call)'],
		lookups: (question) => [{ lookup, question }],
		...facts,
	});
	const tasks = tasksOf(operation, ['/a', '/b']);
	return [...(await servicesOf(operation, tasks, cached))];
}

const nothing: Cached = () => undefined;
const everything: Cached = () => ({ answer: yes(), response: {}, source: 'memory' });
const price = { credits: () => PRICE };

describe('the base URLs that have to answer before an operation spends anything', () => {
	test('belong to its endpoints and its lookups, if it has its own price', async () => {
		expect(await servicesWith(price, nothing)).toEqual(['main', 'mcp', 'geoip']);
	});

	test('belong to its lookups alone, if these are its price', async () => {
		expect(await servicesWith({}, nothing)).toEqual(['geoip']);
	});

	test('leave out lookups whose results are known', async () => {
		expect(await servicesWith(price, everything)).toEqual(['main', 'mcp']);
	});

	test('are none if it is free', async () => {
		expect(await servicesWith({ free: true }, nothing)).toEqual([]);
	});
});

import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { operations } from '../../../nodes/LookupMessaging/operations';
import {
	inputFieldsProperties,
	outputProperties,
	routingProperties,
} from '../../../nodes/LookupMessaging/editor/options';
import { storedResultsProperties } from '../../../nodes/LookupMessaging/editor/storedResults';
import type { AnyOperation } from '../../engine';
import { release, runNode } from '../../harness/n8n';
import { credentialsOf } from '../../harness/onSandbox';
import { resetTime } from '../../harness/time';
import { optionsOf, rightParameters } from '../../models/hostile/fields';
import { READ_TYPES, spellingsOf, unreadable } from '../../models/hostile/spellings';
import { startSandbox, type Sandbox } from '../../sandbox';
import { PRODUCTS } from '../../sandbox/types';
import { isFullRun } from '../fullRun';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

/** Every switch, number and choice that the node declares, written as expressions, models and imported workflows write them. */

const LONG_MS = 600_000;
/** Of the values of all parameters, one in so many; and all values of those that keep a run from spending or sending. */
const ONE_IN = isFullRun ? (release === '1.x' ? 11 : 3) : 120;
const IN_FULL = ['verify dryRun', 'sendMessage checkNumberFirst'];
/** With it a process remembers what was paid for, so equal runs send less. */
const REMEMBERS = /storedResults|maxAgeDays/;
interface Declared {
	operation: AnyOperation;
	property: INodeProperties;
	/** The collection of an option. */
	collection?: string;
}

const declared: Declared[] = operations.flatMap((operation) => {
	const parameters = [
		...operation.fields,
		...outputProperties(operation).filter(({ displayOptions }) => !displayOptions?.show?.['@tool']),
		...inputFieldsProperties(operation),
		...routingProperties(operation),
		...storedResultsProperties(operation),
	];
	const own = [
		...parameters.map((property) => ({ operation, property })),
		...optionsOf(operation).map(({ option: property, collection }) => ({
			...{ operation, property, collection },
		})),
	];
	return own.filter(({ property: { type } }) => READ_TYPES.includes(type));
});

const tries = declared.flatMap((one) => [
	...spellingsOf(one.property).flatMap(([value, spellings]) =>
		spellings.map((spelling) => ({
			...{ ...one, value, spelling },
			isReadable: true,
		})),
	),
	...unreadable(one.property).map((spelling) => ({
		...{ ...one, value: undefined, spelling, isReadable: false },
	})),
]);

describe(`declared parameters, n8n ${release}`, () => {
	let sandbox: Sandbox;
	let ids: IDataObject;

	beforeAll(async () => {
		sandbox = await startSandbox({ batchNumbersPerSecond: 0, auditSeconds: 0 });
		resetTime(() => {
			sandbox.finishBatches();
			sandbox.finishAudits();
		});
		const find = (resource: string, value: string) =>
			operations.filter((each) => each.resource === resource && each.value === value);
		const batch = await run(rightParameters(find('batch', 'submit')[0]));
		const audit = await run(rightParameters(find('audit', 'run')[0]));
		ids = { batchId: batch.items[0].batchId, auditId: audit.items[0].auditId };
		sandbox.finishBatches();
		sandbox.finishAudits();
	});
	afterAll(async () => await sandbox.close());

	async function run(parameters: IDataObject, ...values: unknown[]) {
		for (const product of PRODUCTS) sandbox.setBalance(sandbox.keys.main, product, 1_000_000);
		sandbox.clearLog();
		const node = await runNode({
			credentials: credentialsOf(sandbox),
			items: (values.length > 0 ? values : [undefined]).map((value) => ({
				json: { ...ids, v: value } as IDataObject,
				binary: { data: { data: 'aGVsbG8=', mimeType: 'text/plain', fileName: 'a.txt' } },
			})),
			parameters,
		});
		const requests = sandbox.log
			.map(({ method, path, query, body }) => JSON.stringify([method, path, query, body]))
			.map((text) =>
				text.replace(/[\da-f]{8}-[\da-f-]{27}|progressToken":\d+|"id":\d+|boundary\S*/g, ''),
			);
		const outputs = [0, 1, 2, 3, 4].map((output) => node.items(output).length);
		return {
			requests: [...new Set(requests)].sort(),
			outputs,
			error: node.error?.message,
			items: node.items().map(({ json }) => json),
		};
	}

	/** A right workflow in which the parameter is shown, and has a value. */
	function parametersWith(
		{ operation, property, collection }: Declared,
		value: unknown,
	): IDataObject {
		const right = rightParameters(operation);
		const { name, displayOptions: { show = {} } = {} } = property;
		const shown: IDataObject = {};
		for (const [other, values] of Object.entries(show)) {
			if (!other.startsWith('@')) shown[other.replace('/', '')] = values?.[0] as string;
		}
		return collection
			? { ...right, ...shown, [collection]: { [name]: value as string } }
			: { ...right, ...shown, [name]: value as string };
	}

	test('have every type, in every operation', () => {
		expect(new Set(declared.map(({ property: { type } }) => type))).toEqual(new Set(READ_TYPES));
		expect(new Set(declared.map(({ operation }) => operation)).size).toBe(operations.length);
		expect(tries.length).toBeGreaterThan(3_000);
	});

	test(
		'mean the same in every spelling; one without a meaning is refused and costs nothing',
		async () => {
			const findings: unknown[] = [];
			const references = new Map<string, Awaited<ReturnType<typeof run>>>();
			const isInFull = ({ operation, property }: Declared) =>
				IN_FULL.includes(`${operation.value} ${property.name}`);
			const chosen = tries.filter((one, index) => index % ONE_IN === 0 || isInFull(one));
			for (const { value, spelling, isReadable, ...one } of chosen) {
				const { operation, property } = one;
				const where = `${operation.resource}.${operation.value} ${property.name}`;
				// n8n makes text of an expression where none may be
				const written = property.noDataExpression ? spelling : '={{ $json.v }}';
				const given = await run(parametersWith(one, written), spelling);
				const tell = (what: string) =>
					findings.push([what, where, String(JSON.stringify(spelling)).slice(0, 60), given.error]);
				if (isReadable) {
					const key = `${where} ${JSON.stringify(value)}`;
					const reference = references.get(key) ?? (await run(parametersWith(one, value), value));
					references.set(key, reference);
					const seen = ({ requests, outputs }: typeof given) =>
						JSON.stringify([REMEMBERS.test(property.name) ? [] : requests, outputs]);
					// In another spelling n8n would hide the fields of a choice, so it is refused
					const isRefused = property.type === 'options' && given.requests.length === 0;
					if (seen(given) !== seen(reference) && !isRefused) tell('differs');
				} else if (given.requests.length > 0) {
					tell('sends');
				} else {
					const words = JSON.stringify([given.error, given.items]);
					if (!words.includes(property.displayName)) tell(`does not name the field: ${words}`);
					if (!/weren't charged/.test(words) && given.error) tell('does not say what it cost');
				}
			}
			expect(findings).toEqual([]);
		},
		LONG_MS,
	);

	test(
		'of a whole run are refused before any call when items give them different values',
		async () => {
			const findings: unknown[] = [];
			const ofRun = declared.filter(
				({ operation: { executesOnce, groupOption, options = [] }, ...one }) =>
					one.collection &&
					!executesOnce &&
					!one.property.noDataExpression &&
					(one.property.name === groupOption ||
						!options.some(({ name }) => name === one.property.name)),
			);
			for (const one of ofRun.filter(
				(_, index) => index % (isFullRun && release === '2.x' ? 1 : 8) === 0,
			)) {
				const { operation, property } = one;
				const values = spellingsOf(property).map(([value]) => value);
				const [first, second] = values.length > 1 ? values : [3, 4];
				const given = await run(parametersWith(one, '={{ $json.v }}'), first, second);
				const words = JSON.stringify([given.error, given.items]);
				if (given.requests.length > 0 || !words.includes(`${property.displayName} `)) {
					findings.push([operation.value, property.name, first, second, given.requests, words]);
				}
			}
			expect(findings).toEqual([]);
		},
		LONG_MS,
	);
});

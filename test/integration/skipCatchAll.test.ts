import type { IDataObject } from 'n8n-workflow';
import { magic } from '../sandbox';
import { AT_ONCE, release, type NodeRun } from '../harness/n8n';
import { leads, verifyEmail } from '../harness/parameters';
import { storiesOn, type Story } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const enrich = { ...verifyEmail, resource: 'contact', operation: 'enrich', lookups: ['email'] };
const domain = magic.EMAIL.catchAllDomain;
const ITEMS = leads(
	...[`ada@${domain}`, 'ada', `ben@${domain}`, 'ben', `ada@${domain}`],
	...[`cleo@${domain.toUpperCase()}`, 'no address@', 'lost'],
);
const LOST = { kind: 'resetAfterCharge', path: 'checkemail', contains: 'lost@' } as const;
const reason = `not looked up: ${domain} accepts every mailbox, as the lookup of another address showed`;
const SOURCES = [
	...['service', 'service', 'duplicate', 'service', 'duplicate', 'duplicate', 'local', 'failed'],
];
const options = { skipCatchAllDomains: true };

describe(`Skip Catch-All Domains, n8n ${release}`, () => {
	const on = storiesOn();
	const asked = () => on.calls('checkemail').map(({ query }) => String(query.email));
	const told: Story = { node: verifyEmail, options, items: ITEMS, faults: [LOST] };
	const skipped = { outcome: 'unknown', catchAll: true, verdict: null, reason };
	const sectionsOf = (run: NodeRun) => run.items().map(({ json }) => json.email as IDataObject);

	on.tell({
		'looks up one mailbox of such a domain, and returns its answer for the others': {
			...{ ...told, sources: SOURCES, links: [ITEMS.map((_, item) => item)] },
			item: {
				2: { ...skipped, email: `ben@${domain}` },
				5: { ...skipped, email: `cleo@${domain}` },
			},
			receipt: { calls: 4, duplicates: 3, open: 1 },
			also: () =>
				expect(asked().sort()).toEqual([
					...[`ada@${domain}`, 'ada@mail.example', 'ben@mail.example', 'lost@mail.example'],
				]),
		},
		'returns no row of New Results for a value that was not looked up': {
			...{ ...told, node: { ...verifyEmail, storedResults: true }, items: ITEMS.slice(0, 6) },
			also(run) {
				const keys = run.items(1).map(({ json }) => String(json.key).split('email=').pop());
				expect(run.items()).toHaveLength(6);
				expect(keys.sort()).toEqual(['ada@mail.example', 'ben@mail.example']);
			},
		},
		'looks up all of them otherwise': { ...told, options: {}, calls: 6 },
		'does the same for contacts': {
			...{ ...told, node: enrich, options: { ...options, [AT_ONCE]: 2 }, calls: 4 },
			...{ receipt: { calls: 4, duplicates: 3 }, item: { 2: { signals: { catchAll: true } } } },
			also(run) {
				expect(sectionsOf(run).map(({ source }) => source)).toEqual(SOURCES);
				expect(sectionsOf(run)[2]).toMatchObject({ catchAll: true, reason });
			},
		},
		'pays for none of them in a retry': {
			...{ ...told, options: { ...options, ifSomeItemsFail: 'stopNode', [AT_ONCE]: 1 }, tries: 2 },
			items: [...ITEMS.slice(0, 3), ...leads('wait')],
			faults: [{ kind: 'status', status: 401, path: 'checkemail', contains: 'wait@', times: 1 }],
			...{ status: 'success', outcomes: ['unknown', 'positive', 'unknown', 'positive'] },
			also: () =>
				expect(asked().filter((address) => address.endsWith(domain))).toEqual([`ada@${domain}`]),
		},
	});
});

import type { IDataObject } from 'n8n-workflow';
import { magic } from '../sandbox';
import { AT_ONCE, release, type NodeRun } from '../harness/n8n';
import { leads } from '../harness/parameters';
import { receiptOf } from '../harness/parseReceipt';
import { storiesOn, type Story } from '../harness/stories';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../harness/time')>('../harness/time').withoutWaiting(),
);

const enrich = {
	...{ resource: 'contact', operation: 'enrich', lookups: ['email', 'phone', 'whatsApp'] },
	...{ phoneNumber: '={{ $json.phone }}', email: '={{ $json.email }}' },
};
const stopAtFirstWorkingChannel = true;
const INVALID = '+1 555 010 0100';
const ADA = { phone: '+44 20 7946 0123', email: 'ada@mail.example' };
const CONTACTS = [
	ADA,
	{ ...ADA, phone: '+44 (0)20 7946-0123' },
	{ phone: INVALID, email: 'ben@mail.example' },
	{ phone: INVALID, email: `${magic.EMAIL.missing}.eve@mail.example` },
	...leads('ada'),
];

describe(`Stop at First Working Channel, n8n ${release}`, () => {
	const on = storiesOn();
	const sourcesOf = (run: NodeRun) =>
		run
			.items()
			.map(({ json }) =>
				['phone', 'email', 'whatsApp'].map(
					(section) => (json[section] as IDataObject | null)?.source ?? null,
				),
			);
	/** Where the phone, the email and the WhatsApp section of each contact come from. */
	const from = (...sources: Array<Array<string | null>>): Pick<Story, 'also'> => ({
		also: (run) => expect(sourcesOf(run)).toEqual(sources),
	});
	const told = { node: enrich, options: { stopAtFirstWorkingChannel }, items: CONTACTS };
	const ofLondon = { path: 'phonevalidation', contains: '7946' };

	it('makes no lookup after the first channel that works, and says what was saved', async () => {
		const all = { phonevalidation: 2, checkemail: 3, checkwanumber: 1 };
		const everything = receiptOf((await on.see({ ...told, options: {}, calls: all })).hints())!;
		on.service().clearLog();
		const run = await on.see({
			...{ ...told, options: { stopAtFirstWorkingChannel, [AT_ONCE]: 1 } },
			calls: { phonevalidation: 2, checkemail: 3 },
			outcomes: ['positive', 'positive', 'positive', 'negative', 'positive'],
			...from(
				['service', null, null],
				['duplicate', null, null],
				['service', 'service', 'local'],
				['duplicate', 'service', 'local'],
				[null, 'service', null],
			),
		});
		// The mailbox that the first contact did not need, another one did
		const { notNeeded, calls } = receiptOf(run.hints())!;
		expect([notNeeded, calls + notNeeded]).toEqual([1, everything.calls]);
	});

	on.tell({
		'is planned as if no channel worked': {
			...{ ...told, options: { stopAtFirstWorkingChannel, dryRun: true }, calls: 0 },
			item: { 0: { paidCallsAtMost: 7, creditsAtMost: { phone: 2, email: 3 } } },
		},
		'is refused by a limit as if no channel worked': {
			...{ ...told, options: { stopAtFirstWorkingChannel, maxPaidLookups: 6 }, calls: 0 },
			fails: /7 paid lookups/,
		},
		'continues with the next channel after a failed lookup': {
			...{ ...told, items: CONTACTS.slice(0, 3) },
			faults: [{ ...ofLondon, kind: 'resetAfterCharge' }],
			receipt: { failed: 1, open: 1, notNeeded: 1 },
			...from(
				['failed', 'service', null],
				['failed', 'duplicate', null],
				['service', 'service', 'local'],
			),
		},
	});
});

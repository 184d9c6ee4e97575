import type { IDataObject } from 'n8n-workflow';
import { magic } from '../sandbox';
import { runStored } from '../harness/storedResults';
import { AT_ONCE, release, type NodeRun } from '../harness/n8n';
import { leads, verifyEmail } from '../harness/parameters';
import { receiptOf } from '../harness/parseReceipt';
import { storiesOn } from '../harness/stories';

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

// Which lookups follow which: unit/catalog/waterfall
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
	const told = { node: enrich, options: { stopAtFirstWorkingChannel }, items: CONTACTS };

	it('makes no lookup after the first channel that works, and says what was saved', async () => {
		const all = { phonevalidation: 2, checkemail: 3, checkwanumber: 1 };
		const everything = receiptOf((await on.see({ ...told, options: {}, calls: all })).hints())!;
		on.service().clearLog();
		const run = await on.see({
			...{ ...told, options: { stopAtFirstWorkingChannel, [AT_ONCE]: 1 } },
			calls: { phonevalidation: 2, checkemail: 3 },
			outcomes: ['positive', 'positive', 'positive', 'negative', 'positive'],
		});
		expect(sourcesOf(run)).toEqual([
			['service', null, null],
			['duplicate', null, null],
			['service', 'service', 'local'],
			['duplicate', 'service', 'local'],
			[null, 'service', null],
		]);
		// The mailbox that the first contact did not need, another one did
		const { notNeeded, calls } = receiptOf(run.hints())!;
		expect([notNeeded, calls + notNeeded]).toEqual([1, everything.calls]);
	});

	it('begins with results of an earlier execution', async () => {
		const first = await runStored(verifyEmail, { credentials: on.credentials(), items: [ADA] });
		on.service().clearLog();
		const parameters = { ...enrich, options: { stopAtFirstWorkingChannel } };
		const run = await runStored(parameters, {
			credentials: on.credentials({ apiKey: on.service().keys.other }),
			items: [ADA, { ...ADA, email: 'other@mail.example' }, ADA],
			rows: first.items(1).map(({ json }) => json),
		});
		expect(sourcesOf(run)).toEqual([
			[null, 'stored', null],
			['service', null, null],
			[null, 'stored', null],
		]);
		expect(on.counts()).toEqual({ phonevalidation: 1 });
	});
});

import { operations, resources } from '../../nodes/LookupMessaging/operations';
import {
	CLASSES,
	COST,
	type ClassName,
	type FaultClass,
	type Kind,
} from '../../test/models/faults/faultClasses';
import { EXCEPTIONS, matches, type Exception } from '../../test/models/faults/classExceptions';
import { capitalised, ended } from '../../test/models/faults/expectedResults';
import { FAULTS, type Fault } from '../../test/models/faults/faultList';

/** docs/FAULTS.md, from the lists that the fault matrix holds every operation to. */
export function faultsPage(): string {
	const sections = (Object.keys(CLASSES) as ClassName[]).map((name) => section(name));
	return [INTRODUCTION, ...sections, exceptionsSection()].join('\n');
}

const INTRODUCTION = `# When a call goes wrong

Made by \`npm run generate\` from \`test/models/faults/\`. The fault matrix (\`npm run test:hostile\`) brings every one of these
faults about on the wire, for every operation, with n8n's On Error set to stop, to continue and to use the error output, on n8n
1.x and 2.x. It compares the calls that were sent, the credits that were taken and every word of the messages with this page.

What holds everywhere:

- **A paid call whose reply is lost is never sent again by itself.** The item says that it may have been charged.
- **A call that was certainly not charged** is sent again where that may help.
- **Ten first paid calls to an endpoint that all fail alike end the run,** whatever the class: the others are not sent. No more than
  ten go out before one is answered. Pages, posts and jobs that are gone do not count.
- **The others are answered.** A lookup that fails comes out as \`unknown\`, its \`source\` being \`failed\`, with the message as its
  \`reason\`; with On Error set to continue, as an error item. Operations that do something stop at the first failure unless On Error says otherwise.
- **The API key is in nothing that comes out,** also where the service repeats it.

Of several items, the message ends with the index of the item, such as "[item 1]". \`{host}\` stands for host and port, \`{value}\` and \`{encoded}\` for
the value that was asked about, \`{url}\` for a field of the credential. \`{prefix}\` is ", including its version prefix such
as /api/v1" for the Base URL and the Lookup URL, and ". It has no version prefix" for the others.
`;

function section(name: ClassName): string {
	const known = CLASSES[name];
	const faults = FAULTS.filter((fault) => fault.class === name);
	const isFailure = known.ending !== 'answered';
	return [
		`## ${known.title}`,
		'',
		known.happens,
		'',
		...(isFailure ? [table(['', 'A paid call', 'A free call'], treatment(known)), ''] : []),
		...(faults.length === 0
			? []
			: isFailure
				? [table(['Fault', 'The message begins', 'Charged'], faults.map(faultRow)), '']
				: [
						table(
							['Fault', 'Calls sent'],
							faults.map(({ name: fault }) => [fault, times(known.sent.paid)]),
						),
						'',
					]),
	].join('\n');
}

function treatment({ sent, remedy, cost, advice, adviceIfFree = advice }: FaultClass): string[][] {
	const says = (kind: 'free' | 'paid') =>
		[`${remedy[kind] ?? remedy.paid}.`, COST[cost[kind]]].join(' ');
	return [
		['Sent', times(sent.paid), freeTimes(sent)],
		['The message ends', says('paid'), says('free')],
		['What to do', advice, adviceIfFree],
	];
}

const times = (count: number) =>
	count === 0 ? 'does not arrive' : count === 1 ? 'once' : `${count} times`;

function freeTimes({ free, look }: Record<Kind, number>): string {
	return look === free ? times(free) : `${times(free)}; Batch, Get: ${times(look)}`;
}

function faultRow({ name, what = '', charged }: Fault): string[] {
	return [name, ended(capitalised(what)), charged ? 'yes' : 'no'];
}

function exceptionsSection(): string {
	return [
		'## Where an operation reads it otherwise',
		'',
		'While a node waits for a job that was paid for (Check Many Numbers, Run and Wait), a lost look and a look that was turned away',
		'are repeated until Max Wait is over; any failure names the job, and how to come back to it.',
		'',
		table(['Operation', 'Fault', 'What becomes of it', 'Why'], EXCEPTIONS.map(exceptionRow)),
		'',
	].join('\n');
}

function exceptionRow(exception: Exception): string[] {
	const { of, why } = exception;
	const faults = FAULTS.filter((fault) => matches(exception, fault)).map(({ name }) => name);
	return [of.map(inTheEditor).join('<br>'), faults.join('<br>'), instead(exception), why];
}

/** "Batch, Check Many Numbers (its looks)" for `batch.checkMany (its looks)`. */
function inTheEditor(of: string): string {
	const [name, ...variant] = of.split(' ');
	const [resource, value] = name.split('.');
	const operation = operations.find((each) => each.resource === resource && each.value === value);
	const shown = resources.find((each) => each.value === resource)?.name;
	return [`${shown}, ${operation?.name}`, ...variant].join(' ');
}

function instead({ class: name, what, cost, sent, isUntried }: Exception): string {
	if (isUntried) return 'Nothing of its own';
	const parts = [
		name && CLASSES[name].title,
		what && `"${ended(capitalised(what))}"`,
		cost && `"${COST[cost]}"`,
		sent && sent > 1 && `sent ${times(sent)}`,
	];
	return parts.filter(Boolean).join('; ');
}

function table(head: string[], rows: string[][]): string {
	const lines = [head, head.map(() => '---'), ...rows];
	return lines.map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n');
}

const escaped = (text: string) => text.replaceAll('|', '\\|');

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

/** test/models/faults/README.md, from the lists beside it, with which the fault matrix tests every operation. */
export function faultsPage(): string {
	const sections = (Object.keys(CLASSES) as ClassName[]).map((name) => section(name));
	return [INTRODUCTION, ...sections, exceptionsSection()].join('\n');
}

const INTRODUCTION = `# When a call goes wrong

What happens to an item, what its message says and what it costs, for every fault that a call can meet.

\`npm run generate\` makes this page from the lists beside it. The fault matrix (\`npm run test:hostile\`) causes each of these
faults on the wire, for every operation, with each of n8n's On Error settings, on n8n 1.x and 2.x. It compares the calls that were
sent, the credits that were charged and every word of the messages with this page.

These rules always hold:

- **The node never sends a paid call again by itself after its reply was lost.** The item says that the call may have been charged.
- **The node sends a call again only if it certainly wasn't charged,** and only where that can help.
- **The run ends when the first ten paid calls to an endpoint all fail in the same way,** whatever the fault. The node sends no more
  than ten before one is answered. Pages, posts and jobs that no longer exist don't count.
- **The other items are answered.** A failed lookup is returned as \`unknown\` with \`source\` set to \`failed\` and the message as
  its \`reason\`. With On Error set to continue, it is an error item. Operations that do something stop at the first
  failure unless On Error says otherwise.
- **The API key appears nowhere in the output,** even if the service repeats it.

If a run has several items, an error ends with the index of the item, such as "[item 1]". In the messages, \`{host}\` stands for host
and port, \`{value}\` and \`{encoded}\` for the value that was looked up, \`{url}\` for a field of the credential, and \`{credits}\` for the
balance. \`{prefix}\` is
", including its version prefix such as /api/v1" for the Base URL and the Lookup URL, and ". It has no version prefix" for the others.
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
	count === 0 ? "doesn't arrive" : count === 1 ? 'once' : `${count} times`;

function freeTimes({ free, look }: Record<Kind, number>): string {
	return look === free ? times(free) : `${times(free)}; Batch, Get: ${times(look)}`;
}

function faultRow({ name, what = '', charged }: Fault): string[] {
	return [name, ended(capitalised(what)), charged ? 'yes' : 'no'];
}

function exceptionsSection(): string {
	return [
		'## Where an operation differs',
		'',
		'While a node waits for a job that was paid for (Check Many Numbers, Run and Wait), it repeats a poll that was lost or turned away',
		'until Max Wait is over. Every failure names the job and says how to get its results.',
		'',
		table(['Operation', 'Fault', 'What happens instead', 'Why'], EXCEPTIONS.map(exceptionRow)),
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
	return [`${shown} → ${operation?.name}`, ...variant].join(' ');
}

function instead({ class: name, what, cost, sent, isUntried }: Exception): string {
	if (isUntried) return 'Looks the same as another fault';
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

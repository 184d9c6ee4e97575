import { operations } from '../../../nodes/LookupMessaging/operations';
import { startSandbox, type SandboxOptions } from '../../sandbox';
import { openWorld, performCell, type World } from '../../models/faults/runCell';
import { complaintsAbout } from '../../models/faults/cellMismatches';
import { isPossible, MODES, type Mode } from '../../models/faults/expectedResults';
import { FAULTS, type Fault } from '../../models/faults/faultList';
import { openHostilePorts, type HostilePorts } from '../../models/faults/brokenPorts';
import { nameOf, SUBJECTS, type Subject } from '../../models/faults/callsUnderTest';
import { captureLogs } from '../../harness/capturedLogs';
import { release } from '../../harness/n8n';
import { resetTime } from '../../harness/time';
import { tally, whole } from '../fullRun';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

type Cell = [subject: Subject, fault: Fault, mode: Mode];

const ALL: Cell[] = SUBJECTS.flatMap((subject) =>
	FAULTS.filter((fault) => isPossible(subject, fault)).flatMap((fault) =>
		modesOf(fault).map((mode): Cell => [subject, fault, mode]),
	),
);
const isQuick = ([, { isSlow, isHeavy }]: Cell) => !isSlow && !isHeavy;
/** Every so manieth cell, and a few that take their time; a prime, so that no fault and no setting is left out. */
const SLICE = 13;
const QUICK = ALL.filter(isQuick).filter((_, n) => whole || n % SLICE === 0);
const SLOW = ALL.filter(([, { isSlow }]) => isSlow).filter((_, n) => whole || n % 97 === 0);
const HEAVY = whole ? ALL.filter(([, { isHeavy }]) => isHeavy) : [];
/** How many slow cells run at a time: all that they do is to wait. */
const SLOW_AT_ONCE = 12;

/** Half of the cells have a key that is spelled otherwise in a URL, in JSON and in a header's neighbourhood. */
const ODD_KEY = 'sandbox-key k:e y/+=$,(x)\'~*!%41&@"<\\>';
const SERVICE: SandboxOptions = {
	batchNumbersPerSecond: 0,
	auditSeconds: 3600,
	toolServer: { responses: 'json' },
};

/** What is heavy is tried once. */
function modesOf({ isHeavy }: Fault): readonly Mode[] {
	return isHeavy ? ['continueRegularOutput'] : MODES;
}

describe(`every operation under every fault, n8n ${release}`, () => {
	const counts = { cells: 0, calls: 0, 'places searched for the key': 0, 'keys found': 0 };
	let ports: HostilePorts;
	let worlds: World[];

	beforeAll(async () => {
		ports = await openHostilePorts();
		const logs = captureLogs();
		const opened = Array.from(
			{ length: SLOW_AT_ONCE },
			async (_, n) => await startSandbox({ ...SERVICE, ...(n % 2 === 1 && { mainKey: ODD_KEY }) }),
		);
		worlds = (await Promise.all(opened)).map((sandbox) => openWorld(sandbox, ports, logs));
	});
	afterAll(async () => {
		await Promise.all(worlds.map(async ({ sandbox }) => await sandbox.close()));
		await ports.close();
		counts['places searched for the key'] = worlds.reduce(
			(sum, { keySearch }) => sum + keySearch.searched,
			0,
		);
		tally({ part: 'Fault matrix', release, counts });
	});

	const passTime = () =>
		resetTime(() => {
			for (const { finishJobs } of worlds) finishJobs();
		});

	async function complaintsIn(world: World, [subject, fault, mode]: Cell): Promise<string[]> {
		const seen = await performCell(world, subject, fault, mode);
		counts.cells += 1;
		counts.calls += seen.sent;
		counts['keys found'] += seen.leaks.length;
		const about = `${nameOf(subject)}, ${fault.name}, ${mode}`;
		return complaintsAbout(subject, fault, mode, seen).map((text) => `${about}: ${text}`);
	}

	it('has a line in test/models/faults/callsUnderTest.ts for every operation of the catalog', () => {
		const tried = new Set(SUBJECTS.map(({ of }) => of));
		const missing = operations.map(({ resource, value }) => `${resource}.${value}`);
		expect(missing.filter((name) => !tried.has(name))).toEqual([]);
	});

	it.each(SUBJECTS.map((subject) => [nameOf(subject), subject] as const))(
		'%s: sends, spends and says what docs/FAULTS.md says, and keeps the key to itself',
		async (_, subject) => {
			const complaints: string[] = [];
			for (const [n, cell] of [...QUICK, ...HEAVY].entries()) {
				if (cell[0] !== subject) continue;
				passTime();
				complaints.push(...(await complaintsIn(worlds[n % 2], cell)));
			}
			expect(complaints).toEqual([]);
		},
		600_000,
	);

	it('where the service says nothing, or too slowly: the same, within Timeout', async () => {
		passTime();
		const complaints: string[] = [];
		const open = [...SLOW];
		const work = worlds.map(async (world) => {
			for (let cell = open.shift(); cell; cell = open.shift()) {
				complaints.push(...(await complaintsIn(world, cell)));
			}
		});
		await Promise.all(work);
		expect(complaints).toEqual([]);
	}, 600_000);
});

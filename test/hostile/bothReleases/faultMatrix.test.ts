import { operations } from '../../../nodes/LookupMessaging/operations';
import { startSandbox, type SandboxOptions } from '../../sandbox';
import { prepareCells, runCell, type CellSetup } from '../../models/faults/runCell';
import { cellMismatches } from '../../models/faults/cellMismatches';
import { isPossible, MODES, type Mode } from '../../models/faults/expectedResults';
import { FAULTS, type Fault } from '../../models/faults/faultList';
import { openBrokenPorts, type BrokenPorts } from '../../models/faults/brokenPorts';
import { nameOf, CALLS_UNDER_TEST, type CallUnderTest } from '../../models/faults/callsUnderTest';
import { captureLogs } from '../../harness/capturedLogs';
import { release } from '../../harness/n8n';
import { expectOnlyE164 } from '../../harness/onSandbox';
import { resetTime } from '../../harness/time';
import { isFullRun } from '../fullRun';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof import('../../harness/time')>('../../harness/time').withoutWaiting(),
);

type Cell = [target: CallUnderTest, fault: Fault, mode: Mode];

const IS_WHOLE = isFullRun && release === '2.x';
/** The whole matrix has every call under every fault, and half of the calls under a heavy one. Each fault is tried with each of the three settings, with other calls. */
const ALL: Cell[] = CALLS_UNDER_TEST.flatMap((target, nth) =>
	FAULTS.filter((fault) => isPossible(target, fault)).flatMap((fault, at) =>
		modesOf(fault, nth + at).map((mode): Cell => [target, fault, mode]),
	),
);
const isQuick = ([, { isSlow, isHeavy }]: Cell) => !isSlow && !isHeavy;
/** One cell of so many, and fewer slow ones in a sample; no multiple of the three settings. */
const SLICE = IS_WHOLE ? 1 : isFullRun ? 7 : 13;
const SLOW_SLICE = isFullRun ? SLICE : 97;
const HEAVY_SLICE = IS_WHOLE ? 2 : SLICE;
const QUICK = ALL.filter(isQuick).filter((_, n) => n % SLICE === 0);
const SLOW = ALL.filter(([, { isSlow }]) => isSlow).filter((_, n) => n % SLOW_SLICE === 0);
const HEAVY = ALL.filter(([, { isHeavy }]) => isHeavy).filter(
	(_, n) => isFullRun && n % HEAVY_SLICE === 0,
);
/** How many slow cells run at a time. They only wait. */
const SLOW_AT_ONCE = 32;
/** Values of the option Timeout, in seconds. */
const TIMEOUT = { quick: 30, slow: 1, alone: 15 };

/**
 * Half of the cells use a key that is spelled differently in a URL, in JSON and in headers. Those that run at the same time have a key
 * each, so that none waits for the pace of another one at the port that does not answer.
 */
const PLAIN_KEY = 'sandbox-key-';
const ODD_KEY = 'sandbox-key k:e y/+=$,(x)\'~*!%41&@"<\\>';
const SERVICE: SandboxOptions = {
	batchNumbersPerSecond: 0,
	auditSeconds: 3600,
	toolServer: { responses: 'json' },
};

/** A heavy fault is tried in one mode only, and in the whole matrix any other one in one mode in turn. */
function modesOf({ isHeavy }: Fault, turn: number): readonly Mode[] {
	if (isHeavy) return ['continueRegularOutput'];
	return IS_WHOLE ? [MODES[turn % MODES.length]] : MODES;
}

describe(`every operation under every fault, n8n ${release}`, () => {
	let ports: BrokenPorts;
	let setups: CellSetup[];

	beforeAll(async () => {
		ports = await openBrokenPorts();
		const logs = captureLogs();
		const opened = Array.from(
			{ length: SLOW_AT_ONCE },
			async (_, n) =>
				await startSandbox({ ...SERVICE, mainKey: `${n % 2 ? ODD_KEY : PLAIN_KEY}${n}` }),
		);
		setups = (await Promise.all(opened)).map((sandbox) => prepareCells(sandbox, ports, logs));
	});
	afterAll(async () => {
		await Promise.all(setups.map(async ({ sandbox }) => await sandbox.close()));
		await ports.close();
	});
	expectOnlyE164(() => setups.map(({ sandbox }) => sandbox));

	const passTime = () =>
		resetTime(() => {
			for (const { finishJobs } of setups) finishJobs();
		});

	async function mismatchesOf(
		setup: CellSetup,
		[target, fault, mode]: Cell,
		timeout: number,
	): Promise<string[]> {
		const observed = await runCell(setup, target, fault, mode, timeout);
		const about = `${nameOf(target)}, ${fault.name}, ${mode}`;
		return cellMismatches(target, fault, mode, observed).map((text) => `${about}: ${text}`);
	}

	it('tries every operation of the catalog (test/models/faults/callsUnderTest.ts)', () => {
		const tried = new Set(CALLS_UNDER_TEST.map(({ of }) => of));
		const missing = operations.map(({ resource, value }) => `${resource}.${value}`);
		expect(missing.filter((name) => !tried.has(name))).toEqual([]);
	});

	it.each(CALLS_UNDER_TEST.map((target) => [nameOf(target), target] as const))(
		'%s: sends, spends and says what test/models/faults/README.md says, and keeps the key to itself',
		async (_, target) => {
			const mismatches: string[] = [];
			for (const [n, cell] of [...QUICK, ...HEAVY].entries()) {
				if (cell[0] !== target) continue;
				passTime();
				mismatches.push(...(await mismatchesOf(setups[n % 2], cell, TIMEOUT.quick)));
			}
			expect(mismatches).toEqual([]);
		},
		600_000,
	);

	it('does the same when the service does not answer, or answers too late for Timeout', async () => {
		passTime();
		const open = [...SLOW];
		const differing: Cell[] = [];
		const work = setups.map(async (setup) => {
			for (let cell = open.shift(); cell; cell = open.shift()) {
				const mismatches = await mismatchesOf(setup, cell, TIMEOUT.slow);
				if (mismatches.length > 0) differing.push(cell);
			}
		});
		await Promise.all(work);
		// On a busy machine an answer that was to arrive takes a second, too
		const mismatches: string[] = [];
		for (const cell of differing) {
			mismatches.push(...(await mismatchesOf(setups[0], cell, TIMEOUT.alone)));
		}
		expect(mismatches).toEqual([]);
	}, 600_000);
});

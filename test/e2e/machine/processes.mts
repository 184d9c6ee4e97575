import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Every process that this run started, so that none outlives it: each is the leader of a process group of its own, and
 * the group is ended by the ID that was kept, also after Ctrl+C, a failure or the end of the shell that started us.
 */
const running = new Set<Running>();
const cleanups = new Set<() => void>();

export interface Running {
	name: string;
	pid: number;
	/** Resolves when it has ended, for whatever reason. */
	ended: Promise<void>;
	/** Ends the whole group: as told, and by force when it takes its time. */
	stop(signal?: NodeJS.Signals): Promise<void>;
}

interface StartOptions {
	name: string;
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** File that takes what it prints. */
	log: string;
	/** How it is asked to end; Postgres wants SIGINT. */
	stopSignal?: NodeJS.Signals;
}

const GRACE_MS = 15_000;

export function start(command: string, args: string[], options: StartOptions): Running {
	const { name, cwd, env = process.env, log, stopSignal = 'SIGTERM' } = options;
	const output = createWriteStream(log, { flags: 'a' });
	const child = spawn(command, args, {
		cwd,
		env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	child.stdout.pipe(output, { end: false });
	child.stderr.pipe(output, { end: false });
	const one = keep(name, child, stopSignal);
	void one.ended.then(() => output.end());
	return one;
}

function keep(name: string, child: ChildProcess, stopSignal: NodeJS.Signals): Running {
	const ended = endOf(child);
	const one: Running = {
		...{ name, pid: child.pid ?? 0, ended },
		stop: (signal = stopSignal) => stopGroup(one, signal),
	};
	running.add(one);
	void ended.then(() => signalGroup(one, 0) || running.delete(one));
	return one;
}

/** Runs a command to its end and gives what it printed; throws with all of it when it fails. */
export async function run(
	command: string,
	args: string[],
	{ cwd, env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
	const child = spawn(command, args, {
		cwd,
		env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let [printed, complained] = ['', ''];
	child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
	keep(command, child, 'SIGTERM');
	const status = await new Promise((done, refuse) => {
		child.once('error', refuse);
		child.once('close', done);
	});
	if (status === 0) return printed;
	throw new Error(`${command} ${args.join(' ')} failed.\n${printed}${complained}`);
}

/** What has to be done before this process ends, however it ends; the function that is returned takes it back. */
export function atEnd(cleanup: () => void): () => void {
	cleanups.add(cleanup);
	return () => void cleanups.delete(cleanup);
}

export async function stopAll(): Promise<void> {
	await Promise.all([...running].map((one) => one.stop()));
}

/** Whether this process was told to end: what ends now was ended by us. */
export let isEnding = false;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const STARTER_POLL_MS = 500;

/** Call once, first: from here on the end of this process is the end of all that it started. */
export function endWithThisProcess(): void {
	const stop = (signal: NodeJS.Signals) => {
		if (isEnding) return;
		isEnding = true;
		console.error(`\n${signal}: stopping …`);
		void stopAll().finally(() => process.exit(128 + constants.signals[signal]));
	};
	for (const signal of SIGNALS) process.on(signal, stop);
	// npm passes a signal on to its shell only, and the shell to nobody
	const starter = process.ppid;
	setInterval(() => process.ppid !== starter && stop('SIGTERM'), STARTER_POLL_MS).unref();
	process.on('exit', () => {
		for (const one of running) signalGroup(one, 'SIGKILL');
		for (const cleanup of cleanups) cleanup();
	});
}

/** Whether there is a process of this ID. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

async function stopGroup(one: Running, signal: NodeJS.Signals): Promise<void> {
	signalGroup(one, signal);
	const deadline = Date.now() + GRACE_MS;
	while (signalGroup(one, 0) && Date.now() < deadline) await sleep(50);
	signalGroup(one, 'SIGKILL');
	await one.ended;
	running.delete(one);
}

/** @returns whether anybody was left to hear it */
function signalGroup({ pid }: Running, signal: NodeJS.Signals | 0): boolean {
	if (pid === 0) return false;
	try {
		process.kill(-pid, signal);
		return true;
	} catch {
		return false;
	}
}

async function endOf(child: ChildProcess): Promise<void> {
	await new Promise<void>((done) => {
		child.once('error', () => done());
		child.once('exit', () => done());
	});
}

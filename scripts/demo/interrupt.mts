import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const STARTER_POLL_MS = 500;

/** Turns the first request to end into an abort of the run; the second ends the program at once. */
export class Interrupt {
	private readonly controller = new AbortController();

	/** What the program ends with when it was interrupted, as shells have it. */
	exitCode?: number;

	constructor() {
		for (const signal of SIGNALS) process.on(signal, () => this.stop(signal));
		this.watchStarter();
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	private stop(signal: (typeof SIGNALS)[number]): void {
		const isSecond = this.exitCode !== undefined;
		this.exitCode ??= 128 + constants.signals[signal];
		if (isSecond) process.exit(this.exitCode);
		this.controller.abort();
	}

	/** npm passes a signal to its shell only, and the shell does not pass it on. So this watches for the end of the shell. */
	private watchStarter(): void {
		const shell = process.env.npm_lifecycle_event === 'start' ? parentOf(process.ppid) : undefined;
		if (shell === undefined || shell <= 1) return;
		const timer = setInterval(() => {
			if (isRunning(shell)) return;
			clearInterval(timer);
			if (this.exitCode === undefined) this.stop('SIGTERM');
		}, STARTER_POLL_MS);
		timer.unref();
	}
}

/** The process that started another one, where this system tells. */
function parentOf(pid: number): number | undefined {
	try {
		const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
		return Number(status.slice(status.lastIndexOf(')') + 1).split(' ')[2]);
	} catch {
		return process.platform === 'win32' ? undefined : parentByPs(pid);
	}
}

function parentByPs(pid: number): number | undefined {
	try {
		const found = execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
		return Number(found) || undefined;
	} catch {
		return undefined;
	}
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

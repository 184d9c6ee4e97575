/** A process that runs test files in the copy of the project, and is replaced when it hangs, ends or has grown. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** One test file, for one mutant, or for none to record which mutants it reaches. */
export interface Job {
	file: string;
	mutant?: number;
	/** The tests to run, by their places in the file; all when undefined. */
	only?: number[];
	usualMs?: number[];
	/** Whether to go on after the first failure. */
	nameAll?: boolean;
}

/** What a file reaches: mutants while it is loaded, and in each test, by its place in the file. */
export interface TestRecord {
	usualMs: number[];
	/** The tests that fail with every mutant off. */
	failed: number[];
	loaded: number[];
	inTests: number[][];
}

export interface Reply {
	/** The tests that failed, or that the process hung or ended. */
	failures: string[];
	ms: number;
	record?: TestRecord;
	rssMb: number;
}

/** Each test file leaves some memory behind. */
const RSS_LIMIT_MB = 1_800;
const JEST_START_MS = 300_000;

export class Worker {
	private child?: ChildProcess;
	private rssMb = 0;
	/** The test files of the project, known after `start`. */
	files: string[] = [];

	constructor(
		private readonly copy: string,
		private readonly project: string,
	) {}

	async start(): Promise<void> {
		this.stop();
		const args = ['--config', 'scripts/mutants/jest.config.js', '--selectProjects', this.project];
		this.child = fork('node_modules/jest/bin/jest.js', [...args, '--runInBand', '--silent'], {
			cwd: this.copy,
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
			execArgv: [],
			env: { ...process.env, CI: 'true', NODE_OPTIONS: '' },
		});
		const ready = await this.message<{ files: string[] }>(JEST_START_MS);
		if (typeof ready === 'string') throw new Error(`Jest ${ready} at its start`);
		this.files = ready.files;
		this.rssMb = 0;
	}

	async run(job: Job, limitMs: number): Promise<Reply> {
		if (!this.child || this.rssMb > RSS_LIMIT_MB) await this.start();
		this.child?.send(job);
		const reply = await this.message<Reply>(limitMs);
		if (typeof reply === 'string') {
			this.stop();
			return { failures: [`hung: the process ${reply}`], ms: limitMs, rssMb: 0 };
		}
		this.rssMb = reply.rssMb;
		return reply;
	}

	stop(): void {
		this.child?.kill('SIGKILL');
		this.child = undefined;
	}

	/** The next message, or why there is none. */
	private async message<T>(limitMs: number): Promise<T | 'hung' | 'ended'> {
		const { child } = this;
		if (!child) return 'ended';
		const end = new AbortController();
		const timer = setTimeout(() => end.abort('hung'), limitMs);
		const ended = () => end.abort('ended');
		child.once('exit', ended);
		try {
			const [message] = await once(child, 'message', { signal: end.signal });
			return message as T;
		} catch (error) {
			if (!end.signal.aborted) throw error;
			return end.signal.reason as 'hung' | 'ended';
		} finally {
			clearTimeout(timer);
			child.off('exit', ended);
		}
	}
}

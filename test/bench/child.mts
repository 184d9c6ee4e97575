/** Child processes that answer each message over Node's channel. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const TSX = ['--import', 'tsx'];

interface ChildOptions {
	/** Arguments of Node itself. */
	node?: string[];
	env?: NodeJS.ProcessEnv;
	/** A program in JavaScript, with nothing loaded before it. */
	isPlain?: boolean;
}

/** Starts a program of the benchmark; ends with this process. */
export function startChild(
	url: string,
	parameter: object,
	options: ChildOptions = {},
): ChildProcess {
	return fork(fileURLToPath(url), [JSON.stringify(parameter)], {
		execArgv: [...(options.node ?? []), ...(options.isPlain ? [] : TSX)],
		env: { ...process.env, ...options.env },
	});
}

/** The child's next message. Throws when the child ends first. */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
	const leave = new AbortController();
	const { signal } = leave;
	try {
		return await Promise.race([
			once(child, 'message', { signal }).then(([message]) => message as Message),
			once(child, 'exit', { signal }).then(([code]) => {
				throw new Error(`A process of the benchmark ended (${code})`);
			}),
		]);
	} finally {
		leave.abort();
	}
}

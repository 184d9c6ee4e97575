/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { ExecuteContext } from 'n8n-core';
import { LoggerProxy, type Logger } from 'n8n-workflow';

/** What was written while it was listened to. */
export interface Heard {
	/** To the console, and to standard output and error. */
	console: unknown[];
	/** By way of n8n's logger, at any level. */
	log: unknown[];
}

const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;
const STREAMS = ['stdout', 'stderr'] as const;

/** Listens to the console and n8n's logger until the end of the test file; what is heard is passed on to nobody. */
export function listen(): Heard {
	const heard: Heard = { console: [], log: [] };
	for (const method of METHODS) {
		jest.spyOn(console, method).mockImplementation((...said) => void heard.console.push(said));
	}
	for (const stream of STREAMS) {
		const { write } = process[stream];
		jest.spyOn(process[stream], 'write').mockImplementation(((...said: [string]) => {
			heard.console.push(said[0]);
			return write.apply(process[stream], said);
		}) as typeof write);
	}
	const note = (...said: unknown[]) => void heard.log.push(said);
	const logger: Logger = { debug: note, error: note, info: note, warn: note };
	LoggerProxy.init(logger);
	jest.spyOn(loggerHolder() as { logger: Logger }, 'logger', 'get').mockReturnValue(logger);
	return heard;
}

/** Where n8n's execution contexts have their logger, on either line. */
function loggerHolder(): object {
	let holder: object = ExecuteContext.prototype;
	while (!Object.hasOwn(holder, 'logger')) holder = Object.getPrototypeOf(holder) as object;
	return holder;
}

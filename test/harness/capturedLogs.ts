/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { ExecuteContext } from 'n8n-core';
import { LoggerProxy, type Logger } from 'n8n-workflow';

/** What was logged during the capture. */
export interface CapturedLogs {
	/** To the console, and to standard output and error. */
	console: unknown[];
	/** To n8n's logger, at any level. */
	log: unknown[];
	/** Those of them that n8n shows by default and that are no errors. */
	warnings: string[];
}

const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;
const STREAMS = ['stdout', 'stderr'] as const;

/** Captures the console and n8n's logger until the end of the test file. The console's text is not printed. */
export function captureLogs(): CapturedLogs {
	const logs: CapturedLogs = { console: [], log: [], warnings: [] };
	for (const method of METHODS) {
		jest.spyOn(console, method).mockImplementation((...args) => void logs.console.push(args));
	}
	for (const stream of STREAMS) {
		const { write } = process[stream];
		jest.spyOn(process[stream], 'write').mockImplementation(((...args: [string]) => {
			logs.console.push(args[0]);
			return write.apply(process[stream], args);
		}) as typeof write);
	}
	const record = (...args: unknown[]) => void logs.log.push(args);
	const warn: Logger['warn'] = (message, ...more) => {
		record(message, ...more);
		logs.warnings.push(message);
	};
	const logger: Logger = { debug: record, error: record, info: record, warn };
	LoggerProxy.init(logger);
	jest.spyOn(loggerHolder() as { logger: Logger }, 'logger', 'get').mockReturnValue(logger);
	return logs;
}

/** Where n8n's execution contexts have their logger, on either release. */
function loggerHolder(): object {
	let holder: object = ExecuteContext.prototype;
	while (!Object.hasOwn(holder, 'logger')) holder = Object.getPrototypeOf(holder) as object;
	return holder;
}

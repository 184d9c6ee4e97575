import {
	isFailed,
	type LookupCall,
	type LookupResult,
	type Operation,
	type Reading,
} from '../../engine';
import { workflow, yes } from './fakeSend';

/** The facts of a paid lookup whose question is a path; the reply says what it reads. One email credit. */
export const PAID_CHECK: Operation<string> = {
	...{ resource: 'test', value: 'check', name: 'Check', action: 'Check', description: 'Checks' },
	...{ fields: [], rules: {}, output: [], repeatable: true },
	prepare: ({ path }) => String(path),
	request: (path) => ({ service: 'main', method: 'GET', path }),
	credits: () => ({ balance: 'email', atMost: 1, charged: () => 1 }),
	read: (body) => body.reading as unknown as Reading,
};

/**
 * Looks up all paths of its question at once, those after a `>` after that, and needs none of those after `not`. It fails if all have
 * failed.
 */
export function contactOf(operationOf: (path: string) => Operation<unknown>) {
	const parse = (question: string) => {
		const [needed, skipped = ''] = question.split(/(?:^| )not /);
		const callsOf = (part: string): LookupCall[] =>
			part
				.split(' ')
				.filter(Boolean)
				.map((path) => ({ lookup: operationOf(path), question: path }));
		return { parts: needed.split(' > ').map(callsOf), skipped: callsOf(skipped) };
	};
	return workflow(
		async ([question], client) => {
			const { parts, skipped } = parse(question);
			const results: LookupResult[] = [];
			for (const part of parts) {
				const made = part.map(async (call) => await client.lookUp(call.lookup, call.question));
				results.push(...(await Promise.all(made)));
			}
			client.skip(skipped);
			const failed = results.find(isFailed);
			if (failed && results.every(isFailed)) return [failed];
			const sources = results.map((each) => (isFailed(each) ? each.failure.cause : each.source));
			const records = results.map((each) => (isFailed(each) ? null : each.answer.record));
			return [yes({ sources, records })];
		},
		{ lookups: (question) => parse(question).parts.flat() },
	);
}

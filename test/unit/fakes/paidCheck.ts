import type { Operation, Reading } from '../../engine';

/** The facts of a paid lookup whose question is a path; the reply says what it reads. One email credit. */
export const PAID_CHECK: Operation<string> = {
	...{ resource: 'test', value: 'check', name: 'Check', action: 'Check', description: 'Checks' },
	...{ fields: [], rules: {}, output: [], repeatable: true },
	prepare: ({ path }) => String(path),
	request: (path) => ({ service: 'main', method: 'GET', path }),
	credits: () => ({ balance: 'email', atMost: 1, charged: () => 1 }),
	read: (body) => body.reading as unknown as Reading,
};

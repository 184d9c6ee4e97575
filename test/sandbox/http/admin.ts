import type { FastifyInstance } from 'fastify';

import type { CallPace, FaultRule, Product, Sandbox } from '../types';

/** Where a standalone sandbox is steered from, on the main host; requests to it are never logged. */
export const ADMIN_PREFIX = '/_sandbox/';

interface BalanceChange {
	key: string;
	product: Product;
	credits: number;
}

interface BatchSpeed {
	numbersPerSecond: number;
}

/** The admin routes: the programmatic contract over HTTP. What the sandbox refuses comes back as 400 with its text. */
export function addAdminRoutes(app: FastifyInstance, sandbox: Sandbox) {
	const done = { ok: true };

	app.register(
		async (admin) => {
			admin.setErrorHandler((error: Error, _request, reply) =>
				reply.code(400).send({ ok: false, error: error.message }),
			);
			admin.get('/info', async () => ({ roots: sandbox.roots, keys: sandbox.keys }));
			admin.get('/log', async () => sandbox.log);
			admin.get('/loose-numbers', async () => sandbox.looseNumbers());
			admin.get('/ledger', async () => accountSummaries(sandbox));
			admin.get('/messages', async () => byKey(sandbox, (key) => sandbox.messages(key)));
			admin.post('/finish-batches', async () => {
				sandbox.finishBatches();
				return done;
			});
			admin.post('/finish-audits', async () => {
				sandbox.finishAudits();
				return done;
			});
			admin.post<{ Body: BatchSpeed }>('/batch-speed', async ({ body }) => {
				sandbox.setBatchSpeed(body.numbersPerSecond);
				return done;
			});
			admin.post<{ Body: CallPace }>('/pace', async ({ body }) => {
				sandbox.setPace(body);
				return done;
			});
			admin.delete('/pace', async () => {
				sandbox.setPace(undefined);
				return done;
			});
			admin.post('/reset', async () => {
				sandbox.reset();
				return done;
			});
			admin.post<{ Body: FaultRule }>('/faults', async ({ body }) => {
				sandbox.fault(body);
				return done;
			});
			admin.delete('/faults', async () => {
				sandbox.clearFaults();
				return done;
			});
			admin.post<{ Body: BalanceChange }>('/balance', async ({ body }) => {
				sandbox.setBalance(body.key, body.product, body.credits);
				return done;
			});
		},
		{ prefix: ADMIN_PREFIX.replace(/\/$/, '') },
	);
}

const accountSummaries = (sandbox: Sandbox) =>
	byKey(sandbox, (key) => ({
		balances: sandbox.balances(key),
		spent: sandbox.spent(key),
		debits: sandbox.debits(key),
	}));

const byKey = <Value>(sandbox: Sandbox, of: (key: string) => Value) =>
	Object.fromEntries(Object.values(sandbox.keys).map((key) => [key, of(key)]));

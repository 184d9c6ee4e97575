import type { IDataObject } from 'n8n-workflow';
import { notSent, type Failure } from './failure';
import { isRefusal, type Answer, type AnyOperation } from './operation';
import type { PlannedCall } from './plan';
import { runBounded } from './pool';
import type { Settings } from './settings';
import type { Reply, Transport } from './transport';

/** What became of a call. */
export type Settlement =
	| { kind: 'answer'; answer: Answer; body: IDataObject }
	| { kind: 'failure'; failure: Failure };

/**
 * Makes the planned calls, bounded, and settles each exactly once. After a refusal of the account no further call is
 * started, and where the user wants the node to stop, none after any failure; what is under way runs to its end.
 */
export async function performCalls(
	operation: AnyOperation,
	calls: PlannedCall[],
	transport: Transport,
	settings: Settings,
): Promise<Map<PlannedCall, Settlement>> {
	const settlements = new Map<PlannedCall, Settlement>();
	let stopper: Failure | undefined;

	await runBounded(calls, settings.maxConcurrentRequests, async (call) => {
		if (stopper) {
			settlements.set(call, failed(notSent(stopper)));
			return;
		}
		const reply = await transport.send(call.request, settings.timeoutMs);
		const settlement = settle(operation, call, reply);
		settlements.set(call, settlement);
		if (settlement.kind === 'answer') return;
		if (settings.onFailure === 'stop' || settlement.failure.scope === 'account') {
			stopper ??= settlement.failure;
		}
	});
	return settlements;
}

/** Turns a reply into an answer or a failure. */
export function settle(operation: AnyOperation, call: PlannedCall, reply: Reply): Settlement {
	switch (reply.kind) {
		case 'ok':
		case 'refused':
			return judge(operation, call, reply);
		case 'cancelled':
			return failed(notSent({ reason: 'the execution was stopped', scope: 'account' }));
		case 'misconfigured':
			return failed({ cause: 'misconfigured', reason: reply.reason, scope: 'account' });
		case 'lost':
		case 'throttled':
		case 'unreachable':
			return failed({
				cause: reply.kind,
				reason: reply.reason,
				scope: 'question',
				...('status' in reply && { status: reply.status }),
			});
	}
}

/**
 * Lets the operation read the body. Under an HTTP error a body can still say no ("invalid number"), but it never counts
 * as a yes or a don't-know.
 */
function judge(
	operation: AnyOperation,
	call: PlannedCall,
	reply: Extract<Reply, { kind: 'ok' | 'refused' }>,
): Settlement {
	const { status, body } = reply;
	if (body && !isRedirect(status)) {
		const reading = operation.read(body, status, call.question);
		if (isRefusal(reading)) {
			const reason = `the service refused the request: ${reading.reason}`;
			return failed({ cause: 'refused', reason, scope: reading.refused, status });
		}
		if (reply.kind === 'ok' || reading.outcome === 'negative') {
			return { kind: 'answer', answer: reading, body };
		}
	}
	const reason = isRedirect(status)
		? `the service redirects elsewhere (HTTP ${status})`
		: `the service refused the request (HTTP ${status})`;
	const scope = isRedirect(status) || ACCOUNT_STATUSES.has(status) ? 'account' : 'question';
	return failed({ cause: 'refused', reason, scope, status });
}

/** HTTP statuses that speak of the account whatever the body: 401 and 402 (SPEC §7, email). */
const ACCOUNT_STATUSES = new Set([401, 402]);

function isRedirect(status: number): boolean {
	return status >= 300 && status < 400;
}

function failed(failure: Failure): Settlement {
	return { kind: 'failure', failure };
}

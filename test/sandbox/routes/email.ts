import { deliverable, judgeEmail } from '../answers/emailVerdict';
import { answered, paidLookup, refused, refusedAlways } from '../http/endpoint';
import { familyA } from '../http/familyA';

/**
 * GET /checkemail (SPEC §2.6, §4.2): 1 email credit per completed check, invalid syntax and undeliverable included;
 * an inconclusive check takes the credit and gives it back. SPEC §7 states the status of its errors.
 */
export const checkEmail = familyA(
	'checkemail',
	paidLookup({
		product: 'email',
		parameter: 'email',
		badKey: () => refusedAlways(401, { status: false, error: 'Invalid API key.' }),
		missing: (parameter, account) =>
			refused(400, {
				balance: account.balances.email,
				status: false,
				error: `${parameter} is required.`,
			}),
		noCredits: () => refusedAlways(402, { balance: 0, status: false, error: 'Please recharge' }),
		find: judgeEmail,
		conclude: (finding, email, call) => {
			call.charge('email', 1, email);
			const inconclusive = finding.kind === 'inconclusive';
			const seen = `${call.account.key} ${email}`;
			const { inconclusiveOnce } = call.state;
			if (inconclusive && !(finding.onlyOnce && inconclusiveOnce.has(seen))) {
				inconclusiveOnce.add(seen);
				call.charge('email', -1, email);
				return answered({
					balance: call.account.balances.email,
					status: false,
					error: 'Service temporarily unavailable, please try again.',
					reason_code: 'network_timeout',
				});
			}
			const { kind, ...fields } = inconclusive ? deliverable : finding;
			if (kind === 'declared') return answered({ status: true, email, ...fields });
			return answered({ balance: call.account.balances.email, status: true, email, ...fields });
		},
	}),
);

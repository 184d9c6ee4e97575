import { auditBody, summaryBody } from '../jobs/auditReport';
import type { Audit, AuditRequest, Audits } from '../jobs/audits';
import { answered, paidLookup, read, type Call, type Endpoint, type Reply } from '../http/endpoint';
import { familyA, familyAError, familyARefusals, MAIN } from '../http/familyA';

const refusals = familyARefusals('audit');

/**
 * POST /audit_run (SPEC §2.1, §4.1): an AuditRunRequest as JSON, the key in the query.
 * Cost not stated; the sandbox takes 1 audit credit per run.
 */
export const runAudit: Endpoint = {
	host: 'main',
	methods: ['POST'],
	path: `${MAIN}/audit_run`,
	answer: paidLookup({
		product: 'audit',
		parameter: 'brand_name',
		...refusals,
		malformed: (_brandName, call) => faultOf(call),
		find: (brandName, call): AuditRequest => ({
			brandName,
			brandUrl: read(call, 'brand_url') ?? '',
			competitors: (call.json?.competitors ?? []) as string[],
		}),
		conclude: (request, brandName, call) => {
			call.charge('audit', 1, brandName);
			const { id } = call.state.audits.start(call.account.key, request);
			return answered({ status: true, audit_id: id });
		},
	}),
};

function faultOf(call: Call): Reply | undefined {
	const url = read(call, 'brand_url');
	if (url === undefined) return refusals.missing('brand_url');
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
		return familyAError(400, 'brand_url must be a full URL.');
	}
	const competitors = call.json?.competitors ?? [];
	const areNames =
		Array.isArray(competitors) && competitors.every((name) => typeof name === 'string');
	return areNames ? undefined : familyAError(400, 'competitors must be an array of strings.');
}

/** A free GET about one audit of the key's account (SPEC §4.1). Cost not stated. */
const aboutAudit = (name: string, body: (audit: Audit, audits: Audits) => object) =>
	familyA(name, (call) => {
		const { accounts, audits } = call.state;
		const account = accounts.find(call.key);
		if (!account) return refusals.badKey();
		const id = read(call, 'audit_id');
		if (id === undefined) return refusals.missing('audit_id');
		const audit = audits.find(account.key, id);
		return audit ? answered(body(audit, audits)) : familyAError(404, 'Audit not found.');
	});

export const getAudit = aboutAudit('audit', auditBody);

export const getAuditSummary = aboutAudit('audit_summary', summaryBody);

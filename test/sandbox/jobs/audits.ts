import { randomUUID } from 'node:crypto';

import { AUDIT } from '../answers/magicInputs';

/** What is audited (SPEC §2.1, AuditRunRequest). */
export interface AuditRequest {
	brandName: string;
	brandUrl: string;
	competitors: string[];
}

export interface Audit {
	id: string;
	/** The key that started it. */
	owner: string;
	request: AuditRequest;
	at: number;
	/** Told to finish, whatever the clock says. */
	isHurried: boolean;
}

/** SPEC §3.3 shows no states; these are the sandbox's. */
type AuditState = 'pending' | 'running' | 'completed' | 'failed';

/** How far an audit has to be before it counts as running. */
const RUNNING_FROM_PERCENT = 25;

/** The audits of all accounts. They progress with time; the progress is computed when a request asks for it. */
export class Audits {
	private audits = new Map<string, Audit>();

	constructor(
		private readonly seconds: number,
		private readonly now: () => number = () => Date.now(),
	) {}

	start(owner: string, request: AuditRequest): Audit {
		const audit = { id: randomUUID(), owner, request, at: this.now(), isHurried: false };
		this.audits.set(audit.id, audit);
		return audit;
	}

	/** The audit of that ID when that key started it. */
	find(owner: string, id: string): Audit | undefined {
		const audit = this.audits.get(id);
		return audit?.owner === owner ? audit : undefined;
	}

	/** The audits of a key, newest first. */
	of(owner: string): Audit[] {
		return [...this.audits.values()].filter((audit) => audit.owner === owner).reverse();
	}

	/** Whole percent, 0 to 100. */
	progress({ at, isHurried }: Audit): number {
		if (isHurried || this.seconds <= 0) return 100;
		return Math.min(100, Math.floor((this.now() - at) / (this.seconds * 10)));
	}

	stateOf(audit: Audit): AuditState {
		const percent = this.progress(audit);
		if (percent < RUNNING_FROM_PERCENT) return 'pending';
		if (percent < 100) return 'running';
		return isBrand(audit, AUDIT.failingBrand) ? 'failed' : 'completed';
	}

	finishAll() {
		for (const audit of this.audits.values()) audit.isHurried = true;
	}

	reset() {
		this.audits.clear();
	}
}

export const isBrand = ({ request }: Audit, brand: string) =>
	request.brandName.toLowerCase() === brand.toLowerCase();

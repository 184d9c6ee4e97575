import { PHONE } from './magicInputs';

/** Who answers a number: invented by rule, so that every test can tell in advance (test/sandbox/README.md). */
export interface Subscriber {
	/** Registered on WhatsApp: the last digit is 1 to 7. */
	whatsApp: boolean;
	/** A WhatsApp Business account: the last digit is 7. */
	business: boolean;
	/** The registered name; null when the last digit but one is 9. */
	name: string | null;
}

const byNumber: Record<string, Partial<Subscriber>> = {
	[PHONE.noName]: { name: null },
	[PHONE.onWhatsApp]: { whatsApp: true, business: false },
	[PHONE.notOnWhatsApp]: { whatsApp: false, business: false },
	[PHONE.whatsAppBusiness]: { whatsApp: true, business: true },
};

/** The subscriber of a number in E.164. */
export function subscriberOf(e164: string): Subscriber {
	const last = Number(e164.at(-1));
	return {
		whatsApp: last >= 1 && last <= 7,
		business: last === 7,
		name: e164.at(-2) === '9' ? null : `Sandbox Subscriber ${e164.slice(-4)}`,
		...byNumber[e164],
	};
}

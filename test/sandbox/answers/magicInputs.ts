/**
 * Magic inputs: questions whose answer is fixed, in the manner of a payment provider's test cards.
 * test/sandbox/README.md lists each with its effect.
 *
 * The phone numbers lie in +1 202 555 0100–0199, which the North American plan keeps for fiction and which the
 * numbering data accepts as valid. The IP addresses have to be public ones, since reserved ones never resolve.
 */

import type { SandboxKeys, SandboxOptions } from '../types';

/** The three accounts. */
export const KEYS = {
	main: 'sandbox-key-main',
	other: 'sandbox-key-other',
	empty: 'sandbox-key-empty',
} as const;

/** The keys of a sandbox. */
export const keysOf = ({ mainKey = KEYS.main }: SandboxOptions): SandboxKeys => ({
	...KEYS,
	main: mainKey,
});

/** Credits per product of the accounts that have any. */
export const RICH_BALANCE = 1_000_000;

/** Phone numbers, as E.164. */
export const PHONE = {
	/** Caller ID: valid, but no registered name. */
	noName: '+12025550100',
	/** Caller ID: the lookup itself fails. */
	callerLookupFails: '+12025550101',
	/** WhatsApp: registered, personal account. */
	onWhatsApp: '+12025550102',
	/** WhatsApp: not registered. */
	notOnWhatsApp: '+12025550103',
	/** WhatsApp: registered, business account. */
	whatsAppBusiness: '+12025550104',
	/** WhatsApp: the check itself fails and is not charged. */
	whatsAppFails: '+12025550105',
	/** Batch: the row fails, as that of `whatsAppFails` does. */
	batchRowFails: '+12025550106',
	/** Batch: no row is ever returned, though the batch completes. */
	batchRowLost: '+12025550107',
	/** Batch: completed, but without a `wa_status`. */
	batchRowWordless: '+12025550108',
	/** Batch: `VALID_CONFIRMED`, but without an active WhatsApp account. */
	batchRowInactive: '+12025550109',
	/** Sending: the recipient is refused; not charged. */
	sendRefused: '+12025550110',
} as const;

/** Starts of an email address's local part, unless noted. Compared without regard to case. */
export const EMAIL = {
	/** undeliverable, mailbox_not_found. */
	missing: 'missing',
	/** Inconclusive and refunded, every time. */
	timeout: 'timeout',
	/** Inconclusive and refunded at the account's first question about the address, answered after that. */
	timeoutOnce: 'timeout-once',
	/** unknown with a reason outside SPEC's examples: the list of reasons is open-ended. */
	greylisted: 'greylisted',
	/** Answered in Family A's declared shape (SPEC §2.1). */
	declared: 'declared',
	declaredMissing: 'declared-missing',
	declaredDisposable: 'declared-disposable',
	/** A domain: every mailbox is unknown, catch_all. */
	catchAllDomain: 'catch-all.example',
} as const;

/** IP addresses in canonical form. */
export const IP = {
	/** Public, but known to no one. */
	unresolved: ['9.9.9.9', '2620:fe::fe'],
	/** Resolved to a country, with nothing below it known. */
	countryOnly: ['1.1.1.1', '2606:4700:4700::1111'],
};

/** Parts of a scraper query or of a post's URL. Compared without regard to case. */
export const SCRAPER = {
	/** A search without results, a post without comments. */
	nothing: 'no-results',
	/** As many as `MANY`: results, or comments of a post. */
	many: 'many-results',
	/** The platform cannot be reached; not charged. */
	fails: 'upstream-failure',
} as const;

/** How many results the query of the many kind has. */
export const MANY = 250;

/** Brand names. Compared without regard to case. */
export const AUDIT = {
	/** The audit ends `failed`. */
	failingBrand: 'Failing Brand',
	/** The finished body has no status word at all. */
	wordlessBrand: 'Wordless Brand',
} as const;

/** Arguments of tools. */
export const TOOL = {
	/** `get_audit_summary`: an image instead of text. */
	imageAudit: 'sandbox-image',
} as const;

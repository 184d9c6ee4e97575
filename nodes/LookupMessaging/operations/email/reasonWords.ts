import { quote } from '../../engine/plan/values';

/** What the codes of SPEC §2.6 mean, as clauses, and one that mail servers often cause. */
const MEANINGS: Record<string, string> = {
	catch_all:
		"the mail server accepts every address (catch-all), so it isn't known whether this mailbox exists",
	greylisted: 'the mail server turns unknown senders away for a while. Look it up again later',
	invalid_syntax: "the address isn't valid",
	mailbox_accepted: 'the mail server accepts the mailbox',
	mailbox_not_found: "the mailbox doesn't exist",
	network_timeout: "the mail server didn't answer in time",
};

/** A reason code as a clause. The list of codes is open, so any other one is quoted without its underscores. */
export function reasonInWords(code: string): string {
	const key = isCatchAll(code) ? 'catch_all' : code.trim().toLowerCase();
	if (Object.hasOwn(MEANINGS, key)) return MEANINGS[key];
	return `the service's reason is ${quote(code.replace(/_+/g, ' ').trim())}`;
}

/** The server takes every mailbox (SPEC §2.6), in the words of other services too. */
export function isCatchAll(code: unknown): boolean {
	return typeof code === 'string' && /^\W*(?:catch|accept)[\W_]*all/i.test(code);
}

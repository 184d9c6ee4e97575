import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../engine/plan/values';

/**
 * Which tools cost nothing. SPEC §4.3: get_balance, and tools for batch and audit polling and listings; it names only the first.
 * So the name and the arguments decide. In doubt a tool costs, because an unanswered call of a free one is repeated.
 */

const BALANCE = 'get_balance';
/** list_batches, list_whatsapp_batches, list_audits. */
const LISTING = /^list_(?:(?!and_|or_|then_)[a-z]+_)*(?:batches|audits)$/;
/** The usual names of the tools that list all jobs of a kind. */
const USUAL_LISTING = { audit: /^list_audits$/, batch: /^list_(?:whatsapp_)?batches$/ };
/** Names without a word that may narrow the list, as in list_failed_batches. */
const WHOLE_LISTING = {
	audit: /^list_(?:(?:account|all|brand|my)_)*audits$/,
	batch: /^list_(?:(?:account|all|my|whatsapp)_)*batches$/,
};
/** get_batch, get_audit_summary, poll_whatsapp_batch, batch_status: about one job, so its ID is among the arguments. */
const POLL =
	/^(?:(?:get|poll)_(?:[a-z]+_)?(?:audit|batch)(?:_(?:progress|results?|status|summary))?|(?:[a-z]+_)?(?:audit|batch)_status)$/;
const ID = /^(?:[a-z]+_)?id$/;
/** Longer names match no pattern. */
const LONGEST = 64;

/** Whether a call certainly costs nothing. The content of a list or an object may have to be paid for. */
export function isFreeCall(tool: string, args: IDataObject): boolean {
	const name = inSnakeCase(tool);
	if (Object.values(args).some((value) => isObject(value) || Array.isArray(value))) return false;
	if (name === BALANCE || LISTING.test(name)) return true;
	return POLL.test(name) && Object.keys(args).some((argument) => ID.test(inSnakeCase(argument)));
}

/** The tools that list all jobs of one kind, by their names. Only a single match is certain. */
export function listingsOf(noun: 'audit' | 'batch', tools: string[]): string[] {
	const ending = noun === 'batch' ? '_batches' : '_audits';
	const listings = tools.filter((tool) => {
		const name = inSnakeCase(tool);
		return LISTING.test(name) && name.endsWith(ending);
	});
	const usual = listings.filter((tool) => USUAL_LISTING[noun].test(inSnakeCase(tool)));
	if (usual.length > 0) return usual;
	const [only, ...others] = listings;
	if (only === undefined || others.length > 0) return listings;
	return WHOLE_LISTING[noun].test(inSnakeCase(only)) ? [only] : [];
}

function inSnakeCase(name: string): string {
	if (name.length > LONGEST) return '';
	return name
		.replace(/([a-z\d])([A-Z])/g, '$1_$2')
		.replace(/-/g, '_')
		.toLowerCase();
}

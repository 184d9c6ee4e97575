import type { Account, Credits } from '../../nodes/LookupMessaging/engine/client';
import type { AnyOperation } from '../../nodes/LookupMessaging/engine/operation';
import { SHOWN_BALANCES } from '../../nodes/LookupMessaging/operations/account/balances';

/** What an operation costs its user, in words, from its declaration. */

/** Whether its answers, and their price, are those of its lookups. */
export function answersByLookups({ credits, free }: AnyOperation): boolean {
	return !credits && !free;
}

/** The name of a tool does not tell which balance it takes credits from. */
const TOOLS = 'tool server';
const NAMES: Partial<Record<Account, string>> = {
	callerinfo: 'caller ID',
	geoip: 'GeoIP',
	whatsapp: 'WhatsApp',
};

/** Sentences. */
export function costOf(operation: AnyOperation): string {
	if (answersByLookups(operation)) {
		return 'The sum of its lookups. Each costs as much as on its own, and an empty field costs nothing.';
	}
	return [...prices(operation), sharing(operation)].filter((words) => words !== '').join(' ');
}

function prices(operation: AnyOperation): string[] {
	const { credits, free } = operation;
	if (free || !credits) return ['Nothing.'];
	const given = Object.fromEntries(
		operation.fields.map(({ name, placeholder, default: preset }) => [
			name,
			placeholder?.slice(5) ?? preset,
		]),
	);
	const [detailed, basic] = ['detailed', 'basic'].map((responseDetail) =>
		credits(operation.prepare({ ...given, responseDetail })),
	);
	const [first, second] = [price(detailed, operation), price(basic, operation)];
	const words = first === second ? `${first}.` : `With Detailed, ${first}. With Basic, ${second}.`;
	const isHidden = detailed && detailed.balance !== TOOLS && !isShown(detailed.balance);
	return [
		words.replace(/^./, (letter) => letter.toUpperCase()),
		isHidden ? "Get Balance doesn't show these credits." : '',
	];
}

function price(credits: Credits | undefined, operation: AnyOperation): string {
	if (!credits) return 'nothing';
	const { [credits.balance]: name = credits.balance } = NAMES;
	if (credits.balance === TOOLS) return 'the price of the lookup behind the tool';
	if (!('charged' in credits)) {
		return isShown(credits.balance)
			? `${name} credits, at the price that your provider sets`
			: 'the price that your provider sets';
	}
	const per = 'run' in operation && (operation.questionsPerTask ?? 1) > 1 ? 'number' : 'lookup';
	return `up to ${credits.atMost} ${name} credit per ${per}`;
}

function isShown(account: Account): boolean {
	return SHOWN_BALANCES.some(({ balance }) => balance === account);
}

function sharing(operation: AnyOperation): string {
	if (operation.executesOnce) return 'Runs once for all items.';
	if (operation.free || operation.repeatable) return '';
	const isOnce = 'run' in operation && operation.asksOnce;
	return isOnce ? '' : 'Each item makes its own call.';
}

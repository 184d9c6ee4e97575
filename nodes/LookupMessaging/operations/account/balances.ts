import type { IDataObject } from 'n8n-workflow';
import type { Balance, Endpoint } from '../../engine/client';
import type { Refusal } from '../../engine/results';
import type { DecisionTable, Told } from '../../engine/operation';
import { numberIn } from '../../engine/plan/values';
import { refused } from '../../engine/refusals/refusal';
import { FAILS, REFUSES, SUCCEEDS, that } from '../shared/decisions';

/** Credits left, by balance, as far as the service shows them (SPEC §2.1). */
export type Balances = Partial<Record<Balance, number>>;

/** The balances that the service shows (SPEC §2.1, BalanceResponse), and what each pays for. */
export const SHOWN_BALANCES: ShownBalance[] = [
	{ name: 'email', balance: 'email', field: 'email_balance', product: 'email verification' },
	{ name: 'geoIp', balance: 'geoip', field: 'geoip_balance', product: 'GeoIP' },
	{ name: 'phone', balance: 'phone', field: 'phone_balance', product: 'phone validation' },
	{ name: 'whatsApp', balance: 'whatsapp', field: 'wa_balance', product: 'WhatsApp checks' },
];

interface ShownBalance {
	name: string;
	balance: Balance;
	field: string;
	product: string;
}

const FIELDS = SHOWN_BALANCES.map(({ field }) => field);

const tellsBalance = ({ body }: Told) =>
	FIELDS.some((field) => balanceIn(body[field]) !== undefined);
const HAS_BALANCE = that('a balance is a number', FIELDS, tellsBalance);
const HAS_NO_BALANCE = that('no balance is a number', FIELDS, (told) => !tellsBalance(told));

/** SPEC §2.1, BalanceResponse. */
export const BALANCES: DecisionTable = {
	rows: [
		{ when: [REFUSES, HAS_NO_BALANCE], says: 'refused' },
		FAILS,
		{ when: [HAS_BALANCE, SUCCEEDS], says: 'positive' },
	],
	otherwise: 'the service returned no balance',
};

/** The free call that reads the balances. Balances in a reply with a failure are ignored. */
export const checkBalance: Endpoint<Balances | Refusal> = {
	request: { service: 'main', method: 'GET', path: '/checkbalance', query: {} },
	read: (body, head) => {
		if (REFUSES.holds({ body, head })) return refused(body, head);
		const balances = readBalances(body);
		return Object.keys(balances).length > 0 ? balances : NO_BALANCE;
	},
};
/** Without a balance there is nothing to compare a run with, so Check Balance holds it back as after a refusal. */
const NO_BALANCE: Refusal = {
	scope: 'question',
	reason:
		'the service returned no balance. Run the item again later, or turn Check Balance and Minimum Balance off',
	isOwn: true,
};

/** A longer text is no number. */
const LONGEST = 100;

/** Some services write the number as text. Below 0, the account is overdrawn. */
export function balanceIn(value: unknown): number | undefined {
	return numberIn(typeof value === 'string' && value.length <= LONGEST ? value.trim() : value);
}

/** A balance that the body does not state as a number is left out. */
function readBalances(body: IDataObject): Balances {
	const found = SHOWN_BALANCES.map(({ balance, field }) => [balance, balanceIn(body[field])]);
	return Object.fromEntries(found.filter(([, left]) => left !== undefined)) as Balances;
}

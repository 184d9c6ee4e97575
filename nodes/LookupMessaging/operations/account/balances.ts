import type { IDataObject } from 'n8n-workflow';
import type { Balances } from '../../engine/billing/balanceCheck';
import type { Balance, Endpoint } from '../../engine/client';
import type { Refusal } from '../../engine/results';
import { hasError, refused } from '../../engine/refusals/refusal';

/** The balances that the service shows (SPEC §2.1, BalanceResponse), and what each pays for. */
export const SHOWN_BALANCES: ShownBalance[] = [
	{ name: 'email', balance: 'email', field: 'email_balance', product: 'email verification' },
	{ name: 'geoIp', balance: 'geoip', field: 'geoip_balance', product: 'IP geolocation' },
	{ name: 'phone', balance: 'phone', field: 'phone_balance', product: 'phone validation' },
	{ name: 'whatsApp', balance: 'whatsapp', field: 'wa_balance', product: 'WhatsApp checks' },
];

interface ShownBalance {
	/** Of the output field. */
	name: string;
	balance: Balance;
	/** Of the reply body. */
	field: string;
	product: string;
}

/** The free call that reads the balances. */
export const checkBalance: Endpoint<Balances | Refusal> = {
	request: { service: 'main', method: 'GET', path: '/checkbalance', query: {} },
	read: (body, head) =>
		body.status === false || hasError(body) ? refused(body, head) : readBalances(body),
};

/** A balance that the body does not state as a number is left out. */
function readBalances(body: IDataObject): Balances {
	const balances: Balances = {};
	for (const { balance, field } of SHOWN_BALANCES) {
		const left = body[field];
		if (typeof left === 'number') balances[balance] = left;
	}
	return balances;
}

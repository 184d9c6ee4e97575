import { answered } from '../http/endpoint';
import { familyA, familyAError } from '../http/familyA';

/** GET /checkbalance: four balances; the caller ID balance is not among them (SPEC §2.1). Free. */
export const checkBalance = familyA('checkbalance', ({ state, key }) => {
	const account = state.accounts.find(key);
	if (!account) return familyAError(401, 'Invalid API key.');
	const { whatsapp, email, geoip, phone } = account.balances;
	return answered({
		status: true,
		wa_balance: whatsapp,
		email_balance: email,
		geoip_balance: geoip,
		phone_balance: phone,
	});
});

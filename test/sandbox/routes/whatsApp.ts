import { answered, paidLookup } from '../http/endpoint';
import { familyA, familyAError, familyARefusals } from '../http/familyA';
import { PHONE } from '../answers/magicInputs';
import { parseE164 } from '../answers/phoneFacts';
import { subscriberOf } from '../answers/subscribers';

/** GET /checkwanumber (SPEC §2.1). Cost not stated; the sandbox takes 1 WhatsApp credit per answer. */
export const checkWhatsApp = familyA(
	'checkwanumber',
	paidLookup({
		product: 'whatsapp',
		parameter: 'number',
		...familyARefusals('WA'),
		find: (number) => parseE164(number)?.number,
		conclude: (e164, number, call) => {
			if (e164 === PHONE.whatsAppFails) {
				return familyAError(422, 'WhatsApp lookup failed, please try again.');
			}
			call.charge('whatsapp', 1, number);
			const whatsapp = e164 !== undefined && subscriberOf(e164).whatsApp;
			return answered({ status: true, number, whatsapp });
		},
	}),
);

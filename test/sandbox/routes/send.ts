import { answered, paidLookup, read, type Call, type Endpoint, type Reply } from '../http/endpoint';
import { familyA, familyAError, familyARefusals } from '../http/familyA';
import { PHONE } from '../answers/magicInputs';
import { parseE164 } from '../answers/phoneFacts';
import type { FormBody } from '../types';

/** SPEC §8: media up to 2 MB. */
const MAX_BYTES = 2 * 1024 * 1024;

/** SPEC §4.1 does not show what carries the media; the sandbox takes this field of a form and no other. */
const MEDIA_FIELD = 'media';

const refusals = familyARefusals('WA');

/**
 * GET /sendwasms (SPEC §2.1, §4.1), and POST of a form to the same path for media, which SPEC does not show.
 * Cost not stated; the sandbox takes 1 WhatsApp credit per accepted message.
 */
export const sendMessage: Endpoint = {
	...familyA(
		'sendwasms',
		paidLookup({
			product: 'whatsapp',
			parameter: 'number',
			...refusals,
			malformed: (_number, call) => faultOf(call),
			find: (number) => parseE164(number)?.number,
			conclude: (e164, number, call) => {
				if (!e164) return familyAError(400, 'Invalid phone number.');
				if (e164 === PHONE.sendRefused) {
					return familyAError(422, 'The recipient cannot receive messages.');
				}
				call.charge('whatsapp', 1, number);
				const message_id = call.state.sentMessages.add(call.account.key, {
					number,
					message: read(call, 'message') ?? '',
					media: call.form?.files[0],
				});
				return answered({ status: true, message: 'Message sent', message_id });
			},
		}),
	),
	methods: ['GET', 'POST'],
};

/** What is wrong with the message or its media. */
function faultOf(call: Call): Reply | undefined {
	if (read(call, 'message') === undefined) return refusals.missing('message');
	return call.form && faultOfMedia(call.form);
}

function faultOfMedia({ files }: FormBody): Reply | undefined {
	const stray = files.find(({ field }) => field !== MEDIA_FIELD);
	if (stray) return familyAError(400, `Unexpected file field: ${stray.field}.`);
	if (files.length > 1) return familyAError(400, 'Only one media file is allowed.');
	if (files.some(({ size }) => size > MAX_BYTES)) {
		return familyAError(413, 'Media exceeds the maximum allowed size of 2 MB.');
	}
	return undefined;
}

/** The operations as tests set them: each takes its value from a field of the item. */

const phoneNumber = '={{ $json.number }}';
export const verifyEmail = { resource: 'email', operation: 'verify', email: '={{ $json.email }}' };
export const validatePhone = { resource: 'phone', operation: 'validate', phoneNumber };
export const lookUpCaller = { resource: 'callerId', operation: 'lookUp', phoneNumber };
export const checkWhatsApp = { resource: 'whatsApp', operation: 'checkNumber', phoneNumber };
export const locateIp = { resource: 'geoIp', operation: 'locate', ipAddress: '={{ $json.ip }}' };
export const sendMessage = {
	...{ resource: 'whatsApp', operation: 'sendMessage', message: 'Hello', phoneNumber },
};
export const submitBatch = { resource: 'batch', operation: 'submit', phoneNumber };
export const checkMany = { resource: 'batch', operation: 'checkMany', phoneNumber };
const contact = { resource: 'contact', operation: 'enrich' };
export const enrich = { ...contact, email: '={{ $json.email }}', phoneNumber };
const audit = { resource: 'audit', brandUrl: 'https://brand.example' };
export const runAudit = { ...audit, operation: 'run', brandName: '={{ $json.brand }}' };

/** Items with an email address for each name. */
export const leads = (...names: string[]) =>
	names.map((name) => ({ email: name.includes('@') ? name : `${name}@mail.example` }));
/** So many different phone numbers, as items. */
export const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		number: `+44207946${String(100 + n).padStart(4, '0')}`,
	}));

import { defineWorkflow, isLocalAnswer, type OutputField } from '../../engine/operation';
import { phoneNumberField } from '../shared/phone/phoneNumber';
import { asksService, asPart, flawOf, readContact, type Contact } from './contact';
import { contactFields, failItemOption } from './contactFields';
import { isAsked, LOOKUPS, SECTIONS, type Section } from './lookups';
import { answerLocally, readingOf } from './result';
import { lookUpAll, numberLookups, numberLookupsAtMost } from './stages';

export const enrichContact = defineWorkflow<Contact>({
	resource: 'contact',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich contact',
	description:
		'Check the phone number, WhatsApp, email and IP address of a contact in one step, each with a paid lookup of its own, and tell whether the contact can be reached',
	fields: contactFields,
	options: [failItemOption],
	subject: phoneNumberField.name,
	outcomes: { positive: 'Contactable', negative: 'Not Contactable', unknown: 'Unknown' },
	refunds: true,
	noAdditionalParameters: true,
	rules: {
		positive: 'a valid number, a number on WhatsApp, or a deliverable mailbox',
		negative: 'all of these that were asked about say no',
		unknown: 'none says yes, and not all say no',
		refused: 'every lookup failed; or one did, with Fail Item If a Lookup Fails',
	},
	endpoints: [
		'POST lookup /phonevalidation',
		'GET lookup /calleridvalidation',
		'GET main /checkwanumber',
		'GET main /checkemail',
		'GET geoip /',
	],

	prepare: (params) => {
		const contact = readContact(params);
		if (isLocalAnswer(contact)) return asPart<Contact>(params, contact);
		const question = asksService(contact) ? contact : answerLocally(contact);
		return asPart<Contact>(params, question, flawOf(contact));
	},

	lookups: (contact, cached) => [
		...Object.values(contact.first).filter(isAsked),
		...numberLookupsAtMost(contact, cached),
	],

	run: async ([contact], client) => {
		const first = await lookUpAll(client, contact.first);
		const second = await lookUpAll(client, numberLookups(contact, first.phone));
		return [readingOf(contact, { ...first, ...second })];
	},
	output: [
		...SECTIONS.map((section) => sectionField(section)),
		{
			name: 'signals',
			type: 'object',
			description:
				'What the sections say together: countryMismatch, voip, tollFree, catchAll, disposable, nameMatch, reachableByWhatsApp (each true, false, or null where it cannot be told), channels (that work), incomplete (something is unknown or failed)',
			example: {
				countryMismatch: false,
				voip: false,
				tollFree: false,
				catchAll: false,
				disposable: false,
				nameMatch: true,
				reachableByWhatsApp: true,
				channels: ['phone', 'whatsApp', 'email'],
				incomplete: false,
			},
			simplified: true,
		},
	],
});

function sectionField(section: Section): OutputField {
	const { operation, name } = LOOKUPS[section];
	const fields = operation.output.filter(({ simplified }) => simplified);
	const example = Object.fromEntries(fields.map((field) => [field.name, field.example]));
	return {
		name: section,
		type: 'object',
		description: `${name}: outcome, source, reason, ${fields.map((field) => field.name).join(', ')}; null where it was not asked`,
		example: { outcome: 'positive', source: 'service', reason: null, ...example },
		simplified: true,
	};
}

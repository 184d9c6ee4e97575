import { defineWorkflow, isLocalAnswer, type OutputField } from '../../engine/operation';
import { skipCatchAllOption } from '../email/catchAll';
import { phoneNumberField } from '../shared/phone/phoneNumber';
import { asksService, asPart, flawOf, readContact, type Contact } from './contact';
import { contactFields, failItemOption, stopWhenOption } from './contactFields';
import { LOOKUPS, SECTIONS, type Section } from './lookups';
import { answerLocally, readingOf } from './result';
import { lookUpEverything } from './stages';
import { lookupsAtMost, lookUpUntilOneWorks } from './waterfall';

export const enrichContact = defineWorkflow<Contact>({
	resource: 'contact',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich contact',
	description:
		'Check the phone number, WhatsApp, email and IP address of a contact in one step, each with a paid lookup of its own, and tell whether the contact can be reached',
	fields: contactFields,
	options: [failItemOption, skipCatchAllOption, stopWhenOption],
	subject: phoneNumberField.name,
	outcomes: { positive: 'Contactable', negative: 'Not Contactable', unknown: 'Unknown' },
	refunds: true,
	groupOption: skipCatchAllOption.name,
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

	lookups: lookupsAtMost,

	run: async ([contact], client) => {
		const results = contact.stopsAtFirst
			? await lookUpUntilOneWorks(client, contact)
			: await lookUpEverything(client, contact);
		return [readingOf(contact, results)];
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
		isLookup: true,
	};
}

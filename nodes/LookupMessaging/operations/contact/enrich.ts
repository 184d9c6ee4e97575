import { defineWorkflow, isLocalAnswer } from '../../engine/operation';
import { skipCatchAllOption } from '../email/catchAll';
import { phoneNumberField } from '../shared/phone/phoneNumber';
import {
	asksService,
	asPart,
	type Contact,
	flawOf,
	isAboutNumber,
	readContact,
	VALUE_NAMES,
} from './contact';
import { contactFields, lookupsField, stopAtFirstOption } from './contactFields';
import { sectionField, SECTIONS } from './sections';
import { answerLocally, readingOf } from './result';
import { lookUpEverything } from './stages';
import { lookupsAtMost, lookUpUntilOneWorks } from './waterfall';

export const enrichContact = defineWorkflow<Contact>({
	resource: 'contact',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich contact',
	description:
		'Tell whether a contact can be reached: a paid lookup each for phone number, WhatsApp, email and IP address',
	fields: contactFields,
	options: [skipCatchAllOption, stopAtFirstOption],
	subject: phoneNumberField.name,
	inputNames: VALUE_NAMES,
	outcomes: { positive: 'Contactable', negative: 'Not Contactable', unknown: 'Unknown' },
	refunds: true,
	groupOption: skipCatchAllOption.name,
	sectionsField: lookupsField.name,
	noAdditionalParameters: true,
	rules: {
		positive: 'a valid number, a number on WhatsApp, or a deliverable mailbox',
		negative: 'all of these that were looked up say no',
		unknown: 'none of them says yes, and not all say no',
		refused: 'every lookup failed; or one did, with Also Fail Items If: One of Their Lookups Fails',
	},
	endpoints: [
		'POST lookup /phonevalidation',
		'GET main /checkapi (without a Lookup URL)',
		'GET lookup /calleridvalidation',
		'GET main /check (without a Lookup URL)',
		'GET main /checkwanumber',
		'GET main /checkemail',
		'GET geoip /',
		'GET main /checkgeoip (without a GeoIP URL)',
	],

	valueIn: (contact) => (isAboutNumber(contact) ? contact.number : undefined),
	prepare: (params, urls) => {
		const contact = readContact(params, urls);
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
		{
			name: 'channels',
			type: 'array',
			description: 'The ways to reach the contact that work: phone, whatsApp, email',
			example: ['phone', 'whatsApp', 'email'],
			simplified: true,
		},
		{
			name: 'signals',
			type: 'object',
			description:
				'What the sections say together: countryMismatch, nameMismatch, voip, tollFree, catchAll, disposable, incomplete (a lookup failed or has no clear answer). Each is true or false, and left out where it cannot be told. What is true is worth a second look.',
			example: {
				countryMismatch: false,
				nameMismatch: false,
				voip: false,
				tollFree: false,
				catchAll: false,
				disposable: false,
				incomplete: false,
			},
			simplified: true,
		},
		...SECTIONS.map(sectionField),
	],
});

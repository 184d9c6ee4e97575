import {
	type AnyOperation,
	equalityKey,
	isLocalAnswer,
	type LookupCall,
	type Params,
	type Part,
	type ServiceName,
	urlsIn,
} from '../../engine';
import { lookUpCallerId } from '../../../nodes/LookupMessaging/operations/callerId/lookUp';
import type { Contact } from '../../../nodes/LookupMessaging/operations/contact/contact';
import { enrichContact } from '../../../nodes/LookupMessaging/operations/contact/enrich';
import { locateIp } from '../../../nodes/LookupMessaging/operations/geoIp/locate';
import { validatePhone } from '../../../nodes/LookupMessaging/operations/phone/validate';

const GIVEN = { phoneNumber: '+442079460018', ipAddress: '8.8.8.8', email: 'ada@mail.example' };
const LOOKUPS = [
	['Phone → Validate', validatePhone, 'lookup'],
	['Caller ID → Look Up', lookUpCallerId, 'lookup'],
	['GeoIP → Locate', locateIp, 'geoip'],
] as const;
const EVERY: ServiceName[] = ['main', 'lookup', 'geoip', 'mcp'];
const without = (service: ServiceName) => new Set(EVERY.filter((each) => each !== service));

/** The service that is asked, and the key of the answer. */
function asked(operation: AnyOperation, params: Params, urls?: ReadonlySet<ServiceName>) {
	const question = operation.prepare({ ...GIVEN, ...params }, urls);
	if (isLocalAnswer(question) || 'run' in operation) throw new Error('not asked');
	const { service } = operation.request(question);
	return { service, key: equalityKey(operation, question) };
}

describe.each(LOOKUPS)('Response Detail of %s', (_, operation, service) => {
	const all = new Set(EVERY);
	const some = without(service);
	const found = (responseDetail: string, urls: ReadonlySet<ServiceName>) =>
		asked(operation, { responseDetail }, urls);

	test('is Automatic by default, which uses Detailed if its URL is set, else Basic', () => {
		const field = operation.fields.find(({ name }) => name === 'responseDetail');
		expect(field?.default).toBe('automatic');
		// With the key of the stored answer
		const [detailed, basic] = [found('detailed', all), found('basic', all)];
		expect([found('automatic', all), found('automatic', some)]).toEqual([detailed, basic]);
		expect(basic.key).not.toBe(detailed.key);
	});

	test('may be Basic or Detailed, whatever URL is set', () => {
		for (const urls of [all, some])
			expect([found('basic', urls).service, found('detailed', urls).service]).toEqual([
				...['main', service],
			]);
	});
});

const [VALIDATION, CALLER] = ['POST lookup /phonevalidation', 'GET lookup /calleridvalidation'];
test.each<[urls: ServiceName[], asked: string[]]>([
	[EVERY, [VALIDATION, CALLER, 'GET geoip /']],
	[['main'], ['GET main /checkapi', 'GET main /check', 'GET main /checkgeoip']],
	[
		['main', 'geoip'],
		['GET main /checkapi', 'GET main /check', 'GET geoip /'],
	],
	[
		['main', 'lookup'],
		[VALIDATION, CALLER, 'GET main /checkgeoip'],
	],
])('a contact with the URLs %j is looked up at %j', (urls, wanted) => {
	const lookups = ['phone', 'callerId', 'whatsApp', 'email', 'geoIp'];
	const { parts } = enrichContact.prepare({ ...GIVEN, lookups }, new Set(urls)) as {
		parts: Array<Part<Contact>>;
	};
	const calls = enrichContact.lookups?.(parts[0].question, () => undefined) ?? [];
	const sent = calls.map(({ lookup, question }: LookupCall) => {
		const { method, service, path } = lookup.request(question);
		return `${method} ${service} ${path}`;
	});
	const always = ['GET main /checkwanumber', 'GET main /checkemail'];
	expect(sent.sort()).toEqual([...wanted, ...always].sort());
});

test('a URL counts as set as soon as something is entered, right or wrong', () => {
	const urls = { baseUrl: 'https://api.example', lookupUrl: ' / ', geoipUrl: 'nonsense' };
	expect([...urlsIn(urls)]).toEqual(['main', 'geoip']);
});

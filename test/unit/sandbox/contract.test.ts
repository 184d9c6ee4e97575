import { magic, startSandbox, type ErrorStatus, type Product, type Sandbox } from '../../sandbox';
import { PRODUCTS } from '../../sandbox/types';
import { ask, post, send, urlOf, type Place } from './requests';
import { faultsOf, type SchemaName } from './schemas';

const { PHONE, EMAIL, IP, SCRAPER } = magic;

/** A kind of answer: what is asked, the schema it fits, the statuses in both modes, and what it costs net. */
interface Case {
	title: string;
	place: Place;
	query?: Record<string, string>;
	schema: SchemaName;
	/** HTTP status in the `http` mode, and in the `ok` mode where it differs. */
	status?: [number] | [number, number];
	costs?: Partial<Record<Product, number>>;
}

const phone = [
	{ title: 'a mobile number', query: { phone_number: '+61491570006' } },
	{ title: 'a landline', query: { phone_number: '+442079460123' } },
	{ title: 'a toll-free number', query: { phone_number: '+448081570123' } },
	{
		title: 'a local number with its country',
		query: { phone_number: '02079460123', country_code: 'GB' },
	},
	{
		title: 'an E.164 number with the country none',
		query: { phone_number: '+442079460123', country_code: 'none' },
	},
].map((entry) => ({ ...entry, place: 'phone', schema: 'phoneValid', costs: { phone: 1 } }) as Case);

const phoneInvalid = [
	{ title: 'too short a number', query: { phone_number: '+1202' } },
	{ title: 'a number set with formatting', query: { phone_number: '+1 (202) 555-0102' } },
	{ title: 'a number with an extension', query: { phone_number: '+12025550102 ext. 4' } },
	{ title: 'a number after 00', query: { phone_number: '0012025550102' } },
	{ title: 'bare digits with their country code', query: { phone_number: '12025550102' } },
	{
		title: 'a local number set with formatting, with its country',
		query: { phone_number: '020 7946 0123', country_code: 'GB' },
	},
	{ title: 'a local number without a country', query: { phone_number: '02079460123' } },
	{
		title: 'a local number with the country none',
		query: { phone_number: '02079460123', country_code: 'none' },
	},
	{ title: 'a plus sign that decoded to a space', query: { phone_number: ' 442079460123' } },
	{ title: 'a number with a space at its end', query: { phone_number: '+442079460123 ' } },
	{ title: 'letters', query: { phone_number: 'not a number' } },
].map((entry) => ({ ...entry, place: 'phone', schema: 'phoneInvalid' }) as Case);

const phoneBasic: Case[] = [
	{ title: 'a number with plus', query: { number: '+442079460123' } },
].map((entry) => ({
	...entry,
	place: 'phoneBasic',
	schema: 'phoneBasicValid',
	costs: { phone: 1 },
}));

const phoneBasicInvalid: Case[] = [
	{ title: 'a local number', query: { number: '02079460123' } },
	{ title: 'bare digits with country code', query: { number: '442079460123' } },
	{ title: 'a number after 00', query: { number: '00442079460123' } },
	{ title: 'a number set with formatting', query: { number: '+44 20 7946 0123' } },
	{ title: 'a plus sign that decoded to a space', query: { number: ' 442079460123' } },
].map((entry) => ({ ...entry, place: 'phoneBasic', schema: 'phoneBasicInvalid' }));

const hinted: Case = {
	title: 'a local number with a country, which it does not read',
	place: 'caller',
	query: { phone_number: '2025550102', country_code: 'US' },
	schema: 'callerInvalid',
	status: [400, 200],
	costs: { callerinfo: 1 },
};

const callerId: Case[] = [
	{ title: 'a named number', query: { phone_number: '+12025550102' }, schema: 'caller' },
	{ title: 'a number without a name', query: { phone_number: PHONE.noName }, schema: 'caller' },
	{
		title: 'an invalid number',
		query: { phone_number: '+1202' },
		schema: 'callerInvalid',
		status: [400, 200],
	},
	{
		title: 'a number set with formatting',
		query: { phone_number: '+1 202-555-0102' },
		schema: 'callerInvalid',
		status: [400, 200],
	},
	{
		title: 'bare digits',
		query: { phone_number: '12025550102' },
		schema: 'callerInvalid',
		status: [400, 200],
	},
	{
		title: 'a failed lookup',
		query: { phone_number: PHONE.callerLookupFails },
		schema: 'callerFailed',
		status: [422, 200],
	},
].map((entry) => ({ ...entry, place: 'caller', costs: { callerinfo: 1 } }) as Case);

const callerBasic: Case[] = [
	{ title: 'a named number', query: { number: '+12025550102' }, schema: 'callerBasic' },
	{ title: 'a number without a name', query: { number: PHONE.noName }, schema: 'callerBasic' },
	{
		title: 'an invalid number',
		query: { number: '+1202' },
		schema: 'familyAError',
		status: [400, 200],
	},
	{
		title: 'a number set with formatting',
		query: { number: '+1 202-555-0102' },
		schema: 'familyAError',
		status: [400, 200],
	},
	{
		title: 'bare digits',
		query: { number: '12025550102' },
		schema: 'familyAError',
		status: [400, 200],
	},
	{
		title: 'a failed lookup',
		query: { number: PHONE.callerLookupFails },
		schema: 'familyAError',
		status: [422, 200],
	},
].map((entry) => ({ ...entry, place: 'callerBasic', costs: { callerinfo: 1 } }) as Case);

const whatsApp: Case[] = [
	{
		title: 'a number on WhatsApp',
		query: { number: PHONE.onWhatsApp },
		schema: 'whatsAppCheck',
		costs: { whatsapp: 1 },
	},
	{
		title: 'a number not on WhatsApp',
		query: { number: PHONE.notOnWhatsApp },
		schema: 'whatsAppCheck',
		costs: { whatsapp: 1 },
	},
	{
		title: 'no number at all',
		query: { number: 'nobody' },
		schema: 'whatsAppCheck',
		costs: { whatsapp: 1 },
	},
	{
		title: 'a check that fails',
		query: { number: PHONE.whatsAppFails },
		schema: 'familyAError',
		status: [422, 200],
	},
].map((entry) => ({ ...entry, place: 'whatsApp' }) as Case);

const email: Case[] = [
	{
		title: 'a deliverable address',
		email: 'first.last+tag@shop.example',
		schema: 'emailDeliverable',
		costs: { email: 1 },
	},
	{
		title: 'an undeliverable address',
		email: `${EMAIL.missing}.one@shop.example`,
		schema: 'emailUndeliverable',
		costs: { email: 1 },
	},
	{
		title: 'a catch-all server',
		email: `any@${EMAIL.catchAllDomain}`,
		schema: 'emailCatchAll',
		costs: { email: 1 },
	},
	{
		title: 'a greylisting server',
		email: `${EMAIL.greylisted}@shop.example`,
		schema: 'emailUnknown',
		costs: { email: 1 },
	},
	{
		title: 'no address at all',
		email: 'first.last.shop.example',
		schema: 'emailInvalidFormat',
		costs: { email: 1 },
	},
	{
		title: 'a plus sign that decoded to a space',
		email: 'first tag@shop.example',
		schema: 'emailInvalidFormat',
		costs: { email: 1 },
	},
	{
		title: 'an inconclusive check',
		email: `${EMAIL.timeout}@shop.example`,
		schema: 'emailInconclusive',
		costs: {},
	},
	{
		title: 'the declared shape',
		email: `${EMAIL.declared}@shop.example`,
		schema: 'emailDeclared',
		costs: { email: 1 },
	},
	{
		title: 'the declared shape, missing',
		email: `${EMAIL.declaredMissing}@shop.example`,
		schema: 'emailDeclared',
		costs: { email: 1 },
	},
	{
		title: 'the declared shape, disposable',
		email: `${EMAIL.declaredDisposable}@shop.example`,
		schema: 'emailDeclared',
		costs: { email: 1 },
	},
].map(
	({ email: address, ...entry }) =>
		({ ...entry, place: 'email', query: { email: address } }) as Case,
);

const geo: Case[] = [
	...['8.8.8.8', '2001:4860:4860::8888', ...IP.countryOnly].flatMap((ip) => [
		{ title: ip, place: 'geo', query: { ip }, schema: 'geo', costs: { geoip: 1 } },
		{ title: ip, place: 'geoBasic', query: { ip }, schema: 'geoBasic', costs: { geoip: 1 } },
	]),
	...['10.0.0.1', '192.0.2.1', '::1', '2001:db8::1', 'fe80::1', ...IP.unresolved].flatMap((ip) => [
		{ title: ip, place: 'geo', query: { ip }, schema: 'geoUnresolved' },
		{ title: ip, place: 'geoBasic', query: { ip }, schema: 'familyAError', status: [404, 200] },
	]),
	...['8.8.8', '8.8.8.08', 'fe80::1%eth0', 'localhost'].flatMap((ip) => [
		{ title: ip, place: 'geo', query: { ip }, schema: 'geoError', status: [400, 200] },
		{ title: ip, place: 'geoBasic', query: { ip }, schema: 'familyAError', status: [400, 200] },
	]),
] as Case[];

const message = 'Hello & good-bye';

const sending: Case[] = [
	{
		title: 'a message to anyone',
		query: { number: PHONE.notOnWhatsApp, message },
		schema: 'sent',
		costs: { whatsapp: 1 },
	},
	{
		title: 'a recipient that is refused',
		query: { number: PHONE.sendRefused, message },
		schema: 'familyAError',
		status: [422, 200],
	},
	{
		title: 'a malformed recipient',
		query: { number: 'nobody', message },
		schema: 'familyAError',
		status: [400, 200],
	},
	{
		title: 'a recipient set with formatting',
		query: { number: '+1 202-555-0102', message },
		schema: 'familyAError',
		status: [400, 200],
	},
	{
		title: 'a recipient of bare digits',
		query: { number: '12025550102', message },
		schema: 'familyAError',
		status: [400, 200],
	},
	{
		title: 'a recipient without a message',
		query: { number: PHONE.onWhatsApp },
		schema: 'familyAError',
		status: [400, 200],
	},
].map((entry) => ({ ...entry, place: 'send' }) as Case);

/** The scraper endpoints, a question each, and the parameter it comes in. */
const scrapers: Array<[place: Place & SchemaName, parameter: string, question: string]> = [
	['forumSearch', 'query', 'lanterns'],
	['forumPost', 'post_url', 'https://forum.example/r/gardening/comments/1abc/lanterns'],
	['microblogSearch', 'query', 'lanterns'],
	['microblogPost', 'post_url', 'https://microblog.example/someone/status/123'],
	['microblogComments', 'post_url', 'https://microblog.example/someone/status/123'],
];

const scraping: Case[] = scrapers.flatMap(([place, parameter, question]) => {
	const asked = (text: string) => ({ place, query: { [parameter]: text } });
	const costs = { scraper: 1 };
	const cases: Case[] = [
		{ title: 'a question', ...asked(question), schema: place, costs },
		{ title: 'nothing found', ...asked(`${question}/${SCRAPER.nothing}`), schema: place, costs },
		{ title: 'much found', ...asked(`${question}/${SCRAPER.many}`), schema: place, costs },
		{
			title: 'a platform out of reach',
			...asked(`${question}/${SCRAPER.fails.toUpperCase()}`),
			schema: 'familyAError',
			status: [502, 200],
		},
	];
	const urls = ['lanterns', 'forum.example/r/x', 'ftp://forum.example/x', 'https://forum.example/'];
	if (parameter === 'query') return cases;
	return cases.concat(
		urls.map((url) => ({
			title: `the address ${url}`,
			...asked(url),
			schema: 'familyAError',
			status: [400, 200],
		})),
	);
});

const free: Case[] = [
	{ title: 'the status', place: 'status', query: { api_key: '' }, schema: 'status' },
	{ title: 'the balance', place: 'balance', schema: 'balance' },
	{
		title: 'the health of the tool server',
		place: 'health',
		query: { api_key: '' },
		schema: 'health',
	},
];

type Refusals = [
	place: Place,
	question: Record<string, string>,
	badKey: SchemaName,
	noCredits: SchemaName | undefined,
	missing: SchemaName | undefined,
];

/** The error rows of SPEC §7, and what stands for them where SPEC has none. */
const refusals: Refusals[] = [
	['balance', {}, 'familyABadKey', undefined, undefined],
	[
		'whatsApp',
		{ number: PHONE.onWhatsApp },
		'familyABadKey',
		'familyANoWhatsAppCredits',
		'familyAError',
	],
	['phoneBasic', { number: PHONE.onWhatsApp }, 'familyABadKey', 'familyAError', 'familyAError'],
	['callerBasic', { number: PHONE.onWhatsApp }, 'familyABadKey', 'familyAError', 'familyAError'],
	['geoBasic', { ip: '8.8.8.8' }, 'familyABadKey', 'familyAError', 'familyAError'],
	['phone', { phone_number: PHONE.onWhatsApp }, 'lookupBadKey', 'phoneNoCredits', 'lookupError'],
	['caller', { phone_number: PHONE.onWhatsApp }, 'lookupBadKey', 'callerNoCredits', 'lookupError'],
	['geo', { ip: '8.8.8.8' }, 'geoBadKey', 'geoError', 'geoError'],
	[
		'send',
		{ number: PHONE.onWhatsApp, message },
		'familyABadKey',
		'familyANoWhatsAppCredits',
		'familyAError',
	],
	...scrapers.map(
		([place, parameter, question]): Refusals => [
			place,
			{ [parameter]: question },
			'familyABadKey',
			'familyAError',
			'familyAError',
		],
	),
	['audit', { audit_id: 'unknown' }, 'familyABadKey', undefined, 'familyAError'],
	['auditSummary', { audit_id: 'unknown' }, 'familyABadKey', undefined, 'familyAError'],
];

const refused: Case[] = refusals.flatMap(([place, question, badKey, noCredits, missing]) => {
	const cases: Case[] = [
		{
			title: 'a wrong key',
			place,
			query: { ...question, api_key: 'wrong' },
			schema: badKey,
			status: [401, 200],
		},
		{
			title: 'an empty key and no question',
			place,
			query: { api_key: '' },
			schema: badKey,
			status: [401, 200],
		},
	];
	if (noCredits) {
		const query = { ...question, api_key: magic.KEYS.empty };
		cases.push({ title: 'no credits', place, query, schema: noCredits, status: [402, 200] });
	}
	if (missing) {
		const query = { api_key: magic.KEYS.empty };
		cases.push({
			title: 'no question and no credits',
			place,
			query,
			schema: missing,
			status: [400, 200],
		});
	}
	return cases;
});

/** SPEC §7 states the status of two of these, so it holds in either mode. */
const refusedEmail: Case[] = [
	{
		title: 'a wrong key',
		query: { email: 'a@shop.example', api_key: 'wrong' },
		schema: 'emailBadKey',
		status: [401],
	},
	{
		title: 'no credits',
		query: { email: 'a@shop.example', api_key: magic.KEYS.empty },
		schema: 'emailNoCredits',
		status: [402],
	},
	{ title: 'no question', query: {}, schema: 'emailMissing', status: [400, 200] },
].map((entry) => ({ ...entry, place: 'email' }) as Case);

const everyCase = [
	...phone,
	...phoneInvalid,
	...phoneBasic,
	...phoneBasicInvalid,
	...callerId,
	hinted,
	...callerBasic,
	...whatsApp,
	...email,
	...geo,
	...sending,
	...scraping,
	...free,
	...refused,
	...refusedEmail,
];

describe.each<ErrorStatus>(['http', 'ok'])('with errors as %s', (errorStatus) => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ errorStatus });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	it.each(everyCase)(
		'$place answers $title as $schema',
		async ({ place, query, schema, status = [200], costs = {} }) => {
			const seen = await ask(sandbox, place, query);
			expect(faultsOf(schema, seen.body)).toEqual([]);
			expect(seen.status).toBe(errorStatus === 'http' ? status[0] : status.at(-1));
			expect(seen.headers.get('content-type')).toContain('application/json');
			const nothing = Object.fromEntries(PRODUCTS.map((product) => [product, 0]));
			expect(sandbox.spent(sandbox.keys.main)).toEqual({ ...nothing, ...costs });
			expect(sandbox.spent(sandbox.keys.empty)).toEqual(nothing);
		},
	);
});

describe('one sandbox', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	it('returns what the magic numbers and rules promise', async () => {
		const onWhatsApp = async (number: string) => (await ask(sandbox, 'whatsApp', { number })).body;
		expect(await onWhatsApp(PHONE.onWhatsApp)).toMatchObject({ whatsapp: true });
		expect(await onWhatsApp(PHONE.notOnWhatsApp)).toMatchObject({ whatsapp: false });
		expect(await onWhatsApp(PHONE.whatsAppBusiness)).toMatchObject({ whatsapp: true });
		expect(await onWhatsApp('+442079460127')).toMatchObject({ whatsapp: true });
		expect(await onWhatsApp('+442079460128')).toMatchObject({ whatsapp: false });
		expect(await onWhatsApp('+1 202 555 0102')).toMatchObject({ whatsapp: false });
		expect(await onWhatsApp('12025550102')).toMatchObject({ whatsapp: false });
		const caller = async (phone_number: string) =>
			(await ask(sandbox, 'caller', { phone_number })).body;
		expect(await caller(PHONE.noName)).toMatchObject({ name: null });
		expect(await caller('+442079460191')).toMatchObject({ name: null });
		expect(await caller('+442079460123')).toMatchObject({ name: 'Sandbox Subscriber 0123' });
		const { body } = await ask(sandbox, 'callerBasic', { number: PHONE.noName });
		expect(body).toMatchObject({ name: '' });
		const declared = async (local: string) =>
			(await ask(sandbox, 'email', { email: `${local}@shop.example` })).body;
		expect(await declared(EMAIL.declared)).toMatchObject({ valid: true, disposable: false });
		expect(await declared(EMAIL.declaredMissing)).toMatchObject({ valid: false });
		expect(await declared(EMAIL.declaredDisposable)).toMatchObject({ disposable: true });
	});

	it('places every spelling of an address alike and leaves out unknown values', async () => {
		const place = async (ip: string) =>
			(await ask(sandbox, 'geo', { ip })).body as Record<string, unknown>;
		const short = await place('2001:4860:4860::8888');
		const long = await place('2001:4860:4860:0000:0000:0000:0000:8888');
		expect({ ...long, ip: short.ip }).toEqual(short);
		expect(long.ip).toBe('2001:4860:4860:0000:0000:0000:0000:8888');
		expect(long.range).toEqual([long.latitude, long.longitude]);
		expect(await place('::ffff:8.8.8.8')).toMatchObject({ city: (await place('8.8.8.8')).city });
		expect(await place(IP.countryOnly[0])).toMatchObject({
			city: null,
			region: null,
			region_iso: null,
			postal_code: null,
		});
	});

	it('sees a plus sign only when it was sent as %2B', async () => {
		const url = `${sandbox.roots.lookupUrl}/phonevalidation?api_key=${sandbox.keys.main}&phone_number=`;
		const raw = await send(`${url}+442079460123`);
		const encoded = await send(`${url}%2B442079460123`);
		expect(raw.body).toEqual({ status: 'INVALID' });
		expect(encoded.body).toMatchObject({ status: 'VALID_CONFIRMED' });
		expect(sandbox.log.map(({ query }) => query.phone_number)).toEqual([
			' 442079460123',
			'+442079460123',
		]);
		expect(sandbox.log[1].url).toContain('phone_number=%2B442079460123');
	});

	it('takes the key of a POSTed validation from the body or the query, and of nothing else from a body', async () => {
		const question = { phone_number: '+442079460123' };
		const key = sandbox.keys.main;
		const inBody = await post(urlOf(sandbox, 'phone'), { ...question, api_key: key });
		const inQuery = await post(urlOf(sandbox, 'phone', { api_key: key }), question);
		const nowhere = await post(urlOf(sandbox, 'phone'), question);
		const inHeader = await send(urlOf(sandbox, 'phone', question), {
			headers: { authorization: `Bearer ${key}`, 'x-api-key': key },
		});
		expect(faultsOf('phoneValid', inBody.body)).toEqual([]);
		expect(faultsOf('phoneValid', inQuery.body)).toEqual([]);
		expect(faultsOf('lookupBadKey', nowhere.body)).toEqual([]);
		expect(faultsOf('lookupBadKey', inHeader.body)).toEqual([]);
		expect(sandbox.spent(key).phone).toBe(2);
		expect(sandbox.log[0]).toMatchObject({
			method: 'POST',
			query: {},
			body: { ...question, api_key: key },
		});
	});

	it('reads a POSTed value from the JSON body alone, and JSON only if it is declared', async () => {
		const key = sandbox.keys.main;
		const question = { phone_number: '02079460123', country_code: 'gb' };
		const hinted = await post(urlOf(sandbox, 'phone'), { ...question, api_key: key });
		const inQuery = await post(urlOf(sandbox, 'phone', question), { api_key: key });
		const undeclared = await send(urlOf(sandbox, 'phone'), {
			method: 'POST',
			body: JSON.stringify({ ...question, api_key: key }),
		});
		expect(hinted.body).toMatchObject({ status: 'VALID_CONFIRMED', countrycode: 'GB' });
		expect(faultsOf('lookupError', inQuery.body)).toEqual([]);
		expect(faultsOf('lookupBadKey', undeclared.body)).toEqual([]);
		expect(sandbox.log[2].body).toBe(JSON.stringify({ ...question, api_key: key }));
	});

	it('answers 404 if SPEC has no endpoint, and logs it', async () => {
		const unknown = await send(`${sandbox.roots.baseUrl}/nothing?api_key=${sandbox.keys.main}`);
		const wrongMethod = await post(urlOf(sandbox, 'email'), {});
		expect([unknown.status, wrongMethod.status]).toEqual([404, 404]);
		expect(sandbox.log.map(({ method, path, status }) => [method, path, status])).toEqual([
			['GET', '/api/v1/nothing', 404],
			['POST', '/api/v1/checkemail', 404],
		]);
	});
});

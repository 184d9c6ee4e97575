import { magic, type ErrorStatus, type Product } from '../../sandbox';
import { PRODUCTS } from '../../sandbox/types';
import { ask, post, send, urlOf, type Place } from './requests';
import { faultsOf, type SchemaName } from './schemas';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const { KEYS, PHONE, EMAIL, IP, SCRAPER } = magic;

type Query = Record<string, string>;

/** Questions of one endpoint, and the schema that its answers fit. */
interface Answers {
	place: Place;
	schema: SchemaName;
	/** HTTP status in the `http` mode, and in the `ok` mode where it differs. */
	status?: [number] | [number, number];
	/** What each costs net. */
	costs?: Partial<Record<Product, number>>;
	queries: Query[];
}

/** A question for each value of one parameter. */
const of = (parameter: string, ...values: string[]): Query[] =>
	values.map((value) => ({ [parameter]: value }));
const emails = (...values: string[]) => of('email', ...values);

const FORMATTED = '+1 202-555-0102';
const BARE = '12025550102';
const message = 'Hello & good-bye';
const sendTo = (...values: string[]) => values.map((number) => ({ number, message }));
const PLACED = ['8.8.8.8', '2001:4860:4860::8888', ...IP.countryOnly];
const UNPLACED = ['10.0.0.1', '192.0.2.1', '::1', '2001:db8::1', 'fe80::1', ...IP.unresolved];
const NO_ADDRESS = ['8.8.8', '8.8.8.08', 'fe80::1%eth0', 'localhost'];

const REFUSED = [400, 200] as [number, number];
const FAILED = [422, 200] as [number, number];
const phoneCost = { phone: 1 };
const callerCost = { callerinfo: 1 };
const waCost = { whatsapp: 1 };
const emailCost = { email: 1 };

const answers: Answers[] = [
	{
		...{ place: 'phone', schema: 'phoneValid', costs: phoneCost },
		queries: [
			...of('phone_number', '+61491570006', '+442079460123', '+448081570123'),
			{ phone_number: '02079460123', country_code: 'GB' },
			{ phone_number: '+442079460123', country_code: 'none' },
		],
	},
	{
		...{ place: 'phone', schema: 'phoneInvalid' },
		queries: [
			...of('phone_number', '+1202', '+1 (202) 555-0102', '+12025550102 ext. 4', '0012025550102'),
			...of('phone_number', BARE, '02079460123', ' 442079460123', '+442079460123 ', 'letters'),
			...of('phone_number', '+44.20.7946.0123', '+44/2079460123', '+1800FLOWERS', '++442079460123'),
			...of('phone_number', 'tel:+442079460123', '\u200e+442079460123', '+٤٤٢٠٧٩٤٦٠١٢٣', '+'),
			{ phone_number: '020 7946 0123', country_code: 'GB' },
			{ phone_number: '02079460123', country_code: 'none' },
		],
	},
	{
		...{ place: 'phoneBasic', schema: 'phoneBasicValid', costs: phoneCost },
		queries: of('number', '+442079460123'),
	},
	{
		...{ place: 'phoneBasic', schema: 'phoneBasicInvalid' },
		queries: [
			...of('number', '02079460123', '442079460123', '00442079460123', '+44 20 7946 0123'),
			...of('number', ' 442079460123'),
		],
	},
	{
		...{ place: 'caller', schema: 'caller', costs: callerCost },
		queries: of('phone_number', `+${BARE}`, PHONE.noName),
	},
	{
		...{ place: 'caller', schema: 'callerInvalid', status: REFUSED, costs: callerCost },
		queries: [
			...of('phone_number', '+1202', FORMATTED, BARE),
			{ phone_number: '2025550102', country_code: 'US' },
		],
	},
	{
		...{ place: 'caller', schema: 'callerFailed', status: FAILED, costs: callerCost },
		queries: of('phone_number', PHONE.callerLookupFails),
	},
	{
		...{ place: 'callerBasic', schema: 'callerBasic', costs: callerCost },
		queries: of('number', `+${BARE}`, PHONE.noName),
	},
	{
		...{ place: 'callerBasic', schema: 'familyAError', status: REFUSED, costs: callerCost },
		queries: of('number', '+1202', FORMATTED, BARE),
	},
	{
		...{ place: 'callerBasic', schema: 'familyAError', status: FAILED, costs: callerCost },
		queries: of('number', PHONE.callerLookupFails),
	},
	{
		...{ place: 'whatsApp', schema: 'whatsAppCheck', costs: waCost },
		queries: of('number', PHONE.onWhatsApp, PHONE.notOnWhatsApp, 'nobody'),
	},
	{
		...{ place: 'whatsApp', schema: 'familyAError', status: FAILED },
		queries: of('number', PHONE.whatsAppFails),
	},
	{
		...{ place: 'email', schema: 'emailDeliverable', costs: emailCost },
		queries: emails('first.last+tag@shop.example'),
	},
	{
		...{ place: 'email', schema: 'emailUndeliverable', costs: emailCost },
		queries: emails(`${EMAIL.missing}.one@shop.example`),
	},
	{
		...{ place: 'email', schema: 'emailCatchAll', costs: emailCost },
		queries: emails(`any@${EMAIL.catchAllDomain}`),
	},
	{
		...{ place: 'email', schema: 'emailUnknown', costs: emailCost },
		queries: emails(`${EMAIL.greylisted}@shop.example`),
	},
	{
		...{ place: 'email', schema: 'emailInvalidFormat', costs: emailCost },
		queries: emails('first.last.shop.example', 'first tag@shop.example'),
	},
	{
		...{ place: 'email', schema: 'emailInconclusive' },
		queries: emails(`${EMAIL.timeout}@shop.example`),
	},
	{
		...{ place: 'email', schema: 'emailDeclared', costs: emailCost },
		queries: [EMAIL.declared, EMAIL.declaredMissing, EMAIL.declaredDisposable].flatMap((local) =>
			emails(`${local}@shop.example`),
		),
	},
	// SPEC §7 states the status of the next two, so it holds in either mode
	{
		...{ place: 'email', schema: 'emailBadKey', status: [401] },
		queries: [{ email: 'a@shop.example', api_key: 'wrong' }],
	},
	{
		...{ place: 'email', schema: 'emailNoCredits', status: [402] },
		queries: [{ email: 'a@shop.example', api_key: KEYS.empty }],
	},
	{ ...{ place: 'email', schema: 'emailMissing', status: REFUSED }, queries: [{}] },
	{ ...{ place: 'geo', schema: 'geo', costs: { geoip: 1 } }, queries: of('ip', ...PLACED) },
	{ ...{ place: 'geo', schema: 'geoUnresolved' }, queries: of('ip', ...UNPLACED) },
	{ ...{ place: 'geo', schema: 'geoError', status: REFUSED }, queries: of('ip', ...NO_ADDRESS) },
	{
		...{ place: 'geoBasic', schema: 'geoBasic', costs: { geoip: 1 } },
		queries: of('ip', ...PLACED),
	},
	{
		...{ place: 'geoBasic', schema: 'familyAError', status: [404, 200] },
		queries: of('ip', ...UNPLACED),
	},
	{
		...{ place: 'geoBasic', schema: 'familyAError', status: REFUSED },
		queries: of('ip', ...NO_ADDRESS),
	},
	{ ...{ place: 'send', schema: 'sent', costs: waCost }, queries: sendTo(PHONE.notOnWhatsApp) },
	{
		...{ place: 'send', schema: 'familyAError', status: FAILED },
		queries: sendTo(PHONE.sendRefused),
	},
	{
		...{ place: 'send', schema: 'familyAError', status: REFUSED },
		queries: [...sendTo('nobody', FORMATTED, BARE), { number: PHONE.onWhatsApp }],
	},
	{ ...{ place: 'status', schema: 'status' }, queries: [{ api_key: '' }] },
	{ ...{ place: 'balance', schema: 'balance' }, queries: [{}] },
	{ ...{ place: 'health', schema: 'health' }, queries: [{ api_key: '' }] },
];

/** The scraper endpoints, a question each, and the parameter it comes in. */
const scrapers: Array<[place: Place & SchemaName, parameter: string, question: string]> = [
	['forumSearch', 'query', 'lanterns'],
	['forumPost', 'post_url', 'https://forum.example/r/gardening/comments/1abc/lanterns'],
	['microblogSearch', 'query', 'lanterns'],
	['microblogPost', 'post_url', 'https://microblog.example/someone/status/123'],
	['microblogComments', 'post_url', 'https://microblog.example/someone/status/123'],
];
const NO_POSTS = ['lanterns', 'forum.example/r/x', 'ftp://forum.example/x', 'https://f.example/'];

const scraping = scrapers.flatMap(([place, parameter, question]): Answers[] => [
	{
		...{ place, schema: place, costs: { scraper: 1 } },
		queries: of(
			parameter,
			question,
			`${question}/${SCRAPER.nothing}`,
			`${question}/${SCRAPER.many}`,
		),
	},
	{
		...{ place, schema: 'familyAError', status: [502, 200] },
		queries: of(parameter, `${question}/${SCRAPER.fails.toUpperCase()}`),
	},
	{
		...{ place, schema: 'familyAError', status: REFUSED },
		queries: parameter === 'query' ? [] : of(parameter, ...NO_POSTS),
	},
]);

type Refusals = [
	place: Place,
	question: Query,
	badKey: SchemaName,
	noCredits?: SchemaName,
	missing?: SchemaName,
];

const FAMILY_A = ['familyABadKey', 'familyAError', 'familyAError'] as const;
const WHATSAPP = ['familyABadKey', 'familyANoWhatsAppCredits', 'familyAError'] as const;

/** The error rows of SPEC §7, and what stands for them where SPEC has none. */
const refusals: Refusals[] = [
	['balance', {}, 'familyABadKey'],
	['whatsApp', { number: PHONE.onWhatsApp }, ...WHATSAPP],
	['send', { number: PHONE.onWhatsApp, message }, ...WHATSAPP],
	['phoneBasic', { number: PHONE.onWhatsApp }, ...FAMILY_A],
	['callerBasic', { number: PHONE.onWhatsApp }, ...FAMILY_A],
	['geoBasic', { ip: '8.8.8.8' }, ...FAMILY_A],
	...scrapers.map(
		([place, parameter, question]): Refusals => [place, { [parameter]: question }, ...FAMILY_A],
	),
	['phone', { phone_number: PHONE.onWhatsApp }, 'lookupBadKey', 'phoneNoCredits', 'lookupError'],
	['caller', { phone_number: PHONE.onWhatsApp }, 'lookupBadKey', 'callerNoCredits', 'lookupError'],
	['geo', { ip: '8.8.8.8' }, 'geoBadKey', 'geoError', 'geoError'],
	['audit', { audit_id: 'unknown' }, 'familyABadKey', undefined, 'familyAError'],
	['auditSummary', { audit_id: 'unknown' }, 'familyABadKey', undefined, 'familyAError'],
];

const refused = refusals.flatMap(([place, question, badKey, noCredits, missing]): Answers[] => {
	const api_key = KEYS.empty;
	const wrongKey = [{ ...question, api_key: 'wrong' }, { api_key: '' }];
	return [
		{ place, schema: badKey, status: [401, 200], queries: wrongKey },
		...(noCredits
			? [{ place, schema: noCredits, status: [402, 200], queries: [{ ...question, api_key }] }]
			: []),
		...(missing ? [{ place, schema: missing, status: REFUSED, queries: [{ api_key }] }] : []),
	] as Answers[];
});

const everyCase = [...answers, ...scraping, ...refused].flatMap(({ queries, ...rest }) =>
	queries.map((query) => ({ ...rest, query })),
);

describe.each<ErrorStatus>(['http', 'ok'])('with errors as %s', (errorStatus) => {
	const sandbox = sandboxOfTests({ errorStatus });

	it.each(everyCase)(
		'$place answers $query as $schema',
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
	const sandbox = sandboxOfTests();

	it.each([
		['+61491570006', 'Mobile', 'mobile'],
		['+442079460123', 'Fixed Line', 'landline'],
		['+12025550102', 'Fixed Line or Mobile', 'unknown'],
		['+445612345678', 'VoIP', 'voip'],
	])('says of %s that it is a %s, and in short %s', async (number, linetype, line_type) => {
		const detailed = await ask(sandbox, 'phone', { phone_number: number });
		expect(detailed.body).toMatchObject({ linetype });
		expect((await ask(sandbox, 'phoneBasic', { number })).body).toMatchObject({ line_type });
	});

	it.each([
		[0, 200, 'sent'],
		[1, 413, 'familyAError'],
	] as const)('takes media of 2 MB and %d bytes with %d', async (more, status, schema) => {
		const form = new FormData();
		form.append('number', PHONE.onWhatsApp);
		form.append('message', message);
		form.append('media', new Blob([Buffer.alloc(2 * 2 ** 20 + more)]), 'a.png');
		const url = urlOf(sandbox, 'send', { api_key: sandbox.keys.main });
		const seen = await send(url, { method: 'POST', body: form });
		expect([seen.status, faultsOf(schema, seen.body)]).toEqual([status, []]);
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

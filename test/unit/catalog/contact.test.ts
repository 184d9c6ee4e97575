import {
	type Answer,
	type Answered,
	type AnswerRecord,
	type Cached,
	equalityKey,
	type Failure,
	isFailed,
	isLocalAnswer,
	isRefusal,
	type LocalAnswer,
	type LookupCall,
	type Outcome,
	type Params,
	type Part,
} from '../../engine';
import type { Contact } from '../../../nodes/LookupMessaging/operations/contact/contact';
import { enrichContact } from '../../../nodes/LookupMessaging/operations/contact/enrich';
import { isSameName } from '../../../nodes/LookupMessaging/operations/contact/names';
import { nameIn } from '../../../nodes/LookupMessaging/operations/shared/callerName';
import type { Sections } from '../../../nodes/LookupMessaging/operations/contact/sections';
import {
	contactability,
	countryMismatch,
	incomplete,
	isLineType,
	nameMismatch,
	openChannels,
	signalsOf,
} from '../../../nodes/LookupMessaging/operations/contact/signals';
import { magic, type Sandbox, startSandbox } from '../../sandbox';
import {
	type FakeClientOptions,
	perform,
	performInSandbox,
	scriptedClient,
} from '../fakes/fakeClient';
import { otherWork } from '../fakes/otherWork';

const { PHONE, EMAIL } = magic;
const LONDON = '+442079460123';
/** A number of London without its area code, which only the service can complete. */
const LOCAL: Params = { phoneNumber: '7946 0123', country: 'GB' };
const INVALID = '+1 555 010 0100';
const ALL = ['callerId', 'email', 'geoIp', 'phone', 'whatsApp'];
const NUMBER_LOOKUPS = ['callerId', 'phone', 'whatsApp'];

const partOf = (given: Params) => {
	const { parts } = enrichContact.prepare({ lookups: ALL, ...given }) as { parts: Part<Contact>[] };
	expect(parts).toHaveLength(1);
	return parts[0];
};
const section = (of: Partial<NonNullable<Sections['phone']>> = {}) =>
	({ outcome: 'positive', source: 'service', reason: null, ...of }) as NonNullable<
		Sections['phone']
	>;
const NOTHING: Sections = { phone: null, callerId: null, whatsApp: null, email: null, geoIp: null };
const sections = (of: Sections): Sections => ({ ...NOTHING, ...of });
const says = (outcome: Outcome) => section({ outcome });
const answered = (answer: Answer): Answered => ({ answer, response: {}, source: 'service' });

describe('two names are compared', () => {
	test.each<[one: unknown, other: unknown, same: boolean | null]>([
		['Ada Lovelace', 'Ada Lovelace', true],
		['ADA LOVELACE', 'ada lovelace', true],
		['Lovelace, Ada', 'Ada Lovelace', true],
		['José Núñez', 'JOSE NUNEZ', true],
		['Søren Łukasz Weiß', 'Soren Lukasz Weiss', true],
		['A. Lovelace', 'Ada Lovelace', true],
		['LOVELACE A', 'Ada Lovelace', true],
		['J.R.R. Tolkien', 'John Ronald Reuel Tolkien', true],
		['Ada King Lovelace', 'Ada Lovelace', true],
		['Ada', 'Ada Lovelace', true],
		['Anne-Marie Roy', 'Roy Anne Marie', true],
		["Sinéad O'Brien", 'Sinead OBrien', true],
		['Dr. Ada Lovelace', 'Mrs Ada Lovelace', true],
		['MacDonald', 'Mac Donald', true],
		['Hans Mueller', 'Müller Hans', true],
		['Aase Oedegaard', 'Åse Ødegård', true],
		['WIRELESS CALLER', 'Ada Lovelace', null],
		['Spam Likely', 'Ada Lovelace', null],
		['山田 太郎', '山田太郎', true],
		['Иван Петров', 'петров иван', true],
		['Ada Lovelace', 'Charles Babbage', false],
		['John Smith', 'Jane Smith', false],
		['B. Lovelace', 'Ada Lovelace', false],
		['Sandbox Subscriber 0123', 'Ada', false],
		['A. L.', 'Ada Lovelace', null],
		['Иван Петров', 'Ivan Petrov', null],
		['Ada Lovelace', '', null],
		['Ada Lovelace', '12', null],
		[null, 'Ada Lovelace', null],
		[undefined, undefined, null],
		['Dr.', 'Ada', null],
		['CHRISTOPHER JON', 'Christopher Jones-Smith', true],
		['JOHNSON CHRISTO', 'Christopher Johnson', true],
		['JOHNSON,CHRISTO', 'Christopher Johnson', true],
		['JOHNSON SAMUEL ', 'Samuel Johnson-Lee', true],
		['LEONARDO DICAPR', 'Leonardo Di Caprio', true],
		['CHRISTOPHER MUE', 'Christopher Müller', true],
		['WOLFESCHLEGELST', 'Hubert Wolfeschlegelsteinhausen', true],
		['CHRISTOPHER JON', 'Christopher Johnson', false],
		['CHRISTOPHER JON', 'Charlotte Jones', false],
		['JOHNSON CHRIST', 'Christopher Johnson', false],
		['A B C D E F G H', 'Hugo Ede', null],
	])('%j and %j: %j', (one, other, same) => {
		expect(isSameName(one, other)).toBe(same);
		expect(isSameName(other, one)).toBe(same);
	});

	test('matches a whole name with its first 15 characters, and with no other person by them', () => {
		const PEOPLE = ['Johnson', 'Montgomery', 'Fitzgerald', 'García-Márquez', 'Øksendal'];
		const GIVEN = ['Christopher', 'Alexandrina', 'Maximilian', 'Sebastiano'];
		for (const family of PEOPLE) {
			for (const given of GIVEN) {
				const names = [`${family} ${given}`, `${given} ${family}`, `${family}, ${given}`];
				for (const cut of names.map((name) => name.toUpperCase().slice(0, 15))) {
					expect([cut, isSameName(cut, `${given} ${family}`)]).toEqual([cut, true]);
					expect([cut, isSameName(cut, 'Ada Lovelace')]).toEqual([cut, false]);
				}
			}
		}
	});

	const TEXTS_OF_NOBODY = [
		...['WIRELESS CALLER', 'Cell Phone NY', 'UNKNOWN NAME', 'TOLL-FREE CALL', 'Scam Likely'],
		...['Out of Area', 'V Mail Caller', 'NOT_FOUND', 'no data', 'Withheld', '+44 20 7946 0123'],
	];
	test.each(TEXTS_OF_NOBODY)('reads %j as no name, as Caller ID does', (text) => {
		expect(isSameName(text, 'Ada Lovelace')).toBeNull();
		expect(nameIn(text)).toBeUndefined();
	});

	test.each(['1', 'é', '😀', '\ud800', 'ﷺ', 'a b '])(
		'reads megabytes of %j as no name, without splitting them',
		(text) => {
			const huge = text.repeat(10_000_000 / text.length);
			expect(isSameName(huge, 'Ada Lovelace')).toBeNull();
			expect(isSameName('Ada Lovelace', huge)).toBeNull();
		},
	);
});

describe('the signal', () => {
	const country = (countryCode: string | null) => section({ countryCode } as object);
	const line = (lineType: string | null) => section({ lineType } as object);

	test.each<[of: Partial<Sections>, says: boolean | null]>([
		[{ phone: country('GB'), geoIp: country('GB') }, false],
		[{ phone: country('GB'), geoIp: country('gb') }, false],
		[{ phone: country('GB'), geoIp: country('US') }, true],
		[{ callerId: country('GB'), geoIp: country('US') }, true],
		[{ phone: country('US'), callerId: country('GB'), geoIp: country('US') }, false],
		[{ phone: country(null), callerId: country('GB'), geoIp: country('GB') }, false],
		[{ phone: country('GB'), geoIp: country('GBR') }, false],
		[{ phone: country('GB'), geoIp: country('UK') }, false],
		[{ phone: country('GB'), geoIp: country('United Kingdom') }, false],
		[{ phone: country('GB'), geoIp: country('Germany') }, true],
		[{ phone: country('GG'), geoIp: country('GB') }, true],
		[{ phone: country('GB'), geoIp: country('XX') }, null],
		[{ phone: country('GB'), geoIp: country('EU') }, null],
		[{ phone: country('44'), geoIp: country('GB') }, null],
		[{ phone: country('44'), callerId: country('GB'), geoIp: country('US') }, true],
		[{ phone: country('GB'), geoIp: country(null) }, null],
		[{ phone: country(null), geoIp: country('GB') }, null],
		[{ phone: country('GB') }, null],
		[{}, null],
	])('countryMismatch of %j is %j', (of, value) => {
		expect(countryMismatch(sections(of))).toBe(value);
	});

	test.each<[of: Partial<Sections>, type: string, says: boolean | null]>([
		[{ phone: line('voip') }, 'voip', true],
		[{ phone: line('toll_free') }, 'voip', false],
		[{ phone: line('toll_free') }, 'toll_free', true],
		[{ phone: line('unknown') }, 'voip', null],
		[{ phone: line(null), callerId: line('voip') }, 'voip', true],
		[{ callerId: line('mobile') }, 'voip', false],
		[{}, 'voip', null],
	])('line type of %j: %s is %j', (of, type, value) => {
		expect(isLineType(sections(of), type)).toBe(value);
	});

	const NAMES_OF_THINGS: Array<[name: string, of: object, location: string]> = [
		['NEW YORK NY', {}, ''],
		['SAN FRANCISCO C', {}, 'San Francisco, CA'],
		['NEW YORK     NY', {}, 'New York'],
		['London', {}, 'London, England'],
		['VERIZON WIRELESS', {}, ''],
		['EXAMPLE TELCO', { carrier: 'Example Telco Ltd' }, ''],
		['CITY OF BOSTON', {}, ''],
	];
	test.each(NAMES_OF_THINGS)('nameMismatch is unknown by %j of %j in %j', (name, of, location) => {
		const callerId = section({ name, ...of } as object);
		expect(nameMismatch(sections({ callerId }), 'Ada Lovelace', location)).toBeNull();
		const phone = section({ location, ...of } as object);
		expect(nameMismatch(sections({ callerId: section({ name } as object), phone }), 'Ada')).toBe(
			null,
		);
		expect(nameMismatch(sections({ callerId }), name, location)).toBe(false);
	});

	test.each<[name: string, location: string]>([
		['Jack London', 'London'],
		['Paris Smith', 'Paris'],
		['Al Ma', 'New York'],
	])('nameMismatch of %j, in %j, is true for anybody else', (name, location) => {
		const callerId = section({ name } as object);
		expect(nameMismatch(sections({ callerId }), 'Ada Lovelace', location)).toBe(true);
	});

	test.each<[of: Partial<Sections>, name: string | undefined, says: boolean | null]>([
		[{ callerId: section({ name: 'LOVELACE ADA' } as object) }, 'Ada Lovelace', false],
		[{ callerId: section({ name: 'Charles Babbage' } as object) }, 'Ada Lovelace', true],
		[{ callerId: section({ name: null } as object) }, 'Ada Lovelace', null],
		[{ callerId: section({ name: 'Ada' } as object) }, undefined, null],
		[{}, 'Ada', null],
	])('nameMismatch of %j with %j is %j', (of, name, value) => {
		expect(nameMismatch(sections(of), name)).toBe(value);
	});

	test('catchAll and disposable come from the mailbox', () => {
		const email = section({ catchAll: true, disposable: false } as object);
		expect(signalsOf(sections({ email }))).toMatchObject({ catchAll: true, disposable: false });
		expect(signalsOf(NOTHING)).toMatchObject({ catchAll: null, disposable: null });
	});

	test.each<[of: Partial<Sections>, channels: string[], missing: boolean, says: Outcome]>([
		[{ phone: says('positive') }, ['phone'], false, 'positive'],
		[
			{ phone: says('positive'), whatsApp: says('positive'), email: says('positive') },
			['phone', 'whatsApp', 'email'],
			false,
			'positive',
		],
		[{ phone: says('negative'), email: says('positive') }, ['email'], false, 'positive'],
		[{ phone: says('unknown'), email: says('positive') }, ['email'], true, 'positive'],
		[{ phone: says('negative'), email: says('negative') }, [], false, 'negative'],
		[{ phone: says('negative'), geoIp: says('positive') }, [], false, 'negative'],
		[{ phone: says('negative'), email: says('unknown') }, [], true, 'unknown'],
		[{ callerId: says('positive'), geoIp: says('positive') }, [], false, 'unknown'],
		[{ phone: says('negative'), geoIp: says('unknown') }, [], true, 'negative'],
	])('channels, incomplete and outcome of %j', (of, channels, missing, outcome) => {
		expect(openChannels(sections(of))).toEqual(channels);
		expect(incomplete(sections(of))).toBe(missing);
		expect(contactability(sections(of))).toBe(outcome);
	});
});

describe('a contact before its lookups', () => {
	test('has its filled fields as its input', () => {
		const given = { phoneNumber: LONDON, email: ' ', ipAddress: undefined, country: 'GB' };
		expect(partOf(given).input).toEqual({ phoneNumber: LONDON });
		const invisible = { phoneNumber: LONDON, email: '\u200b', ipAddress: [] };
		expect(partOf(invisible).input).toEqual({ phoneNumber: LONDON });
		expect(partOf({ email: 'a@b.example', ipAddress: '8.8.8.8' }).input).toEqual({
			...{ email: 'a@b.example', ipAddress: '8.8.8.8' },
		});
	});

	test.each<[title: string, given: Params, local: LocalAnswer['local'], reason: RegExp]>([
		['nothing given', {}, 'empty', /has no value for the chosen lookups/],
		[
			'nothing but empty values',
			{ phoneNumber: '\u200b', email: ' ', ipAddress: [] },
			'empty',
			/has no value for the chosen lookups/,
		],
		[
			'no value for what is chosen',
			{ phoneNumber: LONDON, lookups: ['email'] },
			'empty',
			/\(Email Verification\)/,
		],
		['no lookups', { email: 'a@b.example', lookups: [] }, 'parameter', /is empty/],
		['lookups of a typo', { email: 'a@b.example', lookups: ['mail'] }, 'parameter', /is no list/],
		['lookups as text', { email: 'a@b.example', lookups: 'email' }, 'parameter', /is no list/],
		['only malformed values', { phoneNumber: 'abc', email: 'x' }, 'malformed', /no digits.*no @/],
		['a private address', { ipAddress: '10.0.0.1' }, 'reserved', /private address/],
		[
			'a malformed number and a private address',
			{ phoneNumber: 'abc', ipAddress: '10.0.0.1' },
			'malformed',
			/no digits.*private address/,
		],
		[
			'a national number without its country',
			{ phoneNumber: '020 7946 0123' },
			'incomplete',
			/can't be read without its country\. Set Country/,
		],
		[
			'a number that may be international or national',
			{ phoneNumber: '13123456789' },
			'incomplete',
			/may be \+13123456789, or a national number/,
		],
		[
			'a number that its country does not know, and nobody validates',
			{ ...LOCAL, lookups: ['callerId', 'whatsApp'] },
			'incomplete',
			/lacks its area code/,
		],
	])('is answered locally: %s', (_, given, local, reason) => {
		const { question } = partOf(given);
		expect(question).toMatchObject({ local, reason: expect.stringMatching(reason) });
	});

	test('is answered in its sections', () => {
		const { record } = partOf({ phoneNumber: 'abc', ipAddress: '10.0.0.1' })
			.question as LocalAnswer;
		expect(record).toMatchObject({
			phone: { outcome: 'negative', source: 'local', reason: expect.stringMatching(/no digits/) },
			whatsApp: { outcome: 'negative', source: 'local' },
			callerId: { outcome: 'negative', source: 'local' },
			email: null,
			geoIp: { outcome: 'unknown', source: 'local', countryCode: null },
			channels: [],
			signals: { incomplete: true },
		});
	});

	test.each<[given: Params, flaw: RegExp | undefined]>([
		[{ phoneNumber: LONDON, email: 'x' }, /has no @/],
		[{ phoneNumber: 'abc', email: 'a@b.example' }, /has no digits/],
		[
			{ phoneNumber: '020 7946 0123', country: 'Atlantis', email: 'a@b.example' },
			/isn't recognized/,
		],
		[{ phoneNumber: LONDON, country: 'Atlantis' }, undefined],
		[
			{ phoneNumber: '020 7946 0123', lookups: ['whatsApp', 'email'], email: 'a@b.example' },
			/code/,
		],
		[{ ...LOCAL, lookups: ['whatsApp', 'email'], email: 'a@b.example' }, /area code/],
		[{ phoneNumber: '020 7946 0123', country: 'GB' }, undefined],
		[LOCAL, undefined],
		[{ phoneNumber: LONDON, ipAddress: '10.0.0.1' }, undefined],
		[{ email: 'a@b.example' }, undefined],
	])('has a flaw if part of it cannot be looked up: %j', (given, flaw) => {
		const part = partOf(given);
		expect(isLocalAnswer(part.question)).toBe(false);
		if (flaw) expect(part.flaw?.reason).toMatch(flaw);
		else expect(part.flaw).toBeUndefined();
	});
});

describe('the form of a contact', () => {
	test('shows Name with Caller ID, which is the only lookup to compare it with', () => {
		const name = enrichContact.fields.find((field) => field.name === 'contactName');
		expect(name?.displayOptions).toEqual({ show: { lookups: ['callerId'] } });
	});
});

describe('the largest number of lookups of a contact', () => {
	const NONE: Cached = () => undefined;
	const namesOf = (given: Params, cached = NONE) => {
		return enrichContact.lookups!(partOf(given).question, cached).map(nameOf);
	};
	const nameOf = ({ lookup }: LookupCall) => lookup.resource;

	test.each<[given: Params, names: string[]]>([
		[{ phoneNumber: LONDON }, ['phone', 'callerId', 'whatsApp']],
		[{ phoneNumber: '020 7946 0123', country: 'GB' }, ['phone', 'callerId', 'whatsApp']],
		[LOCAL, ['phone', 'callerId', 'whatsApp']],
		[{ ...LOCAL, email: 'a@b.example', lookups: ['whatsApp', 'email'] }, ['email']],
		[{ phoneNumber: LONDON, lookups: ['whatsApp'] }, ['whatsApp']],
		[{ phoneNumber: LONDON, email: 'x', ipAddress: '8.8.8.8' }, [...NUMBER_LOOKUPS, 'geoIp']],
		[{ phoneNumber: 'abc', email: 'a@b.example', ipAddress: '10.0.0.1' }, ['email']],
	])('is right for %j', (given, names) => {
		expect(namesOf(given).sort()).toEqual([...names].sort());
	});

	test('counts one number for each possible validation', () => {
		const keys = [
			LOCAL,
			{ phoneNumber: '7946-0123', country: 'United Kingdom' },
			{ phoneNumber: '7946 0124', country: 'GB' },
		].map((given) => {
			const all = enrichContact.lookups!(partOf({ ...given, lookups: ALL }).question, NONE);
			const whatsApp = all.find((each) => nameOf(each) === 'whatsApp')!;
			return equalityKey(whatsApp.lookup, whatsApp.question);
		});
		expect(keys[1]).toBe(keys[0]);
		expect(keys[2]).not.toBe(keys[0]);
	});

	test('follows the stored answer of a validation', () => {
		const given = LOCAL;
		const valid = answered({ outcome: 'positive', record: { phoneNumber: LONDON } });
		const invalid = answered({ outcome: 'negative', record: {} });
		const lost = { failure: { cause: 'lost', reason: 'broke', scope: 'question' } } as const;
		const knowing =
			(result: ReturnType<Cached>): Cached =>
			({ lookup }) =>
				lookup.resource === 'phone' ? result : undefined;

		const { question } = partOf(given);
		const [, caller, whatsApp] = enrichContact.lookups!(question, knowing(valid));
		expect([caller, whatsApp].map(({ lookup, question: of }) => lookup.request(of).query)).toEqual([
			{ phone_number: LONDON },
			{ number: LONDON },
		]);
		expect(namesOf(given, knowing(invalid))).toEqual(['phone']);
		expect(namesOf(given, knowing(lost))).toEqual(['phone']);
		expect(namesOf({ phoneNumber: LONDON }, knowing(lost))).toEqual([
			...['phone', 'callerId', 'whatsApp'],
		]);
	});
});

describe('a contact', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	const enrich = async (given: Params) => {
		const { readings, requests } = await performInSandbox(sandbox, enrichContact, [
			partOf(given).question,
		]);
		const [reading] = readings!;
		if (isRefusal(reading)) throw new Error(reading.reason);
		return {
			asked: requests.map(({ path, query, body }) => [
				path,
				query?.number ?? query?.phone_number ?? query?.email ?? query?.ip ?? body?.phone_number,
			]),
			failure: isFailed(reading) ? reading.failure : undefined,
			answer: isFailed(reading) ? undefined : reading,
		};
	};

	test('is looked up in E.164, which each section of its number names', async () => {
		const { asked, answer } = await enrich({ phoneNumber: '020 7946 0123', country: 'GB' });
		expect(asked).toEqual([
			...[
				['/phonevalidation', LONDON],
				['/calleridvalidation', LONDON],
			],
			['/checkwanumber', LONDON],
		]);
		const phoneNumber = LONDON;
		expect(answer?.record).toMatchObject({
			...{ phone: { phoneNumber }, callerId: { phoneNumber }, whatsApp: { phoneNumber } },
		});
	});

	test.each([[['whatsApp']], [['callerId', 'whatsApp']], [NUMBER_LOOKUPS]])(
		'names the omitted extension in each section of %j',
		async (lookups) => {
			const { asked, answer } = await enrich({ phoneNumber: `${LONDON} ext. 5`, lookups });
			expect(asked.map(([, number]) => number)).toEqual(lookups.map(() => LONDON));
			for (const name of lookups) {
				const leftOut = expect.stringMatching(/extension 5 was left out$/) as unknown;
				expect(answer?.record[name]).toMatchObject({ phoneNumber: LONDON, reason: leftOut });
			}
			expect(answer?.record.whatsApp).toMatchObject({ extension: '5' });
		},
	);

	test('uses the number that its validation returned', async () => {
		const status = 'VALID_CONFIRMED';
		const body = { status, formatted_number: LONDON, countrycode: 'GB', linetype: 'Fixed Line' };
		sandbox.fault({ kind: 'body', body, path: 'phonevalidation' });
		const { asked, answer } = await enrich({ ...LOCAL, contactName: 'Ada' });
		expect(asked).toEqual([
			['/phonevalidation', '79460123'],
			['/calleridvalidation', LONDON],
			['/checkwanumber', LONDON],
		]);
		expect(answer).toMatchObject({
			outcome: 'positive',
			record: {
				phone: { outcome: 'positive', source: 'service', phoneNumber: LONDON, countryCode: 'GB' },
				callerId: { outcome: 'positive', name: 'Sandbox Subscriber 0123' },
				whatsApp: { source: 'service', onWhatsApp: expect.any(Boolean) },
				email: null,
				geoIp: null,
				signals: { nameMismatch: true, voip: false, tollFree: false, incomplete: false },
			},
		});
		expect(answer?.reason).toBeUndefined();
		expect(answer?.response).toMatchObject({
			email: null,
			phone: expect.any(Object),
			whatsApp: expect.any(Object),
		});
	});

	test('makes no further lookup of an invalid number', async () => {
		const { asked, answer } = await enrich({ phoneNumber: INVALID, email: 'ada@example.com' });
		expect(asked.map(([path]) => path)).toEqual(['/phonevalidation', '/checkemail']);
		const skipped = {
			...{ outcome: 'negative', source: 'local' },
			reason: 'Phone Number is invalid, so WhatsApp and Caller ID were skipped',
		};
		expect(answer).toMatchObject({
			outcome: 'positive',
			record: {
				phone: { outcome: 'negative', source: 'service' },
				callerId: { ...skipped, name: null },
				whatsApp: { ...skipped, onWhatsApp: null },
				channels: ['email'],
			},
		});
		expect(answer?.response).toMatchObject({ whatsApp: null, callerId: null });
	});

	test.each<[title: string, given: Params, number: string | undefined]>([
		['with its country code', { phoneNumber: '+44 20 7946 0123' }, LONDON],
		['completed', { phoneNumber: '020 7946 0123', country: '+44' }, LONDON],
		['of bare digits', { phoneNumber: '442079460123' }, LONDON],
		['that its country does not know', LOCAL, undefined],
	])('uses the number as read when the validation fails: %s', async (_, given, number) => {
		sandbox.fault({ kind: 'status', status: 500, path: 'phonevalidation' });
		const { asked, answer, failure } = await enrich({ ...given, email: 'ada@example.com' });
		expect(failure).toBeUndefined();
		expect(asked.slice(2)).toEqual(
			number
				? [
						['/calleridvalidation', number],
						['/checkwanumber', number],
					]
				: [],
		);
		expect(answer?.record).toMatchObject({
			phone: {
				outcome: 'unknown',
				source: 'failed',
				reason: expect.stringMatching(/^The service/),
			},
			whatsApp: number ? { source: 'service' } : { outcome: 'unknown', source: 'local' },
			signals: { incomplete: true },
		});
		expect(answer?.reason).toMatch(/^Phone Validation: /);
	});

	test.each<[title: string, given: Params, outcome: Outcome, record: AnswerRecord]>([
		[
			'reachable by nothing',
			{ phoneNumber: INVALID, email: `${EMAIL.missing}@example.com` },
			'negative',
			{ channels: [], signals: expect.objectContaining({ incomplete: false }) },
		],
		[
			'of a catch-all domain',
			{ email: `ada@${EMAIL.catchAllDomain}` },
			'unknown',
			{ signals: expect.objectContaining({ catchAll: true, incomplete: true }) },
		],
		[
			'of a throw-away domain',
			{ email: `${EMAIL.declaredDisposable}@example.com` },
			'positive',
			{ signals: expect.objectContaining({ disposable: true }) },
		],
		[
			'whose number is on WhatsApp',
			{ phoneNumber: PHONE.onWhatsApp, lookups: ['whatsApp'] },
			'positive',
			{ channels: ['whatsApp'], whatsApp: { outcome: 'positive', onWhatsApp: true } },
		],
		[
			'whose address is elsewhere than the number',
			{ phoneNumber: LONDON, ipAddress: '8.8.8.8' },
			'positive',
			{ signals: expect.objectContaining({ countryMismatch: true }) },
		],
	])('has the outcome of one %s', async (_, given, outcome, record) => {
		const { answer } = await enrich(given);
		expect(answer?.outcome).toBe(outcome);
		expect(answer?.record).toMatchObject(record);
	});

	test('fails when no lookup is answered, and at any failed one with Also Fail Items If', async () => {
		const given = { phoneNumber: LONDON, email: 'ada@example.com', lookups: ['email', 'phone'] };
		sandbox.fault({ kind: 'status', status: 422, path: 'checkemail' });
		expect((await enrich(given)).failure).toBeUndefined();
		const strict = await enrich({ ...given, alsoFailItemsIf: ['lookupFails'] });
		expect(strict.failure).toMatchObject({
			cause: 'refused',
			reason: expect.stringMatching(/^Email Verification: the service refused/),
		});

		sandbox.fault({ kind: 'status', status: 500, path: 'phonevalidation' });
		const { failure } = await enrich(given);
		expect(failure).toMatchObject({ reason: expect.stringMatching(/^Email Verification|^Phone/) });
	});
});

describe('the lookups of a contact', () => {
	const GIVEN = { phoneNumber: LONDON, email: 'ada@example.com', ipAddress: '8.8.8.8' };
	const sectionsFor = async (given: Params, lookUp: FakeClientOptions['lookUp']) => {
		const client = scriptedClient([], { lookUp });
		const { readings } = await perform(enrichContact, [partOf(given).question], client);
		return { client, sections: (readings![0] as Answer).record };
	};
	const valid = answered({ outcome: 'positive', record: { phoneNumber: LONDON } });

	test('start together, except those that use the number of the validation', async () => {
		const inFlight: number[] = [];
		let open = 0;
		const { client } = await sectionsFor(GIVEN, async () => {
			open += 1;
			await otherWork();
			inFlight.push(open);
			open -= 1;
			return valid;
		});
		expect(inFlight).toEqual([3, 2, 1, 2, 1]);
		expect(client.lookups.map(({ lookup }) => lookup.resource)).toEqual([
			...['phone', 'email', 'geoIp', 'callerId', 'whatsApp'],
		]);
		expect(client.calls).toEqual([]);
	});

	test('that fail show their explanation as the reason of their section', async () => {
		const failure: Failure = { cause: 'lost', reason: 'it broke', scope: 'question' };
		const explanation = 'It broke. Run the item again.';
		const { sections: found } = await sectionsFor(GIVEN, ({ lookup }) => {
			if (lookup.resource === 'email') return { failure, explanation };
			return lookup.resource === 'geoIp' ? { failure } : valid;
		});
		expect(found).toMatchObject({
			phone: { outcome: 'positive', source: 'service' },
			email: { outcome: 'unknown', source: 'failed', reason: explanation },
			geoIp: { outcome: 'unknown', source: 'failed', reason: 'it broke' },
		});
	});

	test.each(['service', 'duplicate', 'memory'] as const)(
		'show their source in their section: %s',
		async (source) => {
			const { sections: found } = await sectionsFor(GIVEN, () => ({ ...valid, source }));
			expect(found).toMatchObject({ phone: { source }, whatsApp: { source }, geoIp: { source } });
		},
	);
});

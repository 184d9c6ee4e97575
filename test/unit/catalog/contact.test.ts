import {
	type Answer,
	type Answered,
	type Cached,
	equalityKey,
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
import { perform, performInSandbox, scriptedClient } from '../fakes/fakeClient';
import { flush } from '../fakes/fakeSend';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const LONDON = '+442079460123';
/** A number of London without its area code, which only the service can complete. */
const LOCAL: Params = { phoneNumber: '7946 0123', country: 'GB' };
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
	const SAME = [
		...['Ada Lovelace = Ada Lovelace', 'José Núñez = JOSE NUNEZ', 'Lovelace, Ada = Ada Lovelace'],
		...['Søren Łukasz Weiß = Soren Lukasz Weiss', 'A. Lovelace = Ada Lovelace', 'Ada = Ada King'],
		...['J.R.R. Tolkien = John Ronald Reuel Tolkien', "Sinéad O'Brien = Sinead OBrien"],
		...['Dr. Ada Lovelace = Mrs Ada Lovelace', 'MacDonald = Mac Donald', '山田 太郎 = 山田太郎'],
		...['Hans Mueller = Müller Hans', 'Aase Oedegaard = Åse Ødegård', 'Иван Петров = петров иван'],
		...['CHRISTOPHER JON = Christopher Jones-Smith', 'LEONARDO DICAPR = Leonardo Di Caprio'],
		'WOLFESCHLEGELST = Hubert Wolfeschlegelsteinhausen',
	];
	const DIFFERENT = [
		...['Ada Lovelace = Charles Babbage', 'John Smith = Jane Smith', 'B. Lovelace = Ada Lovelace'],
		...['Sandbox Subscriber 0123 = Ada', 'CHRISTOPHER JON = Christopher Johnson'],
	];
	const UNCLEAR = [
		...['WIRELESS CALLER = Ada Lovelace', 'Spam Likely = Ada Lovelace', 'A. L. = Ada Lovelace'],
		...['Иван Петров = Ivan Petrov', 'Ada Lovelace = ', 'Ada Lovelace = 12', 'Dr. = Ada'],
		'A B C D E F G H = Hugo Ede',
	];
	test.each<[same: boolean | null, names: unknown[]]>([
		...SAME.map((names): [boolean, string[]] => [true, names.split(' = ')]),
		...DIFFERENT.map((names): [boolean, string[]] => [false, names.split(' = ')]),
		...UNCLEAR.map((names): [null, string[]] => [null, names.split(' = ')]),
		[null, [null, 'Ada Lovelace']],
		[null, [undefined, undefined]],
	])('and are the same (%j): %j', (same, [one, other]) => {
		expect([isSameName(one, other), isSameName(other, one)]).toEqual([same, same]);
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

	test.each([
		...['Out of Area', 'V Mail Caller', 'NOT_FOUND', 'no data', 'Withheld', '+44 20 7946 0123'],
	])('reads %j as no name, as Caller ID does', (text) => {
		expect([isSameName(text, 'Ada Lovelace'), nameIn(text)]).toEqual([null, undefined]);
	});
});

describe('the signal', () => {
	const country = (countryCode: string | null) => section({ countryCode } as object);
	const line = (lineType: string | null) => section({ lineType } as object);

	type Places = [phone: string | null, callerId: string | null, geoIp: string | null];
	const ofBritain =
		(isOther: boolean | null) =>
		(geoIp: string | null): [...Places, boolean | null] => ['GB', null, geoIp, isOther];
	test.each<[...Places, isOther: boolean | null]>([
		...['GB', 'gb', 'GBR', 'UK', 'United Kingdom'].map(ofBritain(false)),
		...['US', 'Germany'].map(ofBritain(true)),
		...['XX', 'EU', null].map(ofBritain(null)),
		[null, 'GB', 'US', true],
		['GG', null, 'GB', true],
		['44', null, 'GB', null],
		['44', 'GB', 'US', true],
		[null, null, 'GB', null],
	])('countryMismatch of %j and %j with %j is %j', (phone, callerId, geoIp, value) => {
		const places = { phone: country(phone), callerId: country(callerId), geoIp: country(geoIp) };
		expect(countryMismatch({ ...NOTHING, ...places })).toBe(value);
		expect(countryMismatch({ ...NOTHING, phone: country('GB') })).toBeNull();
		expect(countryMismatch(NOTHING)).toBeNull();
	});

	test.each<[of: Partial<Sections>, type: string, says: boolean | null]>([
		[{ phone: line('voip') }, 'voip', true],
		[{ phone: line('toll_free') }, 'toll_free', true],
		[{ phone: line('unknown') }, 'voip', null],
		[{ phone: line(null), callerId: line('voip') }, 'voip', true],
		[{ callerId: line('mobile') }, 'voip', false],
		[{}, 'voip', null],
	])('line type of %j: %s is %j', (of, type, value) => {
		expect(isLineType(sections(of), type)).toBe(value);
	});

	const named = (name: string | null, of: object = {}) => section({ name, ...of } as object);
	test.each<[name: string, of: object, location: string]>([
		['NEW YORK NY', {}, ''],
		['SAN FRANCISCO C', {}, 'San Francisco, CA'],
		['VERIZON WIRELESS', {}, ''],
		['EXAMPLE TELCO', { carrier: 'Example Telco Ltd' }, ''],
		['CITY OF BOSTON', {}, ''],
	])('nameMismatch is unknown by %j of %j in %j', (name, of, location) => {
		const callerId = named(name, of);
		expect(nameMismatch(sections({ callerId }), 'Ada Lovelace', location)).toBeNull();
		const phone = section({ location, ...of } as object);
		expect(nameMismatch(sections({ callerId: named(name), phone }), 'Ada')).toBeNull();
		expect(nameMismatch(sections({ callerId }), name, location)).toBe(false);
	});

	test.each<[own: string | null, name?: string, location?: string, says?: boolean | null]>([
		['Jack London', 'Ada Lovelace', 'London', true],
		['Al Ma', 'Ada Lovelace', 'New York', true],
		['LOVELACE ADA', 'Ada Lovelace', undefined, false],
		['Charles Babbage', 'Ada Lovelace', undefined, true],
		[null, 'Ada Lovelace', undefined, null],
		['Ada', undefined, undefined, null],
	])('nameMismatch of %j with %j, in %j, is %j', (own, name, location, value) => {
		expect(nameMismatch(sections({ callerId: named(own) }), name, location)).toBe(value);
		expect(nameMismatch(NOTHING, 'Ada')).toBeNull();
	});

	test('catchAll and disposable come from the mailbox', () => {
		const email = section({ catchAll: true, disposable: false } as object);
		expect(signalsOf(sections({ email }))).toMatchObject({ catchAll: true, disposable: false });
		expect(signalsOf(NOTHING)).toMatchObject({ catchAll: null, disposable: null });
	});

	test.each<[of: Partial<Sections>, channels: string[], missing: boolean, says: Outcome]>([
		[
			{ phone: says('positive'), whatsApp: says('positive'), email: says('positive') },
			['phone', 'whatsApp', 'email'],
			false,
			'positive',
		],
		[{ phone: says('negative'), email: says('positive') }, ['email'], false, 'positive'],
		[{ phone: says('unknown'), email: says('positive') }, ['email'], true, 'positive'],
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

	test.each<[local: LocalAnswer['local'], reason: RegExp, given: Params]>([
		['empty', /has no value for the chosen lookups/, {}],
		[
			...(['empty', /has no value for the chosen lookups/] as const),
			{ phoneNumber: '\u200b', email: ' ', ipAddress: [] },
		],
		['empty', /\(Email Verification\)/, { phoneNumber: LONDON, lookups: ['email'] }],
		['parameter', /is empty/, { email: 'a@b.example', lookups: [] }],
		['parameter', /is no list/, { email: 'a@b.example', lookups: ['mail'] }],
		['parameter', /is no list/, { email: 'a@b.example', lookups: 'email' }],
		['malformed', /no digits.*no @/, { phoneNumber: 'abc', email: 'x' }],
		['reserved', /private address/, { ipAddress: '10.0.0.1' }],
		['incomplete', /without its country\. Set Country/, { phoneNumber: '020 7946 0123' }],
		['incomplete', /lacks its area code/, { ...LOCAL, lookups: ['callerId', 'whatsApp'] }],
	])('is answered locally as %s, %s: %j', (local, reason, given) => {
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

	const email = 'a@b.example';
	test.each<[flaw: RegExp | undefined, given: Params]>([
		[/has no @/, { phoneNumber: LONDON, email: 'x' }],
		[/has no digits/, { phoneNumber: 'abc', email }],
		[/isn't recognized/, { phoneNumber: '020 7946 0123', country: 'Atlantis', email }],
		[undefined, { phoneNumber: LONDON, country: 'Atlantis' }],
		[/code/, { phoneNumber: '020 7946 0123', lookups: ['whatsApp', 'email'], email }],
		[/area code/, { ...LOCAL, lookups: ['whatsApp', 'email'], email }],
		[undefined, { phoneNumber: '020 7946 0123', country: 'GB' }],
		[undefined, LOCAL],
		[undefined, { phoneNumber: LONDON, ipAddress: '10.0.0.1' }],
		[undefined, { email }],
	])('has a flaw if part of it cannot be looked up, %s: %j', (flaw, given) => {
		const part = partOf(given);
		expect(isLocalAnswer(part.question)).toBe(false);
		if (flaw) expect(part.flaw?.reason).toMatch(flaw);
		else expect(part.flaw).toBeUndefined();
	});
});

test('the form of a contact shows Name with Caller ID, the only lookup to compare it with', () => {
	const name = enrichContact.fields.find((field) => field.name === 'contactName');
	expect(name?.displayOptions).toEqual({ show: { lookups: ['callerId'] } });
});

describe('the largest number of lookups of a contact', () => {
	const NONE: Cached = () => undefined;
	const namesOf = (given: Params, cached = NONE) =>
		enrichContact.lookups!(partOf(given).question, cached).map(nameOf);
	const nameOf = ({ lookup }: LookupCall) => lookup.resource;

	test.each<[given: Params, names: string[]]>([
		[{ phoneNumber: LONDON }, ['phone', 'callerId', 'whatsApp']],
		[LOCAL, ['phone', 'callerId', 'whatsApp']],
		[{ ...LOCAL, email: 'a@b.example', lookups: ['whatsApp', 'email'] }, ['email']],
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
		const valid = answered({ outcome: 'positive', record: { phoneNumber: LONDON } });
		const invalid = answered({ outcome: 'negative', record: {} });
		const lost = { failure: { cause: 'lost', reason: 'broke', scope: 'question' } } as const;
		const knowing =
			(result: ReturnType<Cached>): Cached =>
			(call) =>
				nameOf(call) === 'phone' ? result : undefined;

		const [, ...others] = enrichContact.lookups!(partOf(LOCAL).question, knowing(valid));
		expect(others.map(({ lookup, question }) => lookup.request(question).query)).toEqual([
			{ phone_number: LONDON },
			{ number: LONDON },
		]);
		expect(namesOf(LOCAL, knowing(invalid))).toEqual(['phone']);
		expect(namesOf(LOCAL, knowing(lost))).toEqual(['phone']);
		expect(namesOf({ phoneNumber: LONDON }, knowing(lost)).sort()).toEqual(NUMBER_LOOKUPS);
	});
});

describe('a contact', () => {
	const sandbox = sandboxOfTests();

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

	test.each([[['whatsApp']], [['callerId', 'whatsApp']], [NUMBER_LOOKUPS]])(
		'names the omitted extension in each section of %j',
		async (lookups) => {
			const { asked, answer } = await enrich({ phoneNumber: `${LONDON} ext. 5`, lookups });
			// In E.164, which each section names
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

	test.each<[title: string, given: Params, number: string | undefined]>([
		['with its country code', { phoneNumber: '+44 20 7946 0123' }, LONDON],
		['completed', { phoneNumber: '020 7946 0123', country: '+44' }, LONDON],
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
});

test('the lookups of a contact start together, except those that use the number of the validation', async () => {
	const inFlight: number[] = [];
	let open = 0;
	const lookUp = async () => {
		open += 1;
		await flush();
		inFlight.push(open);
		open -= 1;
		return answered({ outcome: 'positive', record: { phoneNumber: LONDON } });
	};
	const client = scriptedClient([], { lookUp });
	const given = { phoneNumber: LONDON, email: 'ada@example.com', ipAddress: '8.8.8.8' };
	await perform(enrichContact, [partOf(given).question], client);
	expect(inFlight).toEqual([3, 2, 1, 2, 1]);
	expect(client.lookups.map(({ lookup }) => lookup.resource)).toEqual([
		...['phone', 'email', 'geoIp', 'callerId', 'whatsApp'],
	]);
	expect(client.calls).toEqual([]);
});

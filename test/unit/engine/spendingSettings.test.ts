import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { type AnyOperation, readSpending, SettingsReader } from '../../engine';

const floorOf = (...balances: Array<[unknown, unknown]>) => ({
	minimumBalance: {
		balances: balances.map(([balance, credits]) => ({ balance, credits })),
	} as IDataObject,
});

describe('the options that limit spending', () => {
	test.each([
		['geoip', 0, 0],
		['whatsapp', ' 7 ', 7],
	])('reads a floor of %s', (balance, credits, read) => {
		const { floors, problem } = readSpending(floorOf([balance, credits], ...[]));
		expect([...floors]).toEqual([[balance, read]]);
		expect(problem).toBeUndefined();
	});

	test.each<[title: string, options: IDataObject, words: RegExp]>([
		[
			'a balance that is given twice',
			floorOf(['email', 1], ['email', 2]),
			/has the email balance twice/,
		],
		[
			'a balance that is not shown',
			floorOf(['callerinfo', 1]),
			/has an unknown balance \(callerinfo\)/,
		],
		['a balance that is missing', floorOf([undefined, 1]), /names no balance/],
		['credits that are missing', floorOf(['email', '']), /has no credits for the email balance/],
		['a part of a credit', floorOf(['email', 1.5]), /aren't a whole number \(1\.5\)/],
		['less than nothing', floorOf(['email', -1]), /aren't a whole number \(-1\)/],
		['words', floorOf(['email', 'many']), /aren't a whole number \(many\)/],
		['no number', floorOf(['email', NaN]), /aren't a whole number|has no credits/],
		['no row at all', { minimumBalance: {} }, /names no balance/],
		['a number in place of the rows', { minimumBalance: 100 }, /names no balance/],
		['something else in place of the rows', { minimumBalance: { email: 100 } }, /names no balance/],
	])('refuses %s', (_, options, words) => {
		const { problem, floors } = readSpending(options);
		expect(problem?.reason).toMatch(words);
		expect(problem?.reason).toMatch(/^Minimum Balance /);
		expect(floors.size).toBe(0);
	});
});

test('all options that cannot be read are left out, whichever collection has the first of them', () => {
	const collection = (name: string): INodeProperties => ({
		...{ displayName: name, name, type: 'collection', default: {} },
		options: ['one', 'two'].map((each) => {
			const own = `${name}.${each}`;
			return { displayName: own, name: own, type: 'number' as const, default: 0 };
		}),
	});
	const written: Record<string, IDataObject> = {
		limits: { 'limits.one': 'many', 'limits.two': '2' },
		options: { 'options.one': 'few', 'options.two': ' 3 ' },
	};
	const context = {
		getNode: () => ({ type: 'x' }),
		getInputData: () => [{ json: {} }],
		getNodeParameter: (name: string) => written[name],
	} as unknown as IExecuteFunctions;
	const declared = Object.keys(written).map(collection);
	const { options, misread } = new SettingsReader(context, {} as AnyOperation, declared);
	expect(options).toEqual({ 'limits.two': 2, 'options.two': 3 });
	expect(misread?.failure.reason).toMatch(/^limits\.one \("many"\) isn't a number/);
});

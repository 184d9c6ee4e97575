import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { problemWithSchema } from '../../../nodes/LookupMessaging/operations/toolServer/schemaCheck';

const SEED = 18;

const asJson = (value: unknown): IDataObject => JSON.parse(JSON.stringify(value)) as IDataObject;
const under = (name: string, value: unknown, schema: unknown): [object, unknown] => [
	{ properties: { [name]: schema } },
	{ [name]: value },
];

describe('a value that does not fit is named with its path and what is wrong', () => {
	test.each<[problem: string, schema: object, value: unknown]>([
		["result isn't an object", { type: 'object' }, []],
		["result.price isn't a number", ...under('price', '3', { type: 'number' })],
		["result.count isn't an integer", ...under('count', 1.5, { type: 'integer' })],
		["result.gone isn't null", ...under('gone', 0, { type: 'null' })],
		["result.x isn't one of these: string, null", ...under('x', 1, { type: ['string', 'null'] })],
		["result.items[3].price isn't a number", ...under('items', [{}, {}, {}, { price: 'x' }], { items: under('price', 0, { type: 'number' })[0] })], // prettier-ignore
		['result.name is missing', { required: ['name'] }, {}],
		['result.constructor is missing', { required: ['constructor'] }, {}],
		["result.b isn't allowed", { properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }], // prettier-ignore
		["result.constructor isn't allowed", { properties: {}, additionalProperties: false }, JSON.parse('{"constructor":1}')], // prettier-ignore
		["result.__proto__ isn't a string", JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), JSON.parse('{"__proto__":1}')], // prettier-ignore
		["result.b isn't a string", { additionalProperties: { type: 'string' } }, { b: 2 }],
		["result.a isn't allowed", { properties: { a: false } }, { a: 1 }],
		["result[1] isn't a string", { prefixItems: [true, { type: 'string' }] }, [1, 2]],
		["result[1] isn't a string", { prefixItems: [true], items: { type: 'string' } }, [1, 2]],
		['result has fewer entries than 2', { minItems: 2 }, [1]],
		['result has more entries than 0', { maxItems: 0 }, [1]],
		["result isn't one of the allowed values", { enum: [1, [2, { a: 3 }]] }, [2, { a: 4 }]],
		["result isn't the one allowed value", { const: { a: 1 } }, { a: 1, b: 1 }],
		['result is less than 2', { minimum: 2 }, 1],
		['result is more than 2', { maximum: 2 }, 3],
		["result isn't above 2", { exclusiveMinimum: 2 }, 2],
		["result isn't below 2", { exclusiveMaximum: 2 }, 2],
		['result has fewer characters than 2', { minLength: 2 }, '😀'],
		['result has more characters than 1', { maxLength: 1 }, '😀a'],
		["result isn't a string", { allOf: [{}, { type: 'string' }] }, 1],
		['result fits none of the alternatives', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 1],
		["result.a isn't a string", { anyOf: [under('a', 0, { type: 'string' })[0], { type: 'null' }] }, { a: 1 }], // prettier-ignore
		['result fits more than one of the alternatives', { oneOf: [{}, { type: 'number' }] }, 1],
		["result isn't a string", { $ref: '#/$defs/A', $defs: { A: { type: 'string' } } }, 1],
		["result isn't a string", { $ref: '#/$defs/a~1b~0c%20d', $defs: { 'a/b~c d': { type: 'string' } } }, 1], // prettier-ignore
		["result isn't a string", { $ref: '#/allOf/0', allOf: [{ type: 'string' }] }, 1],
		["result isn't a string", { $ref: '#/$defs/A', $defs: JSON.parse('{"A":{"$ref":"#/$defs/__proto__"},"__proto__":{"type":"string"}}') }, 1], // prettier-ignore
		["result.next.next isn't an object", { type: 'object', properties: { next: { $ref: '#' } } }, { next: { next: 1 } }], // prettier-ignore
		['result["a b"] isn\'t a string', ...under('a b', 1, { type: 'string' })],
	])('%s', (problem, schema, value) => {
		expect(problemWithSchema(value, schema as IDataObject)).toBe(problem);
	});

	test('however long and odd the names of the server are', () => {
		const odd = `\u0000\ud800${'x'.repeat(1_000_000)}`;
		const names = Array.from({ length: 60 }, () => odd);
		const deep = names.reduce<object>((inner, name) => ({ [name]: inner }), { a: 1 });
		const message = problemWithSchema(deep, {
			additionalProperties: { $ref: '#' },
			properties: { a: { type: 'string' } },
		});
		expect(message).toMatch(/^….*\.a isn't a string$/);
		expect(message?.length).toBeLessThan(250);
		expect(message).not.toMatch(/[\p{Cc}\p{Cs}]/u);
	});
});

describe('what is not understood is no problem', () => {
	const far = { type: 'string' };
	test.each<[what: string, schema: object, value: unknown]>([
		['an unknown keyword', { minFoo: 3, type: 'object' }, {}],
		['a regular expression', { pattern: '^(a+)+$', format: 'date' }, 'b'],
		['an unknown type', { type: 'any' }, 1],
		['an unknown type among others', { type: ['string', 'any'] }, 1],
		['no type at all', { type: [] }, 1],
		['a remote reference', { $ref: 'https://example.com/a#/$defs/A', $defs: { A: false } }, 1],
		['a reference to an anchor', { $ref: '#A', $defs: { A: { $anchor: 'A', not: {} } } }, 1],
		['a reference to nothing', { $ref: '#/$defs/constructor', $defs: {} }, 1],
		['a reference that cannot be decoded', { $ref: '#/%E0%A4%A', '%E0%A4%A': false }, 1],
		['a reference below an ID', { items: { $id: 'https://example.com/a', $ref: '#/$defs/A' }, $defs: { A: far } }, [1]], // prettier-ignore
		['keywords beside a reference of draft 7', { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { $ref: '#/$defs/A', type: 'string' } }, $defs: { A: {} } }, { a: 1 }], // prettier-ignore
		['names that a pattern may allow', { patternProperties: { '^x': {} }, additionalProperties: false }, { y: 1 }], // prettier-ignore
		['a list of schemas as items', { items: [far] }, [1]],
		['a limit of draft 4', { minimum: 1, exclusiveMinimum: true }, 1],
		['required of draft 3', { properties: { a: { required: true } } }, { a: {} }],
		['null where OpenAPI allows it', { type: 'string', nullable: true }, null],
		['alternatives that only a regular expression tells apart', { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'a'], // prettier-ignore
		['no alternatives', { anyOf: [], oneOf: [] }, 1],
		['an integer that is too long for a number', { type: 'integer' }, '12345678901234567890'],
		['a number or text that is such an integer', { oneOf: [{ type: 'number' }, far] }, '12345678901234567890'], // prettier-ignore
		['keywords of the wrong kind', { type: 1, enum: 1, properties: 1, required: [1], additionalProperties: 1, prefixItems: 1, items: 1, minItems: '9', allOf: 1, anyOf: 1, oneOf: 1, $ref: 1 }, {}], // prettier-ignore
		['odd objects as keywords', { $schema: { toString: 1 }, type: [{ toString: 1 }] }, 1],
	])('%s', (_, schema, value) => {
		expect(problemWithSchema(value, schema as IDataObject)).toBeUndefined();
	});
});

describe('hostile schemas end soon', () => {
	const nested = (levels: number, close: unknown, name = 'a') =>
		JSON.parse(
			`${`{"${name}":`.repeat(levels)}${JSON.stringify(close)}${'}'.repeat(levels)}`,
		) as IDataObject;
	const self = { $ref: '#' };
	test.each<[what: string, schema: object, value: unknown]>([
		['a reference to itself', self, 1],
		['references in a circle', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } }, 1], // prettier-ignore
		['two references to itself', { allOf: [self, self], anyOf: [self, self] }, {}],
		['two alternatives that are the schema', { oneOf: [self, self], type: 'object' }, {}],
		['10,000 alternatives of which the last fits, 10,000 times', { items: { anyOf: [...Array(9_999).fill({ const: 1 }), { const: 2 }] } }, Array(10_000).fill(2)], // prettier-ignore
		['a deep schema', nested(10_000, { type: 'string' }, 'not'), 1],
		['a deep schema that is understood', nested(5_000, { type: 'string' }, 'items'), 1],
		['a deep value', { additionalProperties: self }, nested(10_000, 1)],
		['deep values to compare', { const: nested(10_000, 1) }, nested(10_000, 1)],
		['a million names in each of many schemas', { items: { required: Array(1_000_000).fill('a') } }, Array(1_000).fill({ a: 1 })], // prettier-ignore
	])('%s', (_, schema, value) => {
		expect(problemWithSchema(value, schema as IDataObject)).toBeUndefined();
	});

	test('before they have looked at a part 200,000 times', () => {
		let looks = 0;
		const counted = new Proxy(
			{},
			{
				ownKeys: () => {
					looks += 1;
					return [];
				},
			},
		);
		const schema = { anyOf: [{ allOf: [counted, self, self] }, self] };
		expect(problemWithSchema({}, schema as IDataObject)).toBeUndefined();
		expect(looks).toBeGreaterThan(100);
		expect(looks).toBeLessThan(200_000);
	});

	test('and 10,000 alternatives of which none fits are told', () => {
		const anyOf = Array.from({ length: 10_000 }, (_, value) => ({ const: value }));
		expect(problemWithSchema('x', { anyOf })).toBe('result fits none of the alternatives');
	});
});

const NAMES = ['a', 'b', 'constructor', 'a/b~c'];
const name = fc.constantFrom(...NAMES);
const scalar = fc.constantFrom(null, true, false, -1, 0, 1, 2, 2.5, '', 'a', '😀', '😀b', 'abc');
const { value: anyValue } = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		scalar,
		fc.array(tie('value'), { maxLength: 3 }),
		fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
	),
}));
const type = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
const size = fc.integer({ min: 0, max: 3 });
const bound = fc.constantFrom(-1, 0, 1, 2.5);
const reference = fc.constantFrom('#/$defs/A', '#/$defs/a~1b~0c', '#/%24defs/A');

/** @param refers whether it may refer at once to a definition; those that do may never end */
function anySchema(levels: number, refers: boolean, others: object): fc.Arbitrary<unknown> {
	if (levels === 0) return fc.oneof(fc.boolean(), fc.record({ type }));
	const here = anySchema(levels - 1, refers, others);
	const inner = anySchema(levels - 1, true, others);
	const some = { minLength: 1, maxLength: 3 };
	const keywords = {
		type: fc.oneof(type, fc.uniqueArray(type, some)),
		properties: fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true }),
		required: fc.uniqueArray(name, { maxLength: 2 }),
		additionalProperties: fc.oneof(fc.boolean(), inner),
		items: inner,
		prefixItems: fc.array(inner, some),
		minItems: size,
		maxItems: size,
		enum: fc.array(anyValue, some),
		const: anyValue,
		minimum: bound,
		maximum: bound,
		exclusiveMinimum: bound,
		exclusiveMaximum: bound,
		minLength: size,
		maxLength: size,
		anyOf: fc.array(here, some),
		oneOf: fc.array(here, some),
		allOf: fc.array(here, some),
		...(refers && { $ref: reference }),
		...others,
	};
	const chosen = fc.subarray(Object.entries(keywords), { minLength: 1, maxLength: 3 });
	const parts = chosen.chain((entries) => fc.record(Object.fromEntries(entries)));
	return fc.oneof({ weight: 1, arbitrary: fc.boolean() }, { weight: 9, arbitrary: parts });
}

/** A schema with definitions, and a value. */
const cases = (others: object = {}) => {
	const definition = anySchema(2, false, others);
	const $defs = fc.record({ A: definition, 'a/b~c': definition });
	const root = anySchema(3, true, others).filter((schema) => typeof schema === 'object');
	return fc.tuple(root, $defs, anyValue).map(([schema, defs, value]) => ({
		schema: asJson({ ...(schema as object), $defs: defs }),
		value: asJson({ value }).value,
	}));
};

/** The schema validator of the official client. */
const ajv = new Ajv2020({
	strict: false,
	validateSchema: false,
	addUsedSchema: false,
	ownProperties: true,
});
const fitsByAjv = (schema: object, value: unknown) => ajv.validate(schema, value);

describe('the verdict is that of ajv', () => {
	test('for schemas of the keywords that have a rule', () => {
		const verdicts = { fits: 0, misfits: 0 };
		fc.assert(
			fc.property(cases(), ({ schema, value }) => {
				const fits = fitsByAjv(schema, value);
				verdicts[fits ? 'fits' : 'misfits'] += 1;
				expect(problemWithSchema(value, schema) === undefined).toBe(fits);
			}),
			{ seed: SEED, numRuns: 2_000 },
		);
		expect(Math.min(verdicts.fits, verdicts.misfits)).toBeGreaterThan(100);
	});

	test('wherever a problem is found, also beside keywords without a rule', () => {
		const inner = anySchema(1, false, {});
		const others = {
			not: inner,
			if: inner,
			then: inner,
			else: inner,
			contains: inner,
			propertyNames: inner,
			unevaluatedProperties: fc.boolean(),
			unevaluatedItems: fc.boolean(),
			patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), inner),
			dependentSchemas: fc.dictionary(name, inner),
			pattern: fc.constantFrom('^a', 'b$'),
			multipleOf: fc.constantFrom(1, 2),
			uniqueItems: fc.boolean(),
			minProperties: size,
		};
		let problems = 0;
		fc.assert(
			fc.property(cases(others), ({ schema, value }) => {
				if (problemWithSchema(value, schema) === undefined) return;
				problems += 1;
				expect(fitsByAjv(schema, value)).toBe(false);
			}),
			{ seed: SEED, numRuns: 2_000 },
		);
		expect(problems).toBeGreaterThan(100);
	});
});

import type { IDataObject } from 'n8n-workflow';
import { inShort, isObject, quote } from '../../engine/plan/values';
import { targetOf } from './jsonPointer';
import { problem, RULES, WITHOUT_RULE, type Check, type Problem } from './schemaRules';

/**
 * Checks JSON against a JSON Schema of a tool server (2020-12; `$schema` may name an older draft).
 *
 * Whatever is not understood is taken as fitting, since a false alarm is worse than a miss: keywords without a rule,
 * references to other documents, and what is left when the steps are used up. `pattern` and `format` have no rule on
 * purpose: a regular expression of the server could run for hours.
 */

/** What a check may cost, in keywords and entries looked at. */
const MOST_STEPS = 200_000;
/** Schemas can refer to themselves. */
const DEEPEST = 200;
const LONGEST_PATH = 200;
const PLAIN_NAME = /^[A-Za-z_]\w{0,59}$/;

/**
 * How a value does not fit a schema, in words: `result.items[3].price is no number`.
 * @returns the first problem; undefined where the value fits, or where that cannot be told
 */
export function problemWithSchema(value: unknown, schema: IDataObject): string | undefined {
	const found = new SchemaCheck(schema).problemWith(value, schema);
	return found && inShort(`${pathOf(found.steps)} ${found.words}`, 2 * LONGEST_PATH);
}

/** One check of a value, and what is left for it. */
class SchemaCheck implements Check {
	private stepsLeft = MOST_STEPS;
	private depth = 0;
	skips = 0;
	/** Whether other keywords beside a `$ref` say nothing, as they did until 2019. */
	private readonly refStandsAlone: boolean;

	constructor(private readonly root: IDataObject) {
		const { $schema } = root;
		this.refStandsAlone = typeof $schema === 'string' && /\bdraft-0[3-7]\b/.test($schema);
	}

	problemWith(value: unknown, schema: unknown): Problem | undefined {
		if (!this.spend() || schema === true) return undefined;
		if (schema === false) return problem("isn't allowed");
		if (!isObject(schema) || this.depth >= DEEPEST) return this.skip();
		// References below an ID of its own mean that other document
		if (schema !== this.root && schema.$id !== undefined) return this.skip();
		this.depth += 1;
		const found = this.first(this.keywordsOf(schema), ([keyword, operand]) => {
			const rule = RULES.get(keyword);
			if (rule) return rule(value, operand, this, schema);
			return WITHOUT_RULE.has(keyword) ? undefined : this.skip();
		});
		this.depth -= 1;
		return found;
	}

	first<T>(list: T[], problemOf: (entry: T, index: number) => Problem | undefined) {
		if (!this.spend(list.length)) return undefined;
		for (const [index, entry] of list.entries()) {
			if (this.stepsLeft < 0) return undefined;
			const found = problemOf(entry, index);
			if (found) return found;
		}
		return undefined;
	}

	skip(): undefined {
		this.skips += 1;
	}

	spend(steps = 1): boolean {
		this.stepsLeft -= steps;
		if (this.stepsLeft < 0) this.skip();
		return this.stepsLeft >= 0;
	}

	targetOf(ref: string): unknown {
		return targetOf(ref, this.root);
	}

	private keywordsOf(schema: IDataObject): Array<[string, unknown]> {
		const { $ref } = schema;
		return this.refStandsAlone && typeof $ref === 'string'
			? [['$ref', $ref]]
			: Object.entries(schema);
	}
}

/** "result.items[3].price"; of a long path, its end. */
function pathOf(steps: Array<number | string>): string {
	const names = [...steps].reverse().map((step) => {
		if (typeof step === 'number') return `[${step}]`;
		return PLAIN_NAME.test(step) ? `.${step}` : `[${quote(step)}]`;
	});
	const path = `result${names.join('')}`;
	return path.length > LONGEST_PATH ? `…${path.slice(-LONGEST_PATH)}` : path;
}

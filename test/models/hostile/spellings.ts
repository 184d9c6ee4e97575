import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** How expressions, models and imported workflows write switches, numbers and choices. */

export const READ_TYPES = ['boolean', 'number', 'options', 'multiOptions'];

/** A value, and the ways to write it. */
type Spelt = [value: unknown, spellings: unknown[]];

export function spellingsOf({ type, options = [] }: INodeProperties): Spelt[] {
	const choices = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	switch (type) {
		case 'boolean':
			return [
				[true, ['true', 'TRUE', ' True ', 'yes', 'Yes', 'on', 1, '1']],
				[false, ['false', 'FALSE', 'no', 'off', 0, '0']],
			];
		case 'number':
			return [[7, ['7', ' 7 ', '7.0']]];
		case 'options':
			return choices.map((value) => [value, [value.toUpperCase(), ` ${value} `]]);
		default:
			return [[choices, [choices.map((value) => ` ${value.toUpperCase()}`)]]];
	}
}

/** What no parameter of the type can be. */
export function unreadable({ type }: INodeProperties): unknown[] {
	const others: unknown[] = ['full', 'maybe', [1, 2], { on: true }, '1,5,3', 'x'.repeat(100_000)];
	return type === 'boolean' ? [...others, 2, 'truee', ''] : others;
}

import type { AnyOperation } from '../engine/operation';

/** The line below the node's name on the canvas, such as "Contact → Enrich": an expression, since it depends on the parameters. */
export function subtitleOf(
	operations: AnyOperation[],
	resources: Array<{ name: string; value: string }>,
): `={{${string}}}` {
	const nameOf = (resource: string) => resources.find(({ value }) => value === resource)?.name;
	const names = Object.fromEntries(
		operations.map(({ resource, value, name }) => [
			`${resource}.${value}`,
			`${nameOf(resource)} → ${name}`,
		]),
	);
	return `={{ (${JSON.stringify(names)})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

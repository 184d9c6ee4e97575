import killedBy from '../../test/promises/killedBy.json';
import { PROMISES, type HeldPromise } from '../../test/promises/promises';
import { table } from './markdown';

/** The page of the promises, and of the tests that hold them. */
export function promisesPage(): string {
	return `# What the tests hold

Each line is a promise to users, a change of the package that breaks it, and tests that then fail. \`npm run promises\` makes the changes in a copy,
runs the tests, and ends with an error where none fails. With words, as in \`npm run promises -- Stop\`, it does so for the promises that contain them.
A new promise is an entry in [promises.ts](promises.ts).

${table(['Promise', 'Broken in', 'Tests that notice'], PROMISES.map(lineOf))}
`;
}

function lineOf({ promise, file }: HeldPromise): string[] {
	const killed: Record<string, Array<{ test: string; titles: string[] }>> = killedBy;
	const tests = (killed[promise] ?? []).map(({ test, titles: [first] }) => `\`${test}\`: ${first}`);
	return [promise, `\`${file}\``, tests.join('<br>')];
}

/** What `npm run mutants` prints. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant } from './copy.mts';

export class Outcome {
	isRun = false;
	/** Whether a test comes by the mutant. */
	isReached = false;
	/** How many test files that reach it were left out, to save time. */
	notRun = 0;
	/** The tests that noticed it, as far as they were run. */
	by: string[] = [];

	constructor(readonly mutant: Mutant) {}
}

export const isUnnoticed = ({ by }: Outcome) => by.length === 0;

const TEXT_LENGTH = 70;

/** A row for each folder: how many mutants were noticed, by a failed test or by one that hung, and how many were not. */
export function scores(outcomes: Outcome[]): string {
	const folders = new Map<string, Outcome[]>([['all', outcomes]]);
	for (const outcome of outcomes) {
		const folder = dirname(outcome.mutant.fileName).split('/').slice(0, 4).join('/');
		folders.set(folder, [...(folders.get(folder) ?? []), outcome]);
	}
	const head = ['folder', 'mutants', 'noticed', 'by a hang', 'survived', 'unreached', 'score'];
	const rows = [...folders]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([folder, list]) => {
			const noticed = list.filter((outcome) => !isUnnoticed(outcome));
			const hung = noticed.filter(({ by }) => by.every((test) => test.includes(': hung: '))).length;
			const unreached = list.filter(({ isReached }) => !isReached).length;
			const survived = list.length - noticed.length - unreached;
			const score = `${((100 * noticed.length) / list.length).toFixed(1)} %`;
			return [folder, list.length, noticed.length, hung, survived, unreached, score].map(String);
		});
	const widths = head.map((name, column) =>
		Math.max(name.length, ...rows.map((row) => row[column].length)),
	);
	return [head, ...rows]
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** Where a mutant is, what the code says and what it said instead. */
export function lineOf(root: string, { mutant, isReached, notRun }: Outcome): string {
	const { fileName, location, mutatorName, replacement = '' } = mutant;
	const { start, end } = location;
	const lines = readFileSync(join(root, fileName), 'utf8').split('\n');
	const text = lines.slice(start.line, end.line + 1);
	text[text.length - 1] = text[text.length - 1].slice(0, end.column);
	text[0] = text[0].slice(start.column);
	const change = `${short(text.join(' '))} → ${short(replacement)}`;
	const left = notRun > 0 ? ` (${notRun} test files not run)` : '';
	const remark = isReached ? left : ' (no test reaches it)';
	return `${fileName}:${start.line + 1}: ${mutatorName}: ${change}${remark}`;
}

/** A few tests that notice all that `outcomes` says was noticed: each time the one that notices most of what is left. */
export function fewestTests(outcomes: Outcome[]): string[] {
	const counts = new Map<string, number>();
	for (const test of outcomes.flatMap(({ by }) => by))
		counts.set(test, (counts.get(test) ?? 0) + 1);
	const [most] = [...counts].sort(([, a], [, b]) => b - a);
	if (!most) return [];
	const left = outcomes.filter(({ by }) => !by.includes(most[0]));
	return [`${most[1]} of them: ${most[0]}`, ...fewestTests(left)];
}

function short(text: string): string {
	const line = text.replace(/\s+/g, ' ');
	return line.length > TEXT_LENGTH ? `${line.slice(0, TEXT_LENGTH - 1)}…` : line;
}

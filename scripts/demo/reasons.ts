import type { EnrichedLead } from './lookups';
import { answerOf, hadInput, LOOKUPS, wasSpared } from './lookups';
import { hang, widthOf } from './textWidth';

/** Longer labels stand on a line of their own. */
const LONGEST_LABEL = 20;
const MARGIN = 2;

/** Why answers are not the ones hoped for, by lead. Empty when there is nothing to explain. */
export function reasonsList(
	enriched: EnrichedLead[],
	labelOf: (one: EnrichedLead) => string,
	most: number,
): string {
	const lines: string[] = [];
	const rows = enriched.map((one) => ({ label: labelOf(one), reasons: reasonsOf(one) }));
	const longest = Math.max(...rows.map(({ label }) => widthOf(label)));
	const indent = Math.min(longest, LONGEST_LABEL) + MARGIN * 2;
	for (const { label, reasons } of rows) {
		if (reasons.length === 0) continue;
		const hasOwnLine = widthOf(label) > LONGEST_LABEL;
		if (hasOwnLine) lines.push(hang(' '.repeat(MARGIN), label, most));
		reasons.forEach((reason, index) => {
			const shown = index === 0 && !hasOwnLine ? label : '';
			const start = `${' '.repeat(MARGIN)}${shown}`;
			lines.push(hang(start + ' '.repeat(indent - widthOf(start)), reason, most));
		});
	}
	return lines.length === 0 ? '' : `Why:\n${lines.join('\n')}`;
}

/** One line per reason; lookups that say the same share it. */
function reasonsOf(one: EnrichedLead): string[] {
	const titles = new Map<string, string[]>();
	for (const lookup of LOOKUPS) {
		const { outcome, source, reason } = answerOf(one, lookup);
		// The table says enough about an empty cell, and about a lookup left out because of another
		if (outcome === 'positive' || !reason) continue;
		if (source !== 'failed' && !hadInput(one.lead, lookup)) continue;
		if (wasSpared(one, lookup)) continue;
		const text = withoutField(String(reason));
		titles.set(text, [...(titles.get(text) ?? []), lookup.title]);
	}
	return [...titles].map(([text, names]) => `${names.join(', ')}: ${text}`);
}

/** The field is named before it: `Phone: "n/a" has no digits`. */
function withoutField(reason: string): string {
	return reason.replace(/^(?:Phone Number|Email|IP Address) \((".*?")\) /, '$1 ');
}

/** Just enough SVG for the plots: horizontal bars, readable on light and dark pages. */

const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px }
.faint { fill: #6e7781 }
.own { fill: #0b7285; stroke: #0b7285 }
.other { fill: #adb5bd; stroke: #adb5bd }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .faint { fill: #8d96a0 }
  .own { fill: #4cc4dd; stroke: #4cc4dd } .other { fill: #6e7681; stroke: #6e7681 }
}`;

const WIDTH = 720;
const LABEL_WIDTH = 230;
const ROW_HEIGHT = 26;

const escape = (text: string) =>
	text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

const text = (x: number, y: number, content: string, more = '') =>
	`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escape(content)}</text>`;

function drawing(height: number, title: string, parts: string[]): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}">
<style>${STYLE}
</style>
${[text(0, 18, title, 'class="title"'), ...parts].join('\n')}
</svg>
`;
}

export interface Bar {
	label: string;
	value: number;
	isOwn: boolean;
}

interface BarGroup {
	heading: string;
	show(value: number): string;
	bars: Bar[];
}

/** Groups of bars, each with a scale of its own. */
export function barChart(title: string, groups: BarGroup[]): string {
	let y = 34;
	const parts = groups.flatMap(({ heading, show, bars }) => {
		const longest = Math.max(...bars.map(({ value }) => value));
		const scale = (WIDTH - LABEL_WIDTH - 80) / (longest || 1);
		const drawn = [text(0, y + 14, heading, 'class="faint"')];
		y += ROW_HEIGHT;
		for (const { label, value, isOwn } of bars) {
			const width = Math.max(1, value * scale);
			drawn.push(
				text(LABEL_WIDTH - 8, y + 14, label, 'text-anchor="end"'),
				`<rect x="${LABEL_WIDTH}" y="${y + 2}" width="${width.toFixed(1)}" height="16" rx="2" class="${isOwn ? 'own' : 'other'}"/>`,
				text(LABEL_WIDTH + width + 6, y + 15, show(value)),
			);
			y += ROW_HEIGHT - 4;
		}
		y += 12;
		return drawn;
	});
	return drawing(y, title, parts);
}

/** Just enough SVG for the plots: horizontal bars and lines, readable on light and dark pages. */

const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px }
.faint { fill: #6e7781 }
.axis { stroke: #d0d7de }
.own { fill: #0b7285; stroke: #0b7285 }
.other { fill: #adb5bd; stroke: #adb5bd }
polyline { fill: none !important; stroke-width: 2.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .faint { fill: #8d96a0 } .axis { stroke: #3d444d }
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

export interface BarGroup {
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

export interface LineSeries {
	label: string;
	isOwn: boolean;
	points: Array<[x: number, y: number]>;
}

const PLOT = { left: 60, top: 46, right: WIDTH - 190, bottom: 290 };

/** Lines from zero, labelled at their ends. */
export function lineChart(
	title: string,
	[xName, yName]: [string, string],
	series: LineSeries[],
): string {
	const all = series.flatMap(({ points }) => points);
	const [xMost, yMost] = [0, 1].map((axis) => Math.max(...all.map((point) => point[axis])));
	const { left, top, right, bottom } = PLOT;
	const at = ([x, y]: [number, number]): [number, number] => [
		left + (x / xMost) * (right - left),
		bottom - (y / yMost) * (bottom - top),
	];
	const ticks = [0, 0.5, 1].flatMap((share) => [
		text(
			left - 8,
			at([0, yMost * share])[1] + 4,
			show(yMost * share),
			'text-anchor="end" class="faint"',
		),
		text(
			at([xMost * share, 0])[0],
			bottom + 18,
			show(xMost * share),
			'text-anchor="middle" class="faint"',
		),
	]);
	const ends = spread(series.map(({ points }) => at(points[points.length - 1])[1]));
	const lines = series.flatMap(({ label, isOwn, points }, index) => [
		`<polyline class="${isOwn ? 'own' : 'other'}" points="${points
			.map((point) =>
				at(point)
					.map((value) => value.toFixed(1))
					.join(','),
			)
			.join(' ')}"/>`,
		text(right + 8, ends[index] + 4, label),
	]);
	return drawing(bottom + 44, title, [
		text(0, top - 10, yName, 'class="faint"'),
		text(right, bottom + 36, xName, 'text-anchor="end" class="faint"'),
		`<path class="axis" fill="none" d="M${left} ${top}V${bottom}H${right}"/>`,
		...ticks,
		...lines,
	]);
}

const show = (value: number) =>
	value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

/** Labels that would lie upon each other are moved apart. */
function spread(heights: number[]): number[] {
	const order = heights.map((_, index) => index).sort((a, b) => heights[b] - heights[a]);
	const placed = [...heights];
	order.forEach((index, rank) => {
		if (rank > 0) placed[index] = Math.min(placed[index], placed[order[rank - 1]] - 16);
	});
	return placed;
}

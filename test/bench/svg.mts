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

/** Lines from zero with a dot for each measurement, labelled at their ends. */
export function lineChart(
	title: string,
	[xName, yName]: [string, string],
	series: LineSeries[],
): string {
	const all = series.flatMap(({ points }) => points);
	const [xTicks, yTicks] = [0, 1].map((axis) =>
		roundTicks(Math.max(...all.map((point) => point[axis]))),
	);
	const [xMost, yMost] = [xTicks, yTicks].map((ticks) => ticks[ticks.length - 1]);
	const { left, top, right, bottom } = PLOT;
	const at = ([x, y]: [number, number]): [number, number] => [
		left + (x / xMost) * (right - left),
		bottom - (y / yMost) * (bottom - top),
	];
	const grid = yTicks.flatMap((tick) => {
		const [x, y] = at([0, tick]);
		return [
			text(x - 8, y + 4, show(tick), 'text-anchor="end" class="faint"'),
			`<path class="axis" fill="none" d="M${left} ${y.toFixed(1)}H${right}"/>`,
		];
	});
	const ticks = xTicks.map((tick) =>
		text(at([tick, 0])[0], bottom + 18, show(tick), 'text-anchor="middle" class="faint"'),
	);
	const ends = spread(series.map(({ points }) => at(points[points.length - 1])[1]));
	const lines = series.flatMap(({ label, isOwn, points }, index) => {
		const positions = points.map((point) => at(point).map((value) => value.toFixed(1)));
		const look = isOwn ? 'own' : 'other';
		return [
			`<polyline class="${look}" points="${positions.map((position) => position.join(',')).join(' ')}"/>`,
			...positions.map(([x, y]) => `<circle class="${look}" cx="${x}" cy="${y}" r="3.5"/>`),
			text(right + 8, ends[index] + 4, label),
		];
	});
	return drawing(bottom + 44, title, [
		text(0, top - 10, yName, 'class="faint"'),
		text(right, bottom + 36, xName, 'text-anchor="end" class="faint"'),
		...grid,
		...ticks,
		...lines,
	]);
}

/** Round numbers from 0 to the first that is not smaller than the largest value. */
function roundTicks(most: number): number[] {
	const magnitude = 10 ** Math.floor(Math.log10(most / 4));
	const step = [1, 2, 2.5, 5, 10].map((n) => n * magnitude).find((n) => n * 4 >= most) ?? most / 4;
	return Array.from({ length: Math.ceil(most / step) + 1 }, (_, n) => n * step);
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

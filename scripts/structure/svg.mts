/** Just enough SVG for boxes and arrows, readable on light and dark pages. */

/** The looks that boxes and arrows can have; `wrong` is for imports that a rule forbids. */
export type Look = 'room' | 'around' | 'wrong';

export interface Place {
	x: number;
	y: number;
	width: number;
	height: number;
}

interface Point {
	x: number;
	y: number;
}

export const WIDTH = 720;

const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px }
.name { font-weight: 600 }
.faint { fill: #6e7781; font-size: 12px }
.frame { fill: none; stroke: #d0d7de; stroke-dasharray: 5 4 }
rect.room { fill: #e3f4f7; stroke: #0b7285 } rect.around { fill: #f6f8fa; stroke: #8c959f }
path { fill: none; stroke-opacity: .6 }
path.room { stroke: #0b7285 } path.around { stroke: #8c959f } path.wrong { stroke: #cf222e; stroke-opacity: 1; stroke-dasharray: 5 3 }
.tip { stroke: none } .tip.room { fill: #0b7285 } .tip.around { fill: #8c959f } .tip.wrong { fill: #cf222e }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .faint { fill: #8d96a0 } .frame { stroke: #3d444d }
  rect.room { fill: #0d2b33; stroke: #4cc4dd } rect.around { fill: #1c2128; stroke: #6e7681 }
  path.room { stroke: #4cc4dd } path.wrong { stroke: #ff7b72 }
  .tip.room { fill: #4cc4dd } .tip.wrong { fill: #ff7b72 }
}`;

const TIP = 8;

export function drawing(height: number, title: string, parts: string[]): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}">
<style>${STYLE}
</style>
${[...(['room', 'around', 'wrong'] as const).map(tip), text(0, 18, title, 'class="title"'), ...parts].join('\n')}
</svg>
`;
}

export function text(x: number, y: number, content: string, more = ''): string {
	return `<text x="${round(x)}" y="${round(y)}" ${more}>${escape(content)}</text>`;
}

/** A box with its name and, below it, a few words. */
export function box({ x, y, width, height }: Place, name: string, words: string, look: Look) {
	const at = `x="${round(x)}" y="${round(y)}" width="${width}" height="${height}"`;
	const middle = y + height / 2 + 4;
	return [
		`<rect class="${look}" ${at} rx="6"/>`,
		text(x + 10, words ? middle - 8 : middle, name, 'class="name"'),
		...(words ? [text(x + 10, middle + 8, words, 'class="faint"')] : []),
	].join('');
}

export function frame({ x, y, width, height }: Place): string {
	return `<rect class="frame" x="${x}" y="${round(y)}" width="${width}" height="${round(height)}" rx="9"/>`;
}

/**
 * A curved arrow that leaves and arrives horizontally.
 * @param pull how far to the right the curve is drawn at its start and at its end; to the left where it is negative
 */
export function arrow(
	start: Point,
	end: Point,
	[leave, arrive]: number[],
	look: Look,
	width: number,
) {
	const x = end.x + Math.sign(arrive) * TIP;
	const curve = [
		[start.x + leave, start.y],
		[end.x + arrive, end.y],
		[x, end.y],
	].map((point) => point.map(round).join(' '));
	return `<path class="${look}" stroke-width="${width}" d="M${round(start.x)} ${round(start.y)}C${curve.join(' ')}" marker-end="url(#${look})"/>`;
}

/** The head of an arrow, which begins where its line ends. */
const tip = (look: Look) =>
	`<marker id="${look}" viewBox="0 0 8 10" refX="0" refY="5" markerUnits="userSpaceOnUse" markerWidth="${TIP}" markerHeight="10" orient="auto"><path class="tip ${look}" d="M0 0 8 5 0 10z"/></marker>`;

const round = (value: number) => String(Math.round(value * 10) / 10);

const escape = (content: string) =>
	content.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

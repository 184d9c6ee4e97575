import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Rewrites a screenshot with a palette of at most 256 colours: a third of the size, and hard to tell apart. */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;

interface Pixels {
	width: number;
	height: number;
	/** Each as 0xRRGGBB. */
	colours: Uint32Array;
}

/** @param png as Chromium writes it: 8 bits per channel, RGB or RGBA, not interlaced */
export function withPalette(png: Buffer): Buffer {
	const { width, height, colours } = decode(png);
	const { palette, indexOf } = paletteOf(colours);
	const rows = Buffer.alloc(height * (width + 1));
	for (let y = 0; y < height; y += 1)
		for (let x = 0; x < width; x += 1)
			rows[y * (width + 1) + 1 + x] = indexOf.get(colours[y * width + x])!;
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 3, 0, 0, 0], 8);
	const table = Buffer.from(palette.flatMap(channels));
	return Buffer.concat([
		SIGNATURE,
		chunk('IHDR', header),
		chunk('PLTE', table),
		chunk('IDAT', deflateSync(rows, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** The most frequent colours, so far apart that they suffice; each other one becomes the one of them that is next to it. */
function paletteOf(colours: Uint32Array) {
	const counts = new Map<number, number>();
	for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
	const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
	let apart = 0;
	let palette = byCount;
	while (palette.length > MAX_COLOURS) {
		apart += 2;
		palette = spread(byCount, apart);
	}
	const indexOf = new Map(byCount.map((colour) => [colour, nearest(palette, colour)]));
	return { palette, indexOf };
}

/** The colours in their order, without those that are nearer than `apart` to one before them. */
function spread(colours: number[], apart: number): number[] {
	const chosen: number[] = [];
	for (const colour of colours) {
		if (chosen.every((one) => distance(one, colour) > apart * apart)) chosen.push(colour);
		if (chosen.length > MAX_COLOURS) break;
	}
	return chosen;
}

function nearest(palette: number[], colour: number): number {
	let best = 0;
	for (let index = 1; index < palette.length; index += 1)
		if (distance(palette[index], colour) < distance(palette[best], colour)) best = index;
	return best;
}

function distance(one: number, other: number): number {
	const red = (one >> 16) - (other >> 16);
	const green = ((one >> 8) & 255) - ((other >> 8) & 255);
	const blue = (one & 255) - (other & 255);
	return red * red + green * green + blue * blue;
}

function decode(png: Buffer): Pixels {
	const parts = new Map<string, Buffer[]>();
	for (let at = SIGNATURE.length; at < png.length; ) {
		const length = png.readUInt32BE(at);
		const type = png.toString('latin1', at + 4, at + 8);
		parts.set(type, [...(parts.get(type) ?? []), png.subarray(at + 8, at + 8 + length)]);
		at += length + 12;
	}
	const [header] = parts.get('IHDR')!;
	const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
	const [depth, kind, , , interlaced] = header.subarray(8);
	if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0)
		throw new Error(`A PNG of kind ${kind} with ${depth} bits is no screenshot`);
	const step = kind === 2 ? 3 : 4;
	const bytes = unfilter(inflateSync(Buffer.concat(parts.get('IDAT')!)), width * step, step);
	const colours = new Uint32Array(width * height);
	for (let pixel = 0; pixel < colours.length; pixel += 1)
		colours[pixel] = bytes.readUIntBE(pixel * step, 3);
	return { width, height, colours };
}

/** Undoes the filter of each row (PNG 1.2, section 6). */
function unfilter(data: Buffer, rowLength: number, step: number): Buffer {
	const height = data.length / (rowLength + 1);
	const bytes = Buffer.alloc(height * rowLength);
	for (let y = 0; y < height; y += 1) {
		const filter = data[y * (rowLength + 1)];
		for (let x = 0; x < rowLength; x += 1) {
			const at = y * rowLength + x;
			const left = x >= step ? bytes[at - step] : 0;
			const up = y > 0 ? bytes[at - rowLength] : 0;
			const corner = x >= step && y > 0 ? bytes[at - rowLength - step] : 0;
			const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
			bytes[at] = data[y * (rowLength + 1) + 1 + x] + predicted;
		}
	}
	return bytes;
}

function paeth(left: number, up: number, corner: number): number {
	const guess = left + up - corner;
	const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value));
	if (toLeft <= toUp && toLeft <= toCorner) return left;
	return toUp <= toCorner ? up : corner;
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(body.length + 8);
	framed.writeUInt32BE(data.length, 0);
	framed.set(body, 4);
	framed.writeUInt32BE(crc32(body), body.length + 4);
	return framed;
}

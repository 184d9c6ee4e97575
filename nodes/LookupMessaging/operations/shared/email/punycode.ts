/** The parameters of Punycode (RFC 3492 §5). */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE_POINT = 128;

/**
 * Encodes a text in Punycode (RFC 3492 §6.3), without the prefix `xn--`.
 * @param text in the case and normalization form that is to be encoded
 */
export function encodePunycode(text: string): string {
	const codePoints = [...text].map((character) => character.codePointAt(0) ?? 0);
	const basic = codePoints.filter((codePoint) => codePoint < FIRST_CODE_POINT);
	let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
	let handled = basic.length;
	let [next, delta, bias] = [FIRST_CODE_POINT, 0, FIRST_BIAS];
	while (handled < codePoints.length) {
		const smallest = Math.min(...codePoints.filter((codePoint) => codePoint >= next));
		delta += (smallest - next) * (handled + 1);
		next = smallest;
		for (const codePoint of codePoints) {
			if (codePoint < next) delta += 1;
			if (codePoint !== next) continue;
			output += encodeDelta(delta, bias);
			bias = adaptedBias(delta, handled + 1, handled === basic.length);
			delta = 0;
			handled += 1;
		}
		delta += 1;
		next += 1;
	}
	return output;
}

/** A number as a generalized variable-length integer (RFC 3492 §3.3). */
function encodeDelta(delta: number, bias: number): string {
	let output = '';
	let rest = delta;
	for (let place = BASE; ; place += BASE) {
		const threshold = Math.min(Math.max(place - bias, T_MIN), T_MAX);
		if (rest < threshold) return output + digitOf(rest);
		output += digitOf(threshold + ((rest - threshold) % (BASE - threshold)));
		rest = Math.floor((rest - threshold) / (BASE - threshold));
	}
}

/** a to z are 0 to 25, 0 to 9 are 26 to 35. */
function digitOf(value: number): string {
	return 'abcdefghijklmnopqrstuvwxyz0123456789'.charAt(value);
}

/** RFC 3492 §6.1. */
function adaptedBias(delta: number, points: number, isFirst: boolean): number {
	let rest = Math.floor(delta / (isFirst ? DAMP : 2));
	rest += Math.floor(rest / points);
	let bias = 0;
	while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
		rest = Math.floor(rest / (BASE - T_MIN));
		bias += BASE;
	}
	return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

/** All digits that a pattern of libphonenumber's prefixes stands for: digits, classes, groups, bars, `\\d` and `?`. */
export function expandedDigits(pattern: string): string[] {
	const parts = alternatives(pattern);
	if (parts.length > 1) return parts.flatMap(expandedDigits);
	if (pattern === '') return [''];
	const token = tokenOf(pattern);
	const isOptional = pattern[token.length] === '?';
	const rests = expandedDigits(pattern.slice(token.length + Number(isOptional)));
	const heads = token.startsWith('(?:')
		? expandedDigits(token.slice(3, -1))
		: [...'0123456789'].filter((digit) => new RegExp(`^${token}$`).test(digit));
	return [...(isOptional ? [''] : []), ...heads].flatMap((head) =>
		rests.map((rest) => head + rest),
	);
}

/** The parts between the bars that stand in no group. */
function alternatives(pattern: string): string[] {
	const parts = [''];
	let depth = 0;
	for (const char of pattern) {
		depth += Number(char === '(') - Number(char === ')');
		if (char === '|' && depth === 0) parts.push('');
		else parts[parts.length - 1] += char;
	}
	return parts;
}

/** The first digit, class or group. */
function tokenOf(pattern: string): string {
	if (!pattern.startsWith('(')) return /^(?:\\d|\[.*?\]|\d)/.exec(pattern)?.[0] ?? pattern;
	let depth = 0;
	const end = [...pattern].findIndex((char) => {
		depth += Number(char === '(') - Number(char === ')');
		return depth === 0;
	});
	return pattern.slice(0, end + 1);
}

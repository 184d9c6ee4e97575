/** Everything this program prints goes through here, so that the key cannot appear whatever text quotes it. */
const secrets = new Set<string>();

const NARROWEST = 80;
const WITHOUT_TERMINAL = 120;

/** From now on `secret` is shown as `***`. */
export function hide(secret: string): void {
	if (secret) secrets.add(secret).add(encodeURIComponent(secret));
}

export function say(text: string): void {
	process.stdout.write(`${withoutSecrets(text)}\n`);
}

export function complain(text: string): void {
	process.stderr.write(`${withoutSecrets(text)}\n`);
}

/** How wide the output may be. COLUMNS helps where the output is piped. */
export function screenWidth(): number {
	const { columns } = process.stdout;
	return Math.max(NARROWEST, columns || Number(process.env.COLUMNS) || WITHOUT_TERMINAL);
}

function withoutSecrets(text: string): string {
	let safe = text;
	for (const secret of secrets) safe = safe.replaceAll(secret, '***');
	return safe;
}

// `npm start | head` closes the pipe early: nothing is wrong then, and what was paid for still gets written.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
	if (code !== 'EPIPE') throw new Error(`The output cannot be written (${code})`);
});

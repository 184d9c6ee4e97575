/** Everything this program prints goes through here, so that the key cannot appear whatever text quotes it. */
const secrets = new Set<string>();

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

function withoutSecrets(text: string): string {
	let safe = text;
	for (const secret of secrets) safe = safe.replaceAll(secret, '***');
	return safe;
}

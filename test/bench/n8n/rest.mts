/** n8n's own REST API, as the editor uses it: one session, kept in a cookie. */
export class Rest {
	private cookie = '';

	constructor(readonly url: string) {}

	async post<Reply>(path: string, body: object): Promise<Reply> {
		return await this.call('POST', path, body);
	}

	async patch<Reply>(path: string, body: object): Promise<Reply> {
		return await this.call('PATCH', path, body);
	}

	private async call<Reply>(method: string, path: string, body: object): Promise<Reply> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: { 'content-type': 'application/json', cookie: this.cookie, 'browser-id': 'bench' },
			body: JSON.stringify(body),
		});
		const cookies = response.headers.getSetCookie();
		if (cookies.length > 0) this.cookie = cookies.map((text) => text.split(';')[0]).join('; ');
		const text = await response.text();
		if (!response.ok)
			throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
		return (JSON.parse(text) as { data: Reply }).data;
	}
}

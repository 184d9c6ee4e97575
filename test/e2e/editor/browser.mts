import { join } from 'node:path';
import { chromium, selectors, type BrowserContext, type Page } from 'playwright-core';
import { programOf } from '../machine/programs.mts';
import { OWNER, type N8n } from '../server/n8n.mts';

/** Debian's Chromium without a screen; nothing of it leaves the machine. */
const ARGUMENTS = [
	...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
	...['--disable-component-update', '--disable-sync'],
	// Neither n8n's nor the registry's hosts are asked for anything. A route of Playwright would keep the browser from caching n8n's scripts
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** What n8n says without us: of its own nodes, and of hosts, licences and executions that are not there. */
const N8NS_OWN = [
	/\/schemas\/n8n-nodes-base\./,
	/dynamic banners/,
	/executions\/last-successful/,
	/\/rest\/ai\/|Failed to fetch sessions metadata/,
];

/** Only ends what hangs, on a busy machine too. */
const PATIENCE_MS = 60_000;

/** Small, so that its pictures are. */
const VIEWPORT = { width: 1280, height: 800 };

/** n8n's editor in a browser, with its owner logged in. */
export class Editor {
	/** What the pages complained about, in the words of the console. */
	readonly complaints: string[] = [];

	private constructor(
		private readonly n8n: N8n,
		private readonly context: BrowserContext,
	) {}

	/**
	 * @param folder where the browser keeps n8n's scripts, as it has compiled them
	 * @param deviceScaleFactor pixels of a picture for each of the page
	 * @throws Skipped where there is no Chromium
	 */
	static async open(n8n: N8n, folder: string, deviceScaleFactor: 1 | 2): Promise<Editor> {
		const executablePath = await programOf('chromium');
		selectors.setTestIdAttribute('data-test-id');
		const context = await chromium.launchPersistentContext(folder, {
			...{ executablePath, headless: true, args: ARGUMENTS },
			...{ viewport: VIEWPORT, deviceScaleFactor, reducedMotion: 'reduce' },
		});
		context.setDefaultTimeout(PATIENCE_MS);
		const { email, password } = OWNER;
		await context.request.post(`${n8n.url}/rest/login`, {
			data: { emailOrLdapLoginId: email, password },
		});
		return new Editor(n8n, context);
	}

	/** A page at an address of the editor. What it logs as an error is kept. */
	async visit(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
		const page = await this.context.newPage();
		await page.emulateMedia({ colorScheme });
		page.on('console', (message) => {
			const { url } = message.location();
			const isElsewhere = url !== '' && !url.startsWith(this.n8n.url);
			const text = `${message.text()} (${url})`;
			if (message.type() === 'error' && !isElsewhere && !N8NS_OWN.some((own) => own.test(text)))
				this.complaints.push(text);
		});
		page.on('pageerror', (error) => this.complaints.push(error.message));
		await page.goto(this.n8n.url + path);
		return page;
	}

	async closePages(): Promise<void> {
		await Promise.all(this.context.pages().map((page) => page.close()));
	}

	/** What the open pages show now. @returns the paths of the pictures */
	async screenshots(folder: string): Promise<string[]> {
		const stamp = Date.now();
		const paths = this.context.pages().map((_, at) => join(folder, `failed-${stamp}-${at}.png`));
		for (const [at, page] of this.context.pages().entries())
			await page.screenshot({ path: paths[at] }).catch(() => undefined);
		return paths;
	}

	async close(): Promise<void> {
		await this.context.close();
	}
}

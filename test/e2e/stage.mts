import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import type { Section, Line, Report } from './report.mts';
import type { Installation } from './server/install.mts';
import { N8n, OWNER, type N8nOptions } from './server/n8n.mts';
import { CREDENTIAL_TYPE, installPackage } from './server/package.mts';
import { Workflows, type CredentialLink } from './server/workflows.mts';

/** What the parts of one line share: the packed package, the n8n to start, and where to write. */
export interface Stage {
	line: Line;
	installation: Installation;
	tarball: string;
	/** Of this line and this run alone. */
	folder: string;
	/** Where pictures for the documentation go, when they are wanted. */
	pictures?: string;
	report: Report;
}

/** An n8n with its owner, our package and a credential, and the service that it talks to. */
export interface Scene {
	n8n: N8n;
	sandbox: Sandbox;
	workflows: Workflows;
	credential: CredentialLink;
	section: Section;
}

/** A started n8n whose package is installed as users have it; nobody has set it up yet. */
export async function startN8n(
	{ installation, tarball, folder }: Stage,
	name: string,
	options: Partial<N8nOptions> = {},
): Promise<N8n> {
	const own = join(folder, name);
	mkdirSync(own, { recursive: true });
	await installPackage(tarball, own);
	const n8n = await N8n.prepare(installation, { ...options, folder: own });
	await n8n.start();
	return n8n;
}

export async function setUpOwner({ rest }: N8n): Promise<void> {
	await rest.post('/owner/setup', OWNER);
}

export const CREDENTIAL_NAME = 'Sandbox';

/** What the form of the credential holds. */
export const credentialData = ({ keys, roots }: Sandbox) => ({ apiKey: keys.main, ...roots });

export async function addCredential({ rest }: N8n, sandbox: Sandbox): Promise<CredentialLink> {
	const data = credentialData(sandbox);
	return await rest.post('/credentials', { name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE, data });
}

/** Runs one part in an n8n and a sandbox of its own, both of which are gone afterwards. */
export async function withScene(
	stage: Stage,
	part: string,
	play: (scene: Scene) => Promise<void>,
	{ sandbox: options, env }: { sandbox?: SandboxOptions; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
	const section = stage.report.section(stage.line, part);
	const sandbox = await startSandbox(options);
	let n8n: N8n | undefined;
	try {
		const isReady = await section.check('n8n starts with the package and an owner', async () => {
			n8n = await startN8n(stage, part, { env });
			await setUpOwner(n8n);
			return `n8n ${stage.installation.version}`;
		});
		if (!isReady || !n8n) return;
		const credential = await addCredential(n8n, sandbox);
		await play({ n8n, sandbox, credential, section, workflows: new Workflows(n8n) });
	} finally {
		await n8n?.stop();
		await sandbox.close();
	}
}

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import type { Section, Release, Report } from './report.mts';
import type { Installation } from './server/install.mts';
import { N8n, OWNER, type N8nOptions } from './server/n8n.mts';
import { CREDENTIAL_TYPE, installPackage } from './server/package.mts';
import { Workflows, type CredentialLink } from './server/workflows.mts';

/** What the suites share that test one release of n8n: the packed package, the n8n to start, and where to write. */
export interface TestEnvironment {
	release: Release;
	installation: Installation;
	tarball: string;
	/** Used by this release and this run only. */
	folder: string;
	/** Where pictures for the documentation go, when they are wanted. */
	pictures?: string;
	/** Whether what takes long and has no difference between the releases is left out. */
	isBrief?: boolean;
	report: Report;
}

/** A running n8n with its owner, our package and a credential, and the sandbox that it calls. */
export interface Fixture {
	n8n: N8n;
	sandbox: Sandbox;
	workflows: Workflows;
	credential: CredentialLink;
	section: Section;
}

/** Starts an n8n with the package installed as users have it. It has no owner yet. */
async function startN8n(
	{ installation, tarball, folder }: TestEnvironment,
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

/** The values in the credential's form. */
export const credentialData = ({ keys, roots }: Sandbox, apiKey = keys.main) => ({
	apiKey,
	...roots,
});

export async function addCredential(
	{ rest }: N8n,
	sandbox: Sandbox,
	apiKey?: string,
): Promise<CredentialLink> {
	const data = credentialData(sandbox, apiKey);
	return await rest.post('/credentials', { name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE, data });
}

/** Runs one suite with an n8n and a sandbox of its own, and stops both afterwards. */
export async function withFixture(
	environment: TestEnvironment,
	suite: string,
	run: (fixture: Fixture) => Promise<void>,
	{ sandbox: options, env }: { sandbox?: SandboxOptions; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
	const section = environment.report.section(environment.release, suite);
	const sandbox = await startSandbox(options);
	let n8n: N8n | undefined;
	try {
		const isReady = await section.check('n8n starts with the package and an owner', async () => {
			n8n = await startN8n(environment, suite, { env });
			await setUpOwner(n8n);
			return `n8n ${environment.installation.version}`;
		});
		if (!isReady || !n8n) return;
		const credential = await addCredential(n8n, sandbox);
		await run({ n8n, sandbox, credential, section, workflows: new Workflows(n8n) });
		await section.check('phone numbers went out in E.164', async () => {
			assert.deepEqual(sandbox.looseNumbers(), []);
		});
	} finally {
		await n8n?.stop();
		await sandbox.close();
	}
}

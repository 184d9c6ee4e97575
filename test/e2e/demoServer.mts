import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { CACHE } from './machine/cache.mts';
import { freePorts, isFree } from './machine/ports.mts';
import { atEnd, endWithThisProcess, isAlive, isEnding, stopAll } from './machine/processes.mts';
import { makeDataTables } from './server/answerTables.mts';
import { installN8n } from './server/install.mts';
import { N8n, OWNER } from './server/n8n.mts';
import { installPackage, packTarball } from './server/package.mts';
import {
	exampleFiles,
	exampleText,
	Workflows,
	type CredentialLink,
	type WorkflowJson,
} from './server/workflows.mts';
import { addCredential, credentialData, CREDENTIAL_NAME } from './testEnvironment.mts';

const HELP = `Usage: npm run n8n -- [options]

Starts a real n8n 2.x to try the package in. The node is installed, a sandbox of the service is running, and the
recipes are imported with a credential for it. You need no account, and no real credit is spent.

Your changes are kept. At the next start, only recipes that are new since then are added, and the package is installed
as it is built then.

  --port N    port of n8n (default 5678, or a free one if that is in use)
  --reset     remove everything: the n8n that was installed for this, with its data and your changes
  --help      show this text
`;

const HOME = join(CACHE, 'demo');
/** File names of the examples that were imported. */
const IMPORTED = join(HOME, 'imported.txt');
/** The example whose address is printed first. */
const FIRST = 'enrich-a-contact-from-a-form.json';
const USUAL_PORT = 5678;
const SANDBOX_PORT = 4010;

/** Holds the ID of the process that runs the demo. Only one may run at a time. */
const PID_FILE = join(CACHE, 'demo.pid');

/** @throws where it is running already */
function refuseWhileRunning(): void {
	const pid = existsSync(PID_FILE) ? Number(readFileSync(PID_FILE, 'utf8')) : 0;
	if (pid > 0 && isAlive(pid))
		throw new Error(
			`It's already running, as process ${pid}. Stop it first: press Ctrl+C there, or run: kill ${pid}`,
		);
}

function reset(): void {
	refuseWhileRunning();
	console.log(`Removing ${CACHE} …`);
	rmSync(CACHE, { recursive: true, force: true });
	console.log('  … done');
}

/** The sandbox at its usual addresses, or at free ones. */
async function openSandbox(): Promise<Sandbox> {
	const usual = [0, 1, 2, 3].map((step) => SANDBOX_PORT + step);
	const areFree = (await Promise.all(usual.map(isFree))).every(Boolean);
	const [main, lookup, geoip, tools] = areFree ? usual : await freePorts(4);
	return await startSandbox({ ports: { main, lookup, geoip, tools } });
}

/** Our package as it is now, over the one of an earlier start. */
async function installFresh(): Promise<void> {
	const nodes = join(HOME, '.n8n/nodes');
	rmSync(nodes, { recursive: true, force: true });
	await installPackage(await packTarball(join(HOME, 'tarball')), HOME);
}

async function startServer(port?: string): Promise<N8n> {
	const wanted = port ? Number(port) : USUAL_PORT;
	if (port && !(await isFree(wanted))) throw new Error(`Port ${port} is in use. Try another one.`);
	const chosen = (await isFree(wanted)) ? wanted : undefined;
	const n8n = await N8n.prepare(await installN8n('2.x'), { folder: HOME, port: chosen });
	await n8n.start();
	return n8n;
}

/** Imports the credential and the examples at the first start; later, updates the credential's URLs and adds new examples. */
async function importExamples(n8n: N8n, sandbox: Sandbox): Promise<void> {
	const { rest } = n8n;
	const { userManagement } = await rest.get<{
		userManagement: { showSetupOnFirstLoad: boolean };
	}>('/settings');
	if (userManagement.showSetupOnFirstLoad) {
		await rest.post('/owner/setup', OWNER);
		const credential = await addCredential(n8n, sandbox);
		await makeDataTables(n8n);
		return await importNew(n8n, credential);
	}
	await n8n.login();
	const credentials =
		await rest.get<Array<{ id: string; name: string; type: string }>>('/credentials');
	const ours = credentials.find(({ name }) => name === CREDENTIAL_NAME);
	if (ours) await rest.patch(`/credentials/${ours.id}`, { ...ours, data: credentialData(sandbox) });
	await importNew(n8n, ours);
}

/** Imports the examples that no earlier start has imported: one that was removed or renamed since does not come back. */
async function importNew(n8n: N8n, credential?: CredentialLink): Promise<void> {
	const before = existsSync(IMPORTED) ? readFileSync(IMPORTED, 'utf8').split('\n') : [];
	const workflows = new Workflows(n8n);
	for (const file of exampleFiles().filter((name) => !before.includes(name)))
		await workflows.add(JSON.parse(exampleText(file)) as WorkflowJson, credential);
	writeFileSync(IMPORTED, [...new Set([...before, ...exampleFiles()])].join('\n'));
}

/** The address of the workflow to begin with, or of all of them where it was renamed. */
async function firstWorkflow({ rest, url }: N8n): Promise<string> {
	const { name } = JSON.parse(exampleText(FIRST)) as WorkflowJson;
	const all = await rest.get<Array<{ id: string; name: string }>>('/workflows');
	const first = all.find((workflow) => workflow.name === name);
	return `${url}/${first ? `workflow/${first.id}` : 'home/workflows'}`;
}

async function run() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string' },
			reset: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(HELP);
	if (values.reset) return reset();
	endWithThisProcess();
	refuseWhileRunning();
	mkdirSync(HOME, { recursive: true });
	writeFileSync(PID_FILE, String(process.pid));
	atEnd(() => rmSync(PID_FILE, { force: true }));
	if (!existsSync(join(HOME, '.n8n'))) console.log('Setting up n8n …');
	await installFresh();
	const sandbox = await openSandbox();
	const n8n = await startServer(values.port);
	await importExamples(n8n, sandbox);
	const log = new URL('/_sandbox/', sandbox.roots.baseUrl);
	console.log(`n8n ${n8n.installation.version} is running, with the package as it is built now. Press Ctrl+C to stop it.

  Start with      ${await firstWorkflow(n8n)}
  All workflows   ${n8n.url}/home/workflows
  Email           ${OWNER.email}
  Password        ${OWNER.password}

The recipes use the credential "${CREDENTIAL_NAME}", which has the key ${sandbox.keys.main}.
Calls that the service saw: ${new URL('log', log)}
Credits that it charged:    ${new URL('ledger', log)}
To remove everything, with the n8n that was installed: npm run n8n -- --reset`);
	await n8n.ended();
	if (isEnding) return;
	console.error(`n8n has ended:\n${n8n.log().slice(-2000)}`);
	await sandbox.close();
	await stopAll();
	process.exit(1);
}

try {
	await run();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	await stopAll();
	process.exit(1);
}

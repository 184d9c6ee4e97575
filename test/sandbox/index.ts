import { addAdminRoutes } from './http/admin';
import { buildHost, listen } from './http/hosts';
import { keysOf } from './answers/magicInputs';
import { Service } from './http/service';
import { Traffic } from './http/traffic';
import { HOSTS, PRODUCTS, type Sandbox, type SandboxOptions } from './types';

export * as magic from './answers/magicInputs';
export type * from './types';

const ANY_PORT = { main: 0, lookup: 0, geoip: 0, tools: 0 };

/**
 * Starts a double of the whole service on 127.0.0.1: four hosts, three accounts, nothing on disk.
 * It is written from SPEC alone, so that it can disagree with the code it tests.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const ports = options.ports ?? ANY_PORT;
	const service = new Service(options);
	const traffic = new Traffic();
	const { audits, batches, sentMessages, accounts } = service.state;
	const [main, lookup, geoip, tools] = HOSTS.map((host) =>
		buildHost(host, service, traffic, options.tls),
	);
	const apps = [main, lookup, geoip, tools];

	const close = async () => {
		service.delays.cancelAll();
		await Promise.all([traffic.destroySockets(), ...apps.map((app) => app.close())]);
	};

	const sandbox: Sandbox = {
		roots: { baseUrl: '', lookupUrl: '', geoipUrl: '', mcpUrl: '' },
		keys: keysOf(options),
		log: traffic.log,
		clearLog: () => traffic.clearLog(),
		looseNumbers: () => [...traffic.looseNumbers],
		openAccount: (key) => accounts.open(key),
		balances: (key) => accounts.get(key).balances,
		debits: (key) => [...accounts.get(key).entries],
		spent: (key) => accounts.get(key).spent,
		setBalance: (key, product, credits) => {
			if (!PRODUCTS.includes(product) || !Number.isInteger(credits)) {
				throw new Error(
					`Expected a product (${PRODUCTS.join(', ')}) and a whole number of credits`,
				);
			}
			accounts.get(key).setBalance(product, credits);
		},
		messages: (key) => [...sentMessages.of(accounts.get(key).key)],
		finishBatches: () => batches.finishAll(),
		setBatchSpeed: (numbersPerSecond) => batches.setSpeed(numbersPerSecond),
		setPace: (pace) => service.setPace(pace),
		finishAudits: () => audits.finishAll(),
		fault: (rule) => service.faults.add(rule),
		clearFaults: () => service.faults.clear(),
		connections: () => traffic.connections(),
		inFlight: () => traffic.inFlight(),
		reset: () => {
			service.reset();
			traffic.reset();
		},
		close,
	};
	addAdminRoutes(main, sandbox);

	let isListening = false;
	try {
		sandbox.roots.baseUrl = `${await listen(main, ports.main)}/api/v1`;
		sandbox.roots.lookupUrl = `${await listen(lookup, ports.lookup)}/api/v1`;
		sandbox.roots.geoipUrl = await listen(geoip, ports.geoip);
		sandbox.roots.mcpUrl = await listen(tools, ports.tools);
		isListening = true;
	} finally {
		// A port that is taken must not leave the other hosts open.
		if (!isListening) await close();
	}
	return sandbox;
}

import { parseArgs } from 'node:util';

import { magic, startSandbox, type CallPace, type ErrorStatus } from './index.ts';

const HELP = `Usage: npm run sandbox -- [options]

Starts a double of the lookup and messaging service on 127.0.0.1. No account, no network, no real credits.

  --port N              port of the main host; the lookup, geolocation and tool hosts take the next three (default 4010)
  --latency MS          delay before every answer (default 0)
  --errors MODE         http: errors come with 4xx codes; ok: with HTTP 200 (default http)
  --calls-per-second N  429 to a key that makes more (default: no limit)
  --batch-speed N       numbers per second that each batch is worked off with; 0 stands still (default 500)
  --audit-seconds S     how long an audit takes (default 2)
  --tools MODE          how the tool server replies: sse or json (default sse)
  --sessions            the tool server issues session IDs and requires them
  --help                this text
`;

const LAST_PORT = 65_535;

function wholeNumber(text: string, name: string): number {
	const value = Number(text);
	if (text === '' || !Number.isInteger(value) || value < 0) {
		throw new Error(`--${name} has to be a whole number, not "${text}"`);
	}
	return value;
}

/** The first of four ports in a row, or 0 for four that are free. */
function portNumber(text: string): number {
	const port = wholeNumber(text, 'port');
	if (port > LAST_PORT - 3) throw new Error(`--port can be ${LAST_PORT - 3} at most, not ${port}`);
	return port;
}

function errorMode(text: string): ErrorStatus {
	if (text === 'http' || text === 'ok') return text;
	throw new Error(`--errors has to be http or ok, not "${text}"`);
}

function responseMode(text: string): 'json' | 'sse' {
	if (text === 'json' || text === 'sse') return text;
	throw new Error(`--tools has to be sse or json, not "${text}"`);
}

function paceOf(text: string | undefined): CallPace | undefined {
	if (text === undefined) return undefined;
	const calls = wholeNumber(text, 'calls-per-second');
	if (calls === 0) throw new Error('--calls-per-second has to be 1 or more');
	return { callsPerSecond: calls, burst: calls };
}

function readArguments() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			latency: { type: 'string', default: '0' },
			errors: { type: 'string', default: 'http' },
			'calls-per-second': { type: 'string' },
			'batch-speed': { type: 'string', default: '500' },
			'audit-seconds': { type: 'string', default: '2' },
			tools: { type: 'string', default: 'sse' },
			sessions: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	return {
		help: values.help,
		port: portNumber(values.port),
		options: {
			latencyMs: wholeNumber(values.latency, 'latency'),
			errorStatus: errorMode(values.errors),
			pace: paceOf(values['calls-per-second']),
			batchNumbersPerSecond: wholeNumber(values['batch-speed'], 'batch-speed'),
			auditSeconds: wholeNumber(values['audit-seconds'], 'audit-seconds'),
			toolServer: { responses: responseMode(values.tools), sessions: values.sessions },
		},
	};
}

async function run() {
	const { help, port, options } = readArguments();
	if (help) {
		console.log(HELP);
		return;
	}
	// Port 0 asks for free ports, so there is nothing to count up from.
	const next = (step: number) => (port === 0 ? 0 : port + step);
	const sandbox = await startSandbox({
		ports: { main: port, lookup: next(1), geoip: next(2), tools: next(3) },
		...options,
	});
	const stop = () => void sandbox.close();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);

	const { roots, keys } = sandbox;
	console.log(`The sandbox is running. Ctrl+C stops it.

  Base URL         ${roots.baseUrl}
  Lookup URL       ${roots.lookupUrl}
  GeoIP URL        ${roots.geoipUrl}
  Tool Server URL  ${roots.mcpUrl}

  API keys         ${keys.main}   plenty of every credit
                   ${keys.other}  another account
                   ${keys.empty}  no credits

Try it:

  curl '${roots.lookupUrl}/phonevalidation?phone_number=%2B12025550102&api_key=${keys.main}'

Magic inputs (all of them: test/sandbox/README.md):

  ${magic.PHONE.onWhatsApp}   on WhatsApp           ${magic.PHONE.notOnWhatsApp}  not on WhatsApp
  ${magic.PHONE.noName}   no registered name    ${magic.PHONE.callerLookupFails}  caller lookup fails
  missing@shop.example    mailbox not found     any@${magic.EMAIL.catchAllDomain}  catch-all server
  timeout@shop.example    inconclusive, refunded
  ${magic.IP.unresolved[0]}   IP not resolved       ${magic.IP.countryOnly[0]}   no city
  ${magic.PHONE.batchRowFails}   fails in a batch      ${magic.PHONE.sendRefused}  refuses messages
  ${magic.SCRAPER.many}   in a search           ${magic.SCRAPER.nothing}    in a search
  ${magic.AUDIT.failingBrand}  its audit fails

What it saw and charged: ${new URL('/_sandbox/log', roots.baseUrl)} and ${new URL('/_sandbox/ledger', roots.baseUrl)}
Numbers in a spelling that the sandbox does not take: ${new URL('/_sandbox/loose-numbers', roots.baseUrl)}`);
}

/** Node's own words, except for what another port or another option fixes. */
function whyNotStarted(error: unknown): string {
	const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
	if (code === 'EADDRINUSE')
		return `Port ${port} is in use, perhaps by another sandbox. Stop that, or try other ports: npm run sandbox -- --port 5010 (takes four from there on; 0 takes any that are free)`;
	if (code === 'EACCES' && port !== undefined)
		return `Port ${port} may not be used by this user. Try a higher one: npm run sandbox -- --port 5010`;
	if (code?.startsWith('ERR_PARSE_ARGS')) return `${message}\n\n${HELP}`;
	return message ?? String(error);
}

try {
	await run();
} catch (error) {
	console.error(whyNotStarted(error));
	process.exitCode = 1;
}

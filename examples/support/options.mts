import { parseArgs } from 'node:util';
import { Complaint, wordsOf } from './complaint.mts';

/** Where the lookups go instead of the sandbox. */
export interface OwnService {
	apiKey: string;
	baseUrl: string;
	lookupUrl: string;
	geoipUrl: string;
	mcpUrl: string;
}

export interface Options {
	help: boolean;
	debug: boolean;
	input?: string;
	output?: string;
	own?: OwnService;
}

export const HELP = `Usage: npm start -- [options]

Runs examples/workflows/enrich-leads.json on n8n's own engine in this process: every lead of a CSV file gets its phone
number validated, looked up on WhatsApp, its email address verified and its IP address located. Then it shows the
answers, and a receipt: what was paid for, what was saved, and whether that agrees with the service's own ledger.

Without further options it uses the example file and a sandbox of the service on this machine. No account is needed,
nothing leaves the machine, no real credit is spent.

Files
  --input FILE         your own CSV file with the columns name, phone, email, ip, country
                       (separated by commas, semicolons or tabs; empty cells are fine)
  --output FILE        also write all answers to FILE, which ends in .csv or .json

Your own service (spends your credits)
  --api-key KEY        better set LOOKUP_MESSAGING_API_KEY: command lines are visible to other users of a machine
  --base-url URL       or LOOKUP_MESSAGING_BASE_URL     root of the main API, /api/v1 included
  --lookup-url URL     or LOOKUP_MESSAGING_LOOKUP_URL   root of the lookup API, /api/v1 included
  --geoip-url URL      or LOOKUP_MESSAGING_GEOIP_URL    root of the geolocation host
  --mcp-url URL        or LOOKUP_MESSAGING_MCP_URL      root of the tool server (optional: this workflow does not use it)
                       Key and roots belong together. Your service has no ledger that this program could read,
                       so it only shows what the receipt says.

Other
  --debug              show stack traces
  --help               this text

The program ends with 0 when receipt and ledger agree (or, with your own service, when all lookups ran), else with 1.
Ctrl+C stops after the calls that are under way; what was paid for until then is shown and written.
`;

const FLAGS = {
	help: { type: 'boolean', short: 'h' },
	debug: { type: 'boolean' },
	input: { type: 'string' },
	output: { type: 'string' },
	'api-key': { type: 'string' },
	'base-url': { type: 'string' },
	'lookup-url': { type: 'string' },
	'geoip-url': { type: 'string' },
	'mcp-url': { type: 'string' },
} as const;

const ROOTS = ['base-url', 'lookup-url', 'geoip-url', 'mcp-url'] as const;
const OPTIONAL_ROOT = 'mcp-url';
type Root = (typeof ROOTS)[number];

/** Reads flags and environment. Throws a Complaint that says what is wrong and what to do. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
	const { help = false, debug = false, input, output, ...service } = parse(args);
	if (help) return { help, debug };
	if (input === '' || output === '')
		throw new Complaint(`--${input === '' ? 'input' : 'output'} needs the name of a file.`);
	return { help, debug, input, output, own: readService(service, environment) };
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: FLAGS, strict: true, allowPositionals: false }).values;
	} catch (error) {
		throw new Complaint(`${whatIsWrong(error)}. \`npm start -- --help\` lists what there is.`);
	}
}

/** Node's own words, except that a stray word is not repeated: it may be the key. */
function whatIsWrong(error: unknown): string {
	if ((error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
		return 'There is a word that belongs to no option (options come after `npm start --`)';
	return wordsOf(error)
		.split(/\. |\n/)[0]
		.replace(/\.$/, '');
}

type ServiceFlags = Partial<Record<'api-key' | Root, string>>;

function readService(flags: ServiceFlags, environment: NodeJS.ProcessEnv): OwnService | undefined {
	const valueOf = (flag: 'api-key' | Root) =>
		(flags[flag] ?? environment[variableOf(flag)] ?? '').trim();
	const apiKey = valueOf('api-key');
	const given = ROOTS.filter((root) => valueOf(root) !== '');
	if (!apiKey && given.length === 0) return undefined;

	const missing = ROOTS.filter((root) => root !== OPTIONAL_ROOT && valueOf(root) === '');
	if (!apiKey)
		throw new Complaint(
			`${listed(given)} given without a key: set LOOKUP_MESSAGING_API_KEY to use your own service, or leave the roots out to use the sandbox.`,
		);
	if (missing.length > 0)
		throw new Complaint(
			`A key was given, but not where your service is: ${listed(missing)} missing. Without a key and roots the sandbox is used.`,
		);
	for (const root of given) assertUrl(root, valueOf(root));
	return {
		apiKey,
		baseUrl: valueOf('base-url'),
		lookupUrl: valueOf('lookup-url'),
		geoipUrl: valueOf('geoip-url'),
		mcpUrl: valueOf('mcp-url'),
	};
}

const variableOf = (flag: string) => `LOOKUP_MESSAGING_${flag.replace('-', '_').toUpperCase()}`;

function listed(roots: readonly Root[]): string {
	const names = roots.map((root) => `--${root} (${variableOf(root)})`).join(', ');
	return `${names} ${roots.length === 1 ? 'is' : 'are'}`;
}

function assertUrl(root: Root, value: string) {
	if (!/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : ''))
		throw new Complaint(`--${root} has to be an http or https address, such as https://….`);
}

import { parseArgs } from 'node:util';
import { UserError, messageOf } from './userError.ts';

/** Where the lookups go instead of the sandbox. */
export interface OwnService {
	apiKey: string;
	roots: Record<Root, string>;
}

export interface Options {
	help: boolean;
	debug: boolean;
	input?: string;
	output?: string;
	own?: OwnService;
}

export const HELP = `Usage: npm start -- [options]

Runs examples/workflows/enrich-leads.json on n8n's own engine in this process: one node enriches every lead of a
CSV file: validates the phone number, looks it up on WhatsApp, verifies the email address, locates the IP address. Then
it shows the answers, and a receipt: what was paid for, what was saved, and whether that agrees with the service's own ledger.

Without further options it uses the example file and a sandbox of the service on this machine. No account is needed,
nothing leaves the machine, no real credit is spent.

Files
  --input FILE         your own CSV file in UTF-8. Its first row names the columns; at least one of phone, email and ip
                       has to be there, name and country are read where they are, others are kept. Any order;
                       E-Mail, IP Address, Phone Number, Country Code and the like are understood. Cells are separated
                       by commas, semicolons or tabs throughout (as the first row is, or a line sep=; says).
                       country (GB, United Kingdom or +44) is for phone numbers without their country code. Empty cells are
                       fine, empty rows are left out, and a lead without a name is called by its row.
  --output FILE        also write all answers to FILE, which ends in .csv or .json: your own columns as they are, then
                       the answers' (phoneCheck.outcome, …, signals.channels). CSV is UTF-8 with a byte order mark, as spreadsheets
                       want it, and has your file's separator. In CSV, a cell that a spreadsheet would run as a formula
                       (it begins with = + - @, a tab or a line break, and is no number) gets an apostrophe before it.

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

Exit codes
  0    every lead was handled, and receipt and ledger agree (your own service has no ledger to compare with)
  1    nothing could be started, the workflow stopped, or receipt and ledger disagree
  3    some phone numbers could not be asked about because of a wrong country: one that is no code, no name
       and no calling code of a country
  130  stopped by Ctrl+C (143 by SIGTERM): what was answered until then is shown and written; calls that were under
       way are on the receipt as lost replies, which may have been charged. A second Ctrl+C ends the program at once.
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
export type Root = (typeof ROOTS)[number];

/** The roots that the workflow cannot do without, and what it needs them for. */
const NEEDED_FOR: Partial<Record<Root, string>> = {
	'base-url': 'WhatsApp checks and email verification',
	'lookup-url': 'phone validation',
	'geoip-url': 'IP lookups',
};

/** Reads flags and environment. Throws a UserError that says what is wrong and what to do. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
	const { help = false, debug = false, input, output, ...service } = parse(args);
	if (help) return { help, debug };
	if (input === '' || output === '')
		throw new UserError(`--${input === '' ? 'input' : 'output'} needs the name of a file.`);
	return { help, debug, input, output, own: readService(service, environment) };
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: FLAGS, strict: true, allowPositionals: false }).values;
	} catch (error) {
		throw new UserError(`${whatIsWrong(error)}. \`npm start -- --help\` lists what there is.`);
	}
}

/** Node's own words, except that a stray word is not repeated: it may be the key. */
function whatIsWrong(error: unknown): string {
	if ((error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
		return 'There is a word that belongs to no option (options come after `npm start --`)';
	return messageOf(error)
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

	const missing = ROOTS.filter((root) => root in NEEDED_FOR && valueOf(root) === '');
	if (!apiKey)
		throw new UserError(
			`${given.map(nameOf).join(', ')} ${given.length === 1 ? 'is' : 'are'} given without a key: set ${variableOf('api-key')} to use your own service, or leave the addresses out to use the sandbox.`,
		);
	if (missing.length > 0)
		throw new UserError(
			`A key is given, but not where your service is. Missing:\n${missing.map((root) => `- ${nameOf(root)}, for ${NEEDED_FOR[root]}\n`).join('')}(--mcp-url is not needed.) Without a key and addresses the sandbox is used.`,
		);
	for (const root of given) assertUrl(root, valueOf(root));
	const roots = Object.fromEntries(ROOTS.map((root) => [root, valueOf(root)]));
	return { apiKey, roots: roots as OwnService['roots'] };
}

const variableOf = (flag: string) => `LOOKUP_MESSAGING_${flag.replace('-', '_').toUpperCase()}`;

/** An address's flag and variable: users may have set either. */
export function nameOf(root: Root): string {
	return `--${root} (${variableOf(root)})`;
}

function assertUrl(root: Root, value: string) {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (!url || !/^https?:$/.test(url.protocol))
		throw new UserError(
			`${nameOf(root)} has to be an http or https address, such as https://…, and "${value}" is none.`,
		);
	if (url.search || url.hash)
		throw new UserError(`${nameOf(root)} has to end with its path, without ? or #.`);
}

import { parseArgs } from 'node:util';
import { readMapping, type Mapping } from './columns.ts';
import { UserError, messageOf } from './userError.ts';

/** Where the lookups go instead of the sandbox. */
export interface OwnService {
	apiKey: string;
	roots: Record<Root, string>;
}

export interface Options {
	help: boolean;
	debug: boolean;
	/** The file of leads. */
	input?: string;
	columns: Mapping;
	output?: string;
	own?: OwnService;
}

export const HELP = `Usage: npm start -- [FILE] [options]

Enriches every lead of a CSV file: validates the phone number, checks it on WhatsApp, verifies the email address and
locates the IP address. It runs the recipe "Enrich leads from a CSV file" on n8n's own engine, without a server. Then it
shows the answers and the receipt, and compares the receipt with the service's own ledger.

Without options it takes examples/leads.csv and a sandbox of the service on this machine. You need no account, nothing
leaves the machine, and no real credit is spent.

  npm start -- leads.csv
  npm start -- leads.csv --columns phone="Mobile",email="Work Email" --output enriched.csv

Your leads
  FILE                 your CSV file (.csv, .tsv or .txt) in UTF-8. Its first row names the columns, in any order.
                       One column with phone numbers, email addresses or IP addresses is enough. Names and countries
                       are used where they are there. Usual names are found: Mobile, Phone Number, Work Email, E-mail,
                       Last IP, Country Code, Full Name, and those in German, French, Spanish, Portuguese, Italian and
                       Dutch. A country (GB, United Kingdom or +44) is for phone numbers without their country code.
                       Where several columns fit, such as Phone and Mobile, the first one with a value counts in each
                       row. Commas, semicolons, tabs or | separate the cells.
  --columns LIST       says which column is which, for the ones that aren't found: phone="Mobile",email="Work Email".
                       The keys are name, phone, email, ip and country. ip= (nothing after it) leaves the GeoIP lookups out.
  --output FILE        writes the answers to FILE, which ends in .csv or .json. CSV has your own columns as they are, then
                       contactResult_outcome, contactResult_channels, contactResult_phone_outcome and so on, as the node
                       names them. A value that your file doesn't have stays empty. JSON has the whole answer of each lead.
                       The CSV opens in spreadsheets as it is: UTF-8 with a byte order mark, your file's separator, and an
                       apostrophe before cells that a spreadsheet would run as a formula.

Your own service (spends your credits)
  --api-key KEY        Better set LOOKUP_MESSAGING_API_KEY. Other users of a machine can see command lines.
  --base-url URL       or LOOKUP_MESSAGING_BASE_URL     the main API, with /api/v1 at its end
  --lookup-url URL     or LOOKUP_MESSAGING_LOOKUP_URL   the lookup API, with /api/v1 at its end (optional: adds location and
                       time zone of phone numbers)
  --geoip-url URL      or LOOKUP_MESSAGING_GEOIP_URL    the GeoIP host (optional: adds the country code of IP addresses)
  --mcp-url URL        or LOOKUP_MESSAGING_MCP_URL      the tool server (optional, this recipe doesn't use it)
                       Set the key and the base URL together. This program can't read the ledger of your service, so it only
                       shows the receipt.

Other
  --debug              show stack traces
  --help               show this text

Exit codes
  0    Every lead was handled, and receipt and ledger agree. (Your own service has no ledger to compare with.)
  1    Nothing was started, the workflow stopped, or receipt and ledger disagree.
  3    Some phone numbers couldn't be looked up, because their country is no code, name or calling code of a country.
  130  You pressed Ctrl+C (143: SIGTERM). What was answered until then is shown and written. Calls that were under way
       are on the receipt as lost replies, which may have been charged. A second Ctrl+C ends the program at once.
`;

const FLAGS = {
	help: { type: 'boolean', short: 'h' },
	debug: { type: 'boolean' },
	columns: { type: 'string', multiple: true },
	output: { type: 'string' },
	'api-key': { type: 'string' },
	'base-url': { type: 'string' },
	'lookup-url': { type: 'string' },
	'geoip-url': { type: 'string' },
	'mcp-url': { type: 'string' },
} as const;

const ROOTS = ['base-url', 'lookup-url', 'geoip-url', 'mcp-url'] as const;
export type Root = (typeof ROOTS)[number];

/** Reads flags and environment. Throws a UserError that says what is wrong and what to do. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
	const { values, positionals } = parse(args);
	const { help = false, debug = false, output, columns = [], ...service } = values;
	if (help) return { help, debug, columns: {} };
	if (output === '') throw new UserError('--output needs the name of a file.');
	return {
		...{ help, debug, output, input: readFileName(positionals) },
		columns: readMapping(columns),
		own: readService(service, environment),
	};
}

/** A stray word is not repeated: it may be the key. */
function readFileName([file, ...others]: string[]): string | undefined {
	if (file === undefined) return undefined;
	if (others.length === 0 && /\.(csv|tsv|txt)$/i.test(file)) return file;
	throw new UserError(
		'Name one file that ends in .csv, .tsv or .txt, as in `npm start -- leads.csv`. Put names with spaces in quotes: --columns email="Work Email".',
	);
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: FLAGS, strict: true, allowPositionals: true });
	} catch (error) {
		const [words] = messageOf(error).split(/\. |\n/);
		throw new UserError(`${words.replace(/\.$/, '')}. \`npm start -- --help\` lists the options.`);
	}
}

type ServiceFlags = Partial<Record<'api-key' | Root, string>>;

function readService(flags: ServiceFlags, environment: NodeJS.ProcessEnv): OwnService | undefined {
	const valueOf = (flag: 'api-key' | Root) =>
		(flags[flag] ?? environment[variableOf(flag)] ?? '').trim();
	const apiKey = valueOf('api-key');
	const given = ROOTS.filter((root) => valueOf(root) !== '');
	if (!apiKey && given.length === 0) return undefined;

	if (!apiKey)
		throw new UserError(
			`${given.map(nameOf).join(', ')} ${given.length === 1 ? 'is' : 'are'} set without a key. Set ${variableOf('api-key')} to use your own service, or leave the URLs out to use the sandbox.`,
		);
	if (valueOf('base-url') === '')
		throw new UserError(
			`The key is set, but the main URL of your service is missing: ${nameOf('base-url')}. The other URLs aren't needed. To use the sandbox, set neither key nor URLs.`,
		);
	for (const root of given) assertUrl(root, valueOf(root));
	const roots = Object.fromEntries(ROOTS.map((root) => [root, valueOf(root)]));
	return { apiKey, roots: roots as OwnService['roots'] };
}

const variableOf = (flag: string) => `LOOKUP_MESSAGING_${flag.replace('-', '_').toUpperCase()}`;

/** A URL's flag and variable: users may have set either. */
export function nameOf(root: Root): string {
	return `--${root} (${variableOf(root)})`;
}

function assertUrl(root: Root, value: string) {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (!url || !/^https?:$/.test(url.protocol))
		throw new UserError(
			`${nameOf(root)} has to be a URL that begins with https:// or http://, and "${value}" isn't one.`,
		);
	if (url.search || url.hash)
		throw new UserError(`${nameOf(root)} has to end with its path, without ? or #.`);
}

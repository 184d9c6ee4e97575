/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IConnections, IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { properties } from '../../nodes/LookupMessaging/editor/properties';
import { operations, resources } from '../../nodes/LookupMessaging/operations';
import { triggerProperties } from '../../nodes/LookupMessagingTrigger/properties';
import { literalsOf } from './codeText';
import { recipesIn } from './recipesPage';

/**
 * What the pictures in docs/images show, as a hash for each. `npm run e2e -- --pictures` draws them and records the hashes in
 * docs/images/drawn.json. A picture whose hash has changed since is stale: `unit/images` says so.
 */

export const REDRAW = 'npm run e2e -- --release 2.x --only editor --pictures';
const RECORD = 'docs/images/drawn.json';

/** Part of a workflow that the canvas shows. */
interface Canvas {
	nodes: Array<Pick<INode, 'name' | 'type' | 'position' | 'parameters'>>;
	connections: IConnections;
}

/** The node in a small workflow, with these parameters and items. */
interface FormPicture {
	parameters: INode['parameters'];
	items?: object[];
	/** The form of the node, the form beside the results of a run, or the canvas. */
	shows: 'form' | 'run' | 'canvas';
}

const VALIDATE = {
	...{ resource: 'phone', operation: 'validate' },
	phoneNumber: '={{ $json.phone }}',
};
const ENRICH = {
	...{ resource: 'contact', operation: 'enrich', phoneNumber: '={{ $json.phone }}' },
	...{ email: '={{ $json.email }}', ipAddress: '={{ $json.ip }}' },
	...{ country: '={{ $json.country }}', contactName: '={{ $json.name }}' },
};
const NUMBERS = ['+12025550102', '+1 202 555 0102', '+12025550103', 'n/a'];
const CONTACTS = [
	{ name: 'Ada', phone: '020 7946 0121', country: 'GB', email: 'ada@example.com', ip: '8.8.8.8' },
	{ name: 'Ben', phone: '+1 555 010 0100', email: 'missing.ben@example.com', ip: '192.168.0.1' },
	{ name: 'Cleo', phone: '+44 20 7946 0121', email: 'cleo@catch-all.example', ip: '8.8.8.8' },
];
/** Numbers as spreadsheets have them. The editor shows the values of the first item, so that one has all fields but an email. */
const SPREADSHEET = [
	{ name: 'Ada', phone: 447911123456, country: 'United Kingdom', ip: '8.8.8.8' },
	{ name: 'Ben', phone: '12025550102' },
	{ name: 'Cleo', phone: '491713920012' },
	{ name: 'Dora', phone: '+44 20 7946 0121', country: 'United Kingdom' },
	{ name: 'Emil', phone: '', ip: '8.8.8.8' },
	{ name: 'Finn', phone: '13123456789' },
];
const PHONES = NUMBERS.map((phone) => ({ phone }));

/** The pictures of the node, by name. The editor's suite draws them from the same values. */
export const FORM_PICTURES = {
	run: { parameters: VALIDATE, items: PHONES, shows: 'run' },
	routes: { parameters: { ...VALIDATE, routeByResult: true }, items: PHONES, shows: 'canvas' },
	contact: {
		parameters: {
			...ENRICH,
			...{ storedResults: true, routeByResult: true, spendingLimits: { costLog: '' } },
		},
		items: CONTACTS,
		shows: 'form',
	},
	enriched: { parameters: ENRICH, items: CONTACTS, shows: 'run' },
	'empty-field': {
		parameters: { ...ENRICH, email: '={{ $json.mail }}' },
		items: SPREADSHEET,
		shows: 'run',
	},
} satisfies Record<string, FormPicture>;

/** Sources of the texts beside the results of a run. */
const RESULT_TEXTS = [
	'engine/output/report.ts',
	'engine/billing/ledger.ts',
	'features/emptyFields.ts',
].map((file) => `nodes/LookupMessaging/${file}`);
const ICON = 'icons/lookupMessaging.svg';
const NODE = 'n8n-nodes-lookup-messaging.lookupMessaging';

/** Reads a file of the project. */
type Read = (path: string) => string;
const readerOf =
	(root: string): Read =>
	(path) =>
		readFileSync(join(root, path), 'utf8');

/** Names of pictures, without their ending, and the hash of what each shows today. */
export function hashesToday(root: string): Record<string, string> {
	const read = readerOf(root);
	const forms = Object.entries<FormPicture>(FORM_PICTURES).map(([name, picture]) => [
		name,
		shownBy(picture, read),
	]);
	const recipes = recipesIn(read('docs/RECIPES.md')).flatMap(({ workflows }) => workflows);
	const canvases = [
		...recipes.map((file) => [
			`recipe-${file.replace('.json', '')}`,
			canvasOf(JSON.parse(read(`examples/workflows/${file}`)) as Canvas, read),
		]),
		[
			'recipe-enrich-table',
			canvasOf(JSON.parse(read('examples/scale/enrich-table.json')) as Canvas, read),
		],
	];
	const trigger = formOf(triggerProperties, { resource: 'batch' });
	const shown = [...forms, ...canvases, ['trigger', trigger]] as Array<[string, unknown]>;
	return Object.fromEntries(shown.map(([name, value]) => [name, hashOf(value)]));
}

/** The hash of each picture on the day that it was drawn. */
export function hashesDrawn(root: string): Record<string, string> {
	if (!existsSync(join(root, RECORD))) return {};
	return JSON.parse(readerOf(root)(RECORD)) as Record<string, string>;
}

/** Records that a picture has been drawn from what the sources say now. */
export function recordDrawn(root: string, name: string): void {
	const { [name]: hash } = hashesToday(root);
	if (hash === undefined)
		throw new Error(`test/harness/pictures.ts doesn't know what ${name} shows`);
	const drawn = Object.entries({ ...hashesDrawn(root), [name]: hash });
	const sorted = Object.fromEntries(drawn.sort(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(join(root, RECORD), `${JSON.stringify(sorted, undefined, '\t')}\n`);
}

function hashOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

function shownBy({ parameters, items, shows }: FormPicture, read: Read): unknown {
	if (shows === 'canvas') return canvasOf({ nodes: [ourNode(parameters)], connections: {} }, read);
	const form = formOf(properties, parameters);
	if (shows === 'form') return { form, parameters };
	const { resource, operation: value } = parameters;
	const operation = operations.find((each) => each.resource === resource && each.value === value);
	return {
		...{ form, parameters, items },
		fields: operation?.output.filter(({ simplified }) => simplified).map(({ name }) => name),
		texts: RESULT_TEXTS.map((file) => literalsOf(read(file)).replace(/\s+/g, ' ')),
	};
}

function ourNode(parameters: INode['parameters']): Canvas['nodes'][number] {
	return { name: 'Look Up', type: NODE, position: [0, 0], parameters };
}

/** What a form shows: labels, notices, placeholders and the names of choices. Descriptions are seen only under the pointer. */
function formOf(fields: INodeProperties[], given: IDataObject): unknown {
	const isShown = ({ displayOptions }: INodeProperties) =>
		['resource', 'operation'].every(
			(name) =>
				given[name] === undefined ||
				displayOptions?.show?.[name] === undefined ||
				displayOptions.show[name].includes(given[name] as string),
		);
	const label = (property: INodeProperties): unknown => {
		const { displayName: name, type, placeholder, hint, default: preset, options = [] } = property;
		const choices = options.flatMap((option) =>
			'type' in option
				? option.name in Object(given[property.name])
					? [label(option)]
					: []
				: [option.name],
		);
		return { name, type, placeholder, hint, preset, choices };
	};
	return fields.filter(isShown).map(label);
}

/** What the canvas shows of a workflow, without its notes. */
function canvasOf({ nodes, connections }: Canvas, read: Read): unknown {
	const shown = nodes
		.filter(({ type }) => !type.endsWith('.stickyNote'))
		.map(({ name, type, position, parameters }) => ({
			...{ name, type, position },
			details: type === NODE ? ourDetails(parameters) : shortValues(parameters),
		}));
	return { nodes: shown, connections, icon: read(ICON) };
}

/** The subtitle and the names of inputs and outputs. */
function ourDetails(parameters: IDataObject): unknown {
	const { resource, operation: value } = parameters;
	const operation = operations.find((each) => each.resource === resource && each.value === value);
	const { routeByResult, storedResults, spendingLimits } = parameters;
	return {
		subtitle: [resources.find((each) => each.value === resource)?.name, operation?.name],
		outputs: routeByResult ? operation?.outcomes : undefined,
		...{ storedResults, hasCostLog: 'costLog' in Object(spendingLimits) },
	};
}

/** The longest text that n8n may show below the name of one of its own nodes. */
const MAX_SUBTITLE = 60;

/** Values from which n8n may make the subtitle of one of its own nodes. */
function shortValues(parameters: IDataObject): IDataObject {
	const short = Object.entries(parameters).filter(
		([, value]) => typeof value === 'string' && value.length <= MAX_SUBTITLE,
	);
	return Object.fromEntries(short);
}

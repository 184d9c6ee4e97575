/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import './n8nEnvironment';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DirectoryLoader } from 'n8n-core';
import { PackageDirectoryLoader } from 'n8n-core';
import type {
	ICredentialType,
	IDataObject,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
	KnownNodesAndCredentials,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

/** The root of this package, which the harness loads as n8n loads an installed community package. */
export const packageRoot = resolve(__dirname, '../..');

/** The package's name, which is also the prefix of its node types. */
export const OWN_PACKAGE = 'n8n-nodes-lookup-messaging';

/** Node and credential types that exist only in a test. Keys of `nodes` are full type names (`test.source`). */
export interface ExtraTypes {
	nodes?: Record<string, INodeType>;
	credentials?: ICredentialType[];
}

/** What n8n knows after it has loaded this package. */
export interface LoadedPackage {
	name: string;
	nodeTypes: Record<string, INodeType | IVersionedNodeType>;
	credentialTypes: Record<string, ICredentialType>;
	loader: DirectoryLoader;
}

let ownPackage: Promise<LoadedPackage> | undefined;
let baseNodes: DirectoryLoader | undefined;

/**
 * Loads this package from `dist/` with n8n-core's own loader (codex, icons and hidden parameters included).
 * Throws when the package has not been built.
 */
export async function loadPackage(): Promise<LoadedPackage> {
	ownPackage ??= loadOwnPackage();
	return await ownPackage;
}

async function loadOwnPackage(): Promise<LoadedPackage> {
	const loader = new PackageDirectoryLoader(packageRoot);
	if (!isBuilt())
		throw new Error(`${loader.packageName} is not built: run \`npm run build\` first`);
	await loader.loadAll();
	return {
		name: loader.packageName,
		nodeTypes: typesOf(loader.nodeTypes),
		credentialTypes: typesOf(loader.credentialTypes),
		loader,
	};
}

function isBuilt(): boolean {
	return existsSync(join(packageRoot, 'dist/nodes'));
}

function typesOf<T>(loaded: Record<string, { type: T }>): Record<string, T> {
	return Object.fromEntries(Object.entries(loaded).map(([name, { type }]) => [name, type]));
}

/**
 * n8n-nodes-base with nothing loaded: its own index says where each type lives, and the loader reads a type's file
 * when it is first asked for. (Loading the whole package takes many seconds.)
 *
 * It is that of 2.x on both releases of n8n. On 2.x every node runs that needs no server: not Code and Execute Workflow.
 * On 1.x Read/Write Files from Disk does not (1.x cannot order its parameters).
 * Under Jest, Wait loads on either release with what `examples.test.ts` mocks for it.
 */
function baseNodesLoader(): DirectoryLoader {
	if (!baseNodes) {
		const directory = join(packageRoot, 'node_modules/n8n-nodes-base');
		baseNodes = new PackageDirectoryLoader(directory);
		baseNodes.known = {
			nodes: readIndex<KnownNodesAndCredentials['nodes']>(directory, 'nodes'),
			credentials: readIndex<KnownNodesAndCredentials['credentials']>(directory, 'credentials'),
		};
	}
	return baseNodes;
}

function readIndex<T>(directory: string, kind: 'nodes' | 'credentials'): T {
	return JSON.parse(readFileSync(join(directory, `dist/known/${kind}.json`), 'utf8')) as T;
}

/** Resolves the node and credential types of one run: the test's own, this package's, then n8n-nodes-base's. */
export class TypeRegistry implements INodeTypes {
	constructor(
		private readonly extra: ExtraTypes = {},
		private readonly own?: LoadedPackage,
	) {}

	getByName(type: string): INodeType | IVersionedNodeType {
		const extra = this.extra.nodes?.[type];
		if (extra) return extra;
		const dot = type.lastIndexOf('.');
		return this.loaderOf(type.slice(0, dot)).getNode(type.slice(dot + 1)).type;
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
	}

	getKnownTypes(): IDataObject {
		return {};
	}

	credentialType(name: string): ICredentialType {
		const extra = this.extra.credentials?.find((type) => type.name === name);
		return extra ?? this.loaderOfCredential(name).getCredential(name).type;
	}

	/** The type and everything it extends, as n8n's CredentialTypes lists them (the type itself not included). */
	parentsOf(name: string): string[] {
		const parents = this.credentialType(name).extends ?? [];
		return [...parents, ...parents.flatMap((parent) => this.parentsOf(parent))];
	}

	private loaderOf(packageName: string): DirectoryLoader {
		if (packageName === 'n8n-nodes-base') return baseNodesLoader();
		if (this.own && packageName === this.own.name) return this.own.loader;
		throw new Error(`The harness has no package "${packageName}"`);
	}

	private loaderOfCredential(name: string): DirectoryLoader {
		return this.own && name in this.own.credentialTypes ? this.own.loader : baseNodesLoader();
	}
}

/**
 * The types of one run. This package is loaded only where a node or a credential of it is used, so workflows of base
 * nodes alone run before anything is built.
 */
export async function typesFor(
	nodes: Array<{ type: string }>,
	credentials: object = {},
	extra?: ExtraTypes,
): Promise<TypeRegistry> {
	const isForeign = (name: string) =>
		extra?.credentials?.some((type) => type.name === name) ||
		name in baseNodesLoader().known.credentials;
	const usesOwnPackage =
		nodes.some(({ type }) => type.startsWith(`${OWN_PACKAGE}.`)) ||
		Object.keys(credentials).some((name) => !isForeign(name));
	return new TypeRegistry(extra, usesOwnPackage ? await loadPackage() : undefined);
}

/** The node of each contestant, as it stands in a workflow. */
import { AT_ONCE } from '../harness/atOnce.ts';
import type { SandboxRoots } from '../sandbox/index.ts';
import type { Contestant, Load } from './loads.mts';

export const PEERS_PACKAGE = 'n8n-nodes-bench-peers';
export const OWN_PACKAGE = 'n8n-nodes-lookup-messaging';
export const MAIN_KEY = 'sandbox-key-main';

interface ContestantNode {
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	/** By credential type. */
	credentials: Record<string, Record<string, string>>;
}

/** The latest that both releases have; later ones differ in what they do with redirects. */
const HTTP_REQUEST_VERSION = 4.3;

/** A contestant that makes its calls inside n8n. */
export type NodeContestant = Exclude<Contestant, 'undici'>;

export function nodeOf(
	contestant: NodeContestant,
	load: Load,
	roots: SandboxRoots,
	key = MAIN_KEY,
): ContestantNode {
	const number = '={{ $json.number }}';
	const peer = { benchPeerApi: { apiKey: key, baseUrl: roots.baseUrl } };
	switch (contestant) {
		case 'own':
			return ownNode(load, roots, key, load.media ? sendMedia : { operation: 'checkNumber' });
		case 'ownBatches':
			return ownNode(load, roots, key, { resource: 'batch', operation: 'checkMany' });
		case 'httpRequest':
			return {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: HTTP_REQUEST_VERSION,
				parameters: {
					url: `${roots.baseUrl}/checkwanumber`,
					authentication: 'genericCredentialType',
					genericAuthType: 'httpQueryAuth',
					sendQuery: true,
					queryParameters: { parameters: [{ name: 'number', value: number }] },
				},
				credentials: { httpQueryAuth: { name: 'api_key', value: key } },
			};
		case 'declarative':
			return peerNode('benchDeclarative', { operation: 'checkNumber', number }, peer);
		case 'pool':
			return peerNode('benchPool', { number }, peer);
		case 'loop': {
			const { credentials } = ownNode(load, roots, key, {});
			return peerNode('benchLoop', { url: `${roots.baseUrl}/checkwanumber` }, credentials);
		}
		case 'nothing':
			return peerNode('benchNothing', {});
	}
}

const sendMedia = {
	operation: 'sendMessage',
	message: 'hello',
	media: 'binaryField',
	binaryPropertyName: 'data',
};

function ownNode(
	{ connections }: Load,
	roots: SandboxRoots,
	apiKey: string,
	parameters: object,
): ContestantNode {
	return {
		type: `${OWN_PACKAGE}.lookupMessaging`,
		typeVersion: 1,
		parameters: {
			resource: 'whatsApp',
			phoneNumber: '={{ $json.number }}',
			includeOtherInputFields: false,
			options: connections === undefined ? {} : { [AT_ONCE]: connections },
			...parameters,
		},
		credentials: { lookupMessagingApi: { apiKey, ...roots } },
	};
}

function peerNode(name: string, parameters: object, credentials = {}): ContestantNode {
	return {
		type: `${PEERS_PACKAGE}.${name}`,
		typeVersion: 1,
		parameters: { ...parameters },
		credentials,
	};
}

import { NodeConnectionTypes } from 'n8n-workflow';

/**
 * Tells an n8n before 1.85 what it lacks. Its own loader would say that the class could not be found: it reports any TypeError of
 * a node's file so, and it has no NodeConnectionTypes yet.
 */
export function refuseOlderN8n(): void {
	if (NodeConnectionTypes) return;
	throw new Error(
		'n8n-nodes-lookup-messaging needs n8n 1.85 or newer, and this n8n is older. Update n8n, then install the package again.',
	);
}

import type { Endpoint, Result } from '../../engine';
import type { IDataObject } from 'n8n-workflow';
import { fakeNetwork, paid, type Script } from '../fakes/fakeSend';
import { httpError, LOST, ok, SELF_SIGNED } from '../fakes/replies';

const YES = ok({ status: true });
const REFUSED = httpError(422, { error: 'no such mailbox' });
const NO_PATH = httpError(404, { status: false, error: 'Not found' });

/** The operation of all runs. */
const OPERATION = {};

/** Reads a body as a refusal where it is one. */
const refused = (body: IDataObject) =>
	body.status === false ? { scope: 'question' as const, reason: String(body.error) } : body;

/** A run; `ask` makes calls one after the other, and says what came of them. */
function open(script: Script, lostInARow = new Map<object, number>()) {
	const network = fakeNetwork(script, { operation: OPERATION, lostInARow, isUnpaced: true });
	const { send, operation, transport } = network;
	let path = 0;
	const call = async (breaker: object = operation, of = paid(`/${(path += 1)}`)) =>
		await send({ endpoint: of, request: of.request, breaker });
	const ask = async (count: number, breaker?: object, more?: Partial<Endpoint<IDataObject>>) => {
		const results: Result[] = [];
		for (let n = 0; n < count; n += 1) results.push(await call(breaker, more && paid('/', more)));
		return results;
	};
	return { ...network, call, ask, sent: transport.sent };
}

/** Replies by a pattern: a for an answer, l for a lost reply, r for a refusal, n for no path, u for no connection; the last one again and again. */
const by =
	(pattern: string): Script =>
	(_, nth) =>
		({ a: YES, l: LOST, n: NO_PATH, r: REFUSED, u: SELF_SIGNED })[
			pattern[Math.min(nth, pattern.length - 1)]
		] ?? YES;

describe('unanswered calls in a row', () => {
	test('stop further calls if the path disappears, unless each call is about a page that may be gone', async () => {
		const ofPath = { isPathKnown: true, read: refused } as Partial<Endpoint<IDataObject>>;
		const run = open(by('an'));
		await run.ask(30, undefined, ofPath);
		expect(run.sent).toHaveLength(11);
		const pages = open(by('an'));
		await pages.ask(30, undefined, { ...ofPath, quotesOthers: true });
		expect(pages.sent).toHaveLength(30);
	});
});

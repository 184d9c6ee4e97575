import { isFreeCall } from '../../../nodes/LookupMessaging/operations/toolServer/freeTools';
import { tools } from '../../sandbox/tools';

const ID = { batch_id: '1' };

describe('a free tool', () => {
	test.each<[tool: string, args: object]>([
		...(['get_balance', 'get-balance', 'getBalance'] as const).map((name): [string, object] => [
			name,
			{},
		]),
		...(['list_batches', 'list_audits', 'listWhatsappBatches'] as const).map(
			(name): [string, object] => [name, { limit: 10, status: 'completed' }],
		),
		['get_batch', ID],
		['poll_batch', ID],
		['batch_status', { id: 7 }],
		['get_audit_status', { auditId: '1' }],
		['get_audit_results', { audit_id: '1' }],
	])('is known by its name: %s %j', (tool, args) => {
		expect(isFreeCall(tool, { ...args })).toBe(true);
	});

	test.each<[tool: string, args: object]>([
		['get_batch', {}],
		['get_audit', { brand_name: 'Example' }],
		['get_whatsapp_batch', { batch_id: '1', phone_numbers: ['+12025550102'] }],
		['check_batch', ID],
		['submit_batch', ID],
		['run_audit', { audit_id: '1' }],
		['retry_batch_status_now', ID],
		['list_posts', {}],
		['list_batches_and_buy', {}],
		['list_and_run_audits', {}],
		['list_batches', { numbers: { a: 1 } }],
		['balance', {}],
		['set_balance', {}],
		['get_forum_post', { post_id: '1' }],
		['send_status', { id: '1' }],
		[`list_${'a_'.repeat(50_000)}batches`, {}],
	])('is not %s', (tool, args) => {
		expect(isFreeCall(tool, { ...args })).toBe(false);
	});

	test('in the sandbox has a description that says so, and no other tool has', () => {
		for (const { name, description, required } of tools) {
			const args = Object.fromEntries(required.map((argument) => [argument, 'x']));
			expect([name, isFreeCall(name, args)]).toEqual([name, description.includes('Free.')]);
		}
	});
});

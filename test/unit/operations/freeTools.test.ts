import { isFreeCall } from '../../../nodes/LookupMessaging/operations/toolServer/freeTools';
import { tools } from '../../sandbox/tools';

const ID = { batch_id: '1' };
const LIMITED = { limit: 10, status: 'completed' };

describe('a free tool', () => {
	test.each<[tools: string[], args: object]>([
		[['get_balance', 'get-balance', 'getBalance'], {}],
		[['list_batches', 'list_audits', 'listWhatsappBatches'], LIMITED],
		[['get_batch', 'poll_batch'], ID],
		[['batch_status'], { id: 7 }],
		[['get_audit_status'], { auditId: '1' }],
		[['get_audit_results'], { audit_id: '1' }],
	])('is known by its name: %j %j', (names, args) => {
		for (const tool of names) expect([tool, isFreeCall(tool, { ...args })]).toEqual([tool, true]);
	});

	test.each<[tools: string[], args: object]>([
		[['get_batch', 'list_posts', 'list_batches_and_buy', 'list_and_run_audits', 'balance'], {}],
		[['set_balance', `list_${'a_'.repeat(50_000)}batches`], {}],
		[['get_audit'], { brand_name: 'Example' }],
		[['get_whatsapp_batch'], { ...ID, phone_numbers: ['+12025550102'] }],
		[['check_batch', 'submit_batch', 'retry_batch_status_now'], ID],
		[['run_audit'], { audit_id: '1' }],
		[['list_batches'], { numbers: { a: 1 } }],
		[['get_forum_post'], { post_id: '1' }],
		[['send_status'], { id: '1' }],
	])('is none of %j with %j', (names, args) => {
		for (const tool of names) expect([tool, isFreeCall(tool, { ...args })]).toEqual([tool, false]);
	});

	test('in the sandbox has a description that says so, and no other tool has', () => {
		for (const { name, description, required } of tools) {
			const args = Object.fromEntries(required.map((argument) => [argument, 'x']));
			expect([name, isFreeCall(name, args)]).toEqual([name, description.includes('Free.')]);
		}
	});
});

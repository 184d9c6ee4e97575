import { ask, post, send, urlOf } from './requests';
import { sandboxOfTests } from '../fakes/sandboxOfTests';

const E164 = '+442079460127';
const BARE = '442079460127';

const sandbox = sandboxOfTests();

/** Every run of the nodes in a test ends with a look at this list: the nodes send E.164. */
const seen = () => sandbox.looseNumbers().map(({ number, path }) => [path, number]);

it('loose numbers are listed with their place, in order, and no others are', async () => {
	await ask(sandbox, 'whatsApp', { number: E164 });
	await ask(sandbox, 'phone', { phone_number: '02079460127', country_code: 'gb' });
	expect(seen()).toEqual([]);

	await ask(sandbox, 'phone', { phone_number: '02079460127', country_code: 'none' });
	await ask(sandbox, 'caller', { phone_number: '02079460127', country_code: 'GB' });
	await ask(sandbox, 'send', { number: '', message: '+44 20' });
	const form = new FormData();
	form.append('number', '+44 2079460127');
	await send(urlOf(sandbox, 'send', { number: E164 }), { method: 'POST', body: form });
	const phone_numbers = [E164, '+44-2079460127', 442079460127];
	await post(urlOf(sandbox, 'batch'), { api_key: sandbox.keys.main, phone_numbers });
	expect(seen()).toEqual([
		['/api/v1/phonevalidation', '02079460127'],
		['/api/v1/calleridvalidation', '02079460127'],
		['/api/v1/sendwasms', ''],
		['/api/v1/sendwasms', '+44 2079460127'],
		['/api/v1/wavalidation/batch', '+44-2079460127'],
		['/api/v1/wavalidation/batch', BARE],
	]);
});

it('bare digits are listed, and read by no endpoint', async () => {
	const whatsApp = await ask(sandbox, 'whatsApp', { number: BARE });
	expect(whatsApp.body).toMatchObject({ whatsapp: false });
	const phone = await ask(sandbox, 'phoneBasic', { number: BARE });
	expect(phone.body).toMatchObject({ valid: false });
	const detailed = await ask(sandbox, 'phone', { phone_number: BARE });
	expect(detailed.body).toEqual({ status: 'INVALID' });
	expect(sandbox.looseNumbers()).toHaveLength(3);
});

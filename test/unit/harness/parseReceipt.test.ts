import { parseReceipt, receiptOf } from '../../harness/parseReceipt';

describe('the receipt reader', () => {
	it('reads every part, and keeps unknown parts word for word', () => {
		const text =
			'Charged: 19 phone credits. No price given: 5 email, 1 WhatsApp calls. Free: 2 phone validation calls.<br>' +
			'33 items: 19 done, 5 duplicates, 4 skipped, 3 sheep, 2 failed (such as item 3: no luck. 7 calls were repeated at no cost.).<br>' +
			'May have been charged: 2 email calls (up to 24 credits).';
		expect(parseReceipt(text)).toEqual({
			...{ items: 33, done: 19, duplicates: 5, remembered: 0, stored: 0, notNeeded: 0 },
			...{ local: 4, retries: 0, failed: 2, notReached: 0, judged: {}, judgements: [] },
			...{ credits: { phone: 19 }, unpriced: { email: 5, whatsapp: 1 }, free: { phone: 2 } },
			...{ open: 2, openOn: { email: 2 }, mostOpen: 24, calls: 29 },
			firstFailure: 'such as item 3: no luck. 7 calls were repeated at no cost.',
			other: ['3 sheep'],
		});
	});

	it('reads how much was taken from the balances', () => {
		const text =
			'Charged: 3 email credits. 5 items: all done. Taken from the balances: 4 email credits, 6 GeoIP credits (2 per call), ' +
			'phone unclear (others used the account too). Of 2 email calls that may have been charged, 1 was charged too.';
		expect(parseReceipt(text)).toMatchObject({
			...{ open: 0, credits: { email: 3 }, taken: { email: 4, geoip: 6, phone: 'unclear' } },
			...{ each: { geoip: 2 }, other: [] },
			judged: { email: { most: 2, charged: 1, isFinal: true } },
		});
	});

	it('reads no other hint as a receipt', () => {
		expect(parseReceipt('Nothing charged.')).toMatchObject({ items: 1, calls: 0 });
		expect(parseReceipt('30 items were looked up')).toBeUndefined();
		expect(receiptOf(['a warning', '2 items: all done.'])?.items).toBe(2);
		expect(receiptOf([])).toBeUndefined();
	});
});

import { readEmailAddress } from '../../../nodes/LookupMessaging/operations/shared/email/emailAddress';
import { readPhoneNumber } from '../../../nodes/LookupMessaging/operations/shared/phone/phoneNumber';

/** Values as people paste them from other programs, and what is asked; a kind of local answer where nothing is. */

const told = (read: unknown) =>
	typeof read === 'string' ? read : (Object(read).number ?? Object(read).local);

test.each<[pasted: string, country: string, asked: string]>([
	['https://web.whatsapp.com/send?phone=33612345678', 'NL', '+33612345678'],
	['wa.me/447911123456', 'AT', '+447911123456'],
	['www.wa.me/33612345678', 'BR', '+33612345678'],
	['https://www.wa.me/33612345678', 'NL', '+33612345678'],
	['api.whatsapp.com/send?phone=33612345678', 'NL', '+33612345678'],
	['https://whatsapp.com/33612345678', 'NL', '+33612345678'],
	['https://x.com/ada/status/2025550123', 'US', 'incomplete'],
	['https://wa.link/7911123456', 'GB', 'incomplete'],
	['447911123456+', '', '+447911123456'],
	['plus 44 7911 123456', '', '+447911123456'],
	['\ufe6244 7911 123456', '', '+447911123456'],
	['\u207a447911123456', 'NL', '+447911123456'],
	['12025550102@c.us', '', '+12025550102'],
	['12025550102@s.whatsapp.net', 'DE', '+12025550102'],
	['+44 7911 123456 ada@example.com', '', 'incomplete'],
	['sip:+447911123456@example.com', '', 'incomplete'],
	['*+12025550102*', '', '+12025550102'],
	['* +44 7911 123456', '', '+447911123456'],
	['*31#', '', 'malformed'],
	['ada1985@example.com', '', 'malformed'],
])('The phone field reads %j with Country %j as %j.', (pasted, country, asked) => {
	expect(told(readPhoneNumber(pasted, country))).toBe(asked);
});

test.each<[pasted: string, asked: string]>([
	...[
		...['email:ada@mail.example', 'smtp:ada@mail.example', 'メール:ada@mail.example'],
		...['ada@mail.example!', 'ada@mail.example:', 'ada\\_b@mail.example', '~ada@mail.example~'],
		...['ada@mail.example✅', 'ada@mail.example»', 'ada@mail.example—', 'ada@mail.example®'],
		...['邮箱：ada@mail.example', '📧ada@mail.example', '\uf0e0ada@mail.example'],
		...['–ada@mail.example', '●ada@mail.example', '„ada@mail.example“'],
	].map((pasted): [string, string] => [pasted, 'incomplete']),
	['josé@exämple.com', 'josé@xn--exmple-cua.com'],
	['ada@☕.example', 'ada@xn--53h.example'],
	['ada@mail.例え', 'ada@mail.xn--r8jz45g'],
	['ada@@mail.example', 'malformed'],
	['ada@mail..example', 'malformed'],
])('The email field reads %j as %j.', (pasted, asked) => {
	expect(told(readEmailAddress(pasted))).toBe(asked);
});

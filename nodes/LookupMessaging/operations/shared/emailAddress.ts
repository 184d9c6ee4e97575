import type { INodeProperties } from 'n8n-workflow';
import type { LocalAnswer } from '../../engine/operation';
import { quote, readText } from '../../engine/plan/values';

export const emailField: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@example.com',
	description: 'The email address to look up. It is sent no email.',
};

/** RFC 5322 atom characters, dots anywhere (some servers accept what the RFC does not) and all beyond ASCII (RFC 6531). */
const UNQUOTED_LOCAL_PART = /^(?!.*[\s\p{Cc}])[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\u{10ffff}-]+$/u;
/** RFC 5321 §4.5.3.1.4: a whole SMTP command line has 512 octets. */
const MOST_CHARACTERS = 500;
/** RFC 5321 §4.1.2: no control characters, which RFC 5322 knows as obsolete. */
const QUOTED_LOCAL_PART = /^"(?:[^"\\\p{Cc}]|\\\P{Cc})*"$/u;
const DOMAIN_LABEL =
	/^[A-Za-z0-9\u0080-\u{10ffff}](?:[A-Za-z0-9_\u0080-\u{10ffff}-]*[A-Za-z0-9\u0080-\u{10ffff}])?$/u;
const ADDRESS_LITERAL = /^\[[^[\]\s\p{Cc}]+\]$/u;

/**
 * Reads an email address. Returns it trimmed, or the local answer for text that no mail server could accept as an address
 * (RFC 5321 §4.1.2; comments and display names, which belong to message headers, are refused).
 */
export function readEmailAddress(value: unknown): LocalAnswer | string {
	const text = readText(value, emailField.displayName, 'an email address');
	if (typeof text !== 'string') return text;
	const plain = text.replace(/^mailto:/i, '');
	const address = plain.includes('@') ? plain : plain.replace('\uff20', '@');
	const malformed = (what: string): LocalAnswer => ({
		local: 'malformed',
		field: emailField.displayName,
		reason: `(${quote(address)}) ${what}`,
	});

	const at = address.lastIndexOf('@');
	if (at < 0) return malformed('has no @');
	if (address.length > MOST_CHARACTERS) return malformed('is longer than any email address');
	const localPart = address.slice(0, at);
	const domain = address.slice(at + 1);
	if (localPart === '') return malformed('has nothing before the @');
	if (domain === '') return malformed('has nothing after the @');
	if (/^[^"]*</.test(localPart)) {
		return malformed('has a name beside the address; give the address alone, without < and >');
	}
	if (!UNQUOTED_LOCAL_PART.test(localPart) && !QUOTED_LOCAL_PART.test(localPart)) {
		return malformed(
			/[,;\s]/.test(localPart) && localPart.includes('@')
				? 'holds more than one address; give one per item'
				: 'has a character before the @ that is only allowed in quotes',
		);
	}
	if (!isDomain(domain)) return malformed('has no valid domain after the @');
	return address;
}

/** The spelling that all equal addresses share: the domain in lower case. A local part may be case-sensitive. */
export function canonicalEmailAddress(address: string): string {
	const at = address.lastIndexOf('@');
	return address.slice(0, at) + address.slice(at).toLowerCase();
}

function isDomain(domain: string): boolean {
	if (ADDRESS_LITERAL.test(domain)) return true;
	if (domain.length > 253) return false;
	return domain.split('.').every((label) => label.length <= 63 && DOMAIN_LABEL.test(label));
}

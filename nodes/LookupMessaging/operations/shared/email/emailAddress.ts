import type { INodeProperties } from 'n8n-workflow';
import type { LocalAnswer } from '../../../engine/operation';
import { normalized, quote, readText } from '../../../engine/plan/values';
import { MARKS_BUT_JOINERS, withoutPastedJoiners } from '../joiners';
import { readDomain } from './domain';

/**
 * Email addresses as SMTP servers take them: the Mailbox of RFC 5321 §4.1.2, with UTF-8 as in RFC 6531 §3.3.
 *
 * Read as another address than the text has:
 * - a domain is mapped as in UTS #46 and loses a dot at its end (`domain.ts`);
 * - a local part is put into NFC (RFC 6532 §3.1); its case stays, and so do quotes that it could do without;
 * - invisible marks go, but for joiners in a text that is not all ASCII (`joiners.ts`);
 * - of a mailto: link the address stays, percent-decoded (RFC 6068 §2); ?subject= and the like go, and so does // after the colon;
 * - a full-width or small @ is one where there is no other.
 *
 * Taken although RFC 5321 has no such address, because servers do:
 * - dots anywhere in a local part;
 * - underscores anywhere in a domain, and a dot at its end;
 * - symbols such as emoji in a domain, and labels whose characters run in both directions;
 * - labels that begin with `xn--` and are no Punycode.
 *
 * Refused although RFC 6531 allows them:
 * - spaces beyond ASCII in a local part without quotes, which are pasted;
 * - the replacement character U+FFFD, which stands for a character that was lost.
 *
 * Refused although RFC 5322 allows them in headers: display names, comments, folding, and address literals of no IP address.
 */

export const emailField: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@example.com',
	description: 'The email address to check. No email is sent.',
};

/** A mailto: link may hold a whole letter. */
const MOST_IN_LINK = 10_000;
/** More than this is no address in any spelling. */
const MOST_CHARACTERS = 1_000;
/** RFC 5321 §4.5.3.1.1. */
const MOST_IN_LOCAL_PART = 64;
/** RFC 5321 §4.5.3.1.3: a path has 256 octets, with its < and >. */
const MOST_IN_ADDRESS = 254;

/** RFC 5321 atext, dots, and all beyond ASCII. */
const UNQUOTED_LOCAL_PART = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]|[^\p{ASCII}\s\p{Cc}])+$/u;
/** RFC 5321 Quoted-string: no controls, and only ASCII after a backslash. */
const QUOTED_LOCAL_PART = /^"(?:[^"\\\p{Cc}]|\\[ -~])*"$/u;

const SEVERAL = 'contains more than one address. Enter one per item';

/**
 * Reads an email address.
 * @returns the address in the one form that all equal spellings share, which is what is sent; or the local answer for text that
 * no SMTP server could take
 */
export function readEmailAddress(value: unknown): LocalAnswer | string {
	const field = emailField.displayName;
	const text = readText(value, field, 'an email address', MOST_IN_LINK, MARKS_BUT_JOINERS);
	if (typeof text !== 'string') return text;
	const plain = withoutMailto(text);
	const address = plain.includes('@') ? plain : plain.replace(/[\uff20\ufe6b]/, '@');
	const at = address.lastIndexOf('@');

	const malformed = (what: string): LocalAnswer => ({
		local: 'malformed',
		field,
		reason: `(${quote(address)}) ${what}`,
	});
	if (at < 0) return malformed('has no @');
	if (address.length > MOST_CHARACTERS) return malformed('is longer than any email address');
	const localPart = normalized(withoutPastedJoiners(address.slice(0, at)), 'NFC');
	const givenDomain = address.slice(at + 1);
	const problem = localPartProblem(localPart, givenDomain);
	// Two addresses are not no address
	if (problem === SEVERAL) return { ...malformed(problem), local: 'incomplete' };
	if (problem !== undefined) return malformed(problem);
	const domain = readDomain(givenDomain);
	if ('problem' in domain) {
		return malformed(`has no valid domain after the @: ${domain.problem}`);
	}
	const canonical = `${localPart}@${domain.ascii}`;
	if (Buffer.byteLength(canonical) > MOST_IN_ADDRESS) {
		return malformed(`is longer than the ${MOST_IN_ADDRESS} bytes that mail servers accept`);
	}
	return canonical;
}

/** The address of a mailto: link (RFC 6068 §2), and any other text as it is. */
function withoutMailto(text: string): string {
	const address = /^mailto:(?:\/\/)?([^?]*)/i.exec(text)?.[1];
	if (address === undefined) return text;
	try {
		return decodeURIComponent(address).replace(MARKS_BUT_JOINERS, '');
	} catch {
		// A percent sign that encodes nothing belongs to the address
		return address.replace(MARKS_BUT_JOINERS, '');
	}
}

/** What is wrong with a local part, or with the text as a whole, as a predicate. */
function localPartProblem(localPart: string, domain: string): string | undefined {
	if (localPart === '') return 'has nothing before the @';
	if (domain === '') return 'has nothing after the @';
	if (localPart.replace(/"(?:[^"\\]|\\.)*"/g, '').includes('<')) {
		return 'has a name beside the address. Enter the address alone, without < and >';
	}
	if (/\ufffd/.test(localPart))
		return 'has lost a character (\ufffd). Copy it again from its source';
	if (!UNQUOTED_LOCAL_PART.test(localPart) && !QUOTED_LOCAL_PART.test(localPart)) {
		if (/[,;\s]/.test(localPart) && localPart.includes('@')) {
			return SEVERAL;
		}
		return /^[^"]*\s/.test(localPart)
			? 'has a space before the @. Remove it'
			: 'has a character before the @ that is only allowed in quotes';
	}
	return Buffer.byteLength(localPart) > MOST_IN_LOCAL_PART
		? `has more than the ${MOST_IN_LOCAL_PART} bytes before the @ that mail servers accept`
		: undefined;
}

import { inWords, toldText } from './decisions';

/** Texts that services and networks write instead of the name of a caller. */
const NO_NAME =
	/^\W*(?:(?:(?:wireless|cell(?:ular)?|mobile|toll free|v ?mail) )?caller(?: (?:unknown|unavailable))?|(?:cell(?:ular)?|mobile|wireless) phone(?: [a-z]{2})?|toll free(?: call)?|(?:spam|scam|fraud)(?: (?:likely|risk))?|out of area|unidentified(?: caller)?|(?:rate|request|quota) limit (?:exceeded|reached)|too many requests|(?:unknown|no|unnamed|anonymous|private|withheld) ?(?:caller id|caller|name|number|subscriber|record|id)s?(?: (?:found|available|known|on file))?|anonymous|restricted|withheld|private|not? (?:found |listed )?in (?:the |our )?(?:database|directory)|no (?:data|match|result)s?(?: found)?|not listed|unlisted|unavailable|(?:(?:caller )?name |caller id )?(?:is )?(?:not (?:found|available|known|registered)|unavailable|unknown)|error|timed? ?out|(?:lookup )?failed)\W*$/i;

/** The name in a value; undefined for a text such as "Wireless Caller", and for one without letters, such as the number. */
export function nameIn(value: unknown): string | undefined {
	const text = toldText(value);
	const isNone = text === undefined || NO_NAME.test(inWords(text)) || !/\p{L}/u.test(inWords(text));
	return isNone ? undefined : text;
}

import { normalized } from '../../engine/plan/values';
import { inWords, toldText } from './decisions';

/** Words of services and networks in place of the name of a caller. A text of these alone is no name: "Number not in service". */
const NO_NAME_WORDS = new Set(
	[
		'a an any assigned at available bad be been blocked busy call called caller calls cell cellular cnam could data database dialed directory',
		'disconnected does error exceeded exist exists expired fail failed failure file gateway http for found fraud free has have hidden id',
		'in incomplete info information internal invalid is it known landline likely limit limited line listed lookup match matches',
		'mobile name names no none not number numbers of on or our out area pending phone please private processing provided quota rate record',
		'records registered request requests restricted result results risk robo robocall robocaller scam server service',
		'spam subscriber suspected telemarketer telephone the this time timed timeout to toll tollfree too many try again',
		'unable unassigned unavailable unidentified unknown unlisted unnamed unregistered unspecified user users v valid vmail',
		'voip was wireless with withheld you anonymous mail',
		'anonyme anonym anonimo anonymus desconhecido desconocido inconnu inconnue numero oculto ocultado onbekend privado prive',
		'privato sconosciuto ukendt ukjent unbekannt unterdruckt utente okand nieznany disponible non trouve',
	].flatMap((line) => line.split(' ')),
);

/** Words with letters, without accents. */
function wordsIn(text: string): string[] {
	const plain = normalized(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
	return plain.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
}

/** The name in a value; undefined for a text such as "Wireless Caller", and for one without letters, such as the number. */
export function nameIn(value: unknown): string | undefined {
	const text = toldText(value);
	if (text === undefined) return undefined;
	const words = wordsIn(inWords(text));
	// "WIRELESS CALLER TX": networks add the state
	const own = words.length > 2 && words.at(-1)?.length === 2 ? words.slice(0, -1) : words;
	const isNone = own.every((word) => NO_NAME_WORDS.has(word));
	// "To An" is a name
	const isShort = own.length > 0 && own.every((word) => word.length <= 3) && own[0] !== 'no';
	return isNone && !isShort ? undefined : text;
}

import { normalized } from '../../engine/plan/values';
import { inWords, toldText } from './decisions';

/** Which texts of services and networks stand in the place of a name: "Number not in service", "Access denied". */

/** A text of words in both lists, with one of these, says that there is no name, or what kind of call it is. */
const EMPTY_WORDS = setOf(
	'anonymous area assigned bad blocked call called caller calls cnam data database denied directory disconnected error exceeded',
	'expired fail failed failure forbidden fraud hidden incomplete info information insufficient invalid limited lookup match matches',
	'missing name names no non none not number numbers out pending phone please privacy private processing protected quota rate reached',
	'recharge record records registered request requests required restricted result results risk robo robocall robocaller scam spam',
	'subscriber suspected telemarketer telephone temporarily timed timeout toll tollfree try unable unassigned unauthorized unavailable',
	'loading nuisance political redacted sorry survey true xxxx',
	'confidential disclosed null object potential published registrado rejected payphone string unallocated undefined unpublished voicemail wireless',
	'econnrefused econnreset erreur etimedout exception html refused resultados timeout',
	'undisclosed unidentified unknown unlisted unnamed unregistered unspecified upgrade user users valid vmail withheld without',
	// German, Dutch, Danish, Norwegian, Swedish
	'anonym anonymer anrufer geen gevonden ikke ei ej kein keine nicht niet nummer onbekend okand prive privatnummer rufnummer',
	'ukendt ukjent unbekannt unbekannter unterdrückt',
	// Spanish, Portuguese, French, Italian
	'anónimo anonyme aucun desconhecido desconocido inconnu inconnue indisponible indisponível introuvable masqué não nessun nombre',
	'nome nom numero ocultado oculto privado privato sans sconosciuto sem senza sin utente',
	'attribué risultato bilinmeyen gizli numara skjult hemligt chiamata anonima appel',
	'avail deactivated disabled fixed nonpub payment unavail',
	// Polish, Russian, Chinese, Hebrew, Hindi
	'nie znaleziono не найдено найден недоступно ошибка 错误 查询失败 名前なし エラー',
	'скрытый 非通知 brak nieznany numer неизвестный номер 未知 ידוע חסוי לא מספר נמצא अज्ञात उपलब्ध नहीं मिला मिली 未找到',
);
/** The other words of such texts. A name may have them alone: "Free Mobile", "The Gateway". */
const OTHER_WORDS = setOf(
	'a access account again an and any api are at available balance be been busy by cell cellular connection contact country credit',
	'credits daily dialed display displayed does exist exists feature find for found free from gateway has have http id identified in internal',
	'is it its key known landline later likely limit line listed longer mail many mobile monthly more network now of on only or our plan premium',
	'provided v region self server service shown soon subscription support the this time to too up usage voip was were with',
	'answer business callerid code do eintrag hit login owner possible résultat whatsapp',
	'имя שם नाम',
	'backend err fetching interne interno servicio',
	'identity see sign status truecaller verified you your',
	'customer de identificado international listing pas pay registriert',
	'angabe beschikbaar disponible disponibile disponível encontrado gefunden gegeven naam name navn tillgänglig',
	'trouvé verfügbar nazwy dostępny है',
);

function setOf(...lines: string[]): Set<string> {
	return new Set(lines.flatMap(wordsIn));
}

function wordsIn(text: string): string[] {
	const plain = normalized(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
	return plain.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
}

/** Whether a text in the place of a name is one of services: all its words are known, and one of them is no part of a name. */
export function isOfService(text: string): boolean {
	const words = wordsIn(inWords(text));
	return (
		words.some((word) => EMPTY_WORDS.has(word)) &&
		words.every((word) => EMPTY_WORDS.has(word) || OTHER_WORDS.has(word))
	);
}

/** "N/D", "k.A.", "n.v.t.", "N/A N/A": letters with marks between them. */
const ABBREVIATION = /^(?:\p{L}(?:[/.]\p{L}){1,2}\.?(?: |$))+$/u;

/** What networks write for no name, and where they cut a name off. */
const NO_NAME = /^(?:ERR|OOA|PVT|UNK|FALSE|[Ff]alse|Verified (?:Business|Caller|Number))$/;
const MAX_OF_NETWORK = 15;

/** The text with its last word in full, where a network has cut off one that services write: NAME UNAVAILABL. */
function uncut(text: string): string {
	if (text.length !== MAX_OF_NETWORK || text !== text.toUpperCase()) return text;
	const [, before, last] = /^(.*\s)(\p{L}+)$/u.exec(text) ?? [];
	const start = (last ?? '').toLowerCase();
	const whole = [...EMPTY_WORDS, ...OTHER_WORDS].find((word) => word.startsWith(start));
	return last === undefined || whole === undefined ? text : `${before}${whole}`;
}

/** A word of a name that is kept back. */
const MASKED = /^\S?\*{2,}\S?$/u;
/** What networks show for a caller of the internet. */
const VOIP_CALLER = /^\s*V\d{6,}\s*$/i;

/** The name in a value; undefined for a text such as "Wireless Caller", and for one without letters, such as the number. */
export function nameIn(value: unknown): string | undefined {
	const text = toldText(value);
	// Not a number, in JavaScript; "Nan" is a name
	if (text === undefined || text.trim() === 'NaN') return undefined;
	const said = inWords(text);
	if (said.match(/[^\s.]+/g)?.every((word) => MASKED.test(word))) return undefined;
	if ([ABBREVIATION, NO_NAME].some((none) => none.test(said)) || VOIP_CALLER.test(text))
		return undefined;
	const words = wordsIn(uncut(said.trim()));
	// "WIRELESS CALLER TX": networks add the state
	const own = words.length > 2 && words.at(-1)?.length === 2 ? words.slice(0, -1) : words;
	// "To An" is a name
	const isShort =
		own.length > 0 &&
		own.every((word) => /^[a-z]{1,3}$/.test(word)) &&
		!/^(?:no|pas)$/.test(own[0]);
	if (isShort) return text;
	const isWordAlone = own.length < 2 && own.every((word) => OTHER_WORDS.has(word));
	return isWordAlone || isOfService(own.join(' ')) ? undefined : text;
}

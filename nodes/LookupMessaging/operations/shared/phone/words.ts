import { normalized } from '../../../engine/plan/values';
import { planOfCountry, type NumberingPlan } from './numberingPlans';

/**
 * Words beside a phone number. Digits near other words may be theirs (2 lines, second floor, 9 to 5), and a name may be that of
 * another country. So only labels are left out, and the country of the number.
 */

/** Labels of phone numbers: what it is, whose it is, and where. */
const LABELS = `
	cell cellphone cellular contact desk direct fax gsm handset home hotline landline line main mob mobile no nr num number office ph
	phone phonenumber personal private reception support switchboard tel telephone telephonenumber toll free voice wa whatsapp whats
	app work business sms call text ring only preferred primary secondary alternate alternative other ddi
	fon rufnr büro dienst dienstlich festnetz geschäft geschäftlich handy handynummer mobil mobilnummer mobiltelefon nummer privat rufnummer
	telefon telefonnummer zentrale zuhause arbeit
	appel bureau port domicile fixe maison numéro portable standard travail téléphone tél
	casa cel celular fijo móvil número oficina teléfono telf tfno trabajo
	escritório fixo telefone telemóvel tlm trabalho
	abitazione cellulare centralino fisso lavoro telefono ufficio numero
	kantoor mobiel nummer telefoon telefoonnummer thuis vast werk
	arbete arbejde arbeid hem hemma hjem jobb kontor koti matkapuhelin mobiltelefon puhelin puh tlf tfn telefonnummer työ växel
	biuro dom kom komórka komórkowy praca stacjonarny
	domů pevná práce mobilní kancelář
	otthon mobilszám munkahely telefonszám vezetékes iroda
	birou fix serviciu acasă
	cep ev gsm iş sabit numara telefonu
	тел телефон моб мобильный мобильного сот сотовый раб рабочий дом домашний номер факс ватсап вотсап мобільний робочий
	τηλ τηλέφωνο κιν κινητό σταθερό
	هاتف جوال تلفون موبايل محمول رقم واتساب تلفن همراه موبایل شماره
	טל טלפון נייד פלאפון בית עבודה וואטסאפ
	फ़ोन मोबाइल दूरभाष
	电话 電話 手机 手機 号码 號碼 座机 電話番号 携帯 携帯電話 代表 直通 固定电话
	전화 전화번호 휴대폰 휴대전화 핸드폰 연락처
	โทร โทรศัพท์ มือถือ
	điện thoại sđt đt dđ di động
	telepon telp hp ponsel kantor rumah nomor nombor telefon bimbit
`;
/** A word in any script, or a flag. */
const WORDS = /[\p{L}\p{M}]+|[\u{1f1e6}-\u{1f1ff}]{2}/gu;
/** T: or (m), apart from the digits, for which a letter may stand. */
const LETTER_AS_LABEL = /(?<![\p{L}\p{M}\d])\p{L}(?:[:.)°º\s]+)(?![\p{L}\p{M}])/gu;
const LETTER_IN_BRACKETS = /\(\p{L}(?:\)|$)/gu;
const FIRST_FLAG_LETTER = 0x1f1e6;

let labels: Set<string> | undefined;

function isLabel(word: string): boolean {
	labels ??= new Set(LABELS.trim().split(/\s+/).map(plain));
	if (!labels.has(plain(word))) return false;
	// NO and DOM are countries, and Ph. is a phone
	return !/^[A-Z]{2,3}$/.test(word) || planOfCountry(word) === undefined;
}

/** The word in small letters without accents. */
function plain(word: string): string {
	return normalized(word, 'NFKD').toLowerCase().replace(/\P{L}/gu, '');
}

/** The words before a number that are no labels, a flag as its code; empty if there are none. */
export function wordsBefore(text: string): string {
	return otherWords(text.replace(LETTER_AS_LABEL, ' '));
}

/** The same after a number. */
export function wordsAfter(text: string): string {
	return otherWords(text.replace(LETTER_IN_BRACKETS, ' '));
}

function otherWords(text: string): string {
	const words = text.match(WORDS) ?? [];
	return words
		.filter((word) => !isLabel(word))
		.map((word) => ((word.codePointAt(0) ?? 0) < FIRST_FLAG_LETTER ? word : codeOfFlag(word)))
		.join(' ');
}

function codeOfFlag(flag: string): string {
	const letterOf = (each: string) =>
		String.fromCharCode((each.codePointAt(0) ?? 0) - FIRST_FLAG_LETTER + 65);
	return Array.from(flag, letterOf).join('');
}

/** Whether words name the country of a plan, or another one with its calling code. */
export function areOf(words: string, { callingCode }: NumberingPlan): boolean {
	return planOfCountry(words)?.callingCode === callingCode;
}

/** @param shown the text, in brackets */
export function mayHaveWords(shown: string): string {
	return `${shown} has words or letters that may change which number is meant. Enter the phone number alone, in digits`;
}

/** The beginnings of free and other special numbers. Letters after an area code alone are words: 030 unbekannt. */
const VANITY = /^0?1?(?:[13]00|1[38]00|80[08]|8(?:22|33|44|55|66|77|88)|90\d)/;

/** Whether letters after these digits may spell a number. */
export function maySpell(digits: string): boolean {
	return VANITY.test(digits);
}

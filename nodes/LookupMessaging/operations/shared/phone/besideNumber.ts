import { normalized } from '../../../engine/plan/values';
import { planOfCountry, type NumberingPlan } from './numberingPlans';

/** What stands beside a phone number: its extension, words, and digits that are none of its own (hours, the number of a line). */

const HOUR = '(?:[01]?\\d|2[0-4])(?:\\.[0-5]\\d)?\\s?[a-z]*\\.?';
/** From one hour to another, after a number. Groups that are all separated by dashes are a number. */
const HOURS = new RegExp(`(?<!\\p{Pd})\\s\\(?${HOUR}\\s?\\p{Pd}\\s?${HOUR}$`, 'iu');
/** The same before a number, after words such as Mo-Fr. */
const HOURS_BEFORE = new RegExp(
	`^[^+\\d]*\\p{L}[^+\\d]*${HOUR}\\s?\\p{Pd}\\s?${HOUR}[\\s:]+(?=[+\\d\\p{Ps}])`,
	'iu',
);
/** 24/7 before a number or after it. */
export const AROUND_THE_CLOCK =
	/(?:^\P{Nd}*|[\s\p{Ps}])(?:24\s?[/x]\s?7|7\s?[/x]\s?24)(?:\P{Nd}*$|[\s:]+\+?\p{Ps}?\d)/iu;
/** In brackets they are no part of any number. */
export const HOURS_IN_BRACKETS = new RegExp(
	`\\(\\s*${HOUR}\\s*\\p{Pd}\\s*${HOUR}\\s*\\)\\s*$`,
	'iu',
);
/** The number of a line in a list: 1) or 1. or #1, also after a label. An area code in brackets has both of them. */
export const LIST_MARK = /^[^+\d\p{Ps}]*(?:#\d{1,2}(?!\d)|[1-9]\d?(?:\.?\p{Pe}|\.\s))/u;

/** The number of a line at the end: (2). In brackets, one or two digits are no part of any number. */
export const MARK_IN_BRACKETS = /\d[^\d\p{Ps}]*\p{Ps}\s*\d{1,2}\s*\p{Pe}[^\p{L}\d]*$/u;
/**
 * Digits before words: one or two in brackets, one after a space, or two after four or more together. No line has the number 0, but
 * a switchboard does: 030 12345 - 0 Zentrale.
 */
export const DIGITS_OF_WORDS =
	/(?:(?<=\d\d[^\p{L}\d]{0,20})(?:\s[1-9]|\p{Ps}\s*[1-9]\d?)|(?<=\d{4}[^\p{L}\d]{0,20})\s[1-9]\d)(?!\d)[^\p{L}\d]{0,3}\p{L}/u;
/** What may be one: the digits of a label (Tel2, Phone 2), those before a 0 or an area code (2 - 030), one at the end after a dash or before a dot, and one with a sign of its own before any number. */
const MARKS = [
	/^[^\d+]*\p{L}\.?\s?[1-9](?=\D*[\s:])[\s:.\p{Pd}]+(?=[\d\p{Ps}])/u,
	/^[^\d+]*\p{Ps}?[1-9]\d?(?:\p{Pe}[\s:.\p{Pd}]*|[\s:./\p{Pd}]+)(?=0|\p{Ps}(?:0\d|\d{1,3}\D))/u,
	/(?<!\s\p{Pd}\s.*)\s\p{Pd}\s?[1-9]$/u,
	/\s\d\.$/,
	/^[^\d+\p{L}]*(?:[№#]\s?[1-9]\d?\D+|\p{Ps}[1-9]\p{Pe}\D*|[1-9]\s?[:/]\s|[1-9]\s\p{Pd}\s)(?=\d)/u,
];
/** One or two digits before others, which a number may have as well. With a dash alone they begin a number: 1-700-123-456. */
const SHORT_FIRST_GROUP = /^[^\d+]*[1-9]\d?(?!\p{Pd}\d)\D+(?=\d)/u;

/**
 * The digits of a text without possible hours; undefined if it has none.
 * @param number the text without its label and without other scripts at its end
 */
export function withoutHours(text: string, number: string): string | undefined {
	if (HOURS.test(number)) return number.replace(HOURS, '').replace(/\D/g, '');
	return HOURS_BEFORE.test(text) ? text.replace(HOURS_BEFORE, '').replace(/\D/g, '') : undefined;
}

/** The digits of a text without each part that may be the number of a line, and without a short first group. */
export function withoutMarks(text: string) {
	const without = (part: RegExp) => text.replace(part, '').replace(/\D/g, '');
	return {
		withoutMarks: MARKS.filter((mark) => mark.test(text)).map(without),
		...(SHORT_FIRST_GROUP.test(text) && { withoutFirstGroup: without(SHORT_FIRST_GROUP) }),
	};
}

/** @param shown the text, in brackets */
export function mayHaveMark(shown: string): string {
	return `${shown} has what may be the number of a line. Enter the phone number alone`;
}

/** @param shown the text, in brackets */
export function mayHaveHours(shown: string): string {
	return `${shown} has what may be hours. Enter the phone number alone`;
}

/** @param shown the text, in brackets */
export function endsInDigits(shown: string): string {
	return `${shown} ends in digits that may belong to the words after them. Enter the phone number alone`;
}

/** @param shown the text, in brackets */
export function inPlace(shown: string): string {
	return `${shown} repeats one digit, as texts in place of a missing number do. Write a phone number with + and its country code`;
}

/** @param shown the text, in brackets */
export function several(shown: string): string {
	return `${shown} contains more than one number. Enter one number per item`;
}

/** @param shown the text, in brackets */
export function severalBySlash(shown: string): string {
	return `${shown} has a slash, so it may be several numbers. Enter one number per item`;
}

/** @param shown the text, in brackets */
export function endsInSign(shown: string): string {
	return `${shown} has a sign before or after its last digits, which may be an extension or not. Enter the phone number alone`;
}

/**
 * Labels of phone numbers: what it is, whose it is, and where. Digits near other words may be theirs (2 lines, second floor, 9 to 5),
 * and a name may be that of another country. So only labels are left out, and the country of the number.
 */
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

/** An extension, and what is doubtful about it. */
export interface Extension {
	/** Its digits. */
	extension: string;
	/** Whether it follows a comma or semicolon, so that it may also be another number. */
	isListed: boolean;
	/** Whether a space follows that, as in a list. */
	isSpaced: boolean;
	/** Whether only a sign says that it is one, so that its digits may be those of the number. */
	isBySign: boolean;
}

/** libphonenumber's ways to write an extension, in its order; each ends the text. */
const BEFORE_EXTENSION = '[:.]?[ \\u00a0\\t,-]{0,20}';
const EXTENSION =
	'(?:e?xt(?:ensi(?:o\\u0301?|\\u00f3))?n?|доб|вн|anexo|interno|ramal|poste|durchwahl|dw|toestel|dahili|wew|klapka|mellék|內線|内線|分机|分機|转|轉|내선)';
const EXTENSIONS = [
	';ext=(\\d{1,20})',
	`[ \\u00a0\\t,]{0,20}${EXTENSION}${BEFORE_EXTENSION}(\\d{1,20})#?`,
	`[ \\u00a0\\t,]{0,20}(?:[x#~]|int)${BEFORE_EXTENSION}(\\d{1,9})#?`,
	'[- ]+(\\d{1,6})#',
	`[ \\u00a0\\t]{0,20}(?:,{2}|;)${BEFORE_EXTENSION}(\\d{1,15})#?`,
	`[ \\u00a0\\t]{0,20},{1,9}${BEFORE_EXTENSION}(\\d{1,9})#?`,
].map((source) => new RegExp(`${source}$`, 'iu'));
/** How many of them have a word or ;ext. */
const NAMED_EXTENSIONS = 2;
const EXTENSION_ALONE = new RegExp(`^(?:${EXTENSION}|x|int)${BEFORE_EXTENSION}\\d{1,9}#?$`, 'iu');

export function isExtensionAlone(text: string): boolean {
	return EXTENSION_ALONE.test(text);
}

/** The text of a number without its extension, which is read if there is one. */
export function splitExtension(text: string): { number: string } & Partial<Extension> {
	for (const [index, pattern] of EXTENSIONS.entries()) {
		const found = pattern.exec(text);
		if (!found) continue;
		const number = text.slice(0, found.index);
		if (!isLongEnough(number)) continue;
		const isListed = /^[\s,;]/.test(found[0].trimStart()) && !/^;ext/i.test(found[0]);
		return {
			number,
			extension: found[1],
			isListed,
			isSpaced: /[,;]\s/.test(found[0]),
			isBySign: index >= NAMED_EXTENSIONS,
		};
	}
	return { number: text };
}

/** An extension belongs to a number, which has three digits at least. */
function isLongEnough(number: string): boolean {
	return number.replace(/\D/g, '').length >= 3;
}

/** What the columns of a file of leads may be called: for `npm start`, and by `npm run generate` for the recipe. */

/** The columns that the workflow reads, by the names that it knows. */
export const COLUMNS = ['name', 'phone', 'email', 'ip', 'country'] as const;
export type Column = (typeof COLUMNS)[number];

/** One of these at least has to be in a file. */
export const LOOKED_UP = ['phone', 'email', 'ip'] as const;

/**
 * What else a column may be called, as messages write it. Case, accents and punctuation don't matter. Of several columns, the first
 * one in the file that has a value in a row counts there.
 */
export const OTHER_NAMES: Record<Column, string[]> = {
	name: ['Full Name', 'Contact Name', 'Lead Name', 'Customer Name'],
	phone: [
		...['Phone Number', 'Mobile', 'Mobile Phone', 'Mobile Number', 'Cell', 'Cell Phone'],
		...['Work Phone', 'Business Phone', 'Telephone', 'Telephone Number', 'Tel'],
		...['Contact Number', 'Primary Phone', 'Phone 1 - Value', 'Phone 2 - Value', 'Home Phone'],
	],
	email: [
		...['Email Address', 'Work Email', 'Business Email', 'Primary Email', 'Contact Email', 'Mail'],
		...['E-Mail 1 - Value', 'E-Mail 2 - Value', 'Personal Email'],
	],
	ip: ['IP Address', 'Last IP', 'Last Login IP', 'Signup IP', 'Opt-in IP', 'Client IP'],
	country: ['Country Code', 'Country Name', 'Country/Region'],
};

/** The names in other languages, after those. */
const LOCAL_NAMES: Record<string, Record<Column, string[]>> = {
	German: {
		name: ['Vollständiger Name', 'Kontaktname', 'Ansprechpartner'],
		phone: [
			...['Telefon', 'Telefonnummer', 'Telefon-Nr.', 'Tel.-Nr.', 'Rufnummer', 'Handy'],
			...['Handynummer', 'Mobil', 'Mobiltelefon', 'Mobilnummer', 'Mobilfunk', 'Festnetz'],
			...['Telefon geschäftlich', 'Telefon privat'],
		],
		email: ['E-Mail-Adresse', 'Mailadresse', 'E-Mail geschäftlich', 'E-Mail privat'],
		ip: ['IP-Adresse', 'Letzte IP'],
		country: ['Land', 'Ländercode', 'Länderkürzel', 'Länderkennzeichen'],
	},
	French: {
		name: ['Nom complet', 'Nom et prénom', 'Prénom et nom', 'Nom du contact'],
		phone: [
			...['Téléphone', 'Numéro de téléphone', 'N° de téléphone', 'Tél', 'Portable'],
			...['Téléphone portable', 'Téléphone mobile', 'Numéro de portable', 'Téléphone fixe'],
			'Téléphone professionnel',
		],
		email: [
			...['Courriel', 'Adresse e-mail', 'Adresse mail', 'Adresse électronique', 'Mél'],
			...['Adresse de courriel', 'Courrier électronique', 'E-mail professionnel'],
		],
		ip: ['Adresse IP', 'Dernière IP'],
		country: ['Pays', 'Code pays', 'Code du pays'],
	},
	Spanish: {
		name: ['Nombre completo', 'Nombre y apellidos', 'Nombre de contacto'],
		phone: [
			...['Teléfono', 'Número de teléfono', 'Móvil', 'Teléfono móvil', 'Número de móvil'],
			...['Celular', 'Teléfono celular', 'Número de celular', 'Teléfono fijo'],
		],
		email: [
			...['Correo', 'Correo electrónico', 'Dirección de correo', 'E-mail de contacto'],
			'Dirección de correo electrónico',
		],
		ip: ['Dirección IP', 'Última IP'],
		country: ['País', 'Código de país', 'Código del país'],
	},
	Portuguese: {
		name: ['Nome completo', 'Nome do contato', 'Nome do contacto'],
		phone: [
			...['Telefone', 'Número de telefone', 'Telemóvel', 'Número de telemóvel'],
			...['Telefone celular', 'Número do celular', 'Telefone móvel', 'Telefone fixo'],
		],
		email: ['Correio eletrónico', 'Correio electrónico', 'Endereço de e-mail'],
		ip: ['Endereço IP', 'Último IP'],
		country: ['Código do país'],
	},
	Italian: {
		name: ['Nome e cognome', 'Cognome e nome', 'Nominativo'],
		phone: [
			...['Telefono', 'Numero di telefono', 'Cellulare', 'Telefono cellulare'],
			...['Numero di cellulare', 'Telefono fisso'],
		],
		email: ['Posta elettronica', 'Indirizzo e-mail', 'Indirizzo di posta elettronica'],
		ip: ['Indirizzo IP', 'Ultimo IP'],
		country: ['Paese', 'Nazione', 'Codice paese'],
	},
	Dutch: {
		name: ['Naam', 'Volledige naam', 'Contactpersoon'],
		phone: [
			...['Telefoon', 'Telefoonnummer', 'Tel.nr.', 'Mobiel', 'Mobiel nummer', 'Mobiele telefoon'],
			...['Gsm', 'Gsm-nummer', 'Vaste telefoon'],
		],
		email: ['E-mailadres', 'Mailadres'],
		ip: ['IP-adres', 'Laatste IP'],
		country: ['Landcode'],
	},
};

export const LANGUAGES = Object.keys(LOCAL_NAMES);

/** What is written for a missing value. */
export const PLACEHOLDER = /^(?:n\/?a|null|none|[-–—.?]*)$/i;

/** Both together are a name where there is no other column for it. `Nom` is a last name in French, `Nome` a first one in Italian. */
export const NAME_PARTS = [
	['First Name', 'Given Name', 'Vorname', 'Prénom', 'Nombre', 'Nome', 'Voornaam'],
	[
		...['Last Name', 'Surname', 'Family Name', 'Nachname', 'Familienname', 'Nom'],
		...['Nom de famille', 'Apellido', 'Apellidos', 'Sobrenome', 'Apelido', 'Cognome', 'Achternaam'],
	],
].map((names) => names.map(plain));

/** The names of a column, without case, accents and punctuation. */
export function namesOf(column: Column): string[] {
	const local = Object.values(LOCAL_NAMES).flatMap((names) => names[column]);
	return [...new Set([column, ...OTHER_NAMES[column], ...local].map(plain))];
}

/** A header cell without case, accents and punctuation. */
export function plain(header: string): string {
	return header
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

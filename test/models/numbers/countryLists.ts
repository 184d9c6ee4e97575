/**
 * Names of countries and territories where the lists that people take them from differ from the plain name: by list, a territory
 * in each line with all of its names.
 */
const LISTS = {
	ISO: `
BO Bolivia (Plurinational State of);Bolivia, Plurinational State of
BQ Bonaire, Sint Eustatius and Saba
CD Congo (the Democratic Republic of the);Congo, Democratic Republic of the;Congo, the Democratic Republic of the
CG Congo (the)
CC Cocos (Keeling) Islands (the)
FK Falkland Islands (the) [Malvinas];Falkland Islands (Malvinas)
FM Micronesia (Federated States of);Micronesia, Federated States of
GB United Kingdom of Great Britain and Northern Ireland (the)
IR Iran (Islamic Republic of);Iran, Islamic Republic of
KP Korea (the Democratic People's Republic of);Korea, Democratic People's Republic of;Korea, Democratic People’s Republic of
KR Korea (the Republic of);Korea, Republic of
LA Lao People's Democratic Republic (the);Lao People's Democratic Republic
MD Moldova (the Republic of);Moldova, Republic of
MF Saint Martin (French part)
MK Macedonia, the former Yugoslav Republic of
NL Netherlands (Kingdom of the);Netherlands (the);Netherlands, Kingdom of the
PS Palestine, State of;Palestinian Territory, Occupied
SH Saint Helena, Ascension and Tristan da Cunha
SX Sint Maarten (Dutch part)
TW Taiwan (Province of China);Taiwan, Province of China
TZ Tanzania, the United Republic of;Tanzania, United Republic of
US United States of America (the)
VA Holy See (Vatican City State);Holy See (the)
VE Venezuela (Bolivarian Republic of);Venezuela, Bolivarian Republic of
VG Virgin Islands (British);Virgin Islands, British
VI Virgin Islands (U.S.);Virgin Islands, U.S.`,
	UN: `
BO Bolivia (Plurinational State of)
CD Democratic Republic of the Congo;Dem. Rep. of the Congo
FM Micronesia (Fed. States of)
HK China, Hong Kong SAR;China, Hong Kong Special Administrative Region
IR Iran (Islamic Republic of)
KP Democratic People's Republic of Korea;Dem. People's Republic of Korea
KR Republic of Korea
MD Republic of Moldova
MO China, Macao SAR;China, Macao Special Administrative Region
NL Netherlands (Kingdom of the)
MF Saint Martin (French Part)
PS State of Palestine
SJ Svalbard and Jan Mayen Islands
TW China, Taiwan Province of China
TZ United Republic of Tanzania
VI United States Virgin Islands
WF Wallis and Futuna Islands
XK Kosovo`,
	'World Bank': `
BS Bahamas, The
CD Congo, Dem. Rep.
CG Congo, Rep.
EG Egypt, Arab Rep.
FM Micronesia, Fed. Sts.
GM Gambia, The
HK Hong Kong SAR, China
IR Iran, Islamic Rep.
KG Kyrgyz Republic
KP Korea, Dem. People's Rep.;Korea, Dem. People’s Rep.
KR Korea, Rep.
LA Lao PDR
LC St. Lucia
MF St. Martin (French part)
MO Macao SAR, China
PS West Bank and Gaza
SK Slovak Republic
SX Sint Maarten (Dutch part)
TW Taiwan, China
VE Venezuela, RB
VI Virgin Islands (U.S.)
YE Yemen, Rep.`,
	gazetteers: `
CD Congo, Democratic Republic of the;Congo (Kinshasa);Congo - Kinshasa;Congo (DRC)
CG Congo, Republic of the;Congo (Brazzaville);Congo - Brazzaville;Congo (Republic)
CI Cote d'Ivoire;Côte d’Ivoire
FK Falkland Islands (Islas Malvinas)
HK Hong Kong SAR China;Hong Kong (SAR China)
KP Korea, North
KR Korea, South
MM Myanmar (Burma);Burma
MO Macao SAR China
PS Palestinian Territories;Gaza Strip;West Bank
TL Timor-Leste
TR Turkey (Turkiye);Türkiye
TW Taiwan
VA Holy See (Vatican City)`,
	CRMs: `
BQ Caribbean Netherlands
CD Congo, The Democratic Republic of the;Democratic Republic of the Congo;Congo, DRC
CI Cote d'Ivoire;Ivory Coast
CW Curacao;Curaçao
CZ Czech Republic;Czechia
HK Hong Kong;Hong Kong SAR;Hong Kong S.A.R.
KN St. Kitts and Nevis
KP North Korea;Korea (DPRK)
KR South Korea;Korea, Rep. of
MF Saint Martin;St. Martin
MK Macedonia (FYROM);North Macedonia
MO Macau;Macau SAR;Macao
PS Palestine
RE Reunion;Réunion
ST Sao Tome and Principe
SZ Swaziland;Eswatini
TL East Timor
TW China (Taiwan);Taiwan
GB United Kingdom;United Kingdom (UK)
VC St. Vincent & Grenadines;Saint Vincent and the Grenadines
VG British Virgin Islands
VI U.S. Virgin Islands;US Virgin Islands`,
};

interface ListedName {
	list: string;
	name: string;
	region: string;
}

export const LISTED_NAMES: ListedName[] = Object.entries(LISTS).flatMap(([list, rows]) =>
	rows
		.trim()
		.split('\n')
		.flatMap((row) => {
			const region = row.slice(0, 2);
			return row
				.slice(3)
				.split(';')
				.map((name) => ({ list, name, region }));
		}),
);

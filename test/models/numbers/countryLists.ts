/**
 * Names of countries and territories where the lists that people take them from differ from the plain name: those of ISO, of the UN,
 * of the World Bank, of gazetteers and of CRMs, a territory in each line with all of its names.
 */
const LISTED = `
BO Bolivia (Plurinational State of);Bolivia, Plurinational State of
BQ Bonaire, Sint Eustatius and Saba;Caribbean Netherlands
BS Bahamas, The
CC Cocos (Keeling) Islands (the)
CD Congo (the Democratic Republic of the);Congo, Democratic Republic of the;Congo, the Democratic Republic of the;Democratic Republic of the Congo;Dem. Rep. of the Congo;Congo, Dem. Rep.;Congo (Kinshasa);Congo - Kinshasa;Congo (DRC);Congo, The Democratic Republic of the;Congo, DRC
CG Congo (the);Congo, Rep.;Congo, Republic of the;Congo (Brazzaville);Congo - Brazzaville;Congo (Republic)
CI Cote d'Ivoire;Côte d’Ivoire;Ivory Coast
CW Curacao;Curaçao
CZ Czech Republic;Czechia
EG Egypt, Arab Rep.
FK Falkland Islands (the) [Malvinas];Falkland Islands (Malvinas);Falkland Islands (Islas Malvinas)
FM Micronesia (Federated States of);Micronesia, Federated States of;Micronesia (Fed. States of);Micronesia, Fed. Sts.
GB United Kingdom of Great Britain and Northern Ireland (the);United Kingdom;United Kingdom (UK)
GM Gambia, The
HK China, Hong Kong SAR;China, Hong Kong Special Administrative Region;Hong Kong SAR, China;Hong Kong SAR China;Hong Kong (SAR China);Hong Kong;Hong Kong SAR;Hong Kong S.A.R.
IR Iran (Islamic Republic of);Iran, Islamic Republic of;Iran, Islamic Rep.
KG Kyrgyz Republic
KN St. Kitts and Nevis
KP Korea (the Democratic People's Republic of);Korea, Democratic People's Republic of;Korea, Democratic People’s Republic of;Democratic People's Republic of Korea;Dem. People's Republic of Korea;Korea, Dem. People's Rep.;Korea, Dem. People’s Rep.;Korea, North;North Korea;Korea (DPRK)
KR Korea (the Republic of);Korea, Republic of;Republic of Korea;Korea, Rep.;Korea, South;South Korea;Korea, Rep. of
LA Lao People's Democratic Republic (the);Lao People's Democratic Republic;Lao PDR
LC St. Lucia
MD Moldova (the Republic of);Moldova, Republic of;Republic of Moldova
MF Saint Martin (French part);Saint Martin (French Part);St. Martin (French part);Saint Martin;St. Martin
MK Macedonia, the former Yugoslav Republic of;Macedonia (FYROM);North Macedonia
MM Myanmar (Burma);Burma
MO China, Macao SAR;China, Macao Special Administrative Region;Macao SAR, China;Macao SAR China;Macau;Macau SAR;Macao
NL Netherlands (Kingdom of the);Netherlands (the);Netherlands, Kingdom of the
PS Palestine, State of;Palestinian Territory, Occupied;State of Palestine;West Bank and Gaza;Palestinian Territories;Gaza Strip;West Bank;Palestine
RE Reunion;Réunion
SH Saint Helena, Ascension and Tristan da Cunha
SJ Svalbard and Jan Mayen Islands
SK Slovak Republic
ST Sao Tome and Principe
SX Sint Maarten (Dutch part)
SZ Swaziland;Eswatini
TL Timor-Leste;East Timor
TR Turkey (Turkiye);Türkiye
TW Taiwan (Province of China);Taiwan, Province of China;China, Taiwan Province of China;Taiwan, China;Taiwan;China (Taiwan)
TZ Tanzania, the United Republic of;Tanzania, United Republic of;United Republic of Tanzania
US United States of America (the)
VA Holy See (Vatican City State);Holy See (the);Holy See (Vatican City)
VC St. Vincent & Grenadines;Saint Vincent and the Grenadines
VE Venezuela (Bolivarian Republic of);Venezuela, Bolivarian Republic of;Venezuela, RB
VG Virgin Islands (British);Virgin Islands, British;British Virgin Islands
VI Virgin Islands (U.S.);Virgin Islands, U.S.;United States Virgin Islands;U.S. Virgin Islands;US Virgin Islands
WF Wallis and Futuna Islands
XK Kosovo
YE Yemen, Rep.`;

export const LISTED_NAMES = LISTED.trim()
	.split('\n')
	.flatMap((row) => {
		const region = row.slice(0, 2);
		return row
			.slice(3)
			.split(';')
			.map((name) => ({ name, region }));
	});

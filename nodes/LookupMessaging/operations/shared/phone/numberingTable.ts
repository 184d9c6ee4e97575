/**
 * Numbering plans, made by `npm run generate` from libphonenumber's metadata (google-libphonenumber 3.2.47) and
 * names (i18n-iso-countries 7.14.0). Do not edit.
 */

const raw = String.raw;

/**
 * A region in each line, the main one of its calling code first: alpha-2 code (001 for none), calling code, lengths of national
 * numbers, lengths inside an area, usual lengths, prefix for calls abroad, trunk prefix, what that becomes, pattern of
 * numbers; then alpha-3 code and names. "-" is nothing.
 */
export const REGIONS = raw`
US 1 10 7 10-10 011 1 - (?:2(?:0[1-9]|1[02-9]|2[03-9]|3[14-69]|4[02689]|5[0-467]|6[02-47-9]|7[02-469]|8[1349])|3(?:0[1-9]|1[02-9]|2[013-79]|3[0-24679]|4[0135-7]|5[0-4]|6[013-57-9]|8[0256])|4(?:0[1-9]|1[02-9]|2[3-58]|3[0-24578]|4[0-3578]|5[08]|6[3489]|7[02-589]|8[04])|5(?:[02]\d|1[02-9]|3[0-49]|4[0148]|5[179]|6[1-467]|7[0-579]|8[0-24-8])|6(?:0\d|1[02-9]|2[023689]|3[01369]|4[015-79]|5[016-9]|6[0-2479]|7[0-28]|8[0-469])|7(?:0[1-9]|1[2-9]|2[014-8]|3[0-2478]|4[02378]|5[3478]|6[023579]|7[0-589]|8[0-24-7])|8(?:0[1-8]|[16][02-9]|2[01568]|3[0-3589]|4[03-578]|5[04-9]|7[0236-9]|88)|9(?:0\d|1[02-9]|2[0589]|3[0146-9]|4[0-357-9]|5[12469]|7[0-3589]|8[03-69]))[2-9]\d{6}|8(?:0[09]|[24]9)\d{7} USA;America;United States of America;United States;The States;United States (USA);United States (US);USA (United States of America);US of America;U.S.;Vereinigte Staaten von Amerika;Vereinigte Staaten;Estados Unidos;États-Unis d'Amérique;Stati Uniti d'America;Estados Unidos da América;EEUU;EUA;Amerika;Amérique;États-Unis;Stati Uniti
AG 1 10 7 10-10 011 ([457]\d{6})$|1 268$1 (?:268|[58]\d\d|900)\d{7} ATG;Antigua and Barbuda;Antigua und Barbuda;Antigua y Barbuda;Antigua-et-Barbuda;Antígua e Barbuda
AI 1 10 7 10-10 011 ([2457]\d{6})$|1 264$1 (?:264|[58]\d\d|900)\d{7} AIA;Anguilla;Anguila
AS 1 10 7 10-10 011 ([267]\d{6})$|1 684$1 (?:[58]\d\d|684|900)\d{7} ASM;American Samoa;Amerikanisch-Samoa;Samoa Americana;Samoa américaines;Samoa Americane
BB 1 10 7 10-10 011 ([2-9]\d{6})$|1 246$1 (?:246|[58]\d\d|900)\d{7} BRB;Barbados;Barbade
BM 1 10 7 10-10 011 ([2-9]\d{6})$|1 441$1 (?:441|[58]\d\d|900)\d{7} BMU;Bermuda;Bermudas;Bermudes
BS 1 10 7 10-10 011 ([3-8]\d{6})$|1 242$1 (?:242|[58]\d\d|900)\d{7} BHS;Bahamas;Baamas
CA 1 7,10 - 10-10 011 1 - [2-9]\d{9}|3\d{6} CAN;Canadá;Kanada
DM 1 10 7 10-10 011 ([2-7]\d{6})$|1 767$1 (?:[58]\d\d|767|900)\d{7} DMA;Dominica;Dominique
DO 1 10 7 10-10 011 1 - (?:[58]\d\d|900)\d{7} DOM;Dominican Republic;República Dominicana;Dominikanische Republik;République Dominicaine;Repubblica Dominicana
GD 1 10 7 10-10 011 ([2-9]\d{6})$|1 473$1 (?:473|[58]\d\d|900)\d{7} GRD;Grenada;Granada;Grenade
GU 1 10 7 10-10 011 ([2-9]\d{6})$|1 671$1 (?:[58]\d\d|671|900)\d{7} GUM;Guam
JM 1 10 7 10-10 011 1 - (?:[58]\d\d|658|900)\d{7} JAM;Jamaica;Jamaika;Jamaïque;Giamaica
KN 1 10 7 10-10 011 ([2-7]\d{6})$|1 869$1 (?:[58]\d\d|900)\d{7} KNA;Saint Christopher and Nevis;Saint Kitts and Nevis;St. Kitts und Nevis;Saint Kitts y Nevis;Saint-Christophe-et-Niévès;Saint Kitts e Nevis;São Cristóvão e Neves;San Cristóbal y Nieves;São Cristóvão e Névis
KY 1 10 7 10-10 011 ([2-9]\d{6})$|1 345$1 (?:345|[58]\d\d|900)\d{7} CYM;Cayman Islands;Kaimaninseln;Islas Caimán;Îles Caïmans;Isole Cayman;Ilhas Caimão;Ilhas Cayman
LC 1 10 7 10-10 011 ([2-8]\d{6})$|1 758$1 (?:[58]\d\d|758|900)\d{7} LCA;St. Lucia;Santa Lúcia;Sainte-Lucie
MP 1 10 7 10-10 011 ([2-9]\d{6})$|1 670$1 [58]\d{9}|(?:67|90)0\d{7} MNP;Commonwealth of the Northern Mariana Islands;Northern Marianas;Northern Mariana Islands;Nördliche Marianen;Islas Marianas del Norte;Îles Mariannes du Nord;Isole Marianne Settentrionali;Ilhas Marianas do Norte
MS 1 10 7 10-10 011 ([34]\d{6})$|1 664$1 (?:[58]\d\d|664|900)\d{7} MSR;Montserrat;Monserrate
PR 1 10 7 10-10 011 1 - (?:[589]\d\d|787)\d{7} PRI;Puerto Rico;Porto Rico
SX 1 10 7 10-10 011 (5\d{6})$|1 721$1 7215\d{6}|(?:[58]\d\d|900)\d{7} SXM;Sint Maarten;Dutch Sint Maarten;St. Maarten;Saint Martin (Dutch part);St. Maarten (Dutch part);Sint Maarten (Dutch part);Sint Maarten (Nederlands deel);Land Sint Maarten;Sint Maarten (neerlandesa);Saint-Martin (partie néerlandaise)
TC 1 10 7 10-10 011 ([2-479]\d{6})$|1 649$1 (?:[58]\d\d|649|900)\d{7} TCA;Turks and Caicos Islands;Turks- und Caicosinseln;Islas Turcas y Caicos;Îles Turques-et-Caïques;Isole Turks e Caicos;Ilhas Turcas e Caicos
TT 1 10 7 10-10 011 ([2-46-8]\d{6})$|1 868$1 (?:[58]\d\d|900)\d{7} TTO;Trinidad and Tobago;Trinidad und Tobago;Trinidad y Tobago;Trinité-et-Tobago;Trinidad e Tobago;Trindade e Tobago
VC 1 10 7 10-10 011 ([2-7]\d{6})$|1 784$1 (?:[58]\d\d|784|900)\d{7} VCT;Saint Vincent;Saint Vincent and Grenadines;Saint Vincent and the Grenadines;St. Vincent und die Grenadinen;San Vicente y las Granadinas;Saint-Vincent-et-les-Grenadines;Saint Vincent e Grenadine;São Vicente e Granadinas
VG 1 10 7 10-10 011 ([2-578]\d{6})$|1 284$1 (?:284|[58]\d\d|900)\d{7} VGB;British Virgin Islands;BVI;Virgin Islands (GB);UK Virgin Islands;Britische Jungferninseln;Islas Vírgenes británicas;Îles vierges britanniques;Isole Vergini Britanniche;Ilhas Virgens Britânicas
VI 1 10 7 10-10 011 ([2-9]\d{6})$|1 340$1 [58]\d{9}|(?:34|90)0\d{7} VIR;US Virgin Islands;United States Virgin Islands;Virgin Islands of the United States;USVI;American Virgin Islands;Virgin Islands (USA);Amerikanische Jungferninseln;Islas Vírgenes de los Estados Unidos;Îles vierges américaines;Isole Vergini Americane;Ilhas Virgens Americanas
RU 7 10,14 7 10-10 810 8 - 8\d{13}|[347-9]\d{9} RUS;Rússia;Russian Federation;Российская Федерация;Россия;Russische Föderation;Russland;Rusia;Russie
KZ 7 10,14 5-7 10-10 810 8 - 8\d{13}|[78]\d{9} KAZ;Kazakhstan;Қазақстан;Казахстан;Kasachstan;Kazajistán;Kazakistan;Cazaquistão
EG 20 8-10 6-7 9-10 00 0 - [189]\d{8,9}|[24-6]\d{8}|[135]\d{7} EGY;Arab Republic of Egypt;Egypt, Arab Rep.;Egypt;مصر;Ägypten;Egipto;Égypte;Egitto;Egito
ZA 27 5-10 - 9-9 00 0 - [1-79]\d{8}|8\d{4,9} ZAF;Republic of South Africa;RSA;South Africa;Südafrika;Sudafrica;Afrique du Sud;África do Sul;Suid-Afrika
GR 30 10-12 - 10-10 00 - - 5005000\d{3}|8\d{9,11}|(?:[269]\d|70)\d{8} GRC;EL;Hellas;Hellenic Republic;Greece;Ελλάδα;Griechenland;Grécia;Grèce
NL 31 5-11 - 9-11 00 0 - (?:[124-7]\d\d|3(?:[02-9]\d|1[0-8]))\d{6}|8\d{6,9}|9\d{6,10}|1\d{4,5} NLD;Holland;The Netherlands;Kingdom of the Netherlands;Netherlands (Holland);Koninkrijk der Nederlanden;Nederland;Niederlande;Países Bajos;Pays-Bas;Paesi Bassi;Países Baixos;Holanda;Hollande;Olanda
BE 32 8-9 - 8-9 00 0 - 4\d{8}|[1-9]\d{7} BEL;Belgium;Belgien;Belgique;Koninkrijk België;België;Bélgica;Belgio
FR 33 9 - 9-9 00 0 - [1-9]\d{8} FRA;French Republic;Metropolitan France;France;Frankreich;Francia;França
ES 34 9 - 9-9 00 - - (?:400|[5-9]\d\d)\d{6} ESP;Spain;España;Spanien;Espagne;Spagna;Espanha;Espanya;Espainia
HU 36 8-9 6-7 8-9 00 06 - [235-7]\d{8}|[1-9]\d{7} HUN;Hungary;Magyarország;Ungarn;Hungria;Hongrie;Ungheria
IT 39 6-12 - 10-10 00 - - 0\d{5,11}|1\d{8,10}|3(?:[0-8]\d{7,10}|9\d{7,8})|(?:43|55|70)\d{8}|8\d{5}(?:\d{2,4})? ITA;Italy;Itália;Italien;Italie
VA 39 6-12 - 10-10 00 - - 0\d{5,10}|3[0-8]\d{7,10}|55\d{8}|8\d{5}(?:\d{2,4})?|(?:1\d|39)\d{7,8} VAT;Vatican;Vatican City;Holy See;Vatican City State;State of the Vatican City;Vatican City (Holy See);Holy See (Vatican City State);Città del Vaticano;Vatikanstadt;Santa Sede;Saint-Siège (Vatican);Santa Sé;Ciudad del Vaticano;État de la Cité du Vatican;Cidade do Vaticano
RO 40 6,9 - 9-9 00 0 - (?:[236-8]\d|90)\d{7}|[23]\d{5} ROU;Romania;Rumänien;Rumanía;Roumanie;Roménia
CH 41 9,12 - 9-9 00 0 - 8\d{11}|[2-9]\d{8} CHE;Switzerland;Schweiz;Suisse;Svizzera;Suiza;Suíça;Svizra
AT 43 4-13 3 9-13 00 0 - 1\d{3,12}|2\d{6,12}|43(?:(?:0\d|5[02-9])\d{3,9}|2\d{4,5}|[3467]\d{4}|8\d{4,6}|9\d{4,7})|5\d{4,12}|8\d{7,12}|9\d{8,12}|(?:[367]\d|4[0-24-9])\d{4,11} AUT;Áustria;Österreich;Autriche
GB 44 7,9-10 4-6,8 10-10 00 0|180020 - [1-357-9]\d{9}|[18]\d{8}|8\d{6} GBR;UK;United Kingdom of Great Britain and Northern Ireland;Great Britain;Britain;England;Scotland;Wales;Northern Ireland;Great Britain (United Kingdom);UK (United Kingdom);United Kingdom;Vereinigtes Königreich;Großbritannien;Reino Unido;Royaume-Uni;Regno Unito;Grande-Bretagne;Gran Bretaña;Gran Bretagna;Grã-Bretanha;Schottland;Écosse;Escocia;Scozia;Angleterre;Inglaterra;Inghilterra;Cymru
GG 44 7,9-10 6 10-10 00 ([25-9]\d{5})$|0|180020 1481$1 (?:1481|[357-9]\d{3})\d{6}|8\d{6}(?:\d{2})? GGY;Guernsey;Guernesey
IM 44 10 6 10-10 00 ([25-8]\d{5})$|0|180020 1624$1 1624\d{6}|(?:[3578]\d|90)\d{8} IMN;Isle of Man;Insel Man;Isla de Man;Île de Man;Isola di Man;Ilha de Man
JE 44 10 6 10-10 00 ([0-24-8]\d{5})$|0|180020 1534$1 1534\d{6}|(?:[3578]\d|90)\d{8} JEY;Jersey
DK 45 8 - 8-8 00 - - [2-9]\d{7} DNK;Denmark;Danmark;Danemark;Dinamarca;Danimarca
SE 46 6-10,12 - 7-9 00 0 - (?:[26]\d\d|9)\d{9}|[1-9]\d{8}|[1-689]\d{7}|[1-4689]\d{6}|2\d{5} SWE;Sweden;Sverige;Schweden;Suécia;Suède;Svezia
NO 47 5,8 - 8-8 00 - - (?:0|[2-9]\d{3})\d{4} NOR;Norway;Norge;Noreg;Norwegen;Noruega;Norvège;Norvegia
SJ 47 5,8 - 8-8 00 - - 0\d{4}|(?:[489]\d|79)\d{6} SJM;Svalbard;Svalbard and Jan Mayen Islands;Svalbard and Jan Mayen;Svalbard og Jan Mayen;Svalbard und Jan Mayen;Svalbard y Jan Mayen;Svalbard et Île Jan Mayen;Svalbard e Jan Mayen
PL 48 6-10 - 9-9 00 - - (?:6|8\d\d)\d{7}|[1-9]\d{6}(?:\d{2})?|[26]\d{5} POL;Poland;Polska;Polen;Polónia;Pologne
DE 49 4-15 2-3 8-11 00 0 - [2579]\d{5,14}|49(?:[34]0|69|8\d)\d\d?|49(?:37|49|60|7[089]|9\d)\d{1,3}|49(?:2[024-9]|3[2-689]|7[1-7])\d{1,8}|(?:1|[368]\d|4[0-8])\d{3,13}|49(?:[015]\d|2[13]|31|[46][1-8])\d{1,9} DEU;Germany;Deutschland;Alemania;Allemagne;Germania;Alemanha
PE 51 8-9 6-7 8-9 00|19(?:1[124]|77|90)00 0 - (?:[14-8]|9\d)\d{7} PER;Peru;Pérou
MX 52 10 7-8 10-10 0[09] - - [2-9]\d{9} MEX;México;Mexiko;Mexique;Messico
CU 53 6-8,10 4-5 8-8 119 0 - (?:[2-7]|8\d\d)\d{7}|[2-47]\d{6}|[34]\d{5} CUB;Cuba;Kuba
AR 54 10-11 6-8 10-11 00 0?(?:(11|2(?:2(?:02?|[13]|2[13-79]|4[1-6]|5[2457]|6[124-8]|7[1-4]|8[13-6]|9[1267])|3(?:02?|1[467]|2[03-6]|3[13-8]|[49][2-6]|5[2-8]|[67])|4(?:7[3-578]|9)|6(?:[0136]|2[24-6]|4[6-8]?|5[15-8])|80|9(?:0[1-3]|[19]|2\d|3[1-6]|4[02568]?|5[2-4]|6[2-46]|72?|8[23]?))|3(?:3(?:2[79]|6|8[2578])|4(?:0[0-24-9]|[12]|3[5-8]?|4[24-7]|5[4-68]?|6[02-9]|7[126]|8[2379]?|9[1-36-8])|5(?:1|2[1245]|3[237]?|4[1-46-9]|6[2-4]|7[1-6]|8[2-5]?)|6[24]|7(?:[069]|1[1568]|2[15]|3[145]|4[13]|5[14-8]|7[2-57]|8[126])|8(?:[01]|2[15-7]|3[2578]?|4[13-6]|5[4-8]?|6[1-357-9]|7[36-8]?|8[5-8]?|9[124])))15)? 9$1 (?:11|[89]\d\d)\d{8}|[2368]\d{9} ARG;Argentina;Argentinien;Argentine
BR 55 8-11 - 10-11 00(?:1[245]|2[1-35]|31|4[13]|[56]5|99) (?:0|90)(?:(1[245]|2[1-35]|31|4[13]|[56]5|99)(\d{10,11}))? $2 [1-467]\d{9,10}|55[0-46-9]\d{8}|[34]\d{7}|55\d{7,8}|(?:5[0-46-9]|[89]\d)\d{7,9} BRA;Brazil;Brasil;Brasilien;Brésil;Brasile
CL 56 9-11 - 9-9 (?:0|1(?:1[0-69]|2[02-5]|5[13-58]|69|7[0167]|8[018]))0 - - 12300\d{6}|6\d{9,10}|[2-9]\d{8} CHL;Chile;Chili;Cile
CO 57 8,10-11 4,7 10-10 00(?:4(?:[14]4|56)|[579]) 0([3579]|4(?:[14]4|56))? - (?:46|60\d\d)\d{6}|(?:1\d|[39])\d{9} COL;Colômbia;Kolumbien;Colombie
VE 58 10 7 10-10 00 0 - [68]00\d{7}|(?:[24]\d|[59]0)\d{8} VEN;Venezuela;Bolivarian Republic of Venezuela;Venezuela, RB;Venezuela (Bolivarian Rep. of)
MY 60 8-10 6-7 9-10 00 0 - 1\d{8,9}|(?:3\d|[4-9])\d{7} MYS;Malaysia;Malásia;Malaisie;Malesia
AU 61 5-10,12 - 9-9 001[14-689]|14(?:1[14]|34|4[17]|[56]6|7[47]|88)0011 (183[12])|0 - 1(?:[0-79]\d{7}(?:\d(?:\d{2})?)?|8[0-24-9]\d{7})|[2-478]\d{8}|1\d{4,7} AUS;Austrália;Australien;Australie
CC 61 6-10,12 - 9-9 001[14-689]|14(?:1[14]|34|4[17]|[56]6|7[47]|88)0011 ([59]\d{7})$|0 8$1 1(?:[0-79]\d{8}(?:\d{2})?|8[0-24-9]\d{7})|[148]\d{8}|1\d{5,7} CCK;Cocos Islands;Keeling Islands;Cocos (Keeling) Islands;Kokosinseln;Islas Cocos (Keeling);Îles Cocos;Isole Cocos e Keeling;Ilhas Cocos (Keeling)
CX 61 6-10,12 - 9-9 001[14-689]|14(?:1[14]|34|4[17]|[56]6|7[47]|88)0011 ([59]\d{7})$|0 8$1 1(?:[0-79]\d{8}(?:\d{2})?|8[0-24-9]\d{7})|[148]\d{8}|1\d{5,7} CXR;Christmas Island;Weihnachtsinsel;Isla de Navidad;Île Christmas;Isola del Natale;Ilha de Natal
ID 62 7-17 5-6 9-12 00[89] 0 - 00[1-9]\d{9,14}|(?:[1-36]|8\d{5})\d{6}|00\d{9}|[1-9]\d{8,10}|[2-9]\d{7} IDN;Indonésia;Indonesien;Indonésie
PH 63 6,8-13 4-5,7 9-10 00 0 - (?:[2-7]|9\d)\d{8}|2\d{5}|(?:1800|8)\d{7,9} PHL;Philippines;Philippinen;Filipinas;Filippine;Pilipinas
NZ 64 5-10 - 8-10 0(?:0|161) 0 - [1289]\d{9}|50\d{5}(?:\d{2,3})?|[27-9]\d{7,8}|(?:[34]\d|6[0-35-9])\d{6}|8\d{4,6} NZL;New Zealand;Neuseeland;Nueva Zelanda;Nouvelle-Zélande;Nuova Zelanda;Nova Zelândia;Aotearoa
SG 65 8,10-11 - 8-8 0[0-3]\d - - (?:(?:1\d|8)\d\d|7000)\d{7}|[3689]\d{7} SGP;Singapore;Singapura;新加坡;Singapur;Singapour
TH 66 8-10,13 - 8-9 00[1-9] 0 - (?:001800|[2-57]|[689]\d)\d{7}|1\d{7,9} THA;Thailand;ไทย;Tailândia;Thaïlande;Thailandia;ประเทศไทย
JP 81 8-17 - 9-10 010 (000[2569]\d{4,6})$|(?:(?:003768)0?)|0 $1 00[1-9]\d{6,14}|[25-9]\d{9}|(?:00|[1-9]\d\d)\d{6} JPN;Japan;日本;Japon;Giappone;Japão
KR 82 5-6,8-14 3-4,7 8-10 00(?:[125689]|3(?:[46]5|91)|7(?:00|27|3|55|6[126])) 0(8(?:[1-46-8]|5\d\d))? - 00[1-9]\d{8,11}|(?:[12]|5\d{3})\d{7}|[13-6]\d{9}|(?:[1-6]\d|80)\d{7}|[3-6]\d{4,5}|(?:00|7)0\d{8} KOR;South Korea;Korea;Republic of Korea;R.O.K.;Korea, Rep.;Korea (ROK);Rep. of Korea;Korea, Republic;South Korea (ROK);South Korea (Republic of Korea);대한민국;Südkorea;República de Corea;Corée du Sud;Corea del Sud;Coreia do Sul;한국;Corée;Corea;Corea del Sur
VN 84 7-10 - 9-10 00 0 - [12]\d{9}|[135-9]\d{8}|[16]\d{6,7}|7\d{6} VNM;Vietnam;Socialist Republic of Viet Nam;Vietname;Vietnã
CN 86 7-12 5-6 10-11 00|1(?:[12]\d|79)\d\d00 (1(?:[12]\d|79)\d\d)|0 - (?:(?:1[03-689]|2\d)\d\d|6)\d{8}|1\d{10}|[126]\d{6}(?:\d(?:\d{2})?)?|86\d{5,6}|(?:[3-579]\d|8[0-57-9])\d{5,9} CHN;PRC;PR China;Mainland China;China mainland;China, PRC;People's Republic of China;China;中国;Chine;Cina;中国大陆
TR 90 7,10,12-13 - 10-10 00 0 - 4\d{6}|8\d{11,12}|(?:[2-58]\d\d|900)\d{7} TUR;Turkey;Türkiye;Republic of Turkey;Republic of Türkiye;Türkiye (Turkey);Türkei;Turquia;Turquie;Turchia
IN 91 8-13 6-7 10-10 00 0 - (?:000800|[2-9]\d\d)\d{7}|1\d{7,12} IND;Índia;भारत;Indien;Inde
PK 92 8-12 5-7 10-10 00 0 - 122\d{6}|[24-8]\d{10,11}|9(?:[013-9]\d{8,10}|2(?:[01]\d\d|2(?:[06-8]\d|1[01]))\d{7})|(?:[2-8]\d{3}|92(?:[0-7]\d|8[1-9]))\d{6}|[24-9]\d{8}|[89]\d{7} PAK;Pakistan;پاکستان;Paquistão
AF 93 9 7 9-9 00 0 - [2-7]\d{8} AFG;Afghanistan;افغانستان;Afganistán;Afeganistão
LK 94 9 7 9-9 00 0 - [1-9]\d{8} LKA;Sri Lanka;இலங்கை;Sri Lanca
MM 95 6-10 5 7-10 00 0 - 1\d{5,7}|95\d{6}|(?:[4-7]|9[0-46-9])\d{6,8}|(?:2|8\d)\d{5,8} MMR;Burma;Burma (Myanmar);Union of Myanmar;Myanmar;Birmania  Myanmar;Mianmar (Birmânia);မြန်မာ;Birmanie;Birmania
IR 98 4-7,10 8 10-10 00 0 - [1-9]\d{9}|(?:[1-8]\d\d|9)\d{3,4} IRN;Iran, Islamic Rep.;Islamic Republic of Iran;Iran;ایران;República Islámica de Irán;Irão;Irã
SS 211 9 - 9-9 00 0 - [19]\d{8} SSD;South Sudan;Südsudan;Sudán del Sur;Soudan du Sud;Sudan del Sud;Sudão do Sul
MA 212 9 - 9-9 00 0 - [5-8]\d{8} MAR;Morocco;المغرب;Marokko;Marruecos;Maroc;Marocco;Marrocos
EH 212 9 - 9-9 00 0 - [5-8]\d{8} ESH;Western Sahara;Westsahara;Sahara occidental;Sahara Occidentale;Saara Ocidental
DZ 213 8-9 - 8-9 00 0 - (?:[1-4]|[5-79]\d|80)\d{7} DZA;Algeria;الجزائر;Algerien;Argélia;Algérie
TN 216 8 - 8-8 00 - - [2-57-9]\d{7} TUN;Tunísia;تونس;Tunesien;Túnez;Tunisie
LY 218 9 7 9-9 00 0 - [2-9]\d{8} LBY;Libyan Arab Jamahiriya;State of Libya;Libya;ليبيا;Libyen;Líbia;Libye
GM 220 7,9 - 7-9 00 - - [48]\d{8}|[2-9]\d{6} GMB;Gâmbia;Republic of The Gambia;Gambie
SN 221 9 - 9-9 00 - - (?:[378]\d|93)\d{7} SEN;Senegal
MR 222 8 - 8-8 00 - - (?:[2-4]\d\d|800)\d{5} MRT;Mauritânia;موريتانيا;Mauretanien;Mauritanie
ML 223 8 - 8-8 00 - - [24-9]\d{7} MLI;Mali
GN 224 8-9 - 8-9 00 - - 722\d{6}|(?:3|6\d)\d{7} GIN;Guinea;Guinée;Guiné
CI 225 10 - 10-10 00 - - [02]\d{9} CIV;Republic of Côte d'Ivoire;Côte d'Ivoire (Ivory Coast);Côte-d'Ivoire;Ivory Coast;Elfenbeinküste;Costa de Marfil;Costa d'Avorio;Costa do Marfim
BF 226 8 - 8-8 00 - - [024-7]\d{7} BFA;Burkina Faso;Burquina Faso
NE 227 8 - 8-8 00 - - [027-9]\d{7} NER;Níger
TG 228 8 - 8-8 00 - - [279]\d{7} TGO;Togo
BJ 229 8,10 - 10-10 00 - - (?:01\d|8)\d{7} BEN;Benin;Benim
MU 230 7-8,10 - 8-8 0(?:0|[24-7]0|3[03]) - - (?:[57]|8\d\d)\d{7}|[2-468]\d{6} MUS;Mauritius;Mauricio;Maurice;Maurícia
LR 231 7-9 - 8-9 00 0 - (?:[2457]\d|33|88)\d{7}|(?:2\d|[4-6])\d{6} LBR;Libéria
SL 232 8 6 8-8 00 0 - (?:[237-9]\d|66)\d{6} SLE;Sierra Leone;Sierra Leona;Serra Leoa
GH 233 8-9 7 9-9 00 0 - [235]\d{8}|800\d{5,6} GHA;Ghana;Gana
NG 234 10-14 6-7 10-10 009 0 - (?:20|9\d)\d{8}|[78]\d{9,13} NGA;Nigéria
TD 235 8 - 8-8 00|16 - - (?:22|[3689]\d|77)\d{6} TCD;Chad;تشاد;Tchad;Tschad;Ciad;Chade
CF 236 8 - 8-8 00 - - 8776\d{4}|(?:[27]\d|61)\d{6} CAF;Central African Republic;République Centrafricaine;Zentralafrikanische Republik;República Centro-Africana;Repubblica Centrafricana
CM 237 8-9 - 9-9 00 - - [26]\d{8}|88\d{6,7} CMR;Cameroon;Cameroun;Kamerun;Camerun;Camarões
CV 238 7 - 7-7 0 - - (?:[2-59]\d\d|800)\d{4} CPV;Cabo Verde;Cape Verde;Kap Verde;Cap-Vert;Capo Verde
ST 239 7 - 7-7 00 - - (?:22|9\d)\d{5} STP;Sao Tome;Sao Tome and Principe;Democratic Republic of Sao Tome and Principe;São Tomé e Príncipe;São Tomé und Príncipe;Santo Tomé y Príncipe;São Tomé-et-Principe
GQ 240 9 - 9-9 00 - - 222\d{6}|(?:3\d|55|[89]0)\d{7} GNQ;Equatorial Guinea;Guinea Ecuatorial;Äquatorialguinea;Guinée équatoriale;Guinea Equatoriale;Guiné Equatorial
GA 241 7-8 - 8-8 00 0(11\d{6}|60\d{6}|61\d{6}|6[256]\d{6}|7[467]\d{6}) $1 (?:[067]\d|11)\d{6}|[2-7]\d{6} GAB;Gabon;Gabun;Gabão
CG 242 9 - 9-9 00 - - 222\d{6}|(?:0\d|80)\d{7} COG;Congo-Brazzaville;Republic of Congo;Congo, Rep.;Congo, Republic;Rep. of the Congo;Republic of the Congo;Republik Kongo;République du Congo;Repubblica del Congo;Kongo-Brazzaville
CD 243 7-10 - 7-9 00 0 - (?:(?:[189]|5\d)\d|2)\d{7}|[1-68]\d{6} COD;DRC;D.R. Congo;Congo DR;Congo, DRC;Congo-Kinshasa;Zaire;Dem. Rep. of the Congo;Congo, Dem. Rep. of;Dem. Rep. Congo;Democratic Republic of Congo;Democratic Republic of the Congo;Congo (República Democrática del);République démocratique du Congo;Repubblica Democratica del Congo;Kongo-Kinshasa
AO 244 9 - 9-9 00 - - [29]\d{8} AGO;Angola
GW 245 7,9 - 9-9 00 - - [49]\d{8}|4\d{6} GNB;Guinea-Bissau;Guiné-Bissau;Guinée-Bissau;Guinea-Bisáu
IO 246 7 - 7-7 00 - - 3\d{6} IOT;British Indian Ocean Territory;Britisches Territorium im Indischen Ozean;Territorio Británico del Océano Índico;Océan Indien Britannique;Territori Britannici dell'Oceano Indiano;Território Britânico do Oceano Índico
AC 247 5-6 - 5-5 00 - - (?:[01589]\d|[2-467])\d{4} Ascension Island;Ascension
SC 248 7 - 7-7 010|0[0-2] - - (?:[2489]\d|64)\d{5} SYC;Seychelles;Seychellen;Seicheles
SD 249 9 - 9-9 00 0 - [19]\d{8} SDN;Sudan;السودان;Soudan;Sudão
RW 250 8-9 - 9-9 00 0 - (?:06|[27]\d\d|[89]00)\d{6} RWA;Rwanda;Ruanda
ET 251 9 7 9-9 00 0 - (?:11|[2-57-9]\d)\d{7} ETH;Ethiopia;Äthiopien;Etiópia;Éthiopie;ኢትዮጵያ
SO 252 6-9 - 7-9 00 0 - [346-9]\d{8}|[12679]\d{7}|[1-5]\d{6}|[1348]\d{5} SOM;Somália;الصومال;Somalie;Soomaaliya
DJ 253 8 - 8-8 00 - - (?:2\d|77)\d{6} DJI;Djibouti;جيبوتي;Dschibuti;Yibuti;Gibuti;Djibuti;Jibuti
KE 254 7-10 - 9-9 000 0 - (?:[17]\d\d|900)\d{6}|(?:2|80)0\d{6,7}|[4-6]\d{6,8} KEN;Kenya;Kenia;Quénia
TZ 255 9 - 9-9 00[056] 0 - (?:[25-8]\d|41|90)\d{7} TZA;Tanzânia;United Rep. of Tanzania;United Republic of Tanzania;Tanzania, Jamhuri ya Muungano;Tansania, Vereinigte Republik;Tansania;République unie de Tanzanie;Tanzanie
UG 256 9 5-7 9-9 00[057] 0 - 800\d{6}|(?:[29]0|[347]\d)\d{7} UGA;Uganda;Ouganda
BI 257 8 - 8-8 00 - - (?:[267]\d|31)\d{6} BDI;Burundi
MZ 258 8-9 - 8-9 00 - - (?:2|8\d)\d{7} MOZ;Mozambique;Moçambique;Mosambik;Mozambico
ZM 260 9 6 9-9 00 0 - 800\d{6}|(?:21|[579]\d|63)\d{7} ZMB;Zâmbia;Sambia;Zambie
MG 261 9 7 9-9 00 ([24-9]\d{6})$|0 20$1 [23]\d{8} MDG;Madagáscar;Madagaskar;Madagasikara
RE 262 9 - 9-9 00 0 - 709\d{6}|(?:26|[689]\d)\d{7} REU;Reunion Island;La Reunion;Réunion;Reunião;Riunione
YT 262 9 - 9-9 00 0 - (?:639\d|7093)\d{5}|(?:26|80|9\d)\d{7} MYT;Mayotte
ZW 263 7,9-10 3-6 7-9 00 0 - (?:13|8\d{4})\d{5}|[235-8]\d{8}|[23568]\d{6} ZWE;Zimbabwe;Simbabwe;Zimbábue
NA 264 8-9 - 8-9 00 0 - [68]\d{7,8} NAM;Namíbia;Namibie
MW 265 7,9 - 7-9 00 0 - (?:[1289]\d|31|77)\d{7}|1\d{6} MWI;Malawi;Maláui
LS 266 8 - 8-8 00 - - (?:[256]\d\d|800)\d{5} LSO;Lesotho;Lesoto
BW 267 7-8,10 - 7-8 00 - - (?:0800|(?:[37]|800)\d)\d{6}|(?:[2-6]\d|90)\d{5} BWA;Botswana;Botsuana
SZ 268 8-9 - 8-8 00 - - 0800\d{4}|(?:[237]\d|900)\d{6} SWZ;Swaziland;Eswatini (Swaziland);Kingdom of Eswatini;Eswatini;Esuatini;Royaume d'Eswatini;Essuatíni
KM 269 7 4 7-7 00 - - [3478]\d{6} COM;Comoros;جزر القمر;Comores;Komoren;Comoras;Comore
SH 290 4-5 - 5-5 00 - - (?:[256]\d|8)\d{3} SHN;St. Helena;Saint Helena, Ascension and Tristan da Cunha;Santa Helena, Ascensión y Tristán de Acuña;Sainte-Hélène;Sant'Elena, Isola di Ascensione e Tristan da Cunha;Santa Helena
TA 290 4 - 4-4 00 - - 8\d{3} Tristan da Cunha;TAA
ER 291 7 6 7-7 00 0 - [178]\d{6} ERI;Eritrea;Érythrée;Eritreia
AW 297 7 - 7-7 00 - - (?:[25-79]\d\d|800)\d{4} ABW;Aruba
FO 298 6 - 6-6 00 (10(?:01|[12]0|88)) - [2-9]\d{5} FRO;Faeroe Islands;Faroes;Faroe Islands;Færøerne;Färöer;Islas Feroe;Îles Féroé;Isole Fær Øer;Ilhas Faroé;Føroyar
GL 299 6 - 6-6 00 - - (?:19|[2-689]\d|70)\d{4} GRL;Greenland;Grønland;Grönland;Groenlandia;Groenland;Gronelândia;Kalaallit Nunaat
GI 350 8 - 8-8 00 - - (?:[25]\d|60)\d{6} GIB;Gibraltar;Gibilterra
PT 351 9 - 9-9 00 - - 1693\d{5}|(?:[26-9]\d|30)\d{7} PRT;Portugal;Portogallo
LU 352 4-11 - 8-9 00 (15(?:0[06]|1[12]|[35]5|4[04]|6[26]|77|88|99)\d) - 35[013-9]\d{4,8}|6\d{8}|35\d{2,4}|(?:[2457-9]\d|3[0-46-9])\d{2,9} LUX;Luxembourg;Luxemburg;Luxemburgo;Lussemburgo;Lëtzebuerg
IE 353 7-10 5-6 7-9 00 0 - (?:1\d|[2569])\d{6,8}|4\d{6,9}|7\d{8}|8\d{8,9} IRL;Republic of Ireland;Éire;Ireland;Irland;Irlanda;Irlande
IS 354 7,9 - 7-9 00|1(?:0(?:01|[12]0)|100) - - (?:38\d|[4-9])\d{6} ISL;Iceland;Island;Islândia;Islande;Islanda
AL 355 6-9 5 8-9 00 0 - (?:700\d\d|900)\d{3}|8\d{5,7}|(?:[2-5]|6\d)\d{7} ALB;Albânia;Shqipëri;Albanien;Albanie
MT 356 8 - 8-8 00 - - 3550\d{4}|(?:[2579]\d\d|800)\d{5} MLT;Malta;Malte
CY 357 8 - 8-8 00 - - (?:[279]\d|[58]0)\d{6} CYP;Cyprus;Κύπρος;Güney Kıbrıs Rum Kesimi;Zypern;Chipre;Chypre;Cipro;Kıbrıs
FI 358 5-12 - 9-10 00|99(?:[01469]|5(?:[14]1|3[23]|5[59]|77|88|9[09])) 0 - [1-35689]\d{4}|7\d{10,11}|(?:[124-7]\d|3[0-46-9])\d{8}|[1-9]\d{5,8} FIN;Finland;Suomi;Finnland;Finlândia;Finlande
AX 358 5-12 - 9-10 00|99(?:[01469]|5(?:[14]1|3[23]|5[59]|77|88|9[09])) 0 - 2\d{4,9}|35\d{4,5}|(?:60\d\d|800)\d{4,6}|7\d{5,11}|(?:[14]\d|3[0-46-9]|50)\d{4,8} ALA;Åland;Aland Islands;Islas Åland;Isole Åland;Ilhas Åland
BG 359 6-9,12 4-5 7-9 00 0 - 00800\d{7}|[2-7]\d{6,7}|[89]\d{6,8}|2\d{5} BGR;Bulgária;България;Bulgarien;Bulgarie
LT 370 8 - 8-8 00 [08] - (?:[3469]\d|52|[78]0)\d{6} LTU;Lithuania;Lietuva;Litauen;Lituânia;Lituanie
LV 371 8 - 8-8 00 - - (?:[268]\d|78|90)\d{6} LVA;Latvia;Latvija;Lettland;Letónia;Lettonie;Lettonia
EE 372 7-8,10 - 7-8 00 - - 8\d{9}|[4578]\d{7}|(?:[3-8]\d|90)\d{5} EST;Estónia;Eesti;Estland;Estonie
MD 373 8 - 8-8 00 0 - (?:[235-7]\d|[89]0)\d{6} MDA;Moldova;Republic of Moldova;Moldova, Rep. of;Moldova, Republic;Republica Moldova;Moldawien;Moldávia;Moldavie;Republik Moldau
AM 374 8 5-6 8-8 00 0 - (?:[1-489]\d|55|60|77)\d{6} ARM;Arménia;Հայաստան;Armenien;Arménie
BY 375 6-11 5 9-9 810 0|80? - (?:[12]\d|33|44|902)\d{7}|8(?:0[0-79]\d{5,7}|[1-7]\d{9})|8(?:1[0-489]|[5-79]\d)\d{7}|8[1-79]\d{6,7}|8[0-79]\d{5}|8\d{5} BLR;Belarus;Беларусь;Bielorrusia;Biélorussie;Bielorussia;Bielorrússia;Weißrussland
AD 376 6,8-9 - 6-9 00 - - (?:1|6\d)\d{7}|[135-9]\d{5} AND;Andorra;Andorre
MC 377 8-9 - 8-9 00 0 - (?:[3489]|[67]\d)\d{7} MCO;Mónaco
SM 378 8,10 6 8-10 00 ([89]\d{5})$ 0549$1 (?:0549|[5-7]\d)\d{6} SMR;San Marino;Saint-Marin;São Marinho
UA 380 9-10 5-7 9-9 00 0 - [89]\d{9}|[3-9]\d{8} UKR;Ukraine;Україна;Ucrânia;Ucraina
RS 381 6-12 4-5 8-10 00 0 - 38[02-9]\d{6,9}|6\d{7,9}|90\d{4,8}|38\d{5,6}|(?:7\d\d|800)\d{3,9}|(?:[12]\d|3[0-79])\d{5,10} SRB;Serbia;Србија;Serbien;Serbie;Sérvia;Srbija
ME 382 8-9 6 8-8 00 0 - (?:20|[3-79]\d)\d{6}|80\d{6,7} MNE;Montenegro;Црна Гора;Crna Gora
XK 383 8-12 - 8-8 00 0 - 2\d{7,8}|3\d{7,11}|(?:4\d\d|[89]00)\d{5} XKK;XKX;Republic of Kosovo;Kosovo;Kosovë;Косово
HR 385 7-9 6 8-9 00 0 - [2-69]\d{8}|80\d{5,7}|[1-79]\d{7}|6\d{6} HRV;Croatia;Hrvatska;Kroatien;Croácia;Croatie;Croazia
SI 386 5-8 - 8-8 00|10(?:22|66|88|99) 0 - [1-7]\d{7}|8\d{4,7}|90\d{4,6} SVN;Slovenia;Slovenija;Slowenien;Eslovénia;Slovénie
BA 387 8-9 6 8-9 00 0 - 6\d{8}|(?:[35689]\d|49|70)\d{6} BIH;Bosnia;Bosnia and Herzegovina;Bosna i Hercegovina;Босна и Херцеговина;Bosnien und Herzegowina;Bosnia y Herzegovina;Bosnie-Herzégovine;Bosnia ed Erzegovina;Bósnia-Herzegovina;Bosnie;Bosnien;Bósnia e Herzegovina
MK 389 8 6-7 8-8 00 0 - [2-578]\d{7} MKD;Macedonia;North Macedonia;Republic of Macedonia;FYR Macedonia;FYROM;F.Y.R.O.M. (Macedonia);Former Yugoslav Republic of Macedonia;North Macedonia (Macedonia);Rep. of North Macedonia;The Republic of North Macedonia;Северна Македонија;Nordmazedonien;Macedonia del Norte;Macédoine du Nord;Macedonia del Nord;Macedónia do Norte
CZ 420 9-12 - 9-9 00 - - (?:[2-578]\d|60)\d{7}|9\d{8,11} CZE;Czechia;Czechia (Czech Republic);Czech Republic;Česká republika;Tschechische Republik;Tschechien;República Checa;République Tchèque;Repubblica Ceca;Chequia;Česko;Tchéquie;Cechia;Tchéquia
SK 421 6-7,9 - 9-9 00 0 - [2-689]\d{8}|[2-59]\d{6}|[2-5]\d{5} SVK;Slovak Republic;Slovakia;Slovensko;Slowakei;Eslováquia;Slovaquie;Slovacchia
LI 423 7,9 - 7-9 00 (1001)|0 - [68]\d{8}|(?:[2378]\d|90)\d{5} LIE;Liechtenstein;Listenstaine
FK 500 5 - 5-5 00 - - [2-7]\d{4} FLK;Falkland Islands;Falklands;Malvinas;Falkland Islands (Islas Malvinas);Falkland Islands (Malvinas);Falklandinseln;Islas Malvinas;Îles Malouines;Isole Falkland;Ilhas Malvinas
BZ 501 7,11 - 7-7 00 - - (?:0800\d|[2-8])\d{6} BLZ;Belize;Belice
GT 502 8,11 - 8-8 00 - - 80\d{6}|(?:1\d{3}|[2-7])\d{7} GTM;Guatemala
SV 503 7-8,11 - 8-8 00 - - [25-7]\d{7}|(?:80\d|900)\d{4}(?:\d{4})? SLV;El Salvador
HN 504 8,11 - 8-8 00 - - 8\d{10}|[237-9]\d{7} HND;Honduras
NI 505 8 - 8-8 00 - - (?:1800|[25-8]\d{3})\d{4} NIC;Nicarágua
CR 506 8,10 - 8-8 00 (19(?:0[0-2468]|1[09]|20|66|77|99)) - (?:8\d|90)\d{8}|(?:[24-8]\d{3}|3005)\d{4} CRI;Costa Rica
PA 507 7-8,10-11 - 7-8 00 - - (?:00800|8\d{3})\d{6}|[68]\d{7}|[1-57-9]\d{6} PAN;Panamá
PM 508 6,9 - 6-9 00 0 - [78]\d{8}|[2-9]\d{5} SPM;Saint Pierre and Miquelon;Saint-Pierre-et-Miquelon;Saint-Pierre und Miquelon;San Pedro y Miquelón;Saint Pierre e Miquelon
HT 509 8 - 8-8 00 - - [2-589]\d{7} HTI;Haiti
GP 590 9 - 9-9 00 0 - 7090\d{5}|(?:[56]9|[89]\d)\d{7} GLP;Guadeloupe;Guadalupe;Guadalupa
BL 590 9 - 9-9 00 0 - 7090\d{5}|(?:[56]9|[89]\d)\d{7} BLM;Saint Barth;Saint Barts;Saint-Barthélemy;São Bartolomeu
MF 590 9 - 9-9 00 0 - 7090\d{5}|(?:[56]9|[89]\d)\d{7} MAF;Saint-Martin;Saint Martin (France);Saint Martin (French part);French Saint Martin;Saint-Martin (partie française);Saint Martin (francesa)
BO 591 8-9 7 8-8 00(?:1\d)? 0(1\d)? - (?:[2-7]\d\d|8001)\d{5} BOL;Plurinational State of Bolivia;Bolívia;Bolivien;Bolivie
GY 592 7 - 7-7 001 - - (?:[2-8]\d{3}|9008)\d{3} GUY;Guyana;Guiana
EC 593 8-11 7 8-9 00 0 - 1\d{9,10}|(?:[2-7]|9\d)\d{7} ECU;Ecuador;Équateur;Equador
GF 594 9 - 9-9 00 0 - (?:694\d|7093)\d{5}|(?:59|[89]\d)\d{7} GUF;French Guiana;Guyane française;Französisch-Guayana;Guayana Francesa;Guyana Francese;Guiana Francesa
PY 595 6-11 5 9-9 00 0 - [36-8]\d{5,8}|4\d{6,8}|59\d{6}|9\d{5,10}|(?:2\d|5[0-8])\d{6,7} PRY;Paraguay;Paraguai
MQ 596 9 - 9-9 00 0 - 7091\d{5}|(?:[56]9|[89]\d)\d{7} MTQ;Martinique;Martinica
SR 597 6-7 - 6-7 00 - - (?:[2-5]|[6-9]\d)\d{5} SUR;Suriname;Republiek Suriname;Surinam
UY 598 4-13 - 8-8 0(?:0|1[3-9]\d) 0 - 0004\d{2,9}|[1249]\d{7}|2\d{3,4}|(?:[49]\d|80)\d{5} URY;Uruguay;Uruguai
CW 599 7-8 - 8-8 00 - - (?:[34]1|60|(?:7|9\d)\d)\d{5} CUW;Curaçao;Curazao;Curaçau
BQ 599 7 - 7-7 00 - - (?:[34]1|7\d)\d{5} BES;Caribbean Netherlands;Bonaire;Bonaire, Saint Eustatius and Saba;Bonaire, Sint Eustatius and Saba;Bonaire, San Eustaquio y Saba;Bonaire, Saint-Eustache et Saba;Isole BES;Países Baixos Caribenhos
TL 670 7-8 - 7-8 00 - - 7\d{7}|(?:[2-47]\d|[89]0)\d{5} TLS;East Timor;East Timor (Timor-Leste);Timor-Leste;Osttimor;Timor Est;Timor oriental
NF 672 6 5 6-6 00 ([0-258]\d{4})$ 3$1 [13]\d{5} NFK;Norfolk Island;Norfolkinsel;Isla Norfolk;Île Norfolk;Isola Norfolk;Ilha Norfolk
BN 673 7 - 7-7 00 - - [2-578]\d{6} BRN;Brunei;Brunei Darussalam
NR 674 7 - 7-7 00 - - (?:222|444|(?:55|8\d)\d|666|777|999)\d{4} NRU;Nauru
PG 675 7-8 - 7-8 00|140[1-3] - - (?:180|[78]\d{3})\d{4}|(?:[2-589]\d|64)\d{5} PNG;Papua New Guinea;Papua-Neuguinea;Papua Nueva Guinea;Papouasie-Nouvelle-Guinée;Papua Nuova Guinea;Papua-Nova Guiné
TO 676 5,7 - 5-7 00 - - (?:0800|(?:[5-8]\d\d|999)\d)\d{3}|[2-8]\d{4} TON;Tonga
SB 677 5,7 - 5-7 0[01] - - [6-9]\d{6}|[1-6]\d{4} SLB;Solomon Islands;Salomonen;Islas Salomón;Îles Salomon;Isole Salomone;Ilhas Salomão
VU 678 5,7 - 5-7 00 - - [57-9]\d{6}|(?:[238]\d|48)\d{3} VUT;Vanuatu
FJ 679 7,11 - 7-7 0(?:0|52) - - 45\d{5}|(?:0800\d|[235-9])\d{6} FJI;Fiji;Fidschi;Fidji;Figi;Fiyi
PW 680 7 - 7-7 01[12] - - (?:[24-8]\d\d|345|900)\d{4} PLW;Palau;Palaos
WF 681 6,9 - 6-6 00 - - (?:40|72|8\d{4})\d{4}|[89]\d{5} WLF;Wallis and Futuna Islands;Wallis and Futuna;Wallis-et-Futuna;Wallis und Futuna;Wallis y Futuna;Wallis e Futuna
CK 682 5 - 5-5 00 - - [2-578]\d{4} COK;Cook Islands;Cookinseln;Islas Cook;Îles Cook;Isole Cook;Ilhas Cook
NU 683 4,7 - 4-7 00 - - (?:[4-7]|888\d)\d{3} NIU;Niue
WS 685 5-7,10 - 5-10 0 - - (?:[2-6]|8\d{5})\d{4}|[78]\d{6}|[68]\d{5} WSM;Western Samoa;Independent State of Samoa;Samoa
KI 686 5,8 - 5-8 00 0 - (?:[37]\d|6[0-79])\d{6}|(?:[2-48]\d|50)\d{3} KIR;Kiribati;Quiribati
NC 687 6 - 6-6 00 - - (?:050|[2-57-9]\d\d)\d{3} NCL;New Caledonia;Nouvelle-Calédonie;Neukaledonien;Nueva Caledonia;Nuova Caledonia;Nova Caledónia
TV 688 5-7 - 5-7 00 - - (?:2|7\d\d|90)\d{4} TUV;Tuvalu
PF 689 6,8-9 - 8-8 00 - - 4\d{5}(?:\d{2})?|8\d{7,8} PYF;French Polynesia;Polynésie française;Französisch-Polynesien;Polinésia Francesa;Polinesia Francese
TK 690 4-7 - 4-7 00 - - [2-47]\d{3,6} TKL;Tokelau
FM 691 7 - 7-7 00 - - (?:[39]\d\d|820)\d{4} FSM;Micronésia;Micronesia, Fed. Sts.;Micronesia (Fed. States of);Micronesia, Federated States of;Mikronesien;Micronésie;Stati Federati di Micronesia
MH 692 7 - 7-7 011 1 - 329\d{4}|(?:[256]\d|45)\d{5} MHL;Marshall Islands;Marshallinseln;Islas Marshall;Îles Marshall;Isole Marshall;Ilhas Marshall
001 800 8 - 8-8 - - - (?:00|[1-9]\d)\d{6}
001 808 8 - 8-8 - - - [1-9]\d{7}
KP 850 8,10 6-7 8-10 00|99 0 - 85\d{6}|(?:19\d|[2-7])\d{7} PRK;North Korea;DPRK;DPR Korea;Korea (DPRK);Korea DPR;Democratic People's Republic of Korea;Dem. People's Republic of Korea;Korea, Dem. People's Rep.;Korea, Dem. People's Rep. of;Korea, Dem. Rep.;North Korea (DPRK);Korea Democratic People's Republic;Nordkorea;República Popular Democrática de Corea;Corée du Nord;Corea del Nord;Coreia do Norte;Corea del Norte
HK 852 5-9,11 - 8-8 00(?:30|5[09]|[126-9]?) - - 8[0-46-9]\d{6,7}|9\d{4,7}|(?:[2-7]|9\d{3})\d{7} HKG;Hong Kong S.A.R.;Hong Kong S.A.R., China;Hong Kong Special Administrative Region;Hong Kong Special Administrative Region China;Hong Kong (Special Administrative Region of China);Hong Kong;China, Hong Kong;Hong Kong SAR, PRC;香港
MO 853 7-8 - 8-8 00 - - 0800\d{3}|(?:28|[68]\d)\d{6} MAC;Macau;Macao S.A.R.;Macau S.A.R.;Macao SAR China;Macau S.A.R., China;Macao Special Administrative Region;Macao Special Administrative Region China;China, Macao;China, Macau;Macau Special Administrative Region;Macao (Special Administrative Region of China);Macao;澳门
KH 855 8-10 6-7 8-9 00[14-9] 0 - 1\d{9}|[1-9]\d{7,8} KHM;Cambodia;កម្ពុជា;Kambodscha;Camboya;Cambodge;Cambogia;Camboja
LA 856 8-10 6 8-10 00 0 - [23]\d{9}|3\d{8}|(?:[235-8]\d|41)\d{6} LAO;Laos;Lao P.D.R.;Laos People's Democratic Republic;Lao People's Democratic Republic;República Democrática Popular de Lao;ລາວ
001 870 9,12 - 9-12 - - - 7\d{11}|[235-7]\d{8}
001 878 12 - 12-12 - - - 10\d{10}
BD 880 6-10 - 8-10 00 0 - [1-469]\d{9}|8[0-79]\d{7,8}|[2-79]\d{8}|[2-9]\d{7}|[3-9]\d{6}|[57-9]\d{5} BGD;Bangladesh;বাংলাদেশ;Bangladesch;Bangladés;Bangladeche
001 881 9-10 - 9-10 - - - 6\d{9}|[0-36-9]\d{8}
001 882 7-12 - 7-12 - - - [13]\d{6}(?:\d{2,5})?|[19]\d{7}|(?:[25]\d\d|4)\d{7}(?:\d{2})?
001 883 8-12 - 8-9 - - - (?:[1-4]\d|51)\d{6,10}
TW 886 7-11 - 9-9 0(?:0[25-79]|19) 0 - [2-689]\d{8}|7\d{9,10}|[2-8]\d{7}|2\d{6} TWN;Taiwan;Taiwan, R.O.C.;Chinese Taipei;China (Taiwan);Republic of China;Taiwan, Republic of China;China, Taiwan Province of China;Taiwan, Province of China;China, Taiwan Province;Taiwan Region;中国台湾省;Repubblica di Cina;台湾;台灣;臺灣
001 888 11 - 11-11 - - - \d{11}
MV 960 7,10 - 7-7 0(?:0|19) - - (?:800|9[0-57-9]\d)\d{7}|[34679]\d{6} MDV;Maldives;Malediven;Maldivas;Maldive
LB 961 7-8 - 7-8 00 0 - [27-9]\d{7}|[13-9]\d{6} LBN;Lebanon;لبنان;Libanon;Líbano;Liban
JO 962 8-9 - 8-9 00 0 - (?:(?:[2689]|7\d)\d|32|427|53)\d{6} JOR;Jordan;الأردن;Jordanien;Jordânia;Jordanie;Giordania
SY 963 8-9 6-7 9-9 00 0 - [1-359]\d{8}|[1-5]\d{7} SYR;Syria;Syrian Arab Republic;سوريا;Syrien, Arabische Republik;República Árabe Siria;Syrie;Síria;Syrien
IQ 964 8-10 6-7 8-10 00 0 - (?:1|7\d\d)\d{7}|[2-6]\d{7,8} IRQ;Iraq;العراق;Irak;Iraque
KW 965 7-8 - 8-8 00 - - 18\d{5}|(?:[2569]\d|41)\d{6} KWT;Kuwait;الكويت;Koweit
SA 966 9-10 7 9-9 00 0 - (?:[15]\d|800|92)\d{7} SAU;KSA;Kingdom of Saudi Arabia;Saudi Arabia;السعودية;Saudi-Arabien;Arábia Saudita;Arabie Saoudite;المملكة العربية السعودية;Arabia Saudí
YE 967 7-9 6 7-9 00 0 - (?:1|7\d)\d{7}|[1-7]\d{6} YEM;Yemen, Rep.;Republic of Yemen;Yemen;اليمن;Jemen;Iémen
OM 968 7-9 - 8-8 00 - - (?:1505|[279]\d{3}|500)\d{4}|800\d{5,6} OMN;Oman;عمان;Omã
PS 970 8-10 7 8-9 00 0 - [2489]2\d{6}|(?:1\d|5)\d{8} PSE;Palestine;Palestinian Territories;State of Palestine;West Bank and Gaza;Palestinian Territory;Occupied Palestinian Territory;Palestinian Authority;Palestinian Territories, Occupied;Gaza Strip;West Bank;West Bank and Gaza Strip;فلسطين;Staat Palästina;Palestina;Stato di Palestina;Territórios palestinos;Palästina;Territoires palestiniens;Territori Palestinesi;Territórios palestinianos
AE 971 5-12 - 8-9 00 0 - (?:[4-7]\d|9[0-689])\d{7}|800\d{2,9}|[2-4679]\d{7} ARE;UAE;Emirates;United Arab Emirates;الإمارات العربية المتحدة;Vereinigte Arabische Emirate;Emiratos Árabes Unidos;Émirats Arabes Unis;Emirati Arabi Uniti;Emirados Árabes Unidos
IL 972 7-12 - 8-9 0(?:0|1(?:05|[2-9])) 0 - 1\d{6}(?:\d{3,5})?|[57]\d{8}|[1-489]\d{7} ISR;Israel;ישראל;Israele
BH 973 8 - 8-8 00 - - [136-9]\d{7} BHR;Bahrain;البحرين;Bahrein;Baréin;Barém
QA 974 7-9,11 - 8-8 00 - - 800\d{4}|(?:2|800)\d{6}|(?:0080|[3-7])\d{7} QAT;Qatar;قطر;Katar;Catar
BT 975 7-8 6 7-8 00 - - [178]\d{7}|[2-8]\d{6} BTN;Bhutan;Bután;Bhoutan;Butão
MN 976 8-10 4-6 8-8 001 0 - [12]\d{7,9}|[5-9]\d{7} MNG;Mongólia;Монгол;Mongolei;Mongolie
NP 977 8,10-11 6-7 8-10 00 0 - (?:1\d|9)\d{9}|[1-9]\d{7} NPL;Nepal;नेपाल
001 979 9 8 9-9 - - - [1359]\d{8}
TJ 992 9 3,5-7 9-9 810 - - (?:[0-57-9]\d|66)\d{7} TJK;Tajikistan;Tadschikistan;Tayikistán;Tadjikistan;Tagikistan;Tajiquistão;Тоҷикистон;Tadjiquistão
TM 993 8 - 8-8 810 8 - [1-7]\d{7} TKM;Turkmenistan;Turquemenistão;Turcomenistão
AZ 994 9 7 9-9 00 0 - 365\d{6}|(?:[124579]\d|60|88)\d{7} AZE;Azerbaijan;Azərbaycan;Aserbaidschan;Azerbaiyán;Azerbaïdjan;Azerbaigian;Azerbaijão
GE 995 9 6-7 9-9 00 0 - (?:[3-57]\d\d|800)\d{6} GEO;Geórgia;საქართველო;Georgien;Géorgie
KG 996 9-10 5-6 9-9 00 0 - 8\d{9}|[235-9]\d{8} KGZ;Kyrgyz Republic;Kyrgyzstan;Кыргызстан;Киргизия;Kirgisistan;Kirguistán;Kirghizistan;Quirguistão;Kirghizstan
UZ 998 9 - 9-9 00 - - (?:20|33|[5-9]\d)\d{7} UZB;Uzbekistan;Oʻzbekiston;Usbekistan;Ouzbékistan;Uzbequistão;Usbequistão
`;

/** Calling codes that are ISO 3166-1 numbers of other countries. */
export const ISO_NUMBERS = '212,218,222,226,231-234,238-239,242,246,248,250,254,258,260,262,266,268,352,356,372,376,380,500,504,508,591,598,670,674,678,682,686,688,690,800,850,882';

/** Calling codes written as one plan, with the first digits of their lines. */
export const NEIGHBORS: Array<Record<string, string>> = [
	{ 33: '26(?:[014-7]|3[2-9]|8[0-7]|9[2-49])|59(?:[1-3579]|8[0-6])|6(?:[0-24-8]|3[0-8]|9[589])', 262: '26(?:2|3[01]|8[89]|9[015-8])|6(?:39|9[23])|709(?:2|3[5-7])', 590: '59(?:0|87)|69[01]|7090', 594: '59(?:4|88)|694|7093[0-3]', 596: '59(?:6|89)|69[67]|7091' },
	{ 39: '(?!)', 378: '0549|6[16]' },
];

/** Numbers that begin with 00, where the general pattern has more. */
export const WITH_00: Record<string, string> = {
	ID: raw`00(?:1803\d{5,11}|7803\d{7})`,
	JP: raw`00777(?:[01]|5\d)\d\d|(?:00(?:7778|882[1245])|(?:120|800\d)\d\d)\d{4}|00(?:37|66|78)\d{6,13}`,
	KR: raw`00(?:308\d{6,7}|798\d{7,9})|(?:00368|[38]0)\d{7}`,
	QA: raw`(?:0080[01]|800)\d{6}`,
};

/** Numbers shorter than usual lines, where the general pattern has more. */
export const SHORT: Record<string, string> = {
	NL: raw`800\d{4,7}|90[069]\d{4,7}|140(?:1[035]|2[0346]|3[03568]|4[0356]|5[0358]|8[458])|(?:140(?:1[16-8]|2[259]|3[124]|4[17-9]|5[124679]|7)|8[478]\d{6})\d`,
	NO: raw`(?:0[235-9]|81(?:0(?:0[7-9]|1\d)|5\d\d))\d{3}`,
	BR: raw`800\d{6,7}|[59]00\d{6,7}|(?:30[03]\d{3}|4(?:0(?:0\d|20)|370|864))\d{4}|300\d{5}`,
	AU: raw`180(?:0\d{3}|2)\d{3}|13(?:00\d{6}(?:\d{2})?|45[0-4]\d{3})|13\d{4}|163\d{2,6}`,
	NZ: raw`(?:1[13-57-9]\d{5}|50(?:0[08]|30|66|77|88))\d{3}|8(?:1[16-9]|22|3\d|4[045]|5[459]|6[235-9]|7[0-3579]|90)\d{2,7}`,
	VN: raw`1800\d{4,6}|12(?:0[13]|28)\d{4}|1900\d{4,6}|[17]99\d{4}|69\d{5,6}`,
	AL: raw`800\d{4}|900[1-9]\d\d|808[1-9]\d\d`,
	SI: raw`80\d{4,6}|89[1-3]\d{2,5}|90\d{4,6}`,
	UY: raw`0004\d{2,9}|(?:405|80[05])\d{4}|90[0-8]\d{4}|21\d{2,3}`,
	SE: raw`20\d{4,7}`, JP: raw`00777(?:[01]|5\d)\d\d`, TR: raw`444\d{4}`, IN: raw`180(?:0\d{4,9}|3\d{9})`, BJ: raw`857[58]\d{4}|81\d{6}`, GH: raw`800\d{5,6}`, CM: raw`88\d{6,7}`, GW: raw`40\d{5}`, BY: raw`800\d{3,7}`, HR: raw`80\d{5,7}|6[01]\d{5}`, SV: raw`80[01]\d{4}|900\d{4}(?:\d{4})?`, PF: raw`44\d{4}`, HK: raw`900(?:[0-24-9]\d{7}|3\d{1,4})`, MO: raw`0800\d{3}`, KW: raw`18\d{5}`, OM: raw`(?:500|800[05])\d{4}`, AE: raw`800\d{2,9}`, IL: raw`1(?:255|80[019]\d{3})\d{3}`, QA: raw`800\d{4}|2[136]\d{5}`,
};

/** Numbers shorter than usual, where some lines are, and no trunk 0 shows that the area code is there. */
export const SHORT_WITHOUT_0: Record<string, string> = {
	PL: raw`(?:30|47\d\d)\d{5}|(?:1[2-8]|2[2-69]|3[2-4]|4[1-468]|5[24-689]|6[1-3578]|7[14-7]|8[1-79]|9[145])(?:[02-9]\d{6}|1(?:[0-8]\d{5}|9\d{3}(?:\d{2})?))|64\d{4,7}`,
	MU: raw`(?:2(?:[0346-8]\d|1[0-8])|4(?:[013568]\d|2[0-24-8]|71|90)|54(?:[3-5]\d|71)|6\d\d|8(?:14|3[129]))\d{4}|80[0-2]\d{4}|30\d{5}|3(?:20|9\d)\d{4}|219\d{4}`,
	LU: raw`(?:35[013-9]|80[2-9]|90[89])\d{1,8}|(?:2[2-9]|3[0-46-9]|[457]\d|8[13-9]|9[2-579])\d{2,9}|20(?:1\d{5}|[2-689]\d{1,7})`,
	CW: raw`60[0-2]\d{4}|(?:318[023]|41(?:6[023]|70)|7(?:1[578]|2[05]|50)\d)\d{3}|(?:31(?:8[14-8]|9[14578])|416[14-9]|7(?:0[01]|7[07]|8\d|9[056])\d)\d{3}`,
	GA: raw`[2-7]\d{6}`, SH: raw`8\d{3}`,
};

/** Where whole lines are as short as others without their area code: the most digits of these, and what else is so short. */
export const LINES_INSIDE_AREA: Record<string, { longest: number; others: string }> = {
	SE: { longest: 8, others: raw`20\d{4,7}|99[1-59]\d{4}(?:\d{3})?|9(?:00|39|44)[1-8]\d{3,6}` },
	DE: { longest: 8, others: raw`180\d{5,11}|13(?:7[1-6]\d\d|8)\d{4}|16(?:4\d{1,10}|[89]\d{1,11})|18(?:1\d{5,11}|[2-9]\d{8})` },
	KR: { longest: 8, others: raw`1(?:5(?:22|33|44|66|77|88|99)|6(?:[07]0|44|6[0168]|88)|8(?:00|33|55|77|99))\d{4}` },
	MM: { longest: 7, others: raw`(?:17[01]|9(?:2(?:[0-4]|[56]\d\d)|(?:3(?:[0-36]|4\d)|(?:6\d|8[89]|9[4-8])\d|7(?:3|40|[5-9]\d))\d|4(?:(?:[0245]\d|[1379])\d|88)|5[0-6])\d)\d{4}` },
	CD: { longest: 7, others: raw`88\d{5}` },
	ZW: { longest: 7, others: raw`80(?:[01]\d|20|8[0-8])\d{3}` },
	IE: { longest: 7, others: raw`(?!)` }, BG: { longest: 7, others: raw`(?!)` }, BD: { longest: 8, others: raw`(?!)` }, YE: { longest: 7, others: raw`(?!)` },
};

/** Mobiles shorter than usual, or fixed lines without their 0. */
export const SHORT_MOBILES: Record<string, string> = {
	IT: raw`3[2-9]\d{7,8}`,
	GA: raw`[2-7]\d{6}`,
};

/** Other numbers without a 0. Any more have lost it. */
export const WITHOUT_0: Record<string, string> = {
	IT: raw`(?:31|43)\d{8}|80(?:0\d{3}|3)\d{3}|(?:0878\d{3}|89(?:2\d|3[04]|4(?:[0-4]|[5-9]\d\d)|5[0-4]))\d\d|(?:1(?:44|6[346])|89(?:38|5[5-9]|9))\d{6}|84(?:[08]\d{3}|[17])\d{3}|1(?:78\d|99)\d{6}|55\d{8}`,
};

/** Where lines are written with a 0 that is no digit of their number in E.164, and those of them that are not. */
export const WITH_TRUNK_0 = new Set(
	'EG ZA NL BE FR HU RO CH AT GB GG IM JE SE DE PE CU AR VE MY AU CC CX ID PH NZ TH JP KR VN CN TR IN PK AF LK MM IR SS MA EH DZ LY LR SL GH NG CD SD RW ET KE TZ UG ZM MG RE YT ZW NA MW ER IE AL FI AX BG LT MD AM MC UA RS ME XK HR SI BA MK SK PM GP BL MF EC GF PY MQ UY KP KH LA BD TW LB JO SY IQ SA YE PS AE IL NP AZ GE KG'.split(' '),
);

export const LINES_WITHOUT_TRUNK_0: Record<string, string> = {
	CN: raw`1(?:610\d|740[0-5])\d{6}|1(?:[38]\d|4[57]|[59][0-35-9]|6[25-7]|7[0-35-8])\d{8}`,
	UY: raw`(?:1(?:770|9(?:20|[89]7))|(?:2\d|4[2-7])\d\d)\d{4}`,
	LB: raw`(?:(?:3|81)\d|7(?:[01]\d|6[013-9]|8[7-9]|9[0-4]))\d{5}`,
	NP: raw`9(?:00|6[0-3]|7[0-24-6]|8[0-24-68])\d{7}`,
	GE: raw`5(?:(?:(?:0555|1(?:[17]77|555))[5-9]|757(?:7[7-9]|8[01]))\d|22252[0-4])\d\d|5(?:0(?:0(?:1[09]|70)|505)|1(?:0[01]0|1(?:07|33|51))|2(?:0[02]0|2[25]2)|3(?:0[03]0|3[35]3)|4(?:0[04]0|411)|5222|9000)[0-4]\d{3}|(?:5(?:0(?:0(?:0\d|1[12]|2[02]|3[0-6]|4[04]|5[05]|77|88|9[09])|(?:[14]\d|77)\d|22[02])|1(?:1(?:[03][01]|[124]\d|5[02-6]|7[0-6])|4\d\d)|2(?:228|555)|3555|4(?:4(?:[02-9]\d|14)|555)|5(?:[0157-9]\d\d|200|333|4(?:44|55))|6[89]\d\d|7(?:(?:[0147-9]\d|22)\d|5(?:00|[57]5))|8(?:0(?:[018]\d|2[0-4])|5(?:55|8[89])|8(?:55|88))|9(?:090|[1-35-9]\d\d))|790\d\d)\d{4}`,
	PE: raw`9\d{8}`, RW: raw`(?:06|2[23568]\d)\d{6}`, MC: raw`(?:870|9[2-47-9]\d)\d{5}`,
};

/** How numbers of a length begin that are of no type, but of the general pattern and of another country with its calling code. */
export const WITHOUT_TYPE: Record<string, Record<number, string>> = {
	RU: { 10: '3(?:[27]|5[489]|6[1-46-9])|4(?:[356]|7[679]|97)|8(?:22|6[48]|8)' },
	GR: { 10: '2(?:[09]|[23]0|[47]8)|6(?:[02-7]|8[03])|8(?:22|[68])|9[5-7]', 11: '8[124-68]', 12: '8[124-68]' },
	NL: { 10: '8[268]|9[5-7]', 11: '9(?:[2-69]|7[1-7])' },
	IT: { 10: '8[268]', 11: '1|31', 12: '30' },
	AT: { 10: '2(?:[034]|20|54|6[59]|97)|3(?:[279]|5[249]|6[4-79]|81)|4(?:[59]|6[124-689]|7[24579])|5(?:1[14-68]|3[246])|6(?:[03]|2[569]|4[249])|8(?:22|6[179]|8)|9[5-7]', 11: '2(?:[034]|13|22|5[048])|3(?:[279]|3[147]|4[489]|5[02569]|6[57]|8[1279])|4(?:[0149]|6[124-9]|8[13689])|5(?:19|6[24-689])|6(?:[03]|1[2478]|2[5689]|42)|7(?:3[034689]|4[029]|7[078]|8[1-7]|9[0-36-9])|8(?:1[1-9]|2[2-6]|[458]|6[79])|9(?:[24-79]|3[2-7])', 12: '2(?:[034]|1[1-38]|20|5[01468]|6[05])|3(?:[079]|5[2459]|8[017])|4(?:20|[49])|5(?:29|38|4[236]|5[3469]|8)|6(?:[03]|2[5689]|42)|8(?:1[6-9]|2[3-6]|[458]|6[179])|9(?:0[2-5]|[125-9])', 13: '2(?:29|[34])|3(?:19|52|[79]|81)|49|5(?:49|5[3469])|62[5689]|8(?:[58]|6[17])|9[67]' },
	GB: { 10: '2(?:05|[25-7]|4[368]|97)|3[25689]|5[01379]|8[268]|9[5-7]' },
	SE: { 10: '9[5-7]', 12: '2(?:[0-46]|5[0168])|6[02-4]' },
	DE: { 10: '278|32|4(?:5[7-9]|69)|5(?:01|99)|6[47]9|869|9(?:5[89]|75)', 11: '1(?:[2-49]|54|6[15-7])|278|3(?:1|48|7[08]|89)|469|5(?:09|9[89])|601|7(?:49|78|8[67]|9[289])|8(?:18|4[7-9]|52|69)|9(?:5[89]|75)', 12: '249|380|579|601|8(?:18|69)|9(?:0[2-5]|59|8[89]|98)', 13: '3(?:1|78)' },
	MX: { 10: '2(?:0[35]|3[09]|[56]|91)|3(?:6|90)|497|5(?:0[17]|[137])|6(?:0|7[089]|8[0358]|9[0-2])|8(?:22|6[35]|80)|9(?:5[25-79]|75)' },
	AR: { 10: '2(?:[057]|38|4[1368]|6[79])|3(?:[29]|59|6[135-9])|6(?:0[68]|[2-689]|7[346-9])|8[268]', 11: '8[124-68]|9(?:2[57]|32|[4-79])' },
	BR: { 10: '2(?:[03569]|20|4[168]|78)|3(?:2[1689]|5[89]|[69]|81)|4(?:21|3[16]|[59][689]|6[1689]|7[69])|5(?:0[17]|1[168]|36|[79])|6(?:0|[24][69]|38|5[689]|61|7[0689]|8[08]|9[01])|8(?:6[1689]|80)|9(?:5[1689]|6[01])', 11: '1(?:[24-7][0-8]|3[0-68]|8[0-7]|9[0-578])|2(?:[0356]|1[36]|2[2-46-8]|4[13]|7[1-8])|3(?:[13][1-7]|24|4[4-8]|5[0235-8]|[69]|7[0-478]|8[1-35-7])|4(?:0|[19][2-8]|3[1-7]|41|[68][1-8])|5[069]|6(?:0|1[2-478]|[23][2-8]|42|6[168]|7[05]|86)|7(?:3[03-68]|4[0-278]|7[0-246-8]|8|9[0-8])|8(?:1[1-8]|2[1-6]|4[13578]|5[02356]|6[3-8]|8[06])|9(?:[25][24-8]|3[2-7]|4[1-8]|6[1-578]|7[0-7]|93)' },
	CL: { 10: '6(?:0[4-9]|[2-9])', 11: '6(?:0[13]|[1-46-8])' },
	CO: { 10: '3(?:2[5-9]|5[2-489]|[689]|72)|609|9[5-7]', 11: '1(?:[2-7]|8[1-7]|9[1-3578])' },
	VE: { 10: '2(?:[02]|3[01]|97)|4(?:2[13]|[35-79])|507' },
	ID: { 10: '2(?:0|3[089]|69|78)|3(?:[25]9|6[479]|9)|4(?:3[37]|5[4-69]|6[689]|7[25-79]|9)|5(?:[079]|14|33)|6(?:[06-9]|38|4[79])|9(?:5[49]|6[01])', 11: '1(?:[2-689]|7[0-68])|2(?:[0-24]|3[056]|5[078]|7[78])|3(?:[19]|[36]7|4[4-9]|5[09]|7[78])|4(?:0[67]|1[256]|3[37]|41|6[6-9]|8[36-9]|9)|5(?:[09]|69)|6(?:[06-8]|1[2-478]|3[78])|7(?:4[09]|74|[89])|84|9(?:2[568]|[349]|5[49]|6[1458]|7[02-467])', 12: '84' },
	NZ: { 10: '2[3-6]|50[17]|8(?:6[14]|8)|9[5-7]' },
	SG: { 10: '8[268]', 11: '1(?:[2-7]|8[1-7]|9[1-578])' },
	JP: { 10: '2[2-79]|5[1379]|6[2-9]|8[268]|9[5-7]' },
	KR: { 10: '3[5-9]|4[5-79]|5[79]|6[05-9]', 11: '5[169]' },
	CN: { 10: '26|3(?:[268]|90)|4(?:23|3[12]|6[1-356]|9)|5(?:[01]|32|74|95)|6(?:[024578]|38|6[1457]|90)|8(?:22|80)|9(?:5[6-9]|6)', 11: '1(?:2|4[0-468]|[59]4|6[0348])|3(?:1[2-7]|[2-689]|7[02-48])|4(?:[04689]|1[2-9]|3[467])|5(?:[06]|9[389])|7(?:3[03-689]|[478]|9[02-9])|8(?:[1248]|5[02356])|9(?:[2-4679]|5[24-9])', 12: '2(?:[02-6]|1[1-3])' },
	TR: { 10: '2(?:[09]|20|3[019]|4[13]|54|6[3579]|78)|3(?:[26][13579]|5[39]|81|90)|4(?:2[13]|3[1357]|[57][3579]|6[13589]|9)|5(?:1[14578]|9[579])|8(?:[26]|80)', 12: '8[124-68]', 13: '8[568]' },
	IN: { 10: '2(?:01|20|39|54)|3(?:2[7-9]|9)|4(?:5[389]|64)|5(?:0|37|9[79])', 11: '1(?:[2-79]|8[1-57])' },
	PK: { 10: '2(?:[067]|20|3[019]|4[168]|91)|3(?:5[2-489]|6[1-35-9]|[89])|4(?:[26]1|3|5[2568])|5(?:[09]|11)|6(?:0[579]|61|[78]0|9)|8(?:61|8)|9(?:[57]|6[017])', 11: '2(?:[03467]|1[36]|2[2-46-8]|5[02-478])|4(?:0[2367]|[1689][2-9]|3)|5(?:[09]|19|6[2-9])|6(?:0|1[2-478]|2[2-9]|3[2-8]|42|6[689]|7[05]|8[69])|7(?:[37-9]|4[027-9])|8(?:1[2-9]|[2458]|6[3-9])|9[3-79]', 12: '2(?:[0-256]|3[17]|4[059])|4[2-49]|5(?:[02357-9]|41)|6(?:01|[2-4])|8(?:[168]|21|42)|9(?:[01578]|6[247]|98)' },
	IR: { 10: '2[0279]|3[2679]|4[23679]|5[0379]|6[02-57-9]|8[28]|9[5-7]' },
	NG: { 10: '8[268]|9[5-7]', 11: '7[347-9]|8[124-68]', 12: '8[124-68]', 13: '8[568]' },
	LU: { 10: '201|82|96', 11: '2[01]|82|96' },
	IE: { 10: '4[235-79]|8(?:2|6[1-46-9])' },
	FI: { 10: '2[2-7]|3[26-8]|49[235-9]|5[1379]|6(?:0[457-9]|[2-9])', 11: '7[347-9]' },
	BY: { 10: '86', 11: '8(?:[14-6]|2[1-6])' },
	RS: { 10: '2(?:[0349]1|20)|3[26]1|6[02-689]', 11: '1[2-9][01]|2(?:[0347]1|50)|3(?:[13]1|50|7[01])|7[347-9]', 12: '2(?:[013]1|[256][01]|40)|3(?:51|80)' },
	XK: { 10: '3[25-79]', 11: '3[1-79]', 12: '3[0579]' },
	CZ: { 10: '9[57]', 11: '9[24579]', 12: '9[0-257-9]' },
	BD: { 10: '2[04-79]|3(?:[2569]|81)|4(?:[25-79]|3[2-7])|6(?:[02357-9]|61)|8[26]|9[57]' },
	NP: { 10: '9(?:5|67)', 11: '1(?:[2-579]|6[0-578]|8[1-7])' },
	EG: { 10: '8[268]|9[5-7]' }, ZA: { 10: '8(?:[28]|6[2-9])' }, CH: { 12: '8(?:[12458]|6[1-9])' }, PL: { 10: '8[268]' }, CU: { 10: '8[268]' }, PH: { 10: '8(?:[26]|80)' }, VN: { 10: '2(?:[04]1|3[01]|6[57]|78)' }, MM: { 10: '8[268]' }, CI: { 10: '2(?:[02-469]|78)' }, MU: { 10: '8[268]' }, CD: { 10: '5(?:[0139]|74)' }, ZW: { 10: '8(?:[28]|6[69])' }, EE: { 10: '8[268]' }, UA: { 10: '8[268]|9[5-7]' }, GT: { 11: '1(?:[2-7]|8[2-7])' }, HN: { 11: '8[124-68]' }, CR: { 10: '8[268]' }, PA: { 10: '8[268]' }, EC: { 11: '1(?:[2-79]|8[1-7])' }, PY: { 10: '9[5-7]', 11: '9[2-79]' }, WS: { 10: '8[268]' }, HK: { 11: '9[2-79]' }, LA: { 10: '2(?:01|[2-79])|3[25-9]' }, TW: { 11: '7[347-9]' }, MV: { 10: '9[57]' }, IL: { 11: '1(?:[2-46-9]|5[024-8])' }, MN: { 10: '2(?:[02679]|3[019]|41)' }, KG: { 10: '8[268]' },
};

/** The first three digits of numbers that a country writes without + and a leading 0, by length. */
export const NATIONAL_WRITINGS: Record<number, string> = {
	6: '100-999',
	7: '100-999',
	8: '131,133,135-136,150-180,192,198-999',
	9: '100-999',
	10: '100-118,120-139,141-575,577-588,591-999',
	11: '119,129-139,145,147,149-153,155-159,161-162,165-167,169-199,219,229,249,279,289,319,329,339,349,359,379,389,419,429,439,449,459,469,479,489,499,519,539,549,559,619,629,639,649,659,669,679,689,699,719,739,749,759,779,799-804,819,829-830,833-836,838-842,847-849,859,869,879-887,889-900,911,919,922-924,926,928-929,933-939,949,959,969,979-980,989,999',
	12: '180',
	13: '186',
};

/**
 * Numbering plans, made by `npm run generate` from libphonenumber's metadata (google-libphonenumber 3.2.47) and
 * names (i18n-iso-countries 7.14.0). Do not edit.
 */

/**
 * A region in each line, the main one of its calling code first: alpha-2 code (001 for none), calling code, lengths of national
 * numbers, lengths inside an area only, longest usual length, prefix for calls abroad, trunk prefix, what the trunk prefix becomes, pattern of national
 * numbers; then alpha-3 code and names. "-" stands for nothing.
 */
export const REGIONS = String.raw`
US 1 10 7 10 011 1 - [2-9]\d{9}|3\d{6} U.S.A.;America;United States of America;United States;The States;United States (USA);United States (US);USA (United States of America);US of America;U.S.
AG 1 10 7 10 011 ([457]\d{6})$|1 268$1 (?:268|[58]\d\d|900)\d{7} ATG;Antigua and Barbuda
AI 1 10 7 10 011 ([2457]\d{6})$|1 264$1 (?:264|[58]\d\d|900)\d{7} AIA;Anguilla
AS 1 10 7 10 011 ([267]\d{6})$|1 684$1 (?:[58]\d\d|684|900)\d{7} ASM;American Samoa
BB 1 10 7 10 011 ([2-9]\d{6})$|1 246$1 (?:246|[58]\d\d|900)\d{7} BRB;Barbados
BM 1 10 7 10 011 ([2-9]\d{6})$|1 441$1 (?:441|[58]\d\d|900)\d{7} BMU;Bermuda
BS 1 10 7 10 011 ([3-8]\d{6})$|1 242$1 (?:242|[58]\d\d|900)\d{7} BHS;Bahamas
CA 1 7,10 - 10 011 1 - [2-9]\d{9}|3\d{6} CAN;Canada
DM 1 10 7 10 011 ([2-7]\d{6})$|1 767$1 (?:[58]\d\d|767|900)\d{7} DMA;Dominica
DO 1 10 7 10 011 1 - (?:[58]\d\d|900)\d{7} DOM;Dominican Republic;República Dominicana
GD 1 10 7 10 011 ([2-9]\d{6})$|1 473$1 (?:473|[58]\d\d|900)\d{7} GRD;Grenada
GU 1 10 7 10 011 ([2-9]\d{6})$|1 671$1 (?:[58]\d\d|671|900)\d{7} GUM;Guam
JM 1 10 7 10 011 1 - (?:[58]\d\d|658|900)\d{7} JAM;Jamaica
KN 1 10 7 10 011 ([2-7]\d{6})$|1 869$1 (?:[58]\d\d|900)\d{7} KNA;Saint Christopher and Nevis;Saint Kitts and Nevis
KY 1 10 7 10 011 ([2-9]\d{6})$|1 345$1 (?:345|[58]\d\d|900)\d{7} CYM;Cayman Islands
LC 1 10 7 10 011 ([2-8]\d{6})$|1 758$1 (?:[58]\d\d|758|900)\d{7} LCA;Saint Lucia
MP 1 10 7 10 011 ([2-9]\d{6})$|1 670$1 [58]\d{9}|(?:67|90)0\d{7} MNP;Commonwealth of the Northern Mariana Islands;Northern Marianas;Northern Mariana Islands
MS 1 10 7 10 011 ([34]\d{6})$|1 664$1 (?:[58]\d\d|664|900)\d{7} MSR;Montserrat
PR 1 10 7 10 011 1 - (?:[589]\d\d|787)\d{7} PRI;Puerto Rico
SX 1 10 7 10 011 (5\d{6})$|1 721$1 7215\d{6}|(?:[58]\d\d|900)\d{7} SXM;Sint-Maarten;Dutch Sint Maarten;St. Maarten;Saint Martin (Dutch part);St. Maarten (Dutch part);Sint Maarten (Dutch part);Sint Maarten (Nederlands deel);Land Sint Maarten
TC 1 10 7 10 011 ([2-479]\d{6})$|1 649$1 (?:[58]\d\d|649|900)\d{7} TCA;Turks and Caicos Islands
TT 1 10 7 10 011 ([2-46-8]\d{6})$|1 868$1 (?:[58]\d\d|900)\d{7} TTO;Trinidad and Tobago
VC 1 10 7 10 011 ([2-7]\d{6})$|1 784$1 (?:[58]\d\d|784|900)\d{7} VCT;Saint Vincent;Saint Vincent and Grenadines;Saint Vincent and the Grenadines
VG 1 10 7 10 011 ([2-578]\d{6})$|1 284$1 (?:284|[58]\d\d|900)\d{7} VGB;British Virgin Islands;BVI;Virgin Islands (GB);UK Virgin Islands
VI 1 10 7 10 011 ([2-9]\d{6})$|1 340$1 [58]\d{9}|(?:34|90)0\d{7} VIR;US Virgin Islands;United States Virgin Islands;Virgin Islands of the United States;USVI;American Virgin Islands;Virgin Islands (USA)
RU 7 10,14 7 10 810 8 - 8\d{13}|[347-9]\d{9} RUS;Russia;Russian Federation;Российская Федерация;Россия
KZ 7 10,14 5-7 10 810 8 - 8\d{13}|[78]\d{9} KAZ;Kazakhstan;Қазақстан;Казахстан
EG 20 8-10 6-7 10 00 0 - [189]\d{8,9}|[24-6]\d{8}|[135]\d{7} EGY;Arab Republic of Egypt;Egypt, Arab Rep.;Egypt;مصر
ZA 27 5-10 - 9 00 0 - [1-79]\d{8}|8\d{4,9} ZAF;Republic of South Africa;RSA;South Africa
GR 30 10-12 - 10 00 - - 5005000\d{3}|8\d{9,11}|(?:[269]\d|70)\d{8} GRC;EL;Hellas;Hellenic Republic;Greece;Ελλάδα
NL 31 5-11 - 11 00 0 - (?:[124-7]\d\d|3(?:[02-9]\d|1[0-8]))\d{6}|8\d{6,9}|9\d{6,10}|1\d{4,5} NLD;Holland;The Netherlands;Kingdom of the Netherlands;Netherlands (Holland);Koninkrijk der Nederlanden;Nederland
BE 32 8-9 - 9 00 0 - 4\d{8}|[1-9]\d{7} BEL;Belgium;Belgien;Belgique;Koninkrijk België;België
FR 33 9 - 9 00 0 - [1-9]\d{8} FRA;French Republic;Metropolitan France;France
ES 34 9 - 9 00 - - (?:400|[5-9]\d\d)\d{6} ESP;Spain;España
HU 36 8-9 6-7 9 00 06 - [235-7]\d{8}|[1-9]\d{7} HUN;Hungary;Magyarország
IT 39 6-12 - 10 00 - - 0\d{5,11}|1\d{8,10}|3(?:[0-8]\d{7,10}|9\d{7,8})|(?:43|55|70)\d{8}|8\d{5}(?:\d{2,4})? ITA;Italy;Italia
VA 39 6-12 - 10 00 - - 0\d{5,10}|3[0-8]\d{7,10}|55\d{8}|8\d{5}(?:\d{2,4})?|(?:1\d|39)\d{7,8} VAT;Vatican;Vatican City;Holy See;Vatican City State;State of the Vatican City;Vatican City (Holy See);Holy See (Vatican City State);Città del Vaticano
RO 40 6,9 - 9 00 0 - (?:[236-8]\d|90)\d{7}|[23]\d{5} ROU;România
CH 41 9,12 - 9 00 0 - 8\d{11}|[2-9]\d{8} CHE;Switzerland;Schweiz;Suisse;Svizzera
AT 43 4-13 3 13 00 0 - 1\d{3,12}|2\d{6,12}|43(?:(?:0\d|5[02-9])\d{3,9}|2\d{4,5}|[3467]\d{4}|8\d{4,6}|9\d{4,7})|5\d{4,12}|8\d{7,12}|9\d{8,12}|(?:[367]\d|4[0-24-9])\d{4,11} AUT;Austria;Österreich
GB 44 7,9-10 4-6,8 10 00 0|180020 - [1-357-9]\d{9}|[18]\d{8}|8\d{6} GBR;UK;United Kingdom of Great Britain and Northern Ireland;Great Britain;Britain;England;Scotland;Wales;Northern Ireland;Great Britain (United Kingdom);UK (United Kingdom);United Kingdom
GG 44 7,9-10 6 10 00 ([25-9]\d{5})$|0|180020 1481$1 (?:1481|[357-9]\d{3})\d{6}|8\d{6}(?:\d{2})? GGY;Guernsey
IM 44 10 6 10 00 ([25-8]\d{5})$|0|180020 1624$1 1624\d{6}|(?:[3578]\d|90)\d{8} IMN;Isle of Man
JE 44 10 6 10 00 ([0-24-8]\d{5})$|0|180020 1534$1 1534\d{6}|(?:[3578]\d|90)\d{8} JEY;Jersey
DK 45 8 - 8 00 - - [2-9]\d{7} DNK;Denmark;Danmark
SE 46 6-10,12 - 9 00 0 - (?:[26]\d\d|9)\d{9}|[1-9]\d{8}|[1-689]\d{7}|[1-4689]\d{6}|2\d{5} SWE;Sweden;Sverige
NO 47 5,8 - 8 00 - - (?:0|[2-9]\d{3})\d{4} NOR;Norway;Norge;Noreg
SJ 47 5,8 - 8 00 - - 0\d{4}|(?:[489]\d|79)\d{6} SJM;Svalbard;Svalbard and Jan Mayen Islands;Svalbard and Jan Mayen;Svalbard og Jan Mayen
PL 48 6-10 - 9 00 - - (?:6|8\d\d)\d{7}|[1-9]\d{6}(?:\d{2})?|[26]\d{5} POL;Poland;Polska
DE 49 4-15 2-3 11 00 0 - [2579]\d{5,14}|49(?:[34]0|69|8\d)\d\d?|49(?:37|49|60|7[089]|9\d)\d{1,3}|49(?:2[024-9]|3[2-689]|7[1-7])\d{1,8}|(?:1|[368]\d|4[0-8])\d{3,13}|49(?:[015]\d|2[13]|31|[46][1-8])\d{1,9} DEU;Germany;Deutschland
PE 51 8-9 6-7 9 00|19(?:1[124]|77|90)00 0 - (?:[14-8]|9\d)\d{7} PER;Perú
MX 52 10 7-8 10 0[09] - - [2-9]\d{9} MEX;México
CU 53 6-8,10 4-5 8 119 0 - (?:[2-7]|8\d\d)\d{7}|[2-47]\d{6}|[34]\d{5} CUB;Cuba
AR 54 10-11 6-8 11 00 0?(?:(11|2(?:2(?:02?|[13]|2[13-79]|4[1-6]|5[2457]|6[124-8]|7[1-4]|8[13-6]|9[1267])|3(?:02?|1[467]|2[03-6]|3[13-8]|[49][2-6]|5[2-8]|[67])|4(?:7[3-578]|9)|6(?:[0136]|2[24-6]|4[6-8]?|5[15-8])|80|9(?:0[1-3]|[19]|2\d|3[1-6]|4[02568]?|5[2-4]|6[2-46]|72?|8[23]?))|3(?:3(?:2[79]|6|8[2578])|4(?:0[0-24-9]|[12]|3[5-8]?|4[24-7]|5[4-68]?|6[02-9]|7[126]|8[2379]?|9[1-36-8])|5(?:1|2[1245]|3[237]?|4[1-46-9]|6[2-4]|7[1-6]|8[2-5]?)|6[24]|7(?:[069]|1[1568]|2[15]|3[145]|4[13]|5[14-8]|7[2-57]|8[126])|8(?:[01]|2[15-7]|3[2578]?|4[13-6]|5[4-8]?|6[1-357-9]|7[36-8]?|8[5-8]?|9[124])))15)? 9$1 (?:11|[89]\d\d)\d{8}|[2368]\d{9} ARG;Argentina
BR 55 8-11 - 11 00(?:1[245]|2[1-35]|31|4[13]|[56]5|99) (?:0|90)(?:(1[245]|2[1-35]|31|4[13]|[56]5|99)(\d{10,11}))? $2 [1-467]\d{9,10}|55[0-46-9]\d{8}|[34]\d{7}|55\d{7,8}|(?:5[0-46-9]|[89]\d)\d{7,9} BRA;Brazil;Brasil
CL 56 9-11 - 9 (?:0|1(?:1[0-69]|2[02-5]|5[13-58]|69|7[0167]|8[018]))0 - - 12300\d{6}|6\d{9,10}|[2-9]\d{8} CHL;Chile
CO 57 8,10-11 4,7 10 00(?:4(?:[14]4|56)|[579]) 0([3579]|4(?:[14]4|56))? - (?:46|60\d\d)\d{6}|(?:1\d|[39])\d{9} COL;Colombia
VE 58 10 7 10 00 0 - [68]00\d{7}|(?:[24]\d|[59]0)\d{8} VEN;Venezuela;Bolivarian Republic of Venezuela;Venezuela, RB;Venezuela (Bolivarian Rep. of)
MY 60 8-10 6-7 10 00 0 - 1\d{8,9}|(?:3\d|[4-9])\d{7} MYS;Malaysia
AU 61 5-10,12 - 9 001[14-689]|14(?:1[14]|34|4[17]|[56]6|7[47]|88)0011 (183[12])|0 - 1(?:[0-79]\d{7}(?:\d(?:\d{2})?)?|8[0-24-9]\d{7})|[2-478]\d{8}|1\d{4,7} AUS;Australia
CC 61 6-10,12 - 9 001[14-689]|14(?:1[14]|34|4[17]|[56]6|7[47]|88)0011 ([59]\d{7})$|0 8$1 1(?:[0-79]\d{8}(?:\d{2})?|8[0-24-9]\d{7})|[148]\d{8}|1\d{5,7} CCK;Cocos Islands;Keeling Islands;Cocos (Keeling) Islands
CX 61 6-10,12 - 9 001[14-689]|14(?:1[14]|34|4[17]|[56]6|7[47]|88)0011 ([59]\d{7})$|0 8$1 1(?:[0-79]\d{8}(?:\d{2})?|8[0-24-9]\d{7})|[148]\d{8}|1\d{5,7} CXR;Christmas Island
ID 62 7-17 5-6 12 00[89] 0 - 00[1-9]\d{9,14}|(?:[1-36]|8\d{5})\d{6}|00\d{9}|[1-9]\d{8,10}|[2-9]\d{7} IDN;Indonesia
PH 63 6,8-13 4-5,7 10 00 0 - (?:[2-7]|9\d)\d{8}|2\d{5}|(?:1800|8)\d{7,9} PHL;Philippines
NZ 64 5-10 - 10 0(?:0|161) 0 - [1289]\d{9}|50\d{5}(?:\d{2,3})?|[27-9]\d{7,8}|(?:[34]\d|6[0-35-9])\d{6}|8\d{4,6} NZL;New Zealand
SG 65 8,10-11 - 8 0[0-3]\d - - (?:(?:1\d|8)\d\d|7000)\d{7}|[3689]\d{7} SGP;Singapore;Singapura;新加坡
TH 66 8-10,13 - 9 00[1-9] 0 - (?:001800|[2-57]|[689]\d)\d{7}|1\d{7,9} THA;Thailand;ไทย
JP 81 8-17 - 10 010 (000[2569]\d{4,6})$|(?:(?:003768)0?)|0 $1 00[1-9]\d{6,14}|[25-9]\d{9}|(?:00|[1-9]\d\d)\d{6} JPN;Japan;日本
KR 82 5-6,8-14 3-4,7 10 00(?:[125689]|3(?:[46]5|91)|7(?:00|27|3|55|6[126])) 0(8(?:[1-46-8]|5\d\d))? - 00[1-9]\d{8,11}|(?:[12]|5\d{3})\d{7}|[13-6]\d{9}|(?:[1-6]\d|80)\d{7}|[3-6]\d{4,5}|(?:00|7)0\d{8} KOR;South Korea;Korea;Republic of Korea;R.O.K.;Korea, Rep.;Korea (ROK);Rep. of Korea;Korea, Republic;South Korea (ROK);South Korea (Republic of Korea);대한민국
VN 84 7-10 - 10 00 0 - [12]\d{9}|[135-9]\d{8}|[16]\d{6,7}|7\d{6} VNM;Việt Nam;Socialist Republic of Viet Nam
CN 86 7-12 5-6 11 00|1(?:[12]\d|79)\d\d00 (1(?:[12]\d|79)\d\d)|0 - (?:(?:1[03-689]|2\d)\d\d|6)\d{8}|1\d{10}|[126]\d{6}(?:\d(?:\d{2})?)?|86\d{5,6}|(?:[3-579]\d|8[0-57-9])\d{5,9} CHN;PRC;PR China;Mainland China;China mainland;China, PRC;People's Republic of China;China;中国
TR 90 7,10,12-13 - 10 00 0 - 4\d{6}|8\d{11,12}|(?:[2-58]\d\d|900)\d{7} TUR;Turkey;Türkiye;Republic of Turkey;Republic of Türkiye;Türkiye (Turkey)
IN 91 8-13 6-7 10 00 0 - (?:000800|[2-9]\d\d)\d{7}|1\d{7,12} IND;India;भारत
PK 92 8-12 5-7 10 00 0 - 122\d{6}|[24-8]\d{10,11}|9(?:[013-9]\d{8,10}|2(?:[01]\d\d|2(?:[06-8]\d|1[01]))\d{7})|(?:[2-8]\d{3}|92(?:[0-7]\d|8[1-9]))\d{6}|[24-9]\d{8}|[89]\d{7} PAK;Pakistan;پاکستان
AF 93 9 7 9 00 0 - [2-7]\d{8} AFG;Afghanistan;افغانستان
LK 94 9 7 9 00 0 - [1-9]\d{8} LKA;Sri Lanka
MM 95 6-10 5 10 00 0 - 1\d{5,7}|95\d{6}|(?:[4-7]|9[0-46-9])\d{6,8}|(?:2|8\d)\d{5,8} MMR;Burma;Burma (Myanmar);Union of Myanmar;Myanmar
IR 98 4-7,10 8 10 00 0 - [1-9]\d{9}|(?:[1-8]\d\d|9)\d{3,4} IRN;Iran, Islamic Rep.;Islamic Republic of Iran;Iran;ایران
SS 211 9 - 9 00 0 - [19]\d{8} SSD;South Sudan
MA 212 9 - 9 00 0 - [5-8]\d{8} MAR;Morocco;المغرب
EH 212 9 - 9 00 0 - [5-8]\d{8} ESH;Western Sahara
DZ 213 8-9 - 9 00 0 - (?:[1-4]|[5-79]\d|80)\d{7} DZA;Algeria;الجزائر
TN 216 8 - 8 00 - - [2-57-9]\d{7} TUN;Tunisia;تونس
LY 218 9 7 9 00 0 - [2-9]\d{8} LBY;Libyan Arab Jamahiriya;State of Libya;Libya;ليبيا
GM 220 7,9 - 9 00 - - [48]\d{8}|[2-9]\d{6} GMB;Gambia;Republic of The Gambia
SN 221 9 - 9 00 - - (?:[378]\d|93)\d{7} SEN;Sénégal
MR 222 8 - 8 00 - - (?:[2-4]\d\d|800)\d{5} MRT;Mauritania;موريتانيا
ML 223 8 - 8 00 - - [24-9]\d{7} MLI;Mali
GN 224 8-9 - 9 00 - - 722\d{6}|(?:3|6\d)\d{7} GIN;Guinea;Guinée
CI 225 10 - 10 00 - - [02]\d{9} CIV;Republic of Côte d'Ivoire;Côte d'Ivoire (Ivory Coast);Côte-d'Ivoire;Ivory Coast
BF 226 8 - 8 00 - - [024-7]\d{7} BFA;Burkina Faso
NE 227 8 - 8 00 - - [027-9]\d{7} NER;Niger
TG 228 8 - 8 00 - - [279]\d{7} TGO;Togo
BJ 229 8,10 - 10 00 - - (?:01\d|8)\d{7} BEN;Bénin
MU 230 7-8,10 - 8 0(?:0|[24-7]0|3[03]) - - (?:[57]|8\d\d)\d{7}|[2-468]\d{6} MUS;Mauritius
LR 231 7-9 - 9 00 0 - (?:[2457]\d|33|88)\d{7}|(?:2\d|[4-6])\d{6} LBR;Liberia
SL 232 8 6 8 00 0 - (?:[237-9]\d|66)\d{6} SLE;Sierra Leone
GH 233 8-9 7 9 00 0 - [235]\d{8}|800\d{5,6} GHA;Ghana
NG 234 10-14 6-7 10 009 0 - (?:20|9\d)\d{8}|[78]\d{9,13} NGA;Nigeria
TD 235 8 - 8 00|16 - - (?:22|[3689]\d|77)\d{6} TCD;Chad;تشاد;Tchad
CF 236 8 - 8 00 - - 8776\d{4}|(?:[27]\d|61)\d{6} CAF;Central African Republic;République Centrafricaine
CM 237 8-9 - 9 00 - - [26]\d{8}|88\d{6,7} CMR;Cameroon;Cameroun
CV 238 7 - 7 0 - - (?:[2-59]\d\d|800)\d{4} CPV;Cabo Verde;Cape Verde
ST 239 7 - 7 00 - - (?:22|9\d)\d{5} STP;Sao Tome;Sao Tome and Principe;Democratic Republic of Sao Tome and Principe;São Tomé e Príncipe
GQ 240 9 - 9 00 - - 222\d{6}|(?:3\d|55|[89]0)\d{7} GNQ;Equatorial Guinea;Guinea Ecuatorial
GA 241 7-8 - 8 00 0(11\d{6}|60\d{6}|61\d{6}|6[256]\d{6}|7[467]\d{6}) $1 (?:[067]\d|11)\d{6}|[2-7]\d{6} GAB;Gabon
CG 242 9 - 9 00 - - 222\d{6}|(?:0\d|80)\d{7} COG;Congo-Brazzaville;Republic of Congo;Congo, Rep.;Congo, Republic;Rep. of the Congo;Republic of the Congo
CD 243 7-10 - 9 00 0 - (?:(?:[189]|5\d)\d|2)\d{7}|[1-68]\d{6} COD;DRC;D.R. Congo;Congo DR;Congo, DRC;Congo-Kinshasa;Zaire;Dem. Rep. of the Congo;Congo, Dem. Rep. of;Dem. Rep. Congo;Democratic Republic of Congo;Democratic Republic of the Congo
AO 244 9 - 9 00 - - [29]\d{8} AGO;Angola
GW 245 7,9 - 9 00 - - [49]\d{8}|4\d{6} GNB;Guinea-Bissau;Guiné-Bissau
IO 246 7 - 7 00 - - 3\d{6} IOT;British Indian Ocean Territory
AC 247 5-6 - 5 00 - - (?:[01589]\d|[2-467])\d{4} Ascension Island;Ascension
SC 248 7 - 7 010|0[0-2] - - (?:[2489]\d|64)\d{5} SYC;Seychelles
SD 249 9 - 9 00 0 - [19]\d{8} SDN;Sudan;السودان
RW 250 8-9 - 9 00 0 - (?:06|[27]\d\d|[89]00)\d{6} RWA;Rwanda
ET 251 9 7 9 00 0 - (?:11|[2-57-9]\d)\d{7} ETH;Ethiopia
SO 252 6-9 - 9 00 0 - [346-9]\d{8}|[12679]\d{7}|[1-5]\d{6}|[1348]\d{5} SOM;Somalia;الصومال
DJ 253 8 - 8 00 - - (?:2\d|77)\d{6} DJI;Djibouti;جيبوتي
KE 254 7-10 - 9 000 0 - (?:[17]\d\d|900)\d{6}|(?:2|80)0\d{6,7}|[4-6]\d{6,8} KEN;Kenya
TZ 255 9 - 9 00[056] 0 - (?:[25-8]\d|41|90)\d{7} TZA;Tanzania;United Rep. of Tanzania;United Republic of Tanzania;Tanzania, Jamhuri ya Muungano
UG 256 9 5-7 9 00[057] 0 - 800\d{6}|(?:[29]0|[347]\d)\d{7} UGA;Uganda
BI 257 8 - 8 00 - - (?:[267]\d|31)\d{6} BDI;Burundi
MZ 258 8-9 - 9 00 - - (?:2|8\d)\d{7} MOZ;Mozambique;Moçambique
ZM 260 9 6 9 00 0 - 800\d{6}|(?:21|[579]\d|63)\d{7} ZMB;Zambia
MG 261 9 7 9 00 ([24-9]\d{6})$|0 20$1 [23]\d{8} MDG;Madagascar
RE 262 9 - 9 00 0 - 709\d{6}|(?:26|[689]\d)\d{7} REU;Reunion Island;La Reunion;Réunion
YT 262 9 - 9 00 0 - (?:639\d|7093)\d{5}|(?:26|80|9\d)\d{7} MYT;Mayotte
ZW 263 7,9-10 3-6 9 00 0 - (?:13|8\d{4})\d{5}|[235-8]\d{8}|[23568]\d{6} ZWE;Zimbabwe
NA 264 8-9 - 9 00 0 - [68]\d{7,8} NAM;Namibia
MW 265 7,9 - 9 00 0 - (?:[1289]\d|31|77)\d{7}|1\d{6} MWI;Malawi
LS 266 8 - 8 00 - - (?:[256]\d\d|800)\d{5} LSO;Lesotho
BW 267 7-8,10 - 8 00 - - (?:0800|(?:[37]|800)\d)\d{6}|(?:[2-6]\d|90)\d{5} BWA;Botswana
SZ 268 8-9 - 8 00 - - 0800\d{4}|(?:[237]\d|900)\d{6} SWZ;Swaziland;Eswatini (Swaziland);Kingdom of Eswatini;Eswatini
KM 269 7 4 7 00 - - [3478]\d{6} COM;Comoros;جزر القمر;Comores
SH 290 4-5 - 5 00 - - (?:[256]\d|8)\d{3} SHN;Saint Helena;Saint Helena, Ascension and Tristan da Cunha
TA 290 4 - 4 00 - - 8\d{3} Tristan da Cunha;TAA
ER 291 7 6 7 00 0 - [178]\d{6} ERI;Eritrea
AW 297 7 - 7 00 - - (?:[25-79]\d\d|800)\d{4} ABW;Aruba
FO 298 6 - 6 00 (10(?:01|[12]0|88)) - [2-9]\d{5} FRO;Faeroe Islands;Faroes;Faroe Islands;Færøerne
GL 299 6 - 6 00 - - (?:19|[2-689]\d|70)\d{4} GRL;Greenland;Grønland
GI 350 8 - 8 00 - - (?:[25]\d|60)\d{6} GIB;Gibraltar
PT 351 9 - 9 00 - - 1693\d{5}|(?:[26-9]\d|30)\d{7} PRT;Portugal
LU 352 4-11 - 9 00 (15(?:0[06]|1[12]|[35]5|4[04]|6[26]|77|88|99)\d) - 35[013-9]\d{4,8}|6\d{8}|35\d{2,4}|(?:[2457-9]\d|3[0-46-9])\d{2,9} LUX;Luxembourg;Luxemburg
IE 353 7-10 5-6 9 00 0 - (?:1\d|[2569])\d{6,8}|4\d{6,9}|7\d{8}|8\d{8,9} IRL;Republic of Ireland;Éire;Ireland
IS 354 7,9 - 9 00|1(?:0(?:01|[12]0)|100) - - (?:38\d|[4-9])\d{6} ISL;Iceland;Ísland
AL 355 6-9 5 9 00 0 - (?:700\d\d|900)\d{3}|8\d{5,7}|(?:[2-5]|6\d)\d{7} ALB;Albania;Shqipëri
MT 356 8 - 8 00 - - 3550\d{4}|(?:[2579]\d\d|800)\d{5} MLT;Malta
CY 357 8 - 8 00 - - (?:[279]\d|[58]0)\d{6} CYP;Cyprus;Κύπρος;Güney Kıbrıs Rum Kesimi
FI 358 5-12 - 10 00|99(?:[01469]|5(?:[14]1|3[23]|5[59]|77|88|9[09])) 0 - [1-35689]\d{4}|7\d{10,11}|(?:[124-7]\d|3[0-46-9])\d{8}|[1-9]\d{5,8} FIN;Finland;Suomi
AX 358 5-12 - 10 00|99(?:[01469]|5(?:[14]1|3[23]|5[59]|77|88|9[09])) 0 - 2\d{4,9}|35\d{4,5}|(?:60\d\d|800)\d{4,6}|7\d{5,11}|(?:[14]\d|3[0-46-9]|50)\d{4,8} ALA;Åland;Aland Islands
BG 359 6-9,12 4-5 9 00 0 - 00800\d{7}|[2-7]\d{6,7}|[89]\d{6,8}|2\d{5} BGR;Bulgaria;България
LT 370 8 - 8 00 [08] - (?:[3469]\d|52|[78]0)\d{6} LTU;Lithuania;Lietuva
LV 371 8 - 8 00 - - (?:[268]\d|78|90)\d{6} LVA;Latvia;Latvija
EE 372 7-8,10 - 8 00 - - 8\d{9}|[4578]\d{7}|(?:[3-8]\d|90)\d{5} EST;Estonia;Eesti
MD 373 8 - 8 00 0 - (?:[235-7]\d|[89]0)\d{6} MDA;Moldova;Republic of Moldova;Moldova, Rep. of;Moldova, Republic;Republica Moldova
AM 374 8 5-6 8 00 0 - (?:[1-489]\d|55|60|77)\d{6} ARM;Armenia;Հայաստան
BY 375 6-11 5 9 810 0|80? - (?:[12]\d|33|44|902)\d{7}|8(?:0[0-79]\d{5,7}|[1-7]\d{9})|8(?:1[0-489]|[5-79]\d)\d{7}|8[1-79]\d{6,7}|8[0-79]\d{5}|8\d{5} BLR;Belarus;Беларусь
AD 376 6,8-9 - 9 00 - - (?:1|6\d)\d{7}|[135-9]\d{5} AND;Andorra
MC 377 8-9 - 9 00 0 - (?:[3489]|[67]\d)\d{7} MCO;Monaco
SM 378 8,10 6 10 00 ([89]\d{5})$ 0549$1 (?:0549|[5-7]\d)\d{6} SMR;San Marino
UA 380 9-10 5-7 9 00 0 - [89]\d{9}|[3-9]\d{8} UKR;Ukraine;Україна
RS 381 6-12 4-5 10 00 0 - 38[02-9]\d{6,9}|6\d{7,9}|90\d{4,8}|38\d{5,6}|(?:7\d\d|800)\d{3,9}|(?:[12]\d|3[0-79])\d{5,10} SRB;Serbia;Србија
ME 382 8-9 6 8 00 0 - (?:20|[3-79]\d)\d{6}|80\d{6,7} MNE;Montenegro;Црна Гора
XK 383 8-12 - 8 00 0 - 2\d{7,8}|3\d{7,11}|(?:4\d\d|[89]00)\d{5} XKK;XKX;Republic of Kosovo;Kosovo;Kosovë;Косово
HR 385 7-9 6 9 00 0 - [2-69]\d{8}|80\d{5,7}|[1-79]\d{7}|6\d{6} HRV;Croatia;Hrvatska
SI 386 5-8 - 8 00|10(?:22|66|88|99) 0 - [1-7]\d{7}|8\d{4,7}|90\d{4,6} SVN;Slovenia;Slovenija
BA 387 8-9 6 9 00 0 - 6\d{8}|(?:[35689]\d|49|70)\d{6} BIH;Bosnia;Bosnia and Herzegovina;Bosna i Hercegovina;Босна и Херцеговина
MK 389 8 6-7 8 00 0 - [2-578]\d{7} MKD;Macedonia;North Macedonia;Republic of Macedonia;FYR Macedonia;FYROM;F.Y.R.O.M. (Macedonia);Former Yugoslav Republic of Macedonia;North Macedonia (Macedonia);Rep. of North Macedonia;The Republic of North Macedonia;Северна Македонија
CZ 420 9-12 - 9 00 - - (?:[2-578]\d|60)\d{7}|9\d{8,11} CZE;Czechia;Czechia (Czech Republic);Czech Republic;Česká republika
SK 421 6-7,9 - 9 00 0 - [2-689]\d{8}|[2-59]\d{6}|[2-5]\d{5} SVK;Slovak Republic;Slovakia;Slovensko
LI 423 7,9 - 9 00 (1001)|0 - [68]\d{8}|(?:[2378]\d|90)\d{5} LIE;Liechtenstein
FK 500 5 - 5 00 - - [2-7]\d{4} FLK;Falkland Islands;Falklands;Malvinas;Falkland Islands (Islas Malvinas);Falkland Islands (Malvinas)
BZ 501 7,11 - 7 00 - - (?:0800\d|[2-8])\d{6} BLZ;Belize
GT 502 8,11 - 8 00 - - 80\d{6}|(?:1\d{3}|[2-7])\d{7} GTM;Guatemala
SV 503 7-8,11 - 8 00 - - [25-7]\d{7}|(?:80\d|900)\d{4}(?:\d{4})? SLV;El Salvador
HN 504 8,11 - 8 00 - - 8\d{10}|[237-9]\d{7} HND;Honduras
NI 505 8 - 8 00 - - (?:1800|[25-8]\d{3})\d{4} NIC;Nicaragua
CR 506 8,10 - 8 00 (19(?:0[0-2468]|1[09]|20|66|77|99)) - (?:8\d|90)\d{8}|(?:[24-8]\d{3}|3005)\d{4} CRI;Costa Rica
PA 507 7-8,10-11 - 8 00 - - (?:00800|8\d{3})\d{6}|[68]\d{7}|[1-57-9]\d{6} PAN;Panamá
PM 508 6,9 - 9 00 0 - [78]\d{8}|[2-9]\d{5} SPM;Saint Pierre and Miquelon;Saint-Pierre-et-Miquelon
HT 509 8 - 8 00 - - [2-589]\d{7} HTI;Haïti
GP 590 9 - 9 00 0 - 7090\d{5}|(?:[56]9|[89]\d)\d{7} GLP;Guadeloupe
BL 590 9 - 9 00 0 - 7090\d{5}|(?:[56]9|[89]\d)\d{7} BLM;Saint Barth;Saint Barts;Saint-Barthélemy
MF 590 9 - 9 00 0 - 7090\d{5}|(?:[56]9|[89]\d)\d{7} MAF;Saint Martin;Saint Martin (France);Saint Martin (French part);French Saint Martin;Saint-Martin (partie française)
BO 591 8-9 7 8 00(?:1\d)? 0(1\d)? - (?:[2-7]\d\d|8001)\d{5} BOL;Plurinational State of Bolivia;Bolivia
GY 592 7 - 7 001 - - (?:[2-8]\d{3}|9008)\d{3} GUY;Guyana
EC 593 8-11 7 9 00 0 - 1\d{9,10}|(?:[2-7]|9\d)\d{7} ECU;Ecuador
GF 594 9 - 9 00 0 - (?:694\d|7093)\d{5}|(?:59|[89]\d)\d{7} GUF;French Guiana;Guyane française
PY 595 6-11 5 9 00 0 - [36-8]\d{5,8}|4\d{6,8}|59\d{6}|9\d{5,10}|(?:2\d|5[0-8])\d{6,7} PRY;Paraguay
MQ 596 9 - 9 00 0 - 7091\d{5}|(?:[56]9|[89]\d)\d{7} MTQ;Martinique
SR 597 6-7 - 7 00 - - (?:[2-5]|[6-9]\d)\d{5} SUR;Suriname;Republiek Suriname
UY 598 4-13 - 8 0(?:0|1[3-9]\d) 0 - 0004\d{2,9}|[1249]\d{7}|2\d{3,4}|(?:[49]\d|80)\d{5} URY;Uruguay
CW 599 7-8 - 8 00 - - (?:[34]1|60|(?:7|9\d)\d)\d{5} CUW;Curaçao
BQ 599 7 - 7 00 - - (?:[34]1|7\d)\d{5} BES;Caribbean Netherlands;Bonaire;Bonaire, Saint Eustatius and Saba;Bonaire, Sint Eustatius and Saba
TL 670 7-8 - 8 00 - - 7\d{7}|(?:[2-47]\d|[89]0)\d{5} TLS;East Timor;East Timor (Timor-Leste);Timor-Leste
NF 672 6 5 6 00 ([0-258]\d{4})$ 3$1 [13]\d{5} NFK;Norfolk Island
BN 673 7 - 7 00 - - [2-578]\d{6} BRN;Brunei;Brunei Darussalam
NR 674 7 - 7 00 - - (?:222|444|(?:55|8\d)\d|666|777|999)\d{4} NRU;Nauru
PG 675 7-8 - 8 00|140[1-3] - - (?:180|[78]\d{3})\d{4}|(?:[2-589]\d|64)\d{5} PNG;Papua New Guinea
TO 676 5,7 - 7 00 - - (?:0800|(?:[5-8]\d\d|999)\d)\d{3}|[2-8]\d{4} TON;Tonga
SB 677 5,7 - 7 0[01] - - [6-9]\d{6}|[1-6]\d{4} SLB;Solomon Islands
VU 678 5,7 - 7 00 - - [57-9]\d{6}|(?:[238]\d|48)\d{3} VUT;Vanuatu
FJ 679 7,11 - 7 0(?:0|52) - - 45\d{5}|(?:0800\d|[235-9])\d{6} FJI;Fiji
PW 680 7 - 7 01[12] - - (?:[24-8]\d\d|345|900)\d{4} PLW;Palau
WF 681 6,9 - 6 00 - - (?:40|72|8\d{4})\d{4}|[89]\d{5} WLF;Wallis and Futuna Islands;Wallis and Futuna;Wallis-et-Futuna
CK 682 5 - 5 00 - - [2-578]\d{4} COK;Cook Islands
NU 683 4,7 - 7 00 - - (?:[4-7]|888\d)\d{3} NIU;Niue
WS 685 5-7,10 - 10 0 - - (?:[2-6]|8\d{5})\d{4}|[78]\d{6}|[68]\d{5} WSM;Western Samoa;Independent State of Samoa;Samoa
KI 686 5,8 - 8 00 0 - (?:[37]\d|6[0-79])\d{6}|(?:[2-48]\d|50)\d{3} KIR;Kiribati
NC 687 6 - 6 00 - - (?:050|[2-57-9]\d\d)\d{3} NCL;New Caledonia;Nouvelle-Calédonie
TV 688 5-7 - 7 00 - - (?:2|7\d\d|90)\d{4} TUV;Tuvalu
PF 689 6,8-9 - 8 00 - - 4\d{5}(?:\d{2})?|8\d{7,8} PYF;French Polynesia;Polynésie française
TK 690 4-7 - 7 00 - - [2-47]\d{3,6} TKL;Tokelau
FM 691 7 - 7 00 - - (?:[39]\d\d|820)\d{4} FSM;Micronesia;Micronesia, Fed. Sts.;Micronesia (Fed. States of);Micronesia, Federated States of
MH 692 7 - 7 011 1 - 329\d{4}|(?:[256]\d|45)\d{5} MHL;Marshall Islands
001 800 8 - 8 - - - (?:00|[1-9]\d)\d{6}
001 808 8 - 8 - - - [1-9]\d{7}
KP 850 8,10 6-7 10 00|99 0 - 85\d{6}|(?:19\d|[2-7])\d{7} PRK;North Korea;DPRK;DPR Korea;Korea (DPRK);Korea DPR;Democratic People's Republic of Korea;Dem. People's Republic of Korea;Korea, Dem. People's Rep.;Korea, Dem. People's Rep. of;Korea, Dem. Rep.;North Korea (DPRK);Korea Democratic People's Republic
HK 852 5-9,11 - 8 00(?:30|5[09]|[126-9]?) - - 8[0-46-9]\d{6,7}|9\d{4,7}|(?:[2-7]|9\d{3})\d{7} HKG;Hong Kong S.A.R.;Hong Kong S.A.R., China;Hong Kong Special Administrative Region;Hong Kong Special Administrative Region China;Hong Kong (Special Administrative Region of China);Hong Kong;China, Hong Kong;Hong Kong SAR, PRC;香港
MO 853 7-8 - 8 00 - - 0800\d{3}|(?:28|[68]\d)\d{6} MAC;Macau;Macao S.A.R.;Macau S.A.R.;Macao SAR China;Macau S.A.R., China;Macao Special Administrative Region;Macao Special Administrative Region China;China, Macao;China, Macau;Macau Special Administrative Region;Macao (Special Administrative Region of China);Macao;澳门
KH 855 8-10 6-7 9 00[14-9] 0 - 1\d{9}|[1-9]\d{7,8} KHM;Cambodia;កម្ពុជា
LA 856 8-10 6 10 00 0 - [23]\d{9}|3\d{8}|(?:[235-8]\d|41)\d{6} LAO;Laos;Lao P.D.R.;Laos People's Democratic Republic;Lao People's Democratic Republic
001 870 9,12 - 12 - - - 7\d{11}|[235-7]\d{8}
001 878 12 - 12 - - - 10\d{10}
BD 880 6-10 - 10 00 0 - [1-469]\d{9}|8[0-79]\d{7,8}|[2-79]\d{8}|[2-9]\d{7}|[3-9]\d{6}|[57-9]\d{5} BGD;Bangladesh;বাংলাদেশ
001 881 9-10 - 10 - - - 6\d{9}|[0-36-9]\d{8}
001 882 7-12 - 12 - - - [13]\d{6}(?:\d{2,5})?|[19]\d{7}|(?:[25]\d\d|4)\d{7}(?:\d{2})?
001 883 8-12 - 9 - - - (?:[1-4]\d|51)\d{6,10}
TW 886 7-11 - 9 0(?:0[25-79]|19) 0 - [2-689]\d{8}|7\d{9,10}|[2-8]\d{7}|2\d{6} TWN;Taiwan;Taiwan, R.O.C.;Chinese Taipei;China (Taiwan);Republic of China;Taiwan, Republic of China;China, Taiwan Province of China;Taiwan, Province of China;China, Taiwan Province;Taiwan Region;中国台湾省
001 888 11 - 11 - - - \d{11}
MV 960 7,10 - 7 0(?:0|19) - - (?:800|9[0-57-9]\d)\d{7}|[34679]\d{6} MDV;Maldives
LB 961 7-8 - 8 00 0 - [27-9]\d{7}|[13-9]\d{6} LBN;Lebanon;لبنان
JO 962 8-9 - 9 00 0 - (?:(?:[2689]|7\d)\d|32|427|53)\d{6} JOR;Jordan;الأردن
SY 963 8-9 6-7 9 00 0 - [1-359]\d{8}|[1-5]\d{7} SYR;Syria;Syrian Arab Republic;سوريا
IQ 964 8-10 6-7 10 00 0 - (?:1|7\d\d)\d{7}|[2-6]\d{7,8} IRQ;Iraq;العراق
KW 965 7-8 - 8 00 - - 18\d{5}|(?:[2569]\d|41)\d{6} KWT;Kuwait;الكويت
SA 966 9-10 7 9 00 0 - (?:[15]\d|800|92)\d{7} SAU;KSA;Kingdom of Saudi Arabia;Saudi Arabia;السعودية
YE 967 7-9 6 9 00 0 - (?:1|7\d)\d{7}|[1-7]\d{6} YEM;Yemen, Rep.;Republic of Yemen;Yemen;اليمن
OM 968 7-9 - 8 00 - - (?:1505|[279]\d{3}|500)\d{4}|800\d{5,6} OMN;Oman;عمان
PS 970 8-10 7 9 00 0 - [2489]2\d{6}|(?:1\d|5)\d{8} PSE;Palestine;Palestinian Territories;State of Palestine;West Bank and Gaza;Palestinian Territory;Occupied Palestinian Territory;Palestinian Authority;Palestinian Territories, Occupied;Gaza Strip;West Bank;West Bank and Gaza Strip;فلسطين
AE 971 5-12 - 9 00 0 - (?:[4-7]\d|9[0-689])\d{7}|800\d{2,9}|[2-4679]\d{7} ARE;UAE;Emirates;United Arab Emirates;الإمارات العربية المتحدة
IL 972 7-12 - 9 0(?:0|1(?:05|[2-9])) 0 - 1\d{6}(?:\d{3,5})?|[57]\d{8}|[1-489]\d{7} ISR;Israel;ישראל
BH 973 8 - 8 00 - - [136-9]\d{7} BHR;Bahrain;البحرين
QA 974 7-9,11 - 8 00 - - 800\d{4}|(?:2|800)\d{6}|(?:0080|[3-7])\d{7} QAT;Qatar;قطر
BT 975 7-8 6 8 00 - - [178]\d{7}|[2-8]\d{6} BTN;Bhutan
MN 976 8-10 4-6 8 001 0 - [12]\d{7,9}|[5-9]\d{7} MNG;Mongolia;Монгол
NP 977 8,10-11 6-7 10 00 0 - (?:1\d|9)\d{9}|[1-9]\d{7} NPL;Nepal
001 979 9 8 9 - - - [1359]\d{8}
TJ 992 9 3,5-7 9 810 - - (?:[0-57-9]\d|66)\d{7} TJK;Tajikistan
TM 993 8 - 8 810 8 - [1-7]\d{7} TKM;Turkmenistan
AZ 994 9 7 9 00 0 - 365\d{6}|(?:[124579]\d|60|88)\d{7} AZE;Azerbaijan;Azərbaycan
GE 995 9 6-7 9 00 0 - (?:[3-57]\d\d|800)\d{6} GEO;Georgia;საქართველო
KG 996 9-10 5-6 9 00 0 - 8\d{9}|[235-9]\d{8} KGZ;Kyrgyz Republic;Kyrgyzstan;Кыргызстан;Киргизия
UZ 998 9 - 9 00 - - (?:20|33|[5-9]\d)\d{7} UZB;Uzbekistan;Oʻzbekiston
`;

/** Calling codes that are ISO 3166-1 numbers of other countries. */
export const ISO_NUMBERS = '212,218,222,226,231-234,238-239,242,246,248,250,254,258,260,262,266,268,352,356,372,376,380,500,504,508,591,598,670,674,678,682,686,688,690,800,850,882';

/** The first three digits of all numbers that people in some country write without + and without a 0 before them, by length. */
export const NATIONAL_WRITINGS: Record<number, string> = {
	6: '100-999',
	7: '100-999',
	8: '131,133,135-136,150-180,192,198-999',
	9: '100-999',
	10: '100-118,120-139,141-575,577-588,591-999',
	11: '119,129-139,145,147,149-153,155-159,161-162,165-167,169-199,219,229,249,279,289,319,329,339,349,359,379,389,419,429,439,449,459,469,479,489,499,519,539,549,559,619,629,639,649,659,669,679,689,699,719,739,749,759,779,799-804,819,829-830,833-836,838-842,847-849,859,869,879-887,889-900,919,929,939,949,959,969,979-980,989,999',
	12: '180',
	13: '186',
};

/**
 * Phone numbers that ring nowhere: 555-0100 to 555-0199 are kept for fiction in every area of the North American plan.
 * The sandbox's magic numbers are in area 202, which is not among these.
 */
const AREAS =
	`201 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252
253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323
325 330 331 334 336 337 339 347 351 352 360 361 385 386 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 423
424 425 430 432 434 435 440 443 469 470 475 478 479`.split(/\s+/);

/**
 * As E.164: 10,000 and more of those, then German mobile numbers, since no plan keeps so many for fiction and a number that cannot
 * be is not asked. They never leave the machine that measures.
 */
const numberAt = (index) => {
	const area = AREAS[Math.floor(index / 100)];
	return area === undefined
		? `+49151${50_000_000 + index}`
		: `+1${area}55501${String(index % 100).padStart(2, '0')}`;
};

/** A list with `distinct` different numbers, those that repeat spread over it. */
const numbers = (items, distinct) =>
	Array.from({ length: items }, (_, index) => numberAt(index % distinct));

module.exports = { AREAS, numberAt, numbers };

import type { Endpoint } from '../endpoint';
import { checkBalance } from './balance';
import { callerIdValidation, check } from './callerId';
import { checkEmail } from './email';
import { checkGeoIp, geoIp } from './geoIp';
import { health } from './health';
import { checkApi, phoneValidation } from './phone';
import { status } from './status';
import { checkWhatsApp } from './whatsApp';

/** Every endpoint of the sandbox. Adding one is a route file and an entry here. */
export const endpoints: Endpoint[] = [
	status,
	checkBalance,
	checkWhatsApp,
	checkApi,
	phoneValidation,
	check,
	callerIdValidation,
	checkEmail,
	checkGeoIp,
	geoIp,
	health,
];

import type { Endpoint } from '../http/endpoint';
import { getAudit, getAuditSummary, runAudit } from './audit';
import { checkBalance } from './balance';
import { pollBatch, submitBatch } from './batch';
import { callerIdValidation, check } from './callerId';
import { checkEmail } from './email';
import { checkGeoIp, geoIp } from './geoIp';
import { health } from './health';
import { checkApi, phoneValidation } from './phone';
import {
	getForumPost,
	getMicroblogComments,
	getMicroblogPost,
	searchForum,
	searchMicroblog,
} from './scraper';
import { sendMessage } from './send';
import { status } from './status';
import { toolServer, toolServerRoot } from './toolServer';
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
	submitBatch,
	pollBatch,
	sendMessage,
	searchForum,
	getForumPost,
	searchMicroblog,
	getMicroblogPost,
	getMicroblogComments,
	runAudit,
	getAudit,
	getAuditSummary,
	toolServer,
	toolServerRoot,
	health,
];

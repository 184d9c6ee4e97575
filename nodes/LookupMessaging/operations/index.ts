import type { AnyOperation } from '../engine/operation';
import { getBalance } from './account/getBalance';
import { getStatus } from './account/getStatus';
import { getAudit } from './audit/get';
import { getAuditSummary } from './audit/getSummary';
import { runAudit } from './audit/run';
import { runAuditAndWait } from './audit/runAndWait';
import { checkManyNumbers } from './batch/checkMany';
import { getBatch } from './batch/get';
import { submitNumbers } from './batch/submit';
import { lookUpCallerId } from './callerId/lookUp';
import { enrichContact } from './contact/enrich';
import { verifyEmail } from './email/verify';
import { locateIp } from './geoIp/locate';
import { validatePhone } from './phone/validate';
import { getForumPost } from './scraper/getForumPost';
import { getMicroblogComments } from './scraper/getMicroblogComments';
import { getMicroblogPost } from './scraper/getMicroblogPost';
import { searchForum } from './scraper/searchForum';
import { searchMicroblog } from './scraper/searchMicroblog';
import { callTool } from './toolServer/callTool';
import { checkHealth } from './toolServer/checkHealth';
import { listTools } from './toolServer/listTools';
import { checkWhatsAppNumber } from './whatsApp/checkNumber';
import { sendWhatsAppMessage } from './whatsApp/sendMessage';

/** A group of operations as the editor lists it. */
export interface Resource {
	value: string;
	name: string;
	description: string;
}

/** Resources in the order of the editor (alphabetical by name). */
export const resources: Resource[] = [
	{ value: 'account', name: 'Account', description: 'Credits left and service status' },
	{ value: 'audit', name: 'Audit', description: 'How AI platforms speak of a brand' },
	{ value: 'batch', name: 'Batch', description: 'Many numbers on WhatsApp at once' },
	{ value: 'callerId', name: 'Caller ID', description: 'The name behind a phone number' },
	{
		value: 'contact',
		name: 'Contact',
		description: 'All that the service knows of a contact, in one step',
	},
	{ value: 'email', name: 'Email', description: 'Whether a mailbox exists' },
	{ value: 'geoIp', name: 'GeoIP', description: 'Where an IP address is' },
	{ value: 'phone', name: 'Phone', description: 'Whether a phone number is real' },
	{ value: 'scraper', name: 'Scraper', description: 'Posts and comments of two platforms' },
	{ value: 'toolServer', name: 'Tool Server', description: 'Tools of the remote MCP server' },
	{ value: 'whatsApp', name: 'WhatsApp', description: 'Checks of numbers, and messages to them' },
];

/** THE CATALOG: every operation of the node, by resource and name. */
export const operations: AnyOperation[] = [
	getBalance,
	getStatus,
	runAudit,
	runAuditAndWait,
	getAudit,
	getAuditSummary,
	checkManyNumbers,
	getBatch,
	submitNumbers,
	lookUpCallerId,
	enrichContact,
	verifyEmail,
	locateIp,
	validatePhone,
	searchForum,
	getForumPost,
	searchMicroblog,
	getMicroblogPost,
	getMicroblogComments,
	callTool,
	checkHealth,
	listTools,
	checkWhatsAppNumber,
	sendWhatsAppMessage,
];

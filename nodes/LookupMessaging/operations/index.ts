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

/** Resources in the order in which people need them: n8n lists the actions of a node in the order of its options. */
export const resources: Resource[] = [
	{
		value: 'contact',
		name: 'Contact',
		description: 'Look up the phone, WhatsApp, email and IP address of a contact in one step',
	},
	{ value: 'phone', name: 'Phone', description: 'Check whether a phone number is valid' },
	{
		value: 'whatsApp',
		name: 'WhatsApp',
		description: 'Check whether a number is on WhatsApp, or send it a message',
	},
	{ value: 'email', name: 'Email', description: 'Check whether a mailbox exists' },
	{
		value: 'callerId',
		name: 'Caller ID',
		description: 'Find the name registered to a phone number',
	},
	{ value: 'geoIp', name: 'GeoIP', description: 'Find out where an IP address is' },
	{
		value: 'batch',
		name: 'Batch',
		description: 'Check up to 1,000 numbers on WhatsApp in one call',
	},
	{
		value: 'audit',
		name: 'Audit',
		description: 'Find out how AI platforms describe a brand',
	},
	{
		value: 'scraper',
		name: 'Scraper',
		description: 'Search and read posts on a forum and a microblogging platform',
	},
	{
		value: 'account',
		name: 'Account',
		description: 'See how many credits are left, and whether the service is up',
	},
	{
		value: 'toolServer',
		name: 'Tool Server',
		description: 'Use the tools of the remote tool server (MCP)',
	},
];

/** The catalog: every operation of the node, by resource, in the order in which people need them. */
export const operations: AnyOperation[] = [
	enrichContact,
	validatePhone,
	checkWhatsAppNumber,
	sendWhatsAppMessage,
	verifyEmail,
	lookUpCallerId,
	locateIp,
	checkManyNumbers,
	submitNumbers,
	getBatch,
	runAudit,
	runAuditAndWait,
	getAudit,
	getAuditSummary,
	searchForum,
	getForumPost,
	searchMicroblog,
	getMicroblogPost,
	getMicroblogComments,
	getBalance,
	getStatus,
	callTool,
	listTools,
	checkHealth,
];

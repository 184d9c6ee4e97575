import { auditTools } from './audit';
import { lookupTools } from './lookups';
import { scraperTools } from './scraper';
import type { Tool } from './tool';
import { whatsAppTools } from './whatsApp';

/** The 19 tools (SPEC §4.3). */
export const tools: Tool[] = [...lookupTools, ...whatsAppTools, ...scraperTools, ...auditTools];

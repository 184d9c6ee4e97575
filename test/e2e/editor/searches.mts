/** What people type into n8n's node panel when they look for what this package does. Each finds the node, among the first. */
export const SEARCHES = [
	...['number', 'phone', 'phone lookup', 'lookup phone', 'number lookup', 'lookup'],
	...['validate phone', 'validate phone number', 'phone number validation', 'hlr', 'carrier'],
	...['line type', 'caller name', 'caller id', 'cnam', 'reverse phone'],
	...['whatsapp', 'whatsapp check', 'check whatsapp', 'whatsapp number', 'bulk whatsapp'],
	...['check whatsapp number', 'send whatsapp message', 'bulk', 'batch', 'submit batch'],
	...['verify email', 'verify email address', 'validate email address', 'email verification'],
	...['email validation', 'check email', 'disposable', 'ip lookup', 'geoip', 'geolocation'],
	...['ip location', 'enrich', 'enrichment', 'enrich contact', 'lead', 'lead enrichment'],
	...['contact enrichment', 'reddit', 'reddit search', 'twitter', 'social listening'],
	...['brand audit', 'run audit', 'mcp tools', 'check balance'],
];

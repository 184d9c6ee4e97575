/** What people type into n8n's node panel when they look for what this package does. Each finds the node, among the first. */
export const SEARCHES = [
	...['phone lookup', 'validate phone number', 'carrier', 'line type', 'caller name', 'cnam'],
	...['check whatsapp number', 'send whatsapp message', 'bulk', 'email verification', 'disposable'],
	...['ip lookup', 'geolocation', 'lead enrichment', 'reddit', 'social listening', 'brand audit'],
	...['mcp tools', 'check balance'],
];

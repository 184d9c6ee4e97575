/** Whether an output item of any contestant holds the service's answer: the raw body's field, or this package's. */
export const isAnswered = (json: Record<string, unknown>): boolean =>
	[json.whatsapp, json.onWhatsApp, json.sent].some((value) => typeof value === 'boolean');

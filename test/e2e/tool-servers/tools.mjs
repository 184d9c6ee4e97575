import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** One pixel of PNG. */
export const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
/** What is wrong with the tool that fails. */
export const FAULT = 'The printer is out of paper';
/** Length of the slow tool, in steps and in milliseconds per step. */
export const STEPS = 4;
const STEP_MS = 500;

/** How often each name was counted, by all sessions of this server together. */
const counted = new Map();

/** Counts a name. @returns how often it was counted before, and this time */
export function count(name) {
	const times = (counted.get(name) ?? 0) + 1;
	counted.set(name, times);
	return { name, times };
}

const text = (words) => ({ type: 'text', text: words });

/** What the tools return, for every server whose framework takes results of the protocol. */
export const RESULTS = {
	echo: ({ text: words }) => ({ content: [text(words)] }),
	weather: ({ city }) => {
		const structuredContent = { city, degrees: [18, 21.5], sky: null, wind: { knots: 12 } };
		return { content: [text(JSON.stringify(structuredContent))], structuredContent };
	},
	count: ({ name }) => {
		const structuredContent = count(name);
		return { content: [text(JSON.stringify(structuredContent))], structuredContent };
	},
	picture: () => ({
		content: [text('One pixel'), { type: 'image', data: PIXEL, mimeType: 'image/png' }],
	}),
	report: () => ({
		content: [
			{
				type: 'resource',
				resource: {
					uri: 'file:///reports/prices.bin',
					mimeType: 'application/octet-stream',
					blob: Buffer.from('prices').toString('base64'),
				},
			},
			{ type: 'resource_link', uri: 'https://example.com/report.pdf', name: 'Report' },
		],
	}),
};

const WEATHER = {
	city: z.string(),
	degrees: z.array(z.number()),
	sky: z.string().nullable(),
	wind: z.object({ knots: z.number() }),
};

/** The same tools for every server, as the official SDK's `registerTool` takes them. */
export const TOOLS = {
	echo: { title: 'Echo', description: 'Says it again', inputSchema: { text: z.string() } },
	weather: {
		description: 'Weather of a city, with a schema of the answer',
		inputSchema: { city: z.string() },
		outputSchema: WEATHER,
	},
	count: {
		description: 'Counts how often it was called with a name',
		inputSchema: { name: z.string() },
		outputSchema: { name: z.string(), times: z.number() },
	},
	picture: { description: 'A picture of one pixel', inputSchema: {} },
	report: { description: 'A file, and a link to another', inputSchema: {} },
	broken: { description: 'Fails', inputSchema: {} },
	slow: { description: 'Takes its time and says how far it is', inputSchema: {} },
};

/** Takes two seconds. @param {(progress: number) => Promise<void>} report called after each step */
export async function takeTime(report) {
	for (let step = 1; step <= STEPS; step += 1) {
		await sleep(STEP_MS);
		await report(step);
	}
	return { content: [text('Done')] };
}

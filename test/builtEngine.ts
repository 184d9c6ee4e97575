/** Files of the built engine, below the project, for what runs the built node and looks into it. */
export const BUILT = {
	fairQueue: 'dist/nodes/LookupMessaging/engine/pacing/fairQueue.js',
	requestRate: 'dist/nodes/LookupMessaging/engine/pacing/requestRate.js',
	transport: 'dist/nodes/LookupMessaging/engine/network/transport.js',
};

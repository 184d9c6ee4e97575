/** Preload this to run n8n 1.x: it maps n8n's own packages to their 1.x releases, as jest.config.js does. */
const Module = require('node:module');

const ON_1X = { 'n8n-core': 'n8n-core-1x', 'n8n-workflow': 'n8n-workflow-1x' };
const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
	return resolve.call(this, ON_1X[request] ?? request, ...rest);
};

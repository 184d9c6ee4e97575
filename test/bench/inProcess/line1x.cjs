/** Preloaded for the 1.x line: its releases of n8n's packages stand in for those of 2.x, as in jest.config.js. */
const Module = require('node:module');

const ON_1X = { 'n8n-core': 'n8n-core-1x', 'n8n-workflow': 'n8n-workflow-1x' };
const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
	return resolve.call(this, ON_1X[request] ?? request, ...rest);
};

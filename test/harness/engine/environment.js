const { AsyncLocalStorage } = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** By folder of a bundle. Jest keeps this module for as long as the worker lives: the engine is compiled once in it. */
const compiled = new Map();

function compile(folder, names) {
	const text = readFileSync(join(folder, 'engine.js.txt'), 'utf8');
	// A name without a file: Jest looks for a source map in the file of each line of a stack trace, each time
	const head = `(function (${names}) { return function (module, exports, require, __filename, __dirname) {`;
	return new Script(`${head}${text}\n}})`, { filename: join(folder, 'n8n.js') });
}

/**
 * Node 20 calls every storage that was ever used at each promise, for as long as the process lives. Each engine uses some, so that a
 * worker would become slower with each test file, and would keep the memory of all.
 */
const usedStorages = new Set();
for (const name of ['run', 'enterWith']) {
	const original = AsyncLocalStorage.prototype[name];
	AsyncLocalStorage.prototype[name] = function (...args) {
		usedStorages.add(this);
		return original.apply(this, args);
	};
}

/** Node's environment, in which the engine's bundle (`bundle.js`) runs anew for each test file, in that file's realm, with globals as variables. */
module.exports = class extends TestEnvironment {
	constructor(...options) {
		super(...options);
		const names = `${options[0].projectConfig.sandboxInjectedGlobals},Buffer,Function,Set,URL,process`;
		this.global[Symbol.for('n8n-engine')] = (folder) => {
			if (!compiled.has(folder)) compiled.set(folder, compile(folder, names));
			const values = names.split(',').map((name) => this.global[name]);
			return compiled.get(folder).runInContext(this.getVmContext())(...values);
		};
	}

	async teardown() {
		for (const storage of usedStorages) storage.disable();
		usedStorages.clear();
		await super.teardown();
	}
};

/** Runs before each test file, to keep n8n-core from touching the home folder and from keeping Jest alive. */
const { mkdirSync, rmSync } = require('node:fs');
const { EventEmitter } = require('node:events');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// n8n-core writes its encryption key under N8N_USER_FOLDER on first use. One folder per Jest worker, so that
// no two processes write the same file.
const userFolder = join(tmpdir(), `n8n-nodes-lookup-messaging-jest-${process.pid}`);
mkdirSync(userFolder, { recursive: true });

// Gone when the worker ends. The `process` of a test file is a copy that never emits `exit`; Node's own modules come
// from outside, where the real one is. Its mark keeps the worker's second test file from asking again.
const realProcess = EventEmitter.constructor('return process')();
const mark = Symbol.for(userFolder);
if (!realProcess[mark]) {
	realProcess[mark] = true;
	realProcess.once('exit', () => rmSync(userFolder, { recursive: true, force: true }));
}

process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'test-key';
process.env.N8N_LOG_LEVEL = 'silent';

// n8n-core's SSHClientsManager starts an interval in every ExecuteContext; a referenced one would keep Jest from exiting.
const startInterval = global.setInterval;
global.setInterval = (...args) => {
	const timer = startInterval(...args);
	timer.unref?.(); // absent on the numbers that fake timers return
	return timer;
};
// Node reads the stack of each socket that breaks and of each request that is cancelled. Jest's 100 lines and its look into
// the source maps cost more than they say there, where no line is of a file that has been compiled.
const everyRealm = [Error, EventEmitter.constructor('return Error')()];
for (const realm of everyRealm) {
	realm.stackTraceLimit = 10;
	const { prepareStackTrace } = realm;
	if (!prepareStackTrace || prepareStackTrace[mark]) continue;
	realm.prepareStackTrace = (error, frames) =>
		frames.some((frame) => frame.getFileName()?.endsWith('ts'))
			? prepareStackTrace(error, frames)
			: [error, ...frames].join('\n    at ');
	realm.prepareStackTrace[mark] = true;
}

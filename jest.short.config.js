const { availableParallelism } = require('node:os');
const everything = require('./jest.config');

/** Where the two releases differ most: how a package is loaded, a run started, a credential tested. */
const ON_1X = 'integration/(start|credentialTest)\\.test';

/** `npm test`: all of `unit` and n8n 2.x, and these files on n8n 1.x. `npm run test:hostile` runs all of 1.x. */
module.exports = {
	...everything,
	// Some tests wait for timers: three workers for two cores take a tenth less time than two
	maxWorkers: Math.ceil(availableParallelism() * 1.5),
	projects: everything.projects.map((project) =>
		project.displayName === 'n8n-1x'
			? { ...project, testPathIgnorePatterns: [`/test/(?!${ON_1X})`] }
			: project,
	),
};

const everything = require('./jest.config');

/** Where the two releases differ most: how a package is loaded, a run started and put to wait, a credential tested. */
const ON_1X = 'integration/(batch|harness|start|credentialTest)\\.test';

/** `npm test`: all projects, but of n8n 1.x these files. `npm run test:hostile` runs the others on it. */
module.exports = {
	...everything,
	projects: everything.projects.map((project) =>
		project.displayName === 'n8n-1x'
			? { ...project, testPathIgnorePatterns: [`/test/(?!${ON_1X})`] }
			: project,
	),
};

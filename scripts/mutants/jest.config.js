const { join } = require('node:path');
const config = require('../../jest.config');

/** The project's own tests, each file run by `runner.js` for one mutant at a time. */
const rootDir = join(__dirname, '../..');

module.exports = {
	...config,
	rootDir,
	projects: config.projects.map((project) => ({
		...project,
		rootDir,
		runner: join(__dirname, 'runner.js'),
		testEnvironment: join(__dirname, 'environment.js'),
	})),
};

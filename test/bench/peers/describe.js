/** What every node of the benchmark says of itself. */
module.exports = (name, more) => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: 'A node of the benchmark',
	defaults: { name },
	inputs: ['main'],
	outputs: ['main'],
	properties: [],
	...more,
});

/**
 * The client that the conformance suite runs: it asks the test for runs of the node against the suite's server, and ends
 * when they have.
 *
 *     node askTheNode.mjs URL_OF_THE_TEST URL_OF_THE_SERVER
 */
const [, , test, server] = process.argv;
const response = await fetch(test, { method: 'POST', body: server });
console.log(await response.text());
process.exitCode = response.ok ? 0 : 1;

// n8n itself loads the files named under "n8n" in package.json; this entry is for `require()` by name.
const { LookupMessagingApi } = require('./dist/credentials/LookupMessagingApi.credentials.js');
const { LookupMessaging } = require('./dist/nodes/LookupMessaging/LookupMessaging.node.js');
const {
	LookupMessagingTrigger,
} = require('./dist/nodes/LookupMessagingTrigger/LookupMessagingTrigger.node.js');

module.exports = { LookupMessaging, LookupMessagingApi, LookupMessagingTrigger };

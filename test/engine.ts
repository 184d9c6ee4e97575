/** The one place in these tests that knows in which file of the engine or of a feature a thing is. */
export * from '../nodes/LookupMessaging/engine/billing/estimate';
export * from '../nodes/LookupMessaging/engine/billing/ledger';
export * from '../nodes/LookupMessaging/engine/client';
export * from '../nodes/LookupMessaging/engine/clock';
export * from '../nodes/LookupMessaging/engine/operation';
export * from '../nodes/LookupMessaging/engine/feature';
export * from '../nodes/LookupMessaging/engine/gate';
export * from '../nodes/LookupMessaging/engine/memory/answerStore';
export * from '../nodes/LookupMessaging/engine/memory/boundedCache';
export * from '../nodes/LookupMessaging/engine/memory/journal';
export * from '../nodes/LookupMessaging/engine/network/circuitBreakers';
export * from '../nodes/LookupMessaging/engine/network/credential';
export * from '../nodes/LookupMessaging/engine/network/layers';
export * from '../nodes/LookupMessaging/engine/network/networks';
export * from '../nodes/LookupMessaging/engine/network/parseReply';
export * from '../nodes/LookupMessaging/engine/network/reply';
export * from '../nodes/LookupMessaging/engine/network/transport';
export * from '../nodes/LookupMessaging/engine/output/errors';
export * from '../nodes/LookupMessaging/engine/output/items';
export * from '../nodes/LookupMessaging/engine/output/report';
export * from '../nodes/LookupMessaging/engine/output/resultFields';
export * from '../nodes/LookupMessaging/engine/pacing/fairQueue';
export * from '../nodes/LookupMessaging/engine/pacing/limiter';
export * from '../nodes/LookupMessaging/engine/pacing/requestRate';
export * from '../nodes/LookupMessaging/engine/perform/perform';
export * from '../nodes/LookupMessaging/engine/perform/tasks';
export * from '../nodes/LookupMessaging/engine/plan/inputFiles';
export * from '../nodes/LookupMessaging/engine/plan/parameters';
export * from '../nodes/LookupMessaging/engine/plan/plan';
export * from '../nodes/LookupMessaging/engine/plan/settings';
export * from '../nodes/LookupMessaging/engine/plan/values';
export * from '../nodes/LookupMessaging/engine/redaction/redactor';
export {
	isAboutCredits,
	isGone,
	refused,
	refuses,
	scopeOf,
	withoutAsked,
} from '../nodes/LookupMessaging/engine/refusals/refusal';
export * from '../nodes/LookupMessaging/engine/results';
export {
	Charges,
	LOST_MS,
	MAX_BETWEEN_LOOKS,
	MAX_LAG_MS,
	SharedAccount,
	sharedAccountOf,
	type CallCost,
	type Spender,
} from '../nodes/LookupMessaging/features/accountBalance/sharedAccount';
export * from '../nodes/LookupMessaging/features/accountBalance';
export * from '../nodes/LookupMessaging/features/accountBalance/proof';
export * from '../nodes/LookupMessaging/features/accountBalance/runAccount';
export * from '../nodes/LookupMessaging/features/accountBalance/floors';
export * from '../nodes/LookupMessaging/features/costLog';
export * from '../nodes/LookupMessaging/features/emptyFields';
export * from '../nodes/LookupMessaging/features/flatColumns';
export { featuresOf } from '../nodes/LookupMessaging/features';
export * from '../nodes/LookupMessaging/features/paidLookupsPerDay';
export * from '../nodes/LookupMessaging/features/recheckInconclusive';
export * from '../nodes/LookupMessaging/features/skipCatchAll';
export * from '../nodes/LookupMessaging/features/storedResults/storedResults';
export * from '../nodes/LookupMessaging/features/storedResults';
export * from '../nodes/LookupMessaging/features/storedResults/rows';
export { readText } from '../nodes/LookupMessaging/operations/shared/readText';

export { inOneGo } from '../../../nodes/LookupMessaging/engine/plan/values';

export { inOneGo } from '../../../nodes/LookupMessaging/engine/redaction/slices';

/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Lets all work go on that waits for no timer and no I/O. */
export const otherWork = async () => await new Promise((resolve) => setImmediate(resolve));

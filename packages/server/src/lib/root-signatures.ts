// What is known of the signatures of the public DNS root, in seconds.

/** 2024-07-18, when the newest root key that we know became valid. No clock before it is right. */
export const EARLIEST_S = 1_721_260_800;
/** The newest signature is never older: the root is signed twice a day, and caches keep its SOA record for a day. */
export const OLD_S = 5 * 86_400;

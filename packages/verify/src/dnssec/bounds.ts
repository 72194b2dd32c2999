// How much a chain may be, and how far clocks may differ: the same for who verifies one and who builds one.

export const maxChainOctets = 0xffff;
/** As they come: a record that is there twice counts twice. */
export const maxRecords = 128;
/** RRSIG records, each counted once. */
export const maxSignatures = 24;
/** Checks of a signature by a key: key tags collide as their maker likes, and each try counts (KeyTrap). */
export const maxSignatureChecks = 24;
export const maxKeysOfZone = 12;
export const maxAliases = 8;
/** Seconds that a signature may still come or have gone. */
export const allowedSkew = 300;

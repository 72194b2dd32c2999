// Limits of a chain, and the allowed clock skew, for code that verifies or builds chains.

export const maxChainOctets = 0xffff;
/** Duplicate records count. */
export const maxRecords = 128;
/** RRSIG records; duplicates do not count. */
export const maxSignatures = 24;
/** Includes failed checks: an attacker can make key tags collide (KeyTrap, CVE-2023-50387). */
export const maxSignatureChecks = 24;
export const maxKeysOfZone = 12;
export const maxAliases = 8;
/** Seconds of clock skew allowed before a signature's inception and after its expiration. */
export const allowedSkew = 300;

// Lifetimes that more than one room has to agree on.

/** Seconds that an access token is valid. */
export const ACCESS_TOKEN_LIFETIME = 3600;
/** Seconds for which a domain that was seen signed must go on being signed. */
export const SECURE_REMEMBERED = 30 * 86_400;

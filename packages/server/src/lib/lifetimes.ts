// Lifetimes that more than one room has to agree on.

/** Seconds that an access token is valid. */
export const ACCESS_TOKEN_LIFETIME = 3600;

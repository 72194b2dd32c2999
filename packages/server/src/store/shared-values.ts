// Values in rows, and ages of rows, that other rooms have to know.

/** Stands for this service where an account names its SP: the issuer is one for the whole database. */
export const OWN_SP = "";

export const ACCESS_TOKEN_LIFETIME_S = 3600;
/** A domain that was seen signed must go on being signed for so long. */
export const SECURE_REMEMBERED_S = 30 * 86_400;

// What stands for this service where an account names its service provider.

/** Our issuer is one for the whole database, and is written into none of its rows. */
export const OWN_SP = "";

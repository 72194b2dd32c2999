// Values and lifetimes that the store shares with other folders.

/** The `sp` of accounts of this service. */
export const OWN_SP = "";

export const ACCESS_TOKEN_LIFETIME_S = 3600;
/** After a domain was validated with DNSSEC, it must stay signed for this long. */
export const SECURE_REMEMBERED_S = 30 * 86_400;

/** How many accounts the names of one owner may have, unless configured. */
export const ACCOUNTS_PER_DOMAIN = 1000;

/** How long the history of an account is kept, unless configured. */
export const HISTORY_DAYS = 90;

/** Between the lookup that puts an account to sleep and the one that confirms it. */
export const LOST_CONFIRMED_AFTER_S = 86_400;
/** Between two looks of the account walk at a record. Below seven days, so that every record is checked weekly. */
export const WALK_INTERVAL_S = 6 * 86_400;

export const CODE_LIFETIME_S = 600;
/** For libraries that ask for `validation_data` after the exchange. */
export const EVIDENCE_AFTER_CODE_S = 900;

/** How long the interaction that finished a set-up can get its result and its recovery codes again. */
export const FINISHED_AGAIN_S = 86_400;

/** How long after an authentication the account knows the browser: as long as browsers keep a cookie. */
export const BROWSER_KNOWN_S = 400 * 86_400;
/** How long a replaced secret is accepted: for requests on their way, and for other tabs. */
export const REPLACED_ACCEPTED_S = 60;

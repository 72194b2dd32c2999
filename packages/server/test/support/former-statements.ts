// The statements by which the previous version writes a sign-in, as they were: its nodes run next to those of this one.

import { NOW, someId } from "./store-rows.ts";

export const FORMER = {
  BEGIN: `
  INSERT INTO interactions (id, browser_hash, client_id, query, domain, method, acct, challenge,
    external, grant_id, created_at, expires_at, account_id, auth_time, amr, control_checked_at, sid,
    news_from, made_ran)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, (SELECT ran_s FROM time_floor WHERE id = 1))`,
  /** Without the session of the browser and the recovery code, which are other tables: `?11` and `?12` were `?16` and `?18`. */
  AUTHENTICATE: `
  UPDATE interactions SET account_id = ?1, auth_time = ?2, amr = ?3, control_checked_at = ?4,
    proofs = ?5, sid = ?6, codes_offered_from = ?9, news_from = NULL, used_code = NULL, recovery = ?11
  WHERE id = ?7 AND method = ?12 AND account_id IS NULL AND expires_at > ?8
    AND (CAST(?10 AS TEXT) IS NULL OR (passkey_statement = ?10 AND passkey_expires_at > ?8))
  RETURNING *`,
  CHANGE_EXTERNAL: `
  UPDATE interactions SET external = ?1
  WHERE id = ?2 AND method = 'external' AND external IS NOT DISTINCT FROM ?3
    AND account_id IS NULL AND expires_at > ?4 RETURNING *`,
  SWITCH_TO_SET_UP: `
  UPDATE interactions SET method = 'dns-setup', acct = NULL, challenge = NULL, external = NULL,
    recovery_hash = NULL, passkey_statement = NULL, passkey_expires_at = NULL
  WHERE id = ?1 AND account_id IS NULL AND expires_at > ?2 RETURNING *`,
  ASK_FOR_PASSKEY: `
  UPDATE interactions SET acct = ?1
  WHERE id = ?2 AND method = 'dns-setup' AND account_id IS NULL AND expires_at > ?3 RETURNING *`,
  SAVE_CODES: `
  UPDATE interactions SET codes_saved_at = ?1
  WHERE id = ?2 AND (method = 'dns-setup' OR codes_offered_from IS NOT NULL)
    AND account_id IS NOT NULL AND codes_saved_at IS NULL
  RETURNING *`,
  PASS_NEWS: `
  UPDATE interactions SET news_from = NULL
  WHERE id = ?1 AND news_from IS NOT NULL AND account_id IS NOT NULL RETURNING *`,
  OFFER_STATEMENT: `
  UPDATE interactions SET passkey_statement = ?1, passkey_expires_at = ?2
  WHERE id = ?3 AND method IN ('passkey', 'dns-setup') AND acct IS NOT NULL AND passkey_statement IS NOT DISTINCT FROM ?4
    AND account_id IS NULL AND expires_at > ?5 RETURNING *`,
  SWITCH_TO_CHALLENGE: `
  UPDATE interactions SET method = 'dns-challenge', challenge = ?1, expires_at = ?4,
    passkey_statement = NULL, passkey_expires_at = NULL
  WHERE id = ?2 AND method = 'passkey' AND account_id IS NULL AND expires_at > ?3 RETURNING *`,
  SWITCH_TO_CONFIRMATION: `
  UPDATE interactions SET method = 'dns-challenge', challenge = ?1, expires_at = ?2,
    passkey_statement = ?3, passkey_expires_at = ?2
  WHERE id = ?4 AND method = 'passkey' AND account_id IS NULL AND expires_at > ?6
    AND passkey_statement = ?5 AND passkey_expires_at > ?6 RETURNING *`,
  KEEP_RECOVERY_CODE: `
  UPDATE interactions SET recovery_hash = ?1
  WHERE id = ?2 AND method IN ('dns-challenge', 'dns-setup') AND account_id IS NULL AND expires_at > ?3
  RETURNING *`,
  DECIDE: `
  UPDATE interactions SET decision = ?1
  WHERE id = ?2 AND decision IS NULL AND account_id IS NOT NULL AND expires_at > ?3 RETURNING *`,
  ANSWER_RECOVERY: `
  UPDATE interactions SET recovery = ?1
  WHERE id = ?2 AND recovery IN ('asked', 'added') AND recovery <> ?1 AND expires_at > ?3 RETURNING *`,
} as const;

const END = NOW + 1800;
const DAY_END = NOW + 86_400;

type Value = string | number | null;
export type FormerStatement = readonly [keyof typeof FORMER, ...Value[]];

/** The statements with their values, for the interaction `id`. */
export const formerStatements = (id: string) => ({
  begin: (method: string, more: { acct?: string; challenge?: string; external?: string } = {}) => {
    const { acct = null, challenge = null, external = null } = more;
    const head = [id, "browser", "app", "query", "alice.test", method, acct, challenge, external];
    return ["BEGIN", ...head, someId(), NOW, END, null, null, null, null, null, null] as const;
  },
  beginAuthenticated: (method: string, newsFrom: number | null = null) => {
    const head = [id, "browser", "app", "query", "alice.test", method, "acct", null, null];
    const by = ["sub", NOW, "dns", NOW, "sid", newsFrom];
    return ["BEGIN", ...head, someId(), NOW, END, ...by] as const;
  },
  authenticate: (
    method: string,
    more: { statement?: string | undefined; offered?: string; recovery?: string } = {},
  ) => {
    const { statement = null, offered = null, recovery = null } = more;
    const by = ["sub", NOW, "dns", NOW, '{"owner_proof":{}}', "sid", id, NOW];
    return ["AUTHENTICATE", ...by, offered, statement, recovery, method] as const;
  },
  changeExternal: (from: string, to: string) => ["CHANGE_EXTERNAL", to, id, from, NOW] as const,
  switchToSetUp: ["SWITCH_TO_SET_UP", id, NOW] as const,
  askForPasskey: ["ASK_FOR_PASSKEY", "acct", id, NOW] as const,
  saveCodes: ["SAVE_CODES", NOW, id] as const,
  passNews: ["PASS_NEWS", id] as const,
  offer: (from: string | null, to: string) =>
    ["OFFER_STATEMENT", to, NOW + 300, id, from, NOW] as const,
  switchToChallenge: ["SWITCH_TO_CHALLENGE", "chal", id, NOW, DAY_END] as const,
  switchToConfirmation: (statement: string) =>
    ["SWITCH_TO_CONFIRMATION", "chal", DAY_END, "to be confirmed: ID", id, statement, NOW] as const,
  keepCode: ["KEEP_RECOVERY_CODE", "hash", id, NOW] as const,
  decide: ["DECIDE", "allow", id, NOW] as const,
  answerRecovery: (answer: "added" | "done") => ["ANSWER_RECOVERY", answer, id, NOW] as const,
});

export type Former = ReturnType<typeof formerStatements>;

// Passkeys: the WebAuthn credentials of accounts.

import type { JoinedWrite } from "../database/engine.ts";
import { type Sql, toRecord, writeWhen } from "../database/rows.ts";
import { ACCOUNT_COLUMNS, ACCOUNT_IS_LIVE, type Account } from "./accounts.ts";
import { ending } from "./ending.ts";
import { joinRemembered, REMEMBERED_COLUMNS, rememberedIn } from "./remembered.ts";
import { NOTE_REMOVED } from "./removed-passkeys.ts";

export interface PasskeyOfAccount {
  /** base64url, as the authenticator chose it. */
  readonly credentialId: string;
  readonly accountId: string;
}

export interface MadePasskey {
  readonly credentialId: string;
  /** COSE_Key in base64url. */
  readonly publicKey: string;
  /** RFC 7638 thumbprint of the public key, as in `jkt` of a record. */
  readonly thumbprint: string;
  /** The signature counter of the last use. Synced passkeys always send 0. */
  readonly counter: number;
  /** 1 if the passkey was backed up at its last use, for example by a password manager; otherwise 0. */
  readonly backedUp: 0 | 1;
}

export interface Passkey extends MadePasskey, PasskeyOfAccount {
  /** `user.id` of the registration, in base64url. Contains nothing about the account. */
  readonly userHandle: string;
  /** Chosen by the owner. */
  readonly name: string;
  /** Epoch seconds. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** 1 if a backup was restored since it was added, and the zone has not confirmed it; otherwise 0. It may have been removed. */
  readonly unconfirmed: 0 | 1;
}

/** What a verified assertion says, and when it was made. */
export interface PasskeyUse extends PasskeyOfAccount {
  readonly counter: number;
  readonly backedUp: 0 | 1;
  readonly now: number;
}

export type NewPasskey = Omit<Passkey, "lastUsedAt" | "unconfirmed">;

const IS_UNCONFIRMED = `EXISTS (
  SELECT 1 FROM installation WHERE passkeys.created_at <= installation.restored_at
    AND COALESCE(passkeys.confirmed_at, 0) <= installation.restored_at)`;
const UNCONFIRMED = `CASE WHEN ${IS_UNCONFIRMED} THEN 1 ELSE 0 END`;

/** In the order of `passkeyValues`. */
const INSERTED =
  "credential_id, account_id, user_handle, public_key, thumbprint, counter, backed_up, name, created_at";
const STORED = `${INSERTED}, last_used_at`;
const COLUMNS = `${STORED.replace(/\w+/g, "passkeys.$&")}, ${UNCONFIRMED} AS unconfirmed`;

/** For a join: read with the prefix `passkey__`. */
export const PASSKEY_COLUMNS = `${STORED.replace(
  /\w+/g,
  "passkeys.$& AS passkey__$&",
)}, ${UNCONFIRMED} AS passkey__unconfirmed`;

/** For the account of a set-up, which does not exist yet. */
export const KEEP_PASSKEY = `
  INSERT INTO passkeys (${INSERTED}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
  ON CONFLICT (credential_id) DO NOTHING`;

/** More than anybody needs; a page and the options of an authenticator list all of them. */
export const PASSKEYS_OF_ACCOUNT = 50;

const hasRoom = (account: string) =>
  `(SELECT count(*) FROM passkeys AS own WHERE own.account_id = ${account}) < ${PASSKEYS_OF_ACCOUNT}`;
const IS_FULL = `SELECT 1 AS is_full WHERE NOT ${hasRoom("?1")}`;

const ADD = `
  INSERT INTO passkeys (${INSERTED}, added_in)
  SELECT ?1, accounts.id, ?3, ?4, ?5, CAST(?6 AS BIGINT), CAST(?7 AS BIGINT), ?8, CAST(?9 AS BIGINT),
    CAST(?10 AS TEXT)
  FROM accounts WHERE accounts.id = ?2 AND ${ACCOUNT_IS_LIVE} AND ${hasRoom("?2")}
  ON CONFLICT DO NOTHING RETURNING credential_id`;

const ADDED_IN = `SELECT ${COLUMNS} FROM passkeys WHERE added_in = ?1`;

const FIND = `SELECT ${COLUMNS} FROM passkeys WHERE credential_id = ?1`;

const FIND_WITH_ACCOUNT = `
  SELECT ${COLUMNS}, ${ACCOUNT_COLUMNS}, ${REMEMBERED_COLUMNS},
    (SELECT count(*) FROM sessions WHERE started_by = ?3)
      + (SELECT count(*) FROM attempts WHERE name = ?4 AND expires_at > ?2) AS challenge__uses
  FROM passkeys JOIN accounts ON accounts.id = passkeys.account_id
  ${joinRemembered("accounts.domain", "?2")}
  WHERE passkeys.credential_id = ?1 AND accounts.ended_at IS NULL`;

const OF_ACCOUNT = `
  SELECT ${COLUMNS} FROM passkeys WHERE account_id = ?1 ORDER BY created_at, credential_id`;

const HAS = "SELECT 1 AS found FROM passkeys WHERE account_id = ?1 LIMIT 1";

const USE = `
  UPDATE passkeys SET counter = ?1, backed_up = ?2, last_used_at = ?3
  WHERE credential_id = ?4 AND account_id = ?5 AND NOT ${IS_UNCONFIRMED} AND (counter < ?1 OR (counter = 0 AND ?1 = 0))
    AND account_id IN (SELECT id FROM accounts WHERE ${ACCOUNT_IS_LIVE}) RETURNING credential_id`;

// Later than the restore, also by a clock that is behind.
const CONFIRM = `
  UPDATE passkeys SET confirmed_at = (
    SELECT CASE WHEN restored_at >= ?1 THEN restored_at + 1 ELSE CAST(?1 AS BIGINT) END FROM installation)
  WHERE credential_id = ?2 AND account_id = ?3 AND ${IS_UNCONFIRMED} RETURNING credential_id`;

const RENAME = `
  UPDATE passkeys SET name = ?1 WHERE credential_id = ?2 AND account_id = ?3
  RETURNING credential_id`;

const REMOVE = `
  DELETE FROM passkeys WHERE credential_id = ?1 AND account_id = ?2 RETURNING credential_id`;

export function passkeyValues(passkey: NewPasskey): readonly (string | number)[] {
  const { credentialId, accountId, userHandle, publicKey, thumbprint } = passkey;
  const { counter, backedUp, name, createdAt } = passkey;
  return [
    ...[credentialId, accountId, userHandle, publicKey, thumbprint],
    ...[counter, backedUp, name, createdAt],
  ];
}

/** The use of a passkey, without which none of the other writes takes effect; see `usePasskey`. */
export function useWrite({
  counter,
  backedUp,
  now,
  credentialId,
  accountId,
}: PasskeyUse): JoinedWrite {
  return writeWhen(USE, counter, backedUp, now, credentialId, accountId);
}

export type PasskeyStore = ReturnType<typeof passkeyStore>;

export function passkeyStore({ first, all, rows, run, returnsRow }: Sql) {
  return {
    /**
     * Adds a passkey to a live account. `refused`: the credential id is already registered, for this or another
     * account, or the account is asleep or has ended. Of concurrent callers with one credential id, or with one
     * interaction, one gets `added`. A repetition with the same passkey gets `repeated`. `full`: the account has as
     * many as it may have; only concurrent callers can exceed that, by their number.
     */
    addPasskey: ending(
      async (
        passkey: NewPasskey,
        interactionId: string | null = null,
      ): Promise<"added" | "repeated" | "full" | "refused"> => {
        if (await returnsRow(ADD, ...passkeyValues(passkey), interactionId)) return "added";
        const earlier = interactionId && (await first<Passkey>(ADDED_IN, interactionId));
        if (earlier) return earlier.credentialId === passkey.credentialId ? "repeated" : "refused";
        return (await returnsRow(IS_FULL, passkey.accountId)) ? "full" : "refused";
      },
      (outcome) => outcome === "added",
    ),

    passkeyAddedIn: (interactionId: string) => first<Passkey>(ADDED_IN, interactionId),

    findPasskey: (credentialId: string) => first<Passkey>(FIND, credentialId),

    /**
     * With its account, awake or asleep, what a look at its domain is compared with, and whether the challenge has
     * started a session or was counted under `attempt`. Null if the account has ended.
     */
    async findPasskeyAndAccount(
      credentialId: string,
      { hash, attempt }: { readonly hash: string; readonly attempt: string },
      now: number,
    ) {
      const [row] = await rows(FIND_WITH_ACCOUNT, credentialId, now, hash, attempt);
      if (row === undefined) return null;
      return {
        passkey: toRecord<Passkey>(row),
        account: toRecord<Account>(row, "account__"),
        remembered: rememberedIn(row, now),
        isChallengeUsed: Number(row.challenge__uses) > 0,
      };
    },

    /** Oldest first. */
    passkeysOf: (accountId: string) => all<Passkey>(OF_ACCOUNT, accountId),

    hasPasskey: (accountId: string) => returnsRow(HAS, accountId),

    /**
     * Records a use. `refused`: the counter is not greater than that of the last use, which suggests a
     * copy of the key (WebAuthn Level 3 §6.1.1); or the passkey is not one of this live account, or unconfirmed. Of
     * concurrent callers with one counter, one gets `used`, unless all counters are 0.
     */
    async usePasskey(
      { credentialId, accountId }: PasskeyOfAccount,
      { counter, backedUp, now }: { counter: number; backedUp: 0 | 1; now: number },
    ): Promise<"used" | "refused"> {
      const isUsed = await returnsRow(USE, counter, backedUp, now, credentialId, accountId);
      return isUsed ? "used" : "refused";
    },

    /** The zone has confirmed the passkey since a restore, which makes it usable. Of concurrent callers one gets true. */
    confirmPasskey: ({ credentialId, accountId }: PasskeyOfAccount, now: number) =>
      returnsRow(CONFIRM, now, credentialId, accountId),

    /** The last of concurrent callers determines the name. */
    async renamePasskey(
      { credentialId, accountId }: PasskeyOfAccount,
      name: string,
    ): Promise<"renamed" | "unknown"> {
      return (await returnsRow(RENAME, name, credentialId, accountId)) ? "renamed" : "unknown";
    },

    /** Of concurrent callers one gets `removed`. */
    removePasskey: ending(
      async (
        { credentialId, accountId }: PasskeyOfAccount,
        now: number,
      ): Promise<"removed" | "unknown"> => {
        await run(NOTE_REMOVED, now, accountId, credentialId);
        return (await returnsRow(REMOVE, credentialId, accountId)) ? "removed" : "unknown";
      },
      (outcome) => outcome === "removed",
    ),
  };
}

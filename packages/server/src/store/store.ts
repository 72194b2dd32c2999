// The store as everybody else sees it: atomic verbs named by intent, and the rows they speak of.
//
// Times are whole epoch seconds. A verb that may succeed once is one conditional statement; its
// comment says what concurrent callers can rely on. Every verb rejects with `UnavailableError`
// when the database does not answer: then the outcome is unknown.

import type { EvidenceStore } from "./evidence-store.ts";
import type { InteractionStore } from "./interaction-store.ts";
import type { KeyStore } from "./key-store.ts";
import type { SecureDomainStore } from "./secure-domain-store.ts";
import type { SpClientStore } from "./sp-client-store.ts";

export type { Authentication, Interaction } from "./interaction-store.ts";

/** One authorization, from its code to its last refresh token. */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly redirectUri: string;
  /** Scopes granted, separated by spaces; their order is that of the access token's scope mask. */
  readonly scope: string;
  /** Base64url SHA-256 of the PKCE verifier. */
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly authTime: number;
  readonly amr: string;
  readonly createdAt: number;
  readonly codeExpiresAt: number;
  /** 0 is the code, 1 the first refresh token; grows by one per rotation. */
  readonly generation: number;
  readonly rotatedAt: number | null;
  readonly refreshExpiresAt: number | null;
  /** The absolute end, whatever is rotated. */
  readonly expiresAt: number;
  /** When DNS was last seen to name the account. */
  readonly controlCheckedAt: number;
  readonly revokedAt: number | null;
}

export type NewGrant = Omit<Grant, "generation" | "rotatedAt" | "refreshExpiresAt" | "revokedAt">;

/** One unbroken period of control of a domain under one `sp` and `acct`; its id is what `sub` names. */
export interface Account {
  readonly id: string;
  readonly domain: string;
  /** The issuer of the service provider whose account it is; `OWN_SP` for one of our own. */
  readonly sp: string;
  readonly acct: string;
  readonly createdAt: number;
  /** Since when the zone no longer names the account, or null. */
  readonly asleepSince: number | null;
  readonly endedAt: number | null;
  /** When the walk through the accounts last asked for its record. */
  readonly walkedAt: number | null;
}

/** A set-up that one browser began for one domain and has not seen in DNS yet. */
export interface Enrolment {
  readonly domain: string;
  readonly deviceHash: string;
  readonly acct: string;
  /** The account's id, reserved. */
  readonly accountId: string;
  /** With the device secret it yields the recovery codes. */
  readonly recoverySalt: string;
  readonly expiresAt: number;
}

export interface Session {
  readonly idHash: string;
  readonly accountId: string;
  readonly authTime: number;
  readonly amr: string;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** A client as stored: its registration is the JSON of `oauth/client`. */
export interface ClientRow {
  readonly id: string;
  readonly registration: string;
  /** Base64url SHA-256 of the secret; null for a public client. */
  readonly secretHash: string | null;
  /** The secret before this one. */
  readonly formerSecretHash: string | null;
  readonly formerSecretExpiresAt: number | null;
  readonly createdAt: number;
}

export interface GrantWithAccount {
  readonly grant: Grant;
  readonly account: Account;
}

export interface GrantStore {
  /** Makes the grant. Of several calls with one id exactly one makes it; all get the row that stands. */
  issueGrant(grant: NewGrant): Promise<Grant>;
  /**
   * Redeems a code. Of all callers, in all processes, at most one ever gets the row; null says only
   * that nothing changed.
   */
  redeemCode(input: {
    id: string;
    clientId: string;
    redirectUri: string;
    codeChallenge: string | null;
    refreshExpiresAt: number;
    now: number;
  }): Promise<Grant | null>;
  /** Replaces a refresh token. Of all callers that present one generation at most one gets the row. */
  rotateRefreshToken(input: {
    id: string;
    generation: number;
    clientId: string;
    refreshExpiresAt: number;
    /** The rotation needs a look at DNS that is later than this. */
    controlCheckedAfter: number;
    now: number;
  }): Promise<Grant | null>;
  readGrant(id: string): Promise<GrantWithAccount | null>;
  /** Records a look at DNS; never moves it back. */
  recordControl(input: { grantId: string; checkedAt: number }): Promise<void>;
  /** Ends the grant. True for the one call that ended it. A revoked grant is never rotated again. */
  revokeGrant(input: { id: string; now: number }): Promise<boolean>;
}

export interface AccountStore {
  readAccount(id: string): Promise<Account | null>;
  /** The account for a domain and the `sp` and `acct` that its zone names, unless it has ended. */
  findAccount(domain: string, named: Pick<Account, "sp" | "acct">): Promise<Account | null>;
  /**
   * Makes the account at an external SP that the zone names the live one of its domain: any other goes
   * to sleep. Concurrent callers get the same one; `id` is for one that is new. `conflict`: the zone
   * changed hands meanwhile; look again.
   */
  adoptAccount(
    account: Pick<Account, "id" | "domain" | "sp" | "acct"> & { now: number },
  ): Promise<Account | "conflict">;
  /**
   * Begins a set-up, or gives back the one that this browser has pending for the domain; concurrent
   * callers get the same one.
   */
  beginEnrolment(enrolment: Enrolment, now: number): Promise<Enrolment>;
  findEnrolment(domain: string, deviceHash: string, now: number): Promise<Enrolment | null>;
  /** Puts the browser's pending set-up for the domain aside, so that the next one is fresh. */
  dropEnrolment(domain: string, deviceHash: string): Promise<void>;
  /**
   * Makes the enrolled account the live one of its domain: any other goes to sleep, and recovery
   * codes and the device are in place before the account exists. Idempotent. `conflict`: the zone
   * changed hands meanwhile; look again.
   */
  enrol(input: {
    enrolment: Enrolment;
    recoveryCodeHashes: readonly string[];
    now: number;
  }): Promise<Account | "conflict">;
  /** The zone names this account again: it is the live one of its domain. */
  wakeAccount(account: Account, now: number): Promise<Account | "conflict">;
  /** The zone no longer names this account. */
  putToSleep(accountId: string, now: number): Promise<void>;
  /**
   * Ends the account if it has slept since `asleepBefore` or longer, for good: everything that hangs on
   * it is worth nothing from then on, and is removed. True for the one call that ended it. One that
   * wakes meanwhile is not ended.
   */
  endAccount(input: { accountId: string; asleepBefore: number; now: number }): Promise<boolean>;
  /**
   * One bounded step of the walk: accounts behind the key `after` (null: from the start) that have not
   * ended. `next` is where to go on, null at the end.
   */
  walkAccounts(
    after: string | null,
  ): Promise<{ next: string | null; accounts: readonly Account[] }>;
  /** Takes on to look at the account's record: of nodes that saw the same `walkedAt` one gets true. */
  claimWalk(account: Account, now: number): Promise<boolean>;
  addDevice(input: { accountId: string; deviceHash: string; now: number }): Promise<void>;
  knowsDevice(accountId: string, deviceHash: string): Promise<boolean>;
  /** Whether the code is one of the account's and unused; changes nothing. */
  hasRecoveryCode(accountId: string, codeHash: string): Promise<boolean>;
  /** Uses a recovery code up. True for at most one caller. */
  takeRecoveryCode(input: { accountId: string; codeHash: string; now: number }): Promise<boolean>;
  startSession(session: Session): Promise<void>;
  findSession(idHash: string, now: number): Promise<{ session: Session; account: Account } | null>;
  touchSession(idHash: string, now: number): Promise<void>;
  /** Scopes that the account's owner has allowed the client before. */
  readConsent(accountId: string, clientId: string): Promise<ReadonlySet<string>>;
  rememberConsent(input: {
    accountId: string;
    clientId: string;
    scopes: readonly string[];
    now: number;
  }): Promise<void>;
}

export interface ClientStore {
  addClient(client: ClientRow): Promise<void>;
  findClient(id: string): Promise<ClientRow | null>;
  listClients(): Promise<readonly ClientRow[]>;
  /**
   * Replaces the registration if it still is the one that was read: of two changes made at once
   * one wins, and the other has to look again. False if nothing changed.
   */
  updateClient(id: string, change: { from: string; to: string }): Promise<boolean>;
  /**
   * Gives the client a new secret; the one that it replaces stays valid until `formerExpiresAt`, and
   * the one before that ends. Of callers that replace the same secret one wins. False if it was
   * not the client's.
   */
  rotateClientSecret(
    id: string,
    change: { from: string; to: string; formerExpiresAt: number },
  ): Promise<boolean>;
  /** Removes the client and ends its grants. False if there was none. */
  removeClient(id: string, now: number): Promise<boolean>;
}

export interface AttemptStore {
  /**
   * Counts one more attempt under a name, and gives back how many there were in its window and when
   * that ends. Each caller, on every node, gets another count.
   */
  countAttempt(input: {
    name: string;
    windowSeconds: number;
    now: number;
  }): Promise<{ count: number; expiresAt: number }>;
}

/** The tables whose rows come to an end by time. */
export type CleanUpTable =
  | "grants"
  | "interactions"
  | "sessions"
  | "enrolments"
  | "attempts"
  | "evidence"
  | "secure_domains"
  | "sp_clients";

export interface CleanUpStore {
  /**
   * One bounded step: removes what has ended among the rows behind the key `after` (null: from the
   * start). `next` is where to go on, null at the end of the table. Safe on any number of nodes.
   */
  removeEnded(
    table: CleanUpTable,
    after: readonly string[] | null,
    now: number,
  ): Promise<{ next: readonly string[] | null; removed: number }>;
}

export interface Store
  extends GrantStore,
    AccountStore,
    InteractionStore,
    ClientStore,
    KeyStore,
    AttemptStore,
    EvidenceStore,
    SecureDomainStore,
    SpClientStore,
    CleanUpStore {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

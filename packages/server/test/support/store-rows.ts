// Rows for tests of the store: complete, plausible, and each with ids of its own.

import { randomBytes } from "node:crypto";
import type { SqlEngine } from "../../src/database/engine.ts";
import { authenticatedBy, challengeFor } from "../../src/interaction/progress.ts";
import type { Account } from "../../src/store/accounts.ts";
import type { ClientRow } from "../../src/store/clients.ts";
import type { DueAccount } from "../../src/store/due-accounts.ts";
import type { Enrolment } from "../../src/store/enrolments.ts";
import type { Grant, GrantForTokens } from "../../src/store/grant-row.ts";
import type { GrantStore } from "../../src/store/grants.ts";
import type {
  Authenticated,
  Authentication,
  DnsChallenge,
  Interaction,
  NewInteraction,
  Progress,
  Proving,
} from "../../src/store/interaction-row.ts";
import type { NewGrant } from "../../src/store/issue.ts";
import type { NewPasskey, PasskeyUse } from "../../src/store/passkeys.ts";
import type { StartedSession } from "../../src/store/session-start.ts";
import type { SessionStore } from "../../src/store/sessions.ts";
import type { NewAuthentication } from "../../src/store/sign-ins.ts";
import type { Store } from "../../src/store/store.ts";

export const NOW = 1_800_000_000;
/** When a step of the clean-up runs. The running time begins at `NOW`. */
export const cleanUpAt = (now: number) => ({ before: now, ran: now - NOW });
export const DAY = 86_400;

export function someId(prefix = ""): string {
  return prefix + randomBytes(16).toString("hex");
}

export function someDomain(): string {
  return `${randomBytes(8).toString("hex")}.test`;
}

export function someEnrolment(changes: Partial<Enrolment> = {}): Enrolment {
  return {
    domain: someDomain(),
    acct: someId(),
    accountId: someId("sub_"),
    finishHash: someId(),
    ...changes,
  };
}

/** An account that is the live one of its domain. */
export async function liveAccount(
  store: Store,
  changes: Partial<Enrolment> & { codes?: readonly string[]; now?: number } = {},
): Promise<Account> {
  const { codes = [someId()], now = NOW, ...enrolment } = changes;
  const enrolled = await store.enrolments.enrol({
    enrolment: someEnrolment(enrolment),
    recoveryCodeHashes: codes,
    now,
  });
  if (typeof enrolled === "string") throw new Error("the account was not made");
  return enrolled.account;
}

/** The account as the walk reads it when it is due. */
export async function dueRow(engine: SqlEngine, account: Account): Promise<DueAccount> {
  const sql = "SELECT walk_due_at FROM accounts WHERE id = ?1";
  const [row] = await engine.execute(sql, [account.id]);
  return { ...account, walkDueAt: Number(row?.walk_due_at) };
}

export function someGrant(accountId: string, changes: Partial<NewGrant> = {}): NewGrant {
  return {
    id: someId(),
    clientId: someId(),
    accountId,
    redirectUri: "https://app.example.org/callback?a=b",
    scope: "openid profile",
    resources: '{"list":[]}',
    codeChallenge: someId(),
    nonce: "a nonce",
    sid: "a session",
    claims: null,
    authTime: NOW - 5,
    amr: "pop",
    createdAt: NOW,
    codeExpiresAt: NOW + 600,
    expiresAt: NOW + 365 * DAY,
    controlCheckedAt: NOW - 5,
    ...changes,
  };
}

/** A grant of a live account of its own, its code not redeemed. */
export async function issuedGrant(store: Store, changes: Partial<NewGrant> = {}): Promise<Grant> {
  const accountId = changes.accountId ?? (await liveAccount(store)).id;
  return store.grants.issueGrant(someGrant(accountId, changes));
}

/** What redeems this grant's code. */
export function redemptionOf(grant: NewGrant): Parameters<GrantStore["redeemCode"]>[0] {
  const { id, clientId, redirectUri, codeChallenge } = grant;
  const refreshExpiresAt = NOW + 30 * DAY;
  return { id, clientId, redirectUri, codeChallenge, refreshExpiresAt, now: NOW + 1 };
}

export async function redeemedGrant(store: Store, changes: Partial<NewGrant> = {}): Promise<Grant> {
  const issued = await issuedGrant(store, changes);
  if ((await store.grants.redeemCode(redemptionOf(issued))) === null) {
    throw new Error("the code was not redeemed");
  }
  const { grant = issued } = (await store.grants.readGrant(issued.id)) ?? {};
  return grant;
}

/** What rotates this grant's refresh token. */
export function rotationOf(grant: GrantForTokens): Parameters<GrantStore["rotateRefreshToken"]>[0] {
  return {
    id: grant.id,
    generation: grant.generation,
    clientId: grant.clientId,
    refreshExpiresAt: NOW + 31 * DAY,
    controlCheckedAfter: NOW - DAY,
    now: NOW + 2,
  };
}

/** Waits for a DNS challenge, unless another progress is given. */
export function someInteraction(changes: Partial<NewInteraction> = {}): NewInteraction {
  return {
    id: someId(),
    browserHash: someId(),
    clientId: someId(),
    query: "response_type=code&state=%E2%82%AC",
    domain: someDomain(),
    grantId: someId(),
    createdAt: NOW,
    expiresAt: NOW + 1800,
    progress: challengeFor(someId(), someId()),
    ...changes,
  };
}

export function someProof(changes: Partial<Authentication> = {}): Authentication {
  return {
    accountId: someId("sub_"),
    authTime: NOW,
    amr: "pop",
    controlCheckedAt: NOW,
    sid: someId(),
    ...changes,
  };
}

/** The owner was authenticated by a DNS challenge, and the sign-in waits for nothing. */
export function authenticatedProgress(changes: Partial<Authenticated> = {}): Authenticated {
  const proof = authenticatedBy("session", someProof({ amr: "dns" }), null);
  return { ...proof, method: "dns-challenge", ...changes };
}

/** An interaction that was begun, as the store reads it. */
export async function begunInteraction<P extends Progress = DnsChallenge>(
  store: Store,
  changes: Partial<NewInteraction> & { readonly progress?: P } = {},
): Promise<Interaction<P>> {
  const interaction = someInteraction(changes);
  await store.interactions.beginInteraction(interaction);
  const stored = await store.interactions.readInteraction(interaction.id);
  if (stored === null) throw new Error("the interaction was not stored");
  return stored as Interaction<P>;
}

/** What of an interaction does not depend on how its row stores the progress. */
export function withoutVersion(interaction: Interaction | null): NewInteraction | null {
  if (interaction === null) return null;
  const { version: _, ...value } = interaction;
  return value;
}

/** Records the authentication, which starts a session. The interaction; null if it was not recorded. */
export async function recordSignIn(
  store: Store,
  interaction: Interaction<Proving>,
  { formerHash = null, ...proof }: NewAuthentication & { readonly formerHash?: string | null },
  now: number,
): Promise<Interaction<Authenticated> | null> {
  const { accountId, authTime, amr } = proof;
  const times = { now, expiresAt: now + 180 * DAY };
  const session = someSession(accountId, { authTime, amr, formerHash, ...times });
  const signedIn = await store.interactions.authenticate({ interaction, proof, session });
  return signedIn === null || signedIn === "refused" ? null : signedIn.interaction;
}

/** Starts a session by a challenge, with an interaction of its own; null if it must not start. */
export async function startOnce(
  store: Store,
  session: NewSession,
  challengeHash: string,
  use: PasskeyUse | null = null,
): Promise<StartedSession | null> {
  const { accountId } = session;
  const interaction = someInteraction({ progress: authenticatedProgress({ accountId }) });
  const by = { session, challengeHash, use };
  return (await store.interactions.beginStarted(interaction, null, by))?.session ?? null;
}

/** Signs in by this recovery code. Whether that used it up. */
export async function signInByCode(
  store: Store,
  { accountId, codeHash, now = NOW }: { accountId: string; codeHash: string; now?: number },
): Promise<boolean> {
  const interaction = await begunInteraction(store);
  const times = { authTime: now, controlCheckedAt: now };
  const proof = { accountId, amr: "dns", sid: someId(), usedCode: codeHash, ...times };
  return (await recordSignIn(store, interaction, proof, now)) !== null;
}

type NewSession = Parameters<SessionStore["startSession"]>[0];

export function someSession(accountId: string, changes: Partial<NewSession> = {}): NewSession {
  return {
    secretHash: someId(),
    newSid: someId(),
    accountId,
    authTime: NOW,
    amr: "pop",
    browser: "firefox linux",
    now: NOW,
    expiresAt: NOW + 180 * DAY,
    formerHash: null,
    ...changes,
  };
}

export function someClient(changes: Partial<ClientRow> = {}): ClientRow {
  return {
    id: someId(),
    resource: null,
    registration: '{"name":"Läden & Söhne"}',
    secretHash: someId(),
    formerSecretHash: null,
    formerSecretExpiresAt: null,
    createdAt: NOW,
    accessTokenHash: null,
    usedAt: null,
    expiresAt: null,
    ...changes,
  };
}

export function somePasskey(accountId: string, changes: Partial<NewPasskey> = {}): NewPasskey {
  return {
    credentialId: someId(),
    accountId,
    userHandle: someId(),
    publicKey: someId(),
    thumbprint: someId(),
    counter: 0,
    backedUp: 0,
    name: "Schlüssel & Söhne",
    createdAt: NOW,
    ...changes,
  };
}

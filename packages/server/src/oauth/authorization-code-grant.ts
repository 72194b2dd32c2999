// Redeems an authorization code, exactly once, by one statement of the store.

import type { Client } from "../clients/client.ts";
import type { Clock } from "../lib/clock.ts";
import { MarkOwedError } from "../lib/errors.ts";
import { isMisdated, isOver, isSurelyOver } from "../lib/lifetime.ts";
import type { Grant, GrantForTokens, PresentedCode } from "../store/grant-row.ts";
import type { GrantStore, GrantWithAccount } from "../store/grants.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";
import { type ControlEvidence, type PassedOn, readEvidence } from "./control-evidence.ts";
import type { Delivery } from "./delivery.ts";
import type { Deps, SigningDeps } from "./deps.ts";
import { resourceFor, scopesFor } from "./grant-resources.ts";
import { readGrantToken } from "./grant-token.ts";
import { mintIdToken, ownerOf } from "./id-token.ts";
import { challengeOf } from "./pkce.ts";
import { refuseResource, TokenError } from "./protocol-errors.ts";
import { providerProof } from "./provider-statement.ts";
import { type TokenResponse, tokenResponse } from "./token-response.ts";
import { validationData } from "./validation-data.ts";

/** A second redemption with the right verifier or client secret within this window does not revoke the grant. */
const DOUBLE_SUBMIT_WINDOW_S = 30;

/** The grant may change while a mark is taken. */
const MAX_TRIES = 3;
/** A retry that comes later is reported. */
const LATE_RETRY_S = 30;

type RedeemDeps = SigningDeps &
  Pick<Deps, "grants" | "evidences" | "events" | "registeredResources">;

export async function redeemAuthorizationCode(
  { client, isProven }: AuthenticatedClient,
  values: ReadonlyMap<string, string>,
  deps: RedeemDeps,
  delivery: Delivery,
): Promise<TokenResponse> {
  const { grants, evidences, clock, keyring } = deps;
  const token = await readGrantToken(keyring, "code", values.get("code") ?? "");
  if (token === null) throw refuse("not a code issued by this server");
  const verifier = values.get("code_verifier");
  const codeChallenge = verifier === undefined ? null : challengeOf(verifier);
  if (verifier !== undefined && codeChallenge === null) throw refuse("code_verifier is malformed");

  const now = clock.seconds();
  const presented: PresentedCode = {
    id: token.grantId,
    clientId: client.client_id,
    redirectUri: values.get("redirect_uri") ?? "",
    codeChallenge,
    refreshExpiresAt: now + client.refresh_idle_lifetime,
    now,
    attempt: delivery.attempt,
    whenBegun: delivery.whenBegun,
  };
  const resourceName = values.get("resource");
  // Before the redemption, so that the code stays valid if the resource is refused.
  if (resourceName !== undefined) await checkResource(presented, resourceName, deps);
  // Read before the redemption, so that a database failure here does not use up the code.
  const isWanted = client.validation_data || client.scope.split(" ").includes("openid");
  const evidence = isWanted ? await readEvidence(evidences, token.grantId, now) : null;
  const owner = isWanted ? (evidence ?? (await ownerOf(grants, token.grantId))) : null;
  const nonce = isWanted ? await nonceOf(token.grantId, evidence, grants) : null;
  delivery.begin(presented);
  // Without either, anybody who has seen the code could be the one who presents it.
  const isSameClient = isProven || codeChallenge !== null;
  const grant =
    (await grants.redeemCode(presented)) ?? (await redeliver(presented, isSameClient, deps));

  const found = await resourceFor(grant, resourceName, deps.registeredResources);
  // Removed since: as if none had been named.
  const resource = found === "refused" ? null : found;
  const scopes = scopesFor(grant, resource);
  const response = await tokenResponse(grant, { resource, scopes }, client, deps);
  const proofs = isProven && evidence ? proofsForApp(evidence, client, deps) : {};
  const accessToken = response.access_token;
  const issued = { grant: Object.assign(grant, { nonce, codeChallenge }), client, accessToken };
  const withId = owner !== null && scopes.includes("openid");
  const withData = evidence !== null && client.validation_data;
  return Object.assign(
    response,
    withId && { id_token: await mintIdToken({ owner, proofs, ...issued }, deps) },
    withData && { validation_data: validationData({ evidence, ...issued }, deps) },
  );
}

/** The grant of a code that was redeemed, if the answer is marked as undelivered. Throws for any other code. */
async function redeliver(
  presented: PresentedCode,
  isSameClient: boolean,
  { grants, clock, events }: RedeemDeps,
): Promise<GrantForTokens> {
  const { id, now } = presented;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // Before the grant is read, which shows a mark that is written meanwhile.
    const hasUnwrittenMark = grants.hasUnwrittenMark(id);
    const by = { isSameClient, clock };
    const { is, grant, reason } = redeemedState(await grants.readGrant(id), presented, by);
    const { clientId, accountId } = grant;
    if (is === "undelivered") {
      const delivered = await grants.redeliverCode(presented);
      if (delivered === null) continue;
      if (now - (grant.rotatedAt ?? 0) > LATE_RETRY_S) {
        events.retriedLate({ clientId, accountId, token: "code" });
      }
      return delivered;
    }
    // The mark that would explain it may be on its way. What is not known yet must lose neither the code nor the grant.
    if (hasUnwrittenMark) throw new MarkOwedError();
    if (is === "answered") throw refuse(reason);
    if (tries === 0) continue;
    await grants.revokeGrant({ id, now });
    events.replayed({ clientId, accountId, token: "code" });
    throw refuse(reason);
  }
  throw refuse("grant changed during the request");
}

/** Throws `invalid_target` if the code is the client's, but was not issued for the resource. */
async function checkResource(
  { id, clientId }: PresentedCode,
  named: string,
  { grants, registeredResources }: Pick<Deps, "grants" | "registeredResources">,
): Promise<void> {
  const grant = (await grants.readGrant(id))?.grant;
  if (grant?.clientId !== clientId) return;
  if ((await resourceFor(grant, named, registeredResources)) === "refused") {
    throw refuseResource();
  }
}

/** The redemption removes the nonce, so it is read before. An earlier version has stored it with the grant alone. */
async function nonceOf(
  grantId: string,
  evidence: ControlEvidence | null,
  grants: GrantStore,
): Promise<string | null> {
  if (evidence?.nonce !== undefined) return evidence.nonce;
  return (await grants.readGrant(grantId))?.grant.nonce ?? null;
}

/** For a service, which must be authenticated: the proofs that it requested for its app. */
function proofsForApp(evidence: ControlEvidence, { issuer }: Client, deps: SigningDeps): PassedOn {
  const { statement_for: app, owner_proof, dnssec, sp } = evidence;
  if (app === undefined || issuer === undefined) return {};
  const provider_proof = providerProof(evidence, app, issuer, deps);
  // Of our own sign-in, and with the chain without which nobody can verify it.
  const isOwn = sp === deps.issuer && dnssec !== undefined;
  return {
    ...(provider_proof && { provider_proof }),
    ...(owner_proof && isOwn && { owner_proof }),
  };
}

interface RedeemedState {
  /** `undelivered` may have the answer once more; `answered` is refused, and `replayed` ends the grant. */
  readonly is: "undelivered" | "answered" | "replayed";
  readonly grant: Grant;
  /** For the log. */
  readonly reason: string;
}

/**
 * What a code that was redeemed before is; otherwise throws the reason why the redemption changed no row. Only a second
 * use with the right client, redirect_uri and verifier is a replay, so that a third party cannot revoke the grant.
 */
function redeemedState(
  found: GrantWithAccount | null,
  presented: PresentedCode,
  { isSameClient, clock }: { isSameClient: boolean; clock: Clock },
): RedeemedState {
  if (found === null) throw refuse("grant not found");
  const { grant, account } = found;
  const { clientId, redirectUri, codeChallenge } = presented;
  if (grant.clientId !== clientId) throw refuse("issued to another client");
  if (grant.revokedAt !== null) throw refuse("revoked");
  if (grant.redirectUri !== redirectUri) throw refuse("redirect_uri does not match");
  if (grant.codeChallenge !== codeChallenge) throw refuse("code_verifier does not match");
  const isLive = account.endedAt === null && account.asleepSince === null;
  const isExpired = () => isOver({ since: grant.createdAt, end: grant.codeExpiresAt }, clock);
  if (grant.generation === 1 && isSameClient) {
    const isMarked = grant.undelivered === 1;
    if (isMarked && isExpired()) throw refuse("expired");
    if (isMarked && !isLive) throw refuse("account is not live");
    if (isMarked) return { is: "undelivered", grant, reason: "not delivered" };
    const answered = (reason: string) => ({ is: "answered", grant, reason }) as const;
    if (grant.redeliveredAt !== null) return answered("already redeemed, and answered once more");
    const since = grant.rotatedAt ?? 0;
    // Of one that a wrong clock dated nobody knows, and a double submit must not end the grant.
    const isUndated = isMisdated(since, clock.seconds());
    if (isUndated || !isSurelyOver({ since, end: since + DOUBLE_SUBMIT_WINDOW_S + 1 }, clock)) {
      return answered("already redeemed within the last 30 seconds");
    }
  }
  if (grant.generation > 0) return { is: "replayed", grant, reason: "already redeemed" };
  if (isExpired()) throw refuse("expired");
  throw refuse(isLive ? "grant changed during the request" : "account is not live");
}

function refuse(detail: string): TokenError {
  return new TokenError(
    "invalid_grant",
    "the code is invalid, expired or already used, or does not match the client, redirect_uri or code_verifier",
    { detail },
  );
}

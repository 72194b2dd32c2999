// Redeems an authorization code, exactly once, by one statement of the store.

import type { Client } from "../clients/client.ts";
import type { RegisteredResources } from "../clients/registered-clients.ts";
import type { MacKeyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import { MarkOwedError } from "../lib/errors.ts";
import { isMisdated, isOver, isSurelyOver } from "../lib/lifetime.ts";
import type { EvidenceStore } from "../store/evidence.ts";
import type { PresentedCode, RedeemedGrant } from "../store/grant-row.ts";
import type { GrantStore, GrantWithAccount } from "../store/grants.ts";
import type { Events } from "../telemetry/events.ts";
import type { AccessTokens, TokenResponse } from "./access-tokens.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";
import { type ControlEvidence, type PassedOn, readEvidence } from "./control-evidence.ts";
import { type Delivery, LATE_RETRY_S } from "./delivery.ts";
import { resourceFor, scopesFor } from "./grant-resources.ts";
import { readGrantToken } from "./grant-token.ts";
import { challengeOf } from "./pkce.ts";
import { refuseResource, TokenError } from "./protocol-errors.ts";
import type { Statements } from "./statements.ts";

/** A second redemption with the right verifier or client secret within this window does not revoke the grant. */
const DOUBLE_SUBMIT_WINDOW_S = 30;

/** The grant may change while a mark is taken. */
const MAX_TRIES = 3;

/** Answers a token request of one grant type. */
export type TokenGrant = (
  authenticated: AuthenticatedClient,
  values: ReadonlyMap<string, string>,
  delivery: Delivery,
) => Promise<TokenResponse>;

interface Deps {
  readonly issuer: string;
  readonly grants: GrantStore;
  readonly evidences: EvidenceStore;
  readonly keyring: MacKeyring;
  readonly registeredResources: RegisteredResources;
  readonly accessTokens: AccessTokens;
  readonly statements: Statements;
  readonly clock: Clock;
  readonly events: Events;
}

export function createAuthorizationCodeGrant(deps: Deps): TokenGrant {
  const { issuer, grants, evidences, keyring, clock, events, statements } = deps;
  return async ({ client, isProven }, values, delivery) => {
    const token = await readGrantToken(keyring, "code", values.get("code") ?? "");
    if (token === null) throw refuse("not a code issued by this server");
    const { grantId: id } = token;
    const verifier = values.get("code_verifier");
    const codeChallenge = verifier === undefined ? null : challengeOf(verifier);
    if (verifier !== undefined && codeChallenge === null) {
      throw refuse("code_verifier is malformed");
    }

    const now = clock.seconds();
    const presented: PresentedCode = {
      id,
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
    if (resourceName !== undefined) await checkResource(presented, resourceName);
    // Read before the redemption, so that a database failure here does not use up the code.
    const isWanted = client.validation_data || client.issuer !== undefined;
    const evidence = isWanted ? await readEvidence(evidences, id, now) : null;
    delivery.begin(presented);
    // Without either, anybody who has seen the code could be the one who presents it.
    const isSameClient = isProven || codeChallenge !== null;
    const grant =
      (await grants.redeemCode(presented)) ?? (await redeliver(presented, isSameClient));

    const found = await resourceFor(grant.resources, resourceName, deps.registeredResources);
    // The resource or its scopes were removed in the meantime: treat the request as if it named none.
    const named = typeof found === "string" ? null : found;
    const resource = named?.resource ?? null;
    const scopes = [...scopesFor(grant.scope, null), ...(named?.scopes ?? [])];
    const response = await deps.accessTokens.respond(grant, { resource, scopes }, client);
    const proofs = isProven && evidence ? proofsForApp(evidence, client) : {};
    const accessToken = response.access_token;
    const issued = { grant, client, accessToken };
    const withId = scopes.includes("openid");
    const withData = evidence !== null && client.validation_data;
    return Object.assign(
      response,
      withId && {
        id_token: await statements.idToken({ owner: await ownerOf(grant), proofs, ...issued }),
      },
      withData && { validation_data: statements.validationData({ evidence, ...issued }) },
    );
  };

  /** What the ID token says of the owner. */
  async function ownerOf(grant: RedeemedGrant) {
    const { id, domain, domainSince, acct, sid, claims } = grant;
    const owner = { domain, domain_since: domainSince, acct };
    if (sid !== null) return { ...owner, sid, claims: claims?.split(" ") };
    // A node of an earlier version issued the code. A failure here is one of the answer, which is given again.
    const kept = await readEvidence(evidences, id, clock.seconds());
    return { ...owner, sid: kept?.sid, claims: kept?.claims };
  }

  /** The grant of a code that was redeemed, if the answer is marked as undelivered. Throws for any other code. */
  async function redeliver(
    presented: PresentedCode,
    isSameClient: boolean,
  ): Promise<RedeemedGrant> {
    const { id, now } = presented;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      // Checked before the grant is read, because the grant shows a mark that is written in between.
      const hasUnwrittenMark = grants.hasUnwrittenMark(id);
      const current = await grants.readGrant(id);
      const { is, grant, reason } = redeemedState(current, presented, isSameClient);
      const { clientId, accountId } = grant;
      if (is === "undelivered") {
        const delivered = await grants.redeliverCode(presented);
        if (delivered === null) continue;
        if (now - (grant.rotatedAt ?? 0) > LATE_RETRY_S) {
          events.retriedLate({ clientId, accountId, token: "code" });
        }
        return delivered;
      }
      // A mark that explains the retry may not be written yet. Until then, neither the code nor the grant may be lost.
      if (hasUnwrittenMark) throw new MarkOwedError();
      if (is === "answered") throw refuse(reason);
      if (tries === 0) continue;
      await grants.revokeGrant({ id, now });
      events.replayed({ clientId, accountId, token: "code" });
      throw refuse(reason);
    }
    throw refuse("grant changed during the request");
  }

  /**
   * What a redeemed code may get: `undelivered` gets the answer once more, `answered` is refused, and `replayed` ends
   * the grant. Otherwise throws why the redemption changed no row. Only a second use with the right client,
   * redirect_uri and verifier is a replay, so that a third party cannot revoke the grant.
   */
  function redeemedState(
    current: GrantWithAccount | null,
    { clientId, redirectUri, codeChallenge }: PresentedCode,
    isSameClient: boolean,
  ) {
    if (current === null) throw refuse("grant not found");
    const { grant, account } = current;
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
      if (isMarked) return { is: "undelivered", grant, reason: "not delivered" } as const;
      const answered = (reason: string) => ({ is: "answered", grant, reason }) as const;
      if (grant.redeliveredAt !== null) return answered("already redeemed, and answered once more");
      const since = grant.rotatedAt ?? 0;
      // If a wrong clock dated the redemption, its age is unknown, and a double submit must not end the grant.
      const isUndated = isMisdated(since, clock.seconds());
      if (isUndated || !isSurelyOver({ since, end: since + DOUBLE_SUBMIT_WINDOW_S + 1 }, clock)) {
        return answered("already redeemed within the last 30 seconds");
      }
    }
    if (grant.generation > 0) return { is: "replayed", grant, reason: "already redeemed" } as const;
    if (isExpired()) throw refuse("expired");
    throw refuse(isLive ? "grant changed during the request" : "account is not live");
  }

  /** Throws if the code is the client's, but was not issued for the resource, or for scopes that were removed. */
  async function checkResource({ id, clientId }: PresentedCode, named: string): Promise<void> {
    const grant = (await grants.readGrant(id))?.grant;
    if (grant?.clientId !== clientId) return;
    const found = await resourceFor(grant.resources, named, deps.registeredResources);
    if (found === "refused") throw refuseResource();
    if (found === "emptied") throw refuse("the operator has removed the scopes of the resource");
  }

  /** The proofs that an authenticated service requested for its app. */
  function proofsForApp(evidence: ControlEvidence, client: Client): PassedOn {
    const { statement_for: app, owner_proof, dnssec, sp } = evidence;
    if (app === undefined || client.issuer === undefined) return {};
    const provider_proof = statements.providerProof(evidence, app, client.issuer);
    // Only for our own sign-in, and with the DNSSEC chain, without which nobody can verify the proof.
    const isOwn = sp === issuer && dnssec !== undefined;
    return {
      ...(provider_proof && { provider_proof }),
      ...(owner_proof && isOwn && { owner_proof }),
    };
  }
}

function refuse(detail: string): TokenError {
  return new TokenError(
    "invalid_grant",
    "the code is invalid, expired or already used, or does not match the client, redirect_uri or code_verifier",
    { detail },
  );
}

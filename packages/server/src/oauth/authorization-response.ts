// Completes a sign-in: creates the grant and sends the code to the client.

import { lookUpAccount } from "../account/control.ts";
import { isAccountClient } from "../clients/account-client.ts";
import { subjectOf } from "../clients/client.ts";
import { printable } from "../clients/client-errors.ts";
import { responseUri } from "../clients/redirect-target.ts";
import { isAtLeast } from "../dns/assurance.ts";
import type { LookFailure } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import { changeAt } from "../interaction/account-page.ts";
import { dnsFailed } from "../interaction/dns-failed.ts";
import {
  type InteractionContext,
  type RequestContext,
  type StepContext,
  stepPath,
} from "../interaction/interaction.ts";
import { PageError } from "../interaction/pending-request.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import { acrOf, isAcrAccepted } from "../sessions/acr.ts";
import type { Authenticated, Authentication, Interaction } from "../store/interaction-row.ts";
import { CODE_LIFETIME_S } from "../store/shared-values.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { logoutHost } from "./back-channel-logout.ts";
import { evidenceOf, keepEvidence, type PassedOn } from "./control-evidence.ts";
import type { Deps } from "./deps.ts";
import { storedResources } from "./grant-resources.ts";
import { mintCode } from "./grant-token.ts";
import { AuthorizationError, UntrustedRequestError } from "./protocol-errors.ts";

/** If DNS fails, a code needs a lookup of the sign-in that is not older than this. */
const CONTROL_SHARED_S = 300;

/** Enough to find the mistake in a client. */
const MAX_LOGGED_SCOPES = 20;

const TOO_MANY_CLIENTS =
  "the session has signed in to as many clients with back-channel logout as it can; the user has to sign out of this service and sign in again";

/** Clients that registered themselves, and that nobody had signed in to before: of an account, and of an owned domain. */
const NEW_CLIENTS_A_DAY = { account: 10, domain: 1000 };
const TOO_MANY_NEW_CLIENTS =
  "the user has signed in to too many apps today that registered themselves; try again tomorrow";

export type ResponseDeps = Pick<
  Deps,
  | ("issuer" | "keyring" | "clock")
  | ("accounts" | "browserSessions" | "logouts" | "grants" | "evidences" | "spRecords")
  | ("minAssurance" | "sessions")
  | ("cookies" | "events" | "interactions" | "storageLimit" | "registrations")
  | "attempts"
>;

export function createAuthorizationResponse(deps: ResponseDeps) {
  return { completeInteraction };

  /** GET /interaction/:id/complete */
  async function completeInteraction(
    context: StepContext<"complete", AuthorizationRequest>,
  ): Promise<HttpResponse> {
    const { interaction, request } = context;
    const { progress } = interaction;
    if (progress.decision === "deny") {
      const expiresAt = deps.clock.seconds() + CODE_LIFETIME_S;
      await deps.interactions.expireInteraction(interaction.id, expiresAt);
      throw new AuthorizationError(request.target, "access_denied", "the user denied the request");
    }
    const proof = authenticationOf(interaction);
    if (progress.method === "session" && !(await isStillSignedIn(context, proof.sid, deps))) {
      throw new PageError(400, "signedOut", request);
    }
    const { issuer } = deps;
    const change = changeAt(issuer, request.target.uri);
    if (change !== undefined && isAccountClient(request.client, issuer)) {
      return seeOther(stepPath(interaction.id, change));
    }
    return issueCode(proof, context, deps);
  }
}

/** A sign-in with a session needs a secret of it that is accepted: a copy that was replaced a minute ago gets no code. */
async function isStillSignedIn(
  { http }: InteractionContext,
  sid: string,
  { browserSessions }: Pick<Deps, "browserSessions">,
): Promise<boolean> {
  const { live, resting } = await browserSessions.read(http);
  return [...live, ...resting].some(({ session }) => session.sid === sid);
}

function authenticationOf({ id, grantId, progress }: Interaction<Authenticated>) {
  const { decision, accountId, authTime, amr, controlCheckedAt, sid, proofs } = progress;
  const proof = { grantId, accountId, authTime, amr, controlCheckedAt, sid, proofs };
  return { interaction: { id, decision }, ...proof };
}

/** An authentication for which a code is issued. */
interface Proof extends Authentication {
  readonly grantId: string;
  /** Null for a silent request, which has none. */
  readonly interaction: {
    readonly id: string;
    readonly decision: Authenticated["decision"];
  } | null;
  /** The JSON of the proofs that an external SP sent along for this request, or that the owner's passkey made. */
  readonly proofs?: string | null;
}

/** A client that registered itself is kept once it is used, so an account brings only so many into use. */
async function countNewClient(
  { target }: AuthorizationRequest,
  account: { readonly id: string; readonly domain: string },
  now: number,
  { attempts }: Pick<ResponseDeps, "attempts">,
): Promise<void> {
  const windowSeconds = 86_400;
  for (const [of, most] of [
    [account.id, NEW_CLIENTS_A_DAY.account],
    [ownedDomain(account.domain), NEW_CLIENTS_A_DAY.domain],
  ] as const) {
    const { count } = await attempts.countAttempt({
      name: `new clients ${of}`,
      windowSeconds,
      now,
    });
    if (count > most) throw new AuthorizationError(target, "access_denied", TOO_MANY_NEW_CLIENTS);
  }
}

/** What is stored about a client before its grant. */
async function noteClient(
  request: AuthorizationRequest,
  account: { readonly id: string; readonly domain: string },
  { sid, ...times }: { readonly sid: string; readonly now: number; readonly expiresAt: number },
  deps: Pick<ResponseDeps, "registrations" | "logouts" | "attempts">,
): Promise<void> {
  const { client, target } = request;
  const { client_id: clientId } = client;
  if (client.isUnused) await countNewClient(request, account, times.now, deps);
  // One that registered itself is kept as long as its grants, unless it was removed in the meantime.
  if (client.dynamic && !(await deps.registrations.useClient(clientId, times))) {
    throw new UntrustedRequestError("unknownClient", { clientId });
  }
  // Before the grant, so that no app that gets a code misses the end of the session.
  if (client.backchannel_logout_uri !== "") {
    const host = logoutHost(client);
    const isNoted = await deps.logouts.noteSessionClient({ sid, clientId, host });
    if (!isNoted) throw new AuthorizationError(target, "access_denied", TOO_MANY_CLIENTS);
  }
}

/**
 * Issues a grant with the reserved id and redirects to the client. Idempotent while the code is
 * unused, so that a double click creates one grant.
 */
export async function issueCode(
  proof: Proof,
  context: RequestContext<AuthorizationRequest>,
  deps: ResponseDeps,
): Promise<HttpResponse> {
  const { request } = context;
  const { grantId: id, proofs = null, sid, interaction, ...authentication } = proof;
  const { client, target, statementFor } = request;
  const account = await deps.accounts.readAccount(authentication.accountId);
  const result = account && (await lookUpAccount(account, "cached", deps));
  // One that was deleted has ended, whatever its record says.
  const isGone = account === null || account.endedAt !== null;
  if (isGone || result === null || result === "lost") throw notNamed(request);
  if (isAccountClient(client, deps.issuer)) {
    return seeOther(`${target.uri}?${new URLSearchParams({ domain: account.domain })}`);
  }
  refuseOther(account, authentication, request);
  const now = deps.clock.seconds();
  if (typeof result !== "string" && !isAtLeast(result.assurance, deps.minAssurance)) {
    return failed(context, account.domain, "unconfirmed");
  }
  const isRecent = authentication.controlCheckedAt >= now - CONTROL_SHARED_S;
  if (typeof result === "string" && (result === "contradictory" || !isRecent)) {
    return failed(context, account.domain, result);
  }
  // Without the chain of a signed zone, nobody could verify it.
  const isProven = typeof result !== "string" && result.proof !== null;
  if (client.owner_proof === "required" && !(isProven && hasOwnerProof(proofs))) {
    throw new PageError(400, "ownerProofRequired", request);
  }
  const codeExpiresAt = now + CODE_LIFETIME_S;
  const expiresAt = now + client.refresh_absolute_lifetime;
  // Stored before the grant, so that every code that can be redeemed has its evidence.
  if (client.validation_data || request.scopes.includes("openid")) {
    const { controlCheckedAt } = authentication;
    const { issuer } = deps;
    const passedOn = proofs === null ? null : (JSON.parse(proofs) as PassedOn);
    const of = { account, issuer, sid, redirectUri: target.uri, nonce: request.nonce };
    const { inIdToken: claims } = request.claims;
    const signIn = { ...of, controlCheckedAt, statementFor, passedOn, claims };
    const evidence = evidenceOf(typeof result === "string" ? null : result, signIn);
    await keepEvidence(context.http, { id, codeExpiresAt, now }, evidence, deps);
  }
  await noteClient(request, account, { sid, now, expiresAt }, deps);
  const grant = await deps.grants.issueGrant({
    ...authentication,
    id,
    clientId: client.client_id,
    redirectUri: target.uri,
    scope: request.scopes.join(" "),
    resources: storedResources(request.resources, account),
    codeChallenge: request.codeChallenge,
    nonce: request.nonce,
    createdAt: now,
    codeExpiresAt,
    expiresAt,
  });
  if (grant.generation > 0 || grant.revokedAt !== null || grant.codeExpiresAt <= now) {
    throw new PageError(400, "alreadyUsed", request);
  }
  const withdrawn = await withdrawnFrom(proof, request, deps);
  if (withdrawn !== null) {
    await deps.grants.revokeGrant({ id, now: deps.clock.seconds() });
    throw withdrawn;
  }
  // Until then a reload leads to the same code.
  if (interaction !== null)
    await deps.interactions.expireInteraction(interaction.id, codeExpiresAt);
  noteIgnoredScopes(request, deps);
  return seeOther(responseUri(target, { code: mintCode(deps.keyring, id, grant.createdAt) }));
}

/** Throws unless the account and its authentication are those that the request's `claims` require. */
function refuseOther(
  account: { readonly id: string; readonly domain: string },
  { amr }: { readonly amr: string },
  { client, claims, requiredAcr, target }: AuthorizationRequest,
): void {
  if (!isAcrAccepted(amr, requiredAcr)) {
    const description = `the sign-in has acr ${acrOf(amr)}, which claims does not accept`;
    throw new AuthorizationError(target, "access_denied", description);
  }
  if (claims.requiredSub !== null && claims.requiredSub !== subjectOf(client, account)) {
    const description = "the user signed in as another sub than claims requires";
    throw new AuthorizationError(target, "access_denied", description);
  }
}

/** Logged with the code, which costs a sign-in: so nobody can fill the log. */
function noteIgnoredScopes(
  { client, ignoredScopes }: AuthorizationRequest,
  { events }: Pick<Deps, "events">,
): void {
  if (ignoredScopes.length === 0) return;
  const scope = ignoredScopes.map(printable).slice(0, MAX_LOGGED_SCOPES).join(" ");
  events.scopesIgnored({ clientId: client.client_id, scope });
}

/** The answer if the access was revoked, or the session ended, while the grant was issued; otherwise null. */
async function withdrawnFrom(
  { interaction, sid, accountId, grantId }: Proof,
  request: AuthorizationRequest,
  { grants, clock }: Pick<Deps, "grants" | "clock">,
): Promise<Error | null> {
  const { client, consent, permissions, target } = request;
  const interactionId = interaction?.id ?? null;
  const of = { interactionId, sid, accountId, clientId: client.client_id };
  const { interactionEnded, sessionEnded, consented, hasSurplus } = await grants.readBasis(of);
  if (hasSurplus) await grants.endSurplus({ grantId, accountId, now: clock.seconds() });
  // A decision of this interaction does not depend on what was stored, and ends with the interaction.
  const mustConsent = consent === "first" && interaction?.decision !== "allow";
  const isRevoked = mustConsent && permissions.some((one) => !consented.has(one));
  if (interaction === null) {
    if (sessionEnded)
      return new AuthorizationError(target, "login_required", "no user is signed in");
    const description = "the user has not consented to this request";
    return isRevoked ? new AuthorizationError(target, "consent_required", description) : null;
  }
  if (interactionEnded || isRevoked) return new PageError(400, "expired", request);
  return sessionEnded ? new PageError(400, "signedOut", request) : null;
}

function hasOwnerProof(proofs: string | null): boolean {
  return proofs !== null && (JSON.parse(proofs) as PassedOn).owner_proof !== undefined;
}

function failed(
  context: RequestContext<AuthorizationRequest>,
  domain: string,
  failure: LookFailure,
): Promise<HttpResponse> {
  const { prompt, target } = context.request;
  if (!prompt.has("none")) return dnsFailed(context, { domain, failure });
  const description = "the DNS lookup for the domain failed";
  throw new AuthorizationError(target, "temporarily_unavailable", description);
}

function notNamed(request: AuthorizationRequest): Error {
  // A silent request has no user to show a page to.
  return request.prompt.has("none")
    ? new AuthorizationError(
        request.target,
        "login_required",
        "the DNS record of the domain no longer names the account",
      )
    : new PageError(400, "expired", request);
}

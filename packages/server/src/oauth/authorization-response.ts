// Completes a sign-in: creates the grant and sends the code to the client.

import type { AccountLook, Control } from "../account/control.ts";
import { isAccountClient } from "../clients/account-client.ts";
import { subjectOf } from "../clients/client.ts";
import { responseUri } from "../clients/redirect-target.ts";
import { type Assurance, isAtLeast } from "../dns/assurance.ts";
import type { LookFailure } from "../dns/sp-record.ts";
import { printable } from "../http/form.ts";
import type { HttpResponse } from "../http/message.ts";
import type { NetworkWeights } from "../http/network-weights.ts";
import { requesterAt } from "../http/requester.ts";
import { seeOther } from "../http/responses.ts";
import type { StoredRoom } from "../http/stored-room.ts";
import { changeAt } from "../interaction/account-page.ts";
import type { Completed } from "../interaction/flow.ts";
import { type RequestContext, stepPath } from "../interaction/interaction.ts";
import { dnsFailed, PageError } from "../interaction/pending-request.ts";
import type { MacKeyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import { acrOf, isAcrAccepted } from "../sessions/acr.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { Account } from "../store/accounts.ts";
import type { Evidence } from "../store/evidence.ts";
import type { Grant } from "../store/grant-row.ts";
import type { Authenticated, Authentication } from "../store/interaction-row.ts";
import type { IssuedWith, IssueRefusal } from "../store/issue.ts";
import { CODE_LIFETIME_S } from "../store/shared-values.ts";
import type { Aggregates, JoinedWrite } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { logoutHost } from "./back-channel-logout.ts";
import { evidenceOf, evidenceRow, type PassedOn } from "./control-evidence.ts";
import { storedResources } from "./grant-resources.ts";
import { mintCode } from "./grant-token.ts";
import { AuthorizationError, UntrustedRequestError } from "./protocol-errors.ts";

/** If DNS fails, the lookup of the sign-in counts for this long. */
const CONTROL_SHARED_S = 300;

/** Enough to find the mistake in a client. */
const MAX_LOGGED_SCOPES = 20;

const TOO_MANY_CLIENTS =
  "the session has signed in to as many clients with back-channel logout as it can; the user has to sign out of this service and sign in again";

/** Self-registered clients that one account, or one owned domain, may be the first to use. */
const NEW_CLIENTS_A_DAY = { account: 10, domain: 1000 };
const TOO_MANY_NEW_CLIENTS =
  "the user has signed in to too many apps today that registered themselves; try again tomorrow";

interface Deps {
  readonly issuer: string;
  readonly accounts: Aggregates["accounts"];
  readonly attempts: Aggregates["attempts"];
  readonly grants: Aggregates["grants"];
  readonly interactions: Aggregates["interactions"];
  readonly sessions: Aggregates["sessions"];
  readonly keyring: MacKeyring;
  readonly browserSessions: BrowserSessions;
  readonly control: Control;
  readonly minAssurance: Assurance;
  readonly keptEvidence: StoredRoom;
  readonly networkWeights: NetworkWeights;
  readonly clock: Clock;
  readonly events: Events;
}

/** An authentication for which a code is issued. */
export interface ProvenSignIn extends Authentication {
  readonly grantId: string;
  /** Null for a silent request. Without an id for a `Continue` that needs no row. */
  readonly interaction: {
    readonly id: string | null;
    readonly decision: Authenticated["decision"];
  } | null;
  /** JSON of the proofs for this request, from an external SP or the owner's passkey. */
  readonly proofs?: string | null;
  /** What must hold when the grant is committed, and what else that commit stores. */
  readonly others?: readonly JoinedWrite[];
}

export type IssueCode = ReturnType<typeof createAuthorizationResponse>["issueCode"];

export function createAuthorizationResponse(deps: Deps) {
  const { issuer, grants, interactions, minAssurance, clock, events } = deps;
  return { completeInteraction, issueCode };

  /** GET /interaction/:id/complete, and what a form leads to that needs no further page. */
  async function completeInteraction(
    context: RequestContext<AuthorizationRequest> & Omit<Completed, "request">,
  ): Promise<HttpResponse> {
    const { interaction, request } = context;
    const { progress } = interaction;
    if (progress.decision === "deny") {
      await interactions.expireInteraction(interaction.id, clock.seconds() + CODE_LIFETIME_S);
      throw new AuthorizationError(request.target, "access_denied", "the user denied the request");
    }
    const proof = authenticationOf(interaction);
    if (progress.method === "session" && !(await isStillSignedIn(context, proof.sid))) {
      throw new PageError(400, "signedOut", request);
    }
    const change = changeAt(issuer, request.target.uri);
    if (change !== undefined && isAccountClient(request.client, issuer)) {
      return seeOther(stepPath(interaction.id, change));
    }
    const account = context.account ?? (await deps.accounts.readAccount(proof.accountId));
    const { unsent = null } = context.session ?? {};
    const isSent =
      unsent !== null && deps.browserSessions.hasSent(context.http, proof.accountId, unsent);
    if (!isSent) return issueCode(proof, { ...context, account });
    const others = [deps.sessions.writePresented(unsent, clock.seconds())];
    try {
      return await issueCode({ ...proof, others }, { ...context, account });
    } catch (cause) {
      await deps.browserSessions.present(context.http, proof.accountId, unsent);
      throw cause;
    }
  }

  /** Whether the browser has an accepted secret of the session: a copy that was replaced gets no code. */
  async function isStillSignedIn({ http }: RequestContext, sid: string): Promise<boolean> {
    const { live, resting } = await deps.browserSessions.read(http);
    return [...live, ...resting].some(({ session }) => session.sid === sid);
  }

  /** Issues the grant with the reserved id. While its code is unused, a double click gets the same code. */
  async function issueCode(
    proof: ProvenSignIn,
    context: RequestContext<AuthorizationRequest> & { readonly account: Account | null },
  ): Promise<HttpResponse> {
    const { http, request, account } = context;
    const { client, target } = request;
    const from = requesterAt(http.clientAddress, true);
    const wanted = { freshness: "cached", from } as const;
    const result = account && (await deps.control.lookUp(account, wanted)).judged;
    // A deleted account has ended, whatever its record says.
    const isGone = account === null || account.endedAt !== null;
    if (isGone || result === null) throw notNamed(request, "expired");
    if (result === "lost") throw notNamed(request, "recordLost");
    if (isAccountClient(client, issuer)) {
      return seeOther(`${target.uri}?${new URLSearchParams({ domain: account.domain })}`);
    }
    refuseOther(account, proof.amr, request);
    const now = clock.seconds();
    const failure = failureOf(result, proof.controlCheckedAt, now);
    if (failure !== null) return failed(context, account.domain, failure);
    const look = typeof result === "string" ? null : result;
    const passedOn: PassedOn = proof.proofs ? JSON.parse(proof.proofs) : {};
    // Without the chain of a signed zone, nobody could verify it.
    const isProven = look !== null && look.proof !== null;
    if (client.owner_proof === "required" && !(isProven && passedOn.owner_proof)) {
      throw new PageError(400, "ownerProofRequired", request);
    }
    const isWanted = client.validation_data || request.statementFor !== null;
    const evidence = isWanted
      ? evidenceFor(proof, { ...context, account, look, passedOn, now })
      : null;
    const code = await grantedCode(proof, { account, request, evidence, now });
    // A silent request is no sign-in.
    if (proof.interaction !== null) {
      deps.networkWeights.noteSignIn(context.http.clientAddress, account.id);
    }
    return seeOther(responseUri(target, { code }));
  }

  /** Every code that can be redeemed has its evidence: both are stored by one commit. */
  function evidenceFor(
    { grantId, controlCheckedAt }: ProvenSignIn,
    issued: RequestContext<AuthorizationRequest> & {
      readonly account: Account;
      readonly look: AccountLook | null;
      readonly passedOn: PassedOn;
      readonly now: number;
    },
  ): Evidence {
    const { http, request, account, look, passedOn, now } = issued;
    const { nonce, statementFor, target } = request;
    const signIn = { account, issuer, controlCheckedAt, redirectUri: target.uri, nonce };
    const evidence = evidenceOf(look, { ...signIn, statementFor, passedOn });
    return evidenceRow(http, { grantId, now }, evidence, deps.keptEvidence);
  }

  /** Issues the grant. Throws if the grant was used or revoked, or its access was withdrawn. */
  async function grantedCode(
    proof: ProvenSignIn,
    {
      account,
      request,
      evidence,
      now,
    }: {
      readonly account: Account;
      readonly request: AuthorizationRequest;
      readonly evidence: Evidence | null;
      readonly now: number;
    },
  ): Promise<string> {
    const { grantId: id, accountId, authTime, amr, controlCheckedAt, sid } = proof;
    const { client, target } = request;
    const codeExpiresAt = now + CODE_LIFETIME_S;
    const expiresAt = now + client.refresh_absolute_lifetime;
    if (client.isUnused) await countNewClient(request, account, now);
    const grant = await grants.issueWith(
      {
        ...{ id, accountId, authTime, amr, controlCheckedAt, sid },
        clientId: client.client_id,
        redirectUri: target.uri,
        scope: request.scopes.join(" "),
        resources: storedResources(request.resources, account),
        codeChallenge: request.codeChallenge,
        nonce: request.nonce,
        claims: request.claims.inIdToken.join(" ") || null,
        createdAt: now,
        codeExpiresAt,
        expiresAt,
      },
      storedWith(proof, { request, evidence, now, expiresAt }),
    );
    if (typeof grant === "string") throw refusedFor(grant, request);
    if (!isOpen(grant, now) || !isFor(grant, { accountId, request })) {
      throw new PageError(400, "alreadyUsed", request);
    }
    const withdrawn = await withdrawnFrom(proof, request);
    if (withdrawn !== null) {
      await grants.revokeGrant({ id, now: clock.seconds() });
      throw withdrawn;
    }
    noteIgnoredScopes(request);
    return mintCode(deps.keyring, id, grant.createdAt);
  }

  /** What the commit of the grant stores beside it. */
  function storedWith(
    { sid, interaction, others = [] }: ProvenSignIn,
    issue: {
      readonly request: AuthorizationRequest;
      readonly evidence: Evidence | null;
      readonly now: number;
      readonly expiresAt: number;
    },
  ): IssuedWith {
    const { evidence, now, expiresAt } = issue;
    const { client } = issue.request;
    const { client_id: clientId, backchannel_logout_uri: uri } = client;
    return {
      ...{ evidence, others, interactionId: interaction?.id ?? null },
      notified: uri === "" ? null : { sid, clientId, host: logoutHost(client) },
      used: client.dynamic ? { clientId, now, expiresAt } : null,
    };
  }

  /** Why a look forbids a code; null if it does not. */
  function failureOf(result: AccountLook | LookFailure, controlCheckedAt: number, now: number) {
    if (typeof result !== "string") {
      return isAtLeast(result.assurance, minAssurance) ? null : "unconfirmed";
    }
    const isRecent = controlCheckedAt >= now - CONTROL_SHARED_S;
    return result === "contradictory" || !isRecent ? result : null;
  }

  /** A self-registered client is kept once it is used, so first uses are limited. */
  async function countNewClient(
    { target }: AuthorizationRequest,
    { id, domain }: Account,
    now: number,
  ): Promise<void> {
    for (const [owner, most] of [
      [id, NEW_CLIENTS_A_DAY.account],
      [ownedDomain(domain), NEW_CLIENTS_A_DAY.domain],
    ] as const) {
      const attempt = { name: `new clients ${owner}`, windowSeconds: 86_400, now };
      const { count } = await deps.attempts.countAttempt(attempt);
      if (count > most) throw new AuthorizationError(target, "access_denied", TOO_MANY_NEW_CLIENTS);
    }
  }

  /** Logged only with a code: each code costs a sign-in, so nobody can fill the log. */
  function noteIgnoredScopes({ client, ignoredScopes }: AuthorizationRequest): void {
    if (ignoredScopes.length === 0) return;
    const scope = ignoredScopes.map(printable).slice(0, MAX_LOGGED_SCOPES).join(" ");
    events.scopesIgnored({ clientId: client.client_id, scope });
  }

  /** The answer if the access was revoked, or the session ended, while the grant was issued; otherwise null. */
  async function withdrawnFrom(
    { interaction, sid, accountId, grantId }: ProvenSignIn,
    request: AuthorizationRequest,
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
      // For a client, an account that has withdrawn its consent does not exist.
      const isGone = sessionEnded || isRevoked;
      const description = "no user is signed in";
      return isGone ? new AuthorizationError(target, "login_required", description) : null;
    }
    if (interactionEnded || isRevoked) return new PageError(400, "expired", request);
    return sessionEnded ? new PageError(400, "signedOut", request) : null;
  }
}

/** Whether the code of a grant that stands can still be redeemed. */
function isOpen({ generation, revokedAt, codeExpiresAt }: Grant, now: number): boolean {
  return generation === 0 && revokedAt === null && codeExpiresAt > now;
}

/** Whether a grant that stands was issued for the same request. */
function isFor(
  grant: Grant,
  { accountId, request }: { readonly accountId: string; readonly request: AuthorizationRequest },
): boolean {
  return (
    grant.accountId === accountId &&
    grant.clientId === request.client.client_id &&
    grant.redirectUri === request.target.uri &&
    grant.codeChallenge === request.codeChallenge &&
    grant.nonce === request.nonce &&
    grant.scope === request.scopes.join(" ")
  );
}

function authenticationOf({ id, grantId, progress }: Completed["interaction"]) {
  const { decision, accountId, authTime, amr, controlCheckedAt, sid, proofs } = progress;
  const proof = { grantId, accountId, authTime, amr, controlCheckedAt, sid, proofs };
  return { interaction: { id, decision }, ...proof };
}

/** Throws unless the account and its authentication satisfy the request's `claims`. */
function refuseOther(account: Account, amr: string, request: AuthorizationRequest): void {
  const { client, claims, requiredAcr, target } = request;
  if (!isAcrAccepted(amr, requiredAcr)) {
    const description = `the sign-in has acr ${acrOf(amr)}, which claims does not accept`;
    throw new AuthorizationError(target, "access_denied", description);
  }
  if (claims.requiredSub !== null && claims.requiredSub !== subjectOf(client, account)) {
    const description = "the user signed in as another sub than claims requires";
    throw new AuthorizationError(target, "access_denied", description);
  }
}

function refusedFor(refusal: IssueRefusal, request: AuthorizationRequest): Error {
  const { client, target, prompt } = request;
  switch (refusal) {
    case "client_gone":
      return new UntrustedRequestError("unknownClient", { clientId: client.client_id });
    case "too_many_clients":
      return new AuthorizationError(target, "access_denied", TOO_MANY_CLIENTS);
    case "withdrawn":
      return prompt.has("none")
        ? new AuthorizationError(target, "login_required", "no user is signed in")
        : new PageError(400, "expired", request);
  }
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

function notNamed(request: AuthorizationRequest, problem: "expired" | "recordLost"): Error {
  // A silent request has no user to show a page to.
  if (!request.prompt.has("none")) return new PageError(400, problem, request);
  const description = "the DNS record of the domain no longer names the account";
  return new AuthorizationError(request.target, "login_required", description);
}

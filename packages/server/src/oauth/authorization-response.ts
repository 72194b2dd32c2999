// The end of a sign-in: makes the grant and sends the code to the client.

import type { Assurance } from "../dns/assurance.ts";
import type { SpRecords } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { AccountStore } from "../store/accounts.ts";
import type { EvidenceStore } from "../store/evidence.ts";
import type { GrantStore } from "../store/grants.ts";
import type { Authentication } from "../store/interactions.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { AuthorizationError } from "./errors.ts";
import { type ControlEvidence, evidenceOf, keepEvidence, lookAtIssue } from "./evidence.ts";
import { mintCode } from "./grant-token.ts";
import { answerUri } from "./redirect-target.ts";

/** Seconds that a code is valid. */
const CODE_LIFETIME = 600;

interface Deps {
  readonly issuer: string;
  readonly store: GrantStore & EvidenceStore & AccountStore;
  readonly spRecords: SpRecords;
  readonly minAssurance: Assurance;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export function createAuthorizationResponse(deps: Deps) {
  return {
    completeInteraction: (context: InteractionContext<AuthorizationRequest>) =>
      completeInteraction(context, deps),
  };
}

/** GET /interaction/:id/complete */
async function completeInteraction(
  { interaction, request }: InteractionContext<AuthorizationRequest>,
  deps: Deps,
): Promise<HttpResponse> {
  if (interaction.decision === "deny") {
    throw new AuthorizationError(request.target, "access_denied", "the user denied the request");
  }
  const { grantId, accountId, authTime, amr, controlCheckedAt, ownerProof } = interaction;
  if (accountId === null || authTime === null || amr === null || controlCheckedAt === null) {
    throw new Error("an interaction without an authentication was taken for complete");
  }
  const proof = { grantId, accountId, authTime, amr, controlCheckedAt, ownerProof };
  return issueCode(proof, request, deps);
}

/** `ownerProof` is the JSON of the owner's signature over this request, where the sign-in had one. */
type Proof = Authentication & { readonly ownerProof?: string | null };

/**
 * Issues the grant with the reserved id. A second call with the id gives the same code again while
 * it is unused: a double click makes one grant.
 */
export async function issueCode(
  proof: Proof & { grantId: string },
  request: AuthorizationRequest,
  deps: Deps,
): Promise<HttpResponse> {
  const { store, keyring, clock } = deps;
  const { client, target } = request;
  const evidence = await evidenceNow(proof, request, deps);
  const now = clock.seconds();
  const codeExpiresAt = now + CODE_LIFETIME;
  // Before the grant: a code that can be redeemed has its evidence.
  if (client.validation_data || request.scopes.includes("openid")) {
    await keepEvidence(store, { grantId: proof.grantId, codeExpiresAt }, evidence);
  }
  const grant = await store.issueGrant({
    id: proof.grantId,
    clientId: client.client_id,
    accountId: proof.accountId,
    redirectUri: target.uri,
    scope: request.scopes.join(" "),
    codeChallenge: request.codeChallenge,
    nonce: request.nonce,
    authTime: proof.authTime,
    amr: proof.amr,
    createdAt: now,
    codeExpiresAt,
    expiresAt: now + client.refresh_absolute_lifetime,
    controlCheckedAt: proof.controlCheckedAt,
  });
  if (grant.generation > 0 || grant.revokedAt !== null || grant.codeExpiresAt <= now) {
    throw new PageError(400, "alreadyUsed", request);
  }
  return seeOther(answerUri(target, { code: mintCode(keyring, grant.id, grant.createdAt) }));
}

/** What DNS says of the account now. Nobody gets a code for an account that the record no longer names. */
async function evidenceNow(
  { accountId, controlCheckedAt, ownerProof = null }: Proof,
  request: AuthorizationRequest,
  { store, spRecords, minAssurance, issuer }: Deps,
): Promise<ControlEvidence> {
  const account = await store.readAccount(accountId);
  const look = account && (await lookAtIssue(account, { spRecords, minAssurance }));
  if (account === null || look === "lost") throw notNamed(request);
  const { target, statementFor } = request;
  const redirectUri = target.uri;
  const signIn = { account, issuer, redirectUri, controlCheckedAt, statementFor };
  const evidence = evidenceOf(look, signIn);
  return ownerProof === null ? evidence : { ...evidence, owner_proof: JSON.parse(ownerProof) };
}

function notNamed(request: AuthorizationRequest): Error {
  // Nobody is in front of a silent request to read a page.
  return request.prompt.has("none")
    ? new AuthorizationError(
        request.target,
        "login_required",
        "the DNS record of the domain no longer names the account",
      )
    : new PageError(400, "expired", request);
}

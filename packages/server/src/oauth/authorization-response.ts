// Completes a sign-in: creates the grant and sends the code to the client.

import type { HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import type { Authentication } from "../store/interactions.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { Deps } from "./deps.ts";
import { AuthorizationError } from "./errors.ts";
import { type ControlEvidence, evidenceOf, keepEvidence, lookUpAtIssue } from "./evidence.ts";
import { mintCode } from "./grant-token.ts";
import { responseUri } from "./redirect-target.ts";

const CODE_LIFETIME_S = 600;

type ResponseDeps = Pick<
  Deps,
  | "issuer"
  | "accounts"
  | "grants"
  | "evidences"
  | "spRecords"
  | "minAssurance"
  | "keyring"
  | "clock"
>;

export function createAuthorizationResponse(deps: ResponseDeps) {
  return { completeInteraction };

  /** GET /interaction/:id/complete */
  async function completeInteraction({
    interaction,
    request,
  }: InteractionContext<AuthorizationRequest>): Promise<HttpResponse> {
    if (interaction.decision === "deny") {
      throw new AuthorizationError(request.target, "access_denied", "the user denied the request");
    }
    const { grantId, accountId, authTime, amr, controlCheckedAt, ownerProof } = interaction;
    if (accountId === null || authTime === null || amr === null || controlCheckedAt === null) {
      throw new Error("the interaction is at the step complete, but has no authentication");
    }
    const proof = { grantId, accountId, authTime, amr, controlCheckedAt, ownerProof };
    return issueCode(proof, request, deps);
  }
}

/** `ownerProof` is the JSON of the owner's signature over this request, if there is one. */
type Proof = Authentication & { readonly ownerProof?: string | null };

/**
 * Issues a grant with the reserved id and redirects to the client. Idempotent while the code is
 * unused, so that a double click creates one grant.
 */
export async function issueCode(
  proof: Proof & { grantId: string },
  request: AuthorizationRequest,
  deps: ResponseDeps,
): Promise<HttpResponse> {
  const { grants, evidences, keyring, clock } = deps;
  const { client, target } = request;
  const evidence = await evidenceNow(proof, request, deps);
  const now = clock.seconds();
  const codeExpiresAt = now + CODE_LIFETIME_S;
  // Stored before the grant, so that every code that can be redeemed has its evidence.
  if (client.validation_data || request.scopes.includes("openid")) {
    await keepEvidence(evidences, { grantId: proof.grantId, codeExpiresAt }, evidence);
  }
  const grant = await grants.issueGrant({
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
  return seeOther(responseUri(target, { code: mintCode(keyring, grant.id, grant.createdAt) }));
}

/** The current DNS evidence. Throws if the record no longer names the account. */
async function evidenceNow(
  { accountId, controlCheckedAt, ownerProof = null }: Proof,
  request: AuthorizationRequest,
  { accounts, spRecords, minAssurance, issuer }: ResponseDeps,
): Promise<ControlEvidence> {
  const account = await accounts.readAccount(accountId);
  const result = account && (await lookUpAtIssue(account, { spRecords, minAssurance }));
  if (account === null || result === "lost") throw notNamed(request);
  const { target, statementFor } = request;
  const redirectUri = target.uri;
  const signIn = { account, issuer, redirectUri, controlCheckedAt, statementFor };
  const evidence = evidenceOf(result, signIn);
  return ownerProof === null ? evidence : { ...evidence, owner_proof: JSON.parse(ownerProof) };
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

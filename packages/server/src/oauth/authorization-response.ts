// The end of a sign-in: makes the grant and sends the code to the client.

import type { Exchange } from "../http/channels.ts";
import { seeOther } from "../http/headers.ts";
import { advance, openInteraction, stepOf } from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import type { Authentication } from "../store/store.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { AuthorizationError } from "./errors.ts";
import { mintCode } from "./grant-token.ts";
import type { OAuthParts } from "./parts.ts";
import { answerUri } from "./redirect-target.ts";

/** Seconds that a code is valid. */
const CODE_LIFETIME = 600;

/** GET /interaction/:id/complete */
export function completeInteraction(parts: OAuthParts) {
  return async (exchange: Exchange): Promise<Response> => {
    const open = await openInteraction(exchange, parts);
    const { interaction, request } = open;
    if ((await stepOf(open, parts)) !== "complete") return advance(open, parts);
    if (interaction.decision === "deny") {
      throw new AuthorizationError(request.target, "access_denied", "the person did not allow it");
    }
    const { grantId, accountId, authTime, amr, controlCheckedAt } = interaction;
    if (accountId === null || authTime === null || amr === null || controlCheckedAt === null) {
      throw new Error("an interaction without an authentication was taken for complete");
    }
    return issueCode({ grantId, accountId, authTime, amr, controlCheckedAt }, request, parts);
  };
}

/**
 * Issues the grant with the reserved id. A second call with the id gives the same code again while
 * it is unused: a double click makes one grant.
 */
export async function issueCode(
  proof: Authentication & { grantId: string },
  request: AuthorizationRequest,
  { store, keyring, clock }: OAuthParts,
): Promise<Response> {
  const now = clock.seconds();
  const { client, target } = request;
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
    codeExpiresAt: now + CODE_LIFETIME,
    expiresAt: now + client.refresh_absolute_lifetime,
    controlCheckedAt: proof.controlCheckedAt,
  });
  if (grant.generation > 0 || grant.revokedAt !== null || grant.codeExpiresAt <= now) {
    throw new PageError(400, "alreadyUsed", request);
  }
  return seeOther(answerUri(target, { code: mintCode(keyring, grant.id, grant.createdAt) }));
}

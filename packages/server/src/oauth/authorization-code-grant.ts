// Redeems an authorization code, exactly once, by one statement of the store.

import type { GrantWithAccount, PresentedCode } from "../store/grants.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";
import type { Deps, SigningDeps } from "./deps.ts";
import { TokenError } from "./errors.ts";
import { readEvidence } from "./evidence.ts";
import { readGrantToken } from "./grant-token.ts";
import { mintIdToken, ownerOf } from "./id-token.ts";
import { ownerStatement } from "./owner-statement.ts";
import { challengeOf } from "./pkce.ts";
import { type TokenResponse, tokenResponse } from "./token-response.ts";
import { validationData } from "./validation-data.ts";

/** A second redemption with the right verifier within this window does not revoke the grant. */
const DOUBLE_SUBMIT_WINDOW_S = 10;

export async function redeemAuthorizationCode(
  { client, isProven }: AuthenticatedClient,
  values: ReadonlyMap<string, string>,
  deps: SigningDeps & Pick<Deps, "grants" | "evidences" | "events">,
): Promise<TokenResponse> {
  const { grants, evidences, clock, keyring, events } = deps;
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
  };
  // Read before the redemption, so that a database failure here does not use up the code.
  const isWanted = client.validation_data || client.scope.split(" ").includes("openid");
  const evidence = isWanted ? await readEvidence(evidences, token.grantId, now) : null;
  const owner = isWanted ? (evidence ?? (await ownerOf(grants, token.grantId))) : null;
  const grant = await grants.redeemCode(presented);
  if (grant !== null) {
    const scopes = grant.scope.split(" ");
    const response = tokenResponse(grant, scopes, deps);
    const ownerProof = isProven && evidence ? ownerStatement(evidence, client, deps) : null;
    const issued = { grant, client, accessToken: response.access_token };
    return {
      ...response,
      ...(owner !== null &&
        scopes.includes("openid") && {
          id_token: await mintIdToken({ owner, ownerProof, ...issued }, deps),
        }),
      ...(client.validation_data &&
        evidence && { validation_data: validationData({ evidence, ...issued }, deps) }),
    };
  }

  const reason = whyNotRedeemed(await grants.readGrant(token.grantId), presented);
  if (reason.replayed !== undefined) {
    const { id, clientId, accountId } = reason.replayed;
    await grants.revokeGrant({ id, now });
    events.replayed({ clientId, accountId, token: "code" });
  }
  throw refuse(reason.found);
}

/**
 * Why the redemption changed no row. Only a second use with the right client, redirect_uri and
 * verifier is a replay, so that a third party cannot revoke the grant.
 */
function whyNotRedeemed(
  found: GrantWithAccount | null,
  presented: PresentedCode,
): { found: string; replayed?: GrantWithAccount["grant"] } {
  if (found === null) return { found: "grant not found" };
  const { grant, account } = found;
  if (grant.clientId !== presented.clientId) return { found: "issued to another client" };
  if (grant.revokedAt !== null) return { found: "revoked" };
  if (grant.redirectUri !== presented.redirectUri) return { found: "redirect_uri does not match" };
  if (grant.codeChallenge !== presented.codeChallenge)
    return { found: "code_verifier does not match" };
  if (grant.generation > 0) {
    const isDoubleSubmit =
      grant.codeChallenge !== null &&
      grant.generation === 1 &&
      presented.now - (grant.rotatedAt ?? 0) <= DOUBLE_SUBMIT_WINDOW_S;
    return isDoubleSubmit
      ? { found: "already redeemed within the last 10 seconds" }
      : { found: "already redeemed", replayed: grant };
  }
  if (grant.codeExpiresAt <= presented.now) return { found: "expired" };
  if (account.endedAt !== null || account.asleepSince !== null)
    return { found: "account is not live" };
  return { found: "grant changed during the request" };
}

function refuse(detail: string): TokenError {
  return new TokenError(
    "invalid_grant",
    "the code is invalid, expired or already used, or does not match the client, redirect_uri or code_verifier",
    { detail },
  );
}

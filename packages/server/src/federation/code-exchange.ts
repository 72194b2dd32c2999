// Redeems a code at an external SP (OIDC Core §3.1.3).

import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  getValidatedIdTokenClaims,
  type IDToken,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { UnavailableError } from "../lib/errors.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import { callbackUri, type RequestSecrets } from "./authorization-request.ts";
import { requestAs, UnknownClientError } from "./client-authentication.ts";
import type { RequestDeps } from "./deps.ts";
import { checkClaims, type Expected } from "./id-token.ts";
import type { SpKeys } from "./provider.ts";
import { isUnavailable, SpFailure, shownError } from "./sp-problem.ts";

export interface CodeToRedeem extends Expected {
  /** The parameters of the authorization response. */
  readonly answer: URLSearchParams;
  readonly secrets: RequestSecrets;
  /** The client secret for this SP. */
  readonly secret: string | null;
}

type ExchangeDeps = RequestDeps & { readonly keys: SpKeys };

/** Returns the claims of a valid ID token for the account that the record names. Throws `SpFailure`. */
export async function redeemCode(
  code: CodeToRedeem,
  deps: ExchangeDeps,
  signal: AbortSignal,
): Promise<IDToken> {
  try {
    return await redeem(code, deps, signal);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === "invalid_client") {
      throw new UnknownClientError("the token endpoint does not know our client");
    }
    throw isReported(error) ? error : new SpFailure("bad_answer", describeError(error));
  }
}

async function redeem(
  code: CodeToRedeem,
  deps: ExchangeDeps,
  signal: AbortSignal,
): Promise<IDToken> {
  const { sp, asked, secrets } = code;
  // A new object each time, because the library caches keys by this object.
  const as = {
    issuer: sp,
    token_endpoint: asked.token_endpoint,
    jwks_uri: asked.jwks_uri,
    authorization_response_iss_parameter_supported: asked.iss,
    id_token_signing_alg_values_supported: [...asked.algs],
  };
  const { client, authentication, options } = await requestAs(
    asked.client,
    code.secret,
    deps,
    signal,
  );
  const response = await authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    validateAuthResponse(as, client, code.answer, secrets.state),
    callbackUri(deps.issuer, sp),
    secrets.verifier,
    options,
  );
  if (isUnavailable(response)) throw new SpFailure("unreachable", describeStatus(response));
  const verifySignature = async (forceRefresh: boolean) => {
    const keySet = await deps.keys.read(asked.jwks_uri, { forceRefresh, signal });
    const headers = { "content-type": "application/json" };
    await validateApplicationLevelSignature({ ...as }, response, {
      [allowInsecureRequests]: deps.allowLoopback,
      [customFetch]: async () => new Response(JSON.stringify(keySet), { headers }),
    });
  };
  const tokens = await processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: secrets.nonce,
    requireIdToken: true,
  });
  // The cached key set may be older than the key.
  await verifySignature(false).catch((error) => {
    if (isReported(error)) throw error;
    return verifySignature(true);
  });
  const claims = getValidatedIdTokenClaims(tokens);
  if (claims === undefined) {
    throw new SpFailure("bad_answer", "the token response contains no ID token");
  }
  checkClaims(claims, code, deps.clock.seconds());
  return claims;
}

/** Errors that are not the SP's fault, or already describe what is. */
function isReported(error: unknown): boolean {
  const own = [SpFailure, GuardedFetchError, UnknownClientError];
  return [...own, UnavailableError, TooManyRequestsError].some((kind) => error instanceof kind);
}

/** Messages of the library (code `OAUTH_…`) describe the problem and contain no received values. */
function describeError(error: unknown): string {
  if (error instanceof ResponseBodyError) {
    return `the token endpoint returned an error: ${shownError(error.error)}`;
  }
  if (!(error instanceof Error)) return "the token response is malformed";
  if (error.cause instanceof Response && error.cause.status !== 200) {
    return describeStatus(error.cause);
  }
  const isCoded = "code" in error && String(error.code).startsWith("OAUTH_");
  return isCoded ? error.message : "the token response is malformed";
}

const describeStatus = ({ status }: Response) =>
  `the token endpoint responded with status ${status}`;

// Redeems a code at an external SP (OIDC Core §3.1.3).

import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  clockSkew,
  clockTolerance,
  customFetch,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  validateAuthResponse,
} from "oauth4webapi";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { UnavailableError } from "../lib/errors.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import { callbackUri, type RequestSecrets, type SentRequest } from "./authorization-request.ts";
import {
  authenticationOf,
  oauthFetch,
  type RequestDeps,
  UnknownClientError,
} from "./client-authentication.ts";
import { type IdTokenClaims, SKEW_S, validateIdToken } from "./id-token.ts";
import type { SpKeys } from "./sp-keys.ts";
import { SpFailure, shownError } from "./sp-problem.ts";

export interface CodeToRedeem {
  readonly sp: string;
  readonly asked: SentRequest;
  /** The parameters of the authorization response. */
  readonly answer: URLSearchParams;
  readonly secrets: RequestSecrets;
  /** The client secret for this SP. */
  readonly secret: string | null;
  /** `max_age` of the request, in seconds. */
  readonly maxAge: number | undefined;
  /** Whether the request had `prompt=login`. */
  readonly forceLogin: boolean;
  readonly domain: string;
  readonly acct: string;
}

/** Returns the claims of a valid ID token for the account that the record names. Throws `SpFailure`. */
export async function redeemCode(
  code: CodeToRedeem,
  deps: RequestDeps & { readonly keys: SpKeys },
  signal: AbortSignal,
): Promise<IdTokenClaims> {
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
  { sp, asked, answer, secrets, secret, maxAge, forceLogin, domain, acct }: CodeToRedeem,
  deps: RequestDeps & { readonly keys: SpKeys },
  signal: AbortSignal,
): Promise<IdTokenClaims> {
  const { clock, keys, allowLoopback } = deps;
  // A new object each time, because the library caches keys by this object.
  const as: AuthorizationServer = {
    issuer: sp,
    token_endpoint: asked.token_endpoint,
    jwks_uri: asked.jwks_uri,
    authorization_response_iss_parameter_supported: asked.iss,
    id_token_signing_alg_values_supported: [...asked.algs],
  };
  const { id, alg } = asked.client;
  const client: Client = {
    client_id: id,
    ...(alg !== undefined && { id_token_signed_response_alg: alg }),
    [clockSkew]: clock.seconds() - Math.floor(Date.now() / 1000),
    [clockTolerance]: SKEW_S,
  };
  const insecure = { [allowInsecureRequests]: allowLoopback };
  const response = await authorizationCodeGrantRequest(
    as,
    client,
    await authenticationOf(asked.client, secret, deps),
    validateAuthResponse(as, client, answer, secrets.state),
    callbackUri(deps.issuer, sp),
    secrets.verifier,
    { ...insecure, [customFetch]: oauthFetch(deps.fetch), signal },
  );
  if (response.status >= 500 || response.status === 429) {
    throw new SpFailure("unreachable", describeStatus(response));
  }
  const tokens = await processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: secrets.nonce,
    requireIdToken: true,
  });
  const context = { as, keys, allowLoopback, signal, isReported };
  return validateIdToken({ tokens, response }, context, {
    clientId: id,
    requestedAt: asked.at,
    maxAge,
    forceLogin,
    now: clock.seconds(),
    record: { sp, domain, acct, isDomainAware: asked.domain_aware },
  });
}

/** Errors that are not the SP's fault, or already describe what is. */
function isReported(error: unknown): boolean {
  return (
    error instanceof SpFailure ||
    error instanceof GuardedFetchError ||
    error instanceof UnknownClientError ||
    error instanceof UnavailableError ||
    error instanceof TooManyRequestsError
  );
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

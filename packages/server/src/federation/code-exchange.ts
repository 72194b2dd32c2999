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
import { type Asked, callbackUri, type RequestSecrets } from "./authorization-request.ts";
import {
  authenticationOf,
  oauthFetch,
  type RequestDeps,
  UnknownClientError,
} from "./client-authentication.ts";
import { type IdTokenClaims, judgeIdToken, SKEW_S } from "./id-token.ts";
import type { SpKeys } from "./sp-keys.ts";
import { SpFailure, shownError } from "./sp-problem.ts";

export interface CodeToRedeem {
  readonly sp: string;
  readonly asked: Asked;
  /** The answer as it came. */
  readonly answer: URLSearchParams;
  readonly secrets: RequestSecrets;
  /** Of our client with this SP. */
  readonly secret: string | null;
  /** Seconds that the authentication might be old when the person was sent. */
  readonly maxAge: number | undefined;
  /** Whether the person was to sign in anew, whatever session there was. */
  readonly isAnew: boolean;
  /** What the record names besides the SP. */
  readonly domain: string;
  readonly acct: string;
}

/** The claims of an ID token for the account that the record names. Throws `SpFailure`. */
export async function redeemCode(
  code: CodeToRedeem,
  deps: RequestDeps & { readonly keys: SpKeys },
  signal: AbortSignal,
): Promise<IdTokenClaims> {
  try {
    return await redeem(code, deps, signal);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === "invalid_client") {
      throw new UnknownClientError("it does not know our client");
    }
    throw isOurs(error) ? error : new SpFailure("bad_answer", wordsOf(error));
  }
}

async function redeem(
  { sp, asked, answer, secrets, secret, maxAge, isAnew, domain, acct }: CodeToRedeem,
  deps: RequestDeps & { readonly keys: SpKeys },
  signal: AbortSignal,
): Promise<IdTokenClaims> {
  const { clock, keys, allowLoopback } = deps;
  // A new object each time: the library keeps keys of its own for each.
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
    throw new SpFailure("unreachable", statusWords(response));
  }
  const tokens = await processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: secrets.nonce,
    requireIdToken: true,
  });
  const by = { as, keys, allowLoopback, signal, isOurs };
  const expected = {
    ...{ clientId: id, askedAt: asked.at, maxAge, isAnew, now: clock.seconds() },
    record: { sp, domain, acct, isAware: asked.domain_aware },
  };
  return judgeIdToken({ tokens, response }, by, expected);
}

/** What is not the SP's fault, or says already what is. */
function isOurs(error: unknown): boolean {
  return (
    error instanceof SpFailure ||
    error instanceof GuardedFetchError ||
    error instanceof UnknownClientError ||
    error instanceof UnavailableError ||
    error instanceof TooManyRequestsError
  );
}

/** The library's messages name what was wrong and never what was sent. */
function wordsOf(error: unknown): string {
  if (error instanceof ResponseBodyError) {
    return `its token endpoint answers with ${shownError(error.error)}`;
  }
  if (!(error instanceof Error)) return "its answer cannot be read";
  if (error.cause instanceof Response && error.cause.status !== 200) {
    return statusWords(error.cause);
  }
  const isCoded = "code" in error && String(error.code).startsWith("OAUTH_");
  return isCoded ? error.message : "its answer cannot be read";
}

const statusWords = ({ status }: Response) => `its token endpoint answers with status ${status}`;

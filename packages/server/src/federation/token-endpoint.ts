// Requests to the token endpoint of an SP: redeeming a code (OIDC Core §3.1.3), and whether the SP knows us.

import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetchOptions,
  clockSkew,
  clockTolerance,
  customFetch,
  generateRandomCodeVerifier,
  genericTokenEndpointRequest,
  modifyAssertion,
  None,
  PrivateKeyJwt,
  ResponseBodyError,
  validateAuthResponse,
} from "oauth4webapi";
import type { SigningKey } from "../keys/signing-key.ts";
import type { Clock } from "../lib/clock.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { ProviderMetadata, SpCall } from "./provider.ts";
import { callbackUri, type RequestSecrets, type SpClient } from "./sp-authorization.ts";
import { type Expected, type IdTokenJudge, SKEW_S } from "./sp-id-token.ts";
import {
  isReported,
  isUnavailable,
  SpFailure,
  shownError,
  UnknownClientError,
} from "./sp-problem.ts";

type FetchOptions = CustomFetchOptions<"GET" | "POST", string | URLSearchParams | undefined>;

export interface SpRequester {
  /** Our own issuer. */
  readonly issuer: string;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
  /** Whether SPs at `http://localhost:PORT` are allowed: only if our own issuer is one. */
  readonly allowLoopback: boolean;
  /** The key for `private_key_jwt`. */
  assertionKey(): SigningKey;
}

/** Ignores the library's `redirect` option, because the guarded fetch always fails on redirects. */
export function requestOptions({ fetch, allowLoopback }: SpRequester, call: SpCall) {
  return {
    [customFetch]: (url: string, { method, headers, body }: FetchOptions) =>
      fetch(url, { method, headers, body, ...call }),
    [allowInsecureRequests]: allowLoopback,
    signal: call.signal,
  };
}

export interface CodeToRedeem extends Expected {
  /** The parameters of the authorization response. */
  readonly answer: URLSearchParams;
  readonly secrets: RequestSecrets;
  readonly secret: string | null;
}

/** Throws `UnknownClientError` if the secret of our client is missing. */
export function createTokenEndpoint(deps: SpRequester) {
  const { issuer, clock } = deps;

  /** What oauth4webapi needs for a request as our client. */
  async function requestAs(own: SpClient, secret: string | null, call: SpCall) {
    const client: Client = {
      client_id: own.id,
      ...(own.alg !== undefined && { id_token_signed_response_alg: own.alg }),
      // The library reads the time from `Date`.
      [clockSkew]: clock.seconds() - Math.floor(Date.now() / 1000),
      [clockTolerance]: SKEW_S,
    };
    const authentication = await authenticationOf(own, secret);
    return { client, authentication, options: requestOptions(deps, call) };
  }

  async function authenticationOf({ method }: SpClient, secret: string | null) {
    if (method === "none") return None();
    if (method === "private_key_jwt") {
      const { kid, privateKey } = deps.assertionKey();
      const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" });
      const algorithm = { name: "ECDSA", namedCurve: "P-256" };
      const key = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
      // The library sets `aud` to the issuer and `exp` to 60 s ahead. An SP whose clock is behind would refuse `nbf`.
      const withoutNbf = (_: unknown, payload: { nbf?: unknown }) => void delete payload.nbf;
      return PrivateKeyJwt({ key, kid }, { [modifyAssertion]: withoutNbf });
    }
    if (secret === null) {
      throw new UnknownClientError("the client secret for this SP is no longer stored");
    }
    return method === "client_secret_basic" ? ClientSecretBasic(secret) : ClientSecretPost(secret);
  }

  async function redeem(code: CodeToRedeem, judge: IdTokenJudge, call: SpCall) {
    const { sp, asked, secrets } = code;
    // A new object each time, because the library caches keys by this object.
    const as = {
      issuer: sp,
      token_endpoint: asked.token_endpoint,
      jwks_uri: asked.jwks_uri,
      authorization_response_iss_parameter_supported: asked.iss,
      id_token_signing_alg_values_supported: [...asked.algs],
    };
    const { client, authentication, options } = await requestAs(asked.client, code.secret, call);
    const response = await authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      validateAuthResponse(as, client, code.answer, secrets.state),
      callbackUri(issuer, sp),
      secrets.verifier,
      options,
    );
    if (isUnavailable(response.status)) {
      throw new SpFailure("unreachable", describeStatus(response));
    }
    return judge({ as, client, response, nonce: secrets.nonce }, code, call);
  }

  async function sendMadeUpCode(
    { issuer: sp, token_endpoint }: ProviderMetadata,
    own: SpClient,
    secret: string | null,
    call: SpCall,
  ): Promise<Response> {
    const { client, authentication, options } = await requestAs(own, secret, call);
    const parameters = {
      code: generateRandomCodeVerifier(),
      redirect_uri: callbackUri(issuer, sp),
      code_verifier: generateRandomCodeVerifier(),
    };
    return genericTokenEndpointRequest(
      { issuer: sp, token_endpoint },
      client,
      authentication,
      "authorization_code",
      parameters,
      options,
    );
  }

  return {
    sendMadeUpCode,

    /** Returns the claims of a valid ID token for the account that the record names. Throws `SpFailure`. */
    redeemCode: (code: CodeToRedeem, judge: IdTokenJudge, call: SpCall) =>
      redeem(code, judge, call).catch((error: unknown): never => {
        if (error instanceof ResponseBodyError && error.error === "invalid_client") {
          throw new UnknownClientError("the token endpoint does not know our client");
        }
        throw isReported(error) ? error : new SpFailure("bad_answer", describeError(error));
      }),

    /** Sends a made-up code to see whether the SP knows the client. "unclear": no usable response. */
    async probeClient(
      ...request: Parameters<typeof sendMadeUpCode>
    ): Promise<"known" | "unknown" | "unclear"> {
      try {
        const response = await sendMadeUpCode(...request);
        if (isUnavailable(response.status)) return "unclear";
        const { error } = await jsonOf(response);
        // The client is authenticated before the code is checked (RFC 6749 §5.2).
        return isUnknownClient(response.status, error) ? "unknown" : "known";
      } catch (error) {
        if (error instanceof UnknownClientError) return "unknown";
        if (error instanceof GuardedFetchError) return "unclear";
        throw error;
      }
    },
  };
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

/** Whether the token endpoint has refused the client, rather than the code. */
export function isUnknownClient(status: number, error: unknown): boolean {
  return status === 401 || error === "invalid_client";
}

/** Returns an empty object if the body is not a JSON object. */
export async function jsonOf(response: Response): Promise<{
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly client_id?: unknown;
}> {
  return Object(await response.json().catch(() => undefined));
}

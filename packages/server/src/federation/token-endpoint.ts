// Requests to an SP as its client: authentication, redeeming a code (OIDC Core §3.1.3), and whether the SP
// knows the client.

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
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { AcctCheck } from "./acct-hash.ts";
import type { RequestContext } from "./deps.ts";
import type { ProviderMetadata, SpKeys } from "./provider.ts";
import { callbackUri, type RequestSecrets, type SpClient } from "./sp-authorization.ts";
import { type Expected, judgeIdToken, SKEW_S } from "./sp-id-token.ts";
import {
  isReported,
  isUnavailable,
  SpFailure,
  shownError,
  UnknownClientError,
} from "./sp-problem.ts";

/** What oauth4webapi needs for a request as our client. Throws `UnknownClientError` if a secret is missing. */
async function requestAs(own: SpClient, secret: string | null, context: RequestContext) {
  const client: Client = {
    client_id: own.id,
    ...(own.alg !== undefined && { id_token_signed_response_alg: own.alg }),
    // The library reads the time from `Date`.
    [clockSkew]: context.clock.seconds() - Math.floor(Date.now() / 1000),
    [clockTolerance]: SKEW_S,
  };
  const authentication = await authenticationOf(own, secret, context);
  return { client, authentication, options: requestOptions(context) };
}

async function authenticationOf(
  { method }: SpClient,
  secret: string | null,
  { keyring, clock }: RequestContext,
) {
  if (method === "none") return None();
  if (method === "private_key_jwt") {
    const { kid, privateKey } = keyring.signingKeyAt("client-assertion", clock.seconds());
    const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" });
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const key = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
    // The library sets `aud` to the issuer alone and `exp` to 60 s ahead. An SP whose clock is a second
    // behind would refuse `nbf`.
    const withoutNbf = (_: unknown, payload: { nbf?: unknown }) => void delete payload.nbf;
    return PrivateKeyJwt({ key, kid }, { [modifyAssertion]: withoutNbf });
  }
  if (secret === null) {
    throw new UnknownClientError("the client secret for this SP is no longer stored");
  }
  return method === "client_secret_basic" ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

type FetchOptions = CustomFetchOptions<"GET" | "POST", string | URLSearchParams | undefined>;

/** Without the `redirect` option of the library: the guarded fetch always fails on redirects. */
export function requestOptions({
  fetch,
  allowLoopback,
  signal,
}: Pick<RequestContext, "fetch" | "allowLoopback" | "signal">) {
  return {
    [customFetch]: (url: string, { method, headers, body }: FetchOptions) =>
      fetch(url, { method, headers, body, signal }),
    [allowInsecureRequests]: allowLoopback,
    signal,
  };
}

export interface CodeToRedeem extends Expected {
  /** The parameters of the authorization response. */
  readonly answer: URLSearchParams;
  readonly secrets: RequestSecrets;
  /** The client secret for this SP. */
  readonly secret: string | null;
}

type ExchangeContext = RequestContext & { readonly keys: SpKeys; readonly accts: AcctCheck };

/** Returns the claims of a valid ID token for the account that the record names. Throws `SpFailure`. */
export function redeemCode(code: CodeToRedeem, context: ExchangeContext) {
  return redeem(code, context).catch((error: unknown): never => {
    if (error instanceof ResponseBodyError && error.error === "invalid_client") {
      throw new UnknownClientError("the token endpoint does not know our client");
    }
    throw isReported(error) ? error : new SpFailure("bad_answer", describeError(error));
  });
}

async function redeem(code: CodeToRedeem, context: ExchangeContext) {
  const { sp, asked, secrets } = code;
  // A new object each time, because the library caches keys by this object.
  const as = {
    issuer: sp,
    token_endpoint: asked.token_endpoint,
    jwks_uri: asked.jwks_uri,
    authorization_response_iss_parameter_supported: asked.iss,
    id_token_signing_alg_values_supported: [...asked.algs],
  };
  const { client, authentication, options } = await requestAs(asked.client, code.secret, context);
  const response = await authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    validateAuthResponse(as, client, code.answer, secrets.state),
    callbackUri(context.issuer, sp),
    secrets.verifier,
    options,
  );
  if (isUnavailable(response)) throw new SpFailure("unreachable", describeStatus(response));
  return judgeIdToken({ as, client, response, nonce: secrets.nonce }, code, context);
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

/** Sends a made-up code as our client. Throws `UnknownClientError` if a secret is missing. */
export async function sendMadeUpCode(
  { issuer: sp, token_endpoint }: ProviderMetadata,
  own: SpClient,
  secret: string | null,
  context: RequestContext,
): Promise<Response> {
  const { client, authentication, options } = await requestAs(own, secret, context);
  return genericTokenEndpointRequest(
    { issuer: sp, token_endpoint },
    client,
    authentication,
    "authorization_code",
    {
      code: generateRandomCodeVerifier(),
      redirect_uri: callbackUri(context.issuer, sp),
      code_verifier: generateRandomCodeVerifier(),
    },
    options,
  );
}

/** Sends an invalid code to see whether the SP knows the client. "unclear": no usable response. */
export async function probeClient(
  metadata: ProviderMetadata,
  own: SpClient,
  secret: string | null,
  context: RequestContext,
): Promise<"known" | "unknown" | "unclear"> {
  try {
    const response = await sendMadeUpCode(metadata, own, secret, context);
    if (isUnavailable(response)) return "unclear";
    const { error } = await jsonOf(response);
    // The client is authenticated before the code is checked (RFC 6749 §5.2).
    return isUnknownClient(response.status, error) ? "unknown" : "known";
  } catch (error) {
    if (error instanceof UnknownClientError) return "unknown";
    if (error instanceof GuardedFetchError || error instanceof TooManyRequestsError) {
      return "unclear";
    }
    throw error;
  }
}

/** Whether the token endpoint has refused the client, rather than the code. */
export function isUnknownClient(status: number, error: unknown): boolean {
  return status === 401 || error === "invalid_client";
}

/** Without members if the body is not a JSON object. */
export async function jsonOf(response: Response): Promise<{
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly client_id?: unknown;
}> {
  return Object(await response.json().catch(() => undefined));
}

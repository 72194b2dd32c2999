// Redeems a code at an external SP and checks the ID token in full (OIDC Core §3.1.3).

import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  customFetch,
  getValidatedIdTokenClaims,
  type IDToken,
  modifyAssertion,
  None,
  PrivateKeyJwt,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { UnavailableError } from "../lib/errors.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import { type Asked, callbackUri, type RequestSecrets, type SpClient } from "./external-state.ts";
import { oauthFetch } from "./oauth-fetch.ts";
import type { FederationParts } from "./parts.ts";
import type { SpKeys } from "./sp-keys.ts";
import { SpFailure, shownError } from "./sp-problem.ts";

export type IdTokenClaims = IDToken;

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
}

/** Leaves the exchange: the SP does not know our client (any more). */
export class UnknownClientError extends Error {
  override name = "UnknownClientError";
}

/** Seconds that clocks may differ. */
const SKEW = 60;

/** The claims, of which every one has been checked that is not about a domain. Throws `SpFailure`. */
export async function redeemCode(
  code: CodeToRedeem,
  parts: FederationParts & { keys: SpKeys },
  signal: AbortSignal,
): Promise<IdTokenClaims> {
  try {
    return await redeem(code, parts, signal);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === "invalid_client") {
      throw new UnknownClientError("it does not know our client");
    }
    throw isOurs(error) ? error : new SpFailure("bad_answer", wordsOf(error));
  }
}

async function redeem(
  { sp, asked, answer, secrets, secret, maxAge, isAnew }: CodeToRedeem,
  parts: FederationParts & { keys: SpKeys },
  signal: AbortSignal,
): Promise<IdTokenClaims> {
  const { clock, keys, allowLoopback } = parts;
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
    [clockTolerance]: SKEW,
  };
  const insecure = { [allowInsecureRequests]: allowLoopback };
  const response = await authorizationCodeGrantRequest(
    as,
    client,
    await authenticationOf(asked.client, secret, parts),
    validateAuthResponse(as, client, answer, secrets.state),
    callbackUri(parts.issuer, sp),
    secrets.verifier,
    { ...insecure, [customFetch]: oauthFetch(parts.fetch), signal },
  );
  if (response.status >= 500 || response.status === 429) {
    throw new SpFailure("unreachable", statusWords(response));
  }
  const tokens = await processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: secrets.nonce,
    requireIdToken: true,
  });
  const verify = async (isAgain: boolean) => {
    const text = await keys.read(asked.jwks_uri, { isAgain, signal });
    const headers = { "content-type": "application/json" };
    await validateApplicationLevelSignature({ ...as }, response, {
      ...insecure,
      [customFetch]: async () => new Response(text, { headers }),
    });
  };
  // A key that is not among the remembered ones may be among those of today.
  await verify(false).catch((error) => {
    if (isOurs(error)) throw error;
    return verify(true);
  });
  const claims = getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw new SpFailure("bad_answer", "its answer holds no ID token");
  checkClaims(claims, { client, asked, maxAge, isAnew, now: clock.seconds() });
  return claims;
}

/** What the library leaves. */
function checkClaims(
  { iat, exp, sub, azp, auth_time }: IDToken,
  to: Pick<CodeToRedeem, "asked" | "maxAge" | "isAnew"> & { client: Client; now: number },
): void {
  const insist = (isGood: boolean, what: string) => {
    if (!isGood) throw new SpFailure("bad_answer", `its ID token ${what}`);
  };
  insist(sub !== "", "has an empty sub");
  insist(azp === undefined || azp === to.client.client_id, "is for another azp");
  insist(iat <= to.now + SKEW, "is of the future");
  insist(exp > iat, "ends before it begins");
  insist(auth_time === undefined || auth_time <= to.now + SKEW, "has an auth_time of the future");
  // It need not say when, but it must not say that it was before.
  const isOfNow = auth_time === undefined || auth_time >= to.asked.at - SKEW;
  insist(
    !to.isAnew || isOfNow,
    "is of an authentication before, though prompt=login was asked for",
  );
  if (to.maxAge === undefined) return;
  insist(auth_time !== undefined, "has no auth_time, though max_age was asked for");
  const isFresh = (auth_time ?? 0) + to.maxAge >= to.asked.at - SKEW;
  insist(isFresh, "is of an authentication that is older than max_age");
}

/** Throws `UnknownClientError` without the secret that it takes. */
export async function authenticationOf(
  { method }: SpClient,
  secret: string | null,
  { keyring, clock }: Pick<FederationParts, "keyring" | "clock">,
): Promise<ClientAuth> {
  switch (method) {
    case "none":
      return None();
    case "private_key_jwt": {
      const { kid, privateKey } = keyring.signingKeyAt("client-assertion", clock.seconds());
      const key = await crypto.subtle.importKey(
        "pkcs8",
        privateKey.export({ type: "pkcs8", format: "der" }),
        { name: "ECDSA", namedCurve: "P-256" },
        false,
        ["sign"],
      );
      return PrivateKeyJwt(
        { key, kid },
        {
          // `aud` is the issuer alone and `exp` 60 s ahead as the library makes them; a clock that is
          // a second behind ours would refuse `nbf`.
          [modifyAssertion]: (_, payload) => {
            delete payload.nbf;
          },
        },
      );
    }
    default:
      if (secret === null) throw new UnknownClientError("the secret of our client is gone");
      return method === "client_secret_basic"
        ? ClientSecretBasic(secret)
        : ClientSecretPost(secret);
  }
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

// Requests to an SP as its client: authentication, and the options for oauth4webapi.

import {
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetchOptions,
  clockSkew,
  clockTolerance,
  customFetch,
  modifyAssertion,
  None,
  PrivateKeyJwt,
} from "oauth4webapi";
import type { SpClient } from "./authorization-request.ts";
import type { RequestDeps } from "./deps.ts";
import { SKEW_S } from "./id-token.ts";

/** The SP does not know our client, or its secret is no longer stored. */
export class UnknownClientError extends Error {
  override name = "UnknownClientError";
}

/**
 * What oauth4webapi needs for a request as our client: the client, its authentication, and the options.
 * Throws `UnknownClientError` if the method requires a secret and `secret` is null.
 */
export async function requestAs(
  own: SpClient,
  secret: string | null,
  deps: RequestDeps,
  signal: AbortSignal,
) {
  const client: Client = {
    client_id: own.id,
    ...(own.alg !== undefined && { id_token_signed_response_alg: own.alg }),
    // The library reads the time from `Date`.
    [clockSkew]: deps.clock.seconds() - Math.floor(Date.now() / 1000),
    [clockTolerance]: SKEW_S,
  };
  const authentication = await authenticationOf(own, secret, deps);
  return { client, authentication, options: requestOptions(deps, signal) };
}

async function authenticationOf(
  { method }: SpClient,
  secret: string | null,
  { keyring, clock }: RequestDeps,
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
          // The library sets `aud` to the issuer alone and `exp` to 60 s ahead. An SP whose clock is
          // a second behind would refuse `nbf`.
          [modifyAssertion]: (_, payload) => {
            delete payload.nbf;
          },
        },
      );
    }
    default:
      if (secret !== null) {
        const authenticate =
          method === "client_secret_basic" ? ClientSecretBasic : ClientSecretPost;
        return authenticate(secret);
      }
      throw new UnknownClientError("the client secret for this SP is no longer stored");
  }
}

type FetchOptions = CustomFetchOptions<"GET" | "POST", string | URLSearchParams | undefined>;

/** Without the `redirect` option of the library: the guarded fetch always fails on redirects. */
export function requestOptions({ fetch, allowLoopback }: RequestDeps, signal: AbortSignal) {
  return {
    [customFetch]: (url: string, { method, headers, body }: FetchOptions) =>
      fetch(url, { method, headers, body, signal }),
    [allowInsecureRequests]: allowLoopback,
    signal,
  };
}

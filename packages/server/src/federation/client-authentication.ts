// Requests to an SP as its client: authentication, and the options for oauth4webapi.

import {
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetchOptions,
  clockSkew,
  customFetch,
  modifyAssertion,
  None,
  PrivateKeyJwt,
} from "oauth4webapi";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { SpClient } from "./authorization-request.ts";

export interface RequestDeps {
  readonly issuer: string;
  readonly keyring: Pick<Keyring, "signingKeyAt">;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Whether SPs at `http://localhost:PORT` are allowed: only if our own issuer is one. */
  readonly allowLoopback: boolean;
}

/** The SP does not know our client, or its secret is no longer stored. */
export class UnknownClientError extends Error {
  override name = "UnknownClientError";
}

/** Throws `UnknownClientError` if the method requires a secret and `secret` is null. */
export async function authenticationOf(
  { method }: SpClient,
  secret: string | null,
  { keyring, clock }: Pick<RequestDeps, "keyring" | "clock">,
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
      if (secret === null)
        throw new UnknownClientError("the client secret for this SP is no longer stored");
      return method === "client_secret_basic"
        ? ClientSecretBasic(secret)
        : ClientSecretPost(secret);
  }
}

/** Without the `redirect` option of the library: the guarded fetch always fails on redirects. */
export function requestOptions({ fetch, allowLoopback }: RequestDeps, signal: AbortSignal) {
  return {
    [customFetch]: (
      url: string,
      init: CustomFetchOptions<"GET" | "POST", string | URLSearchParams | undefined>,
    ) => {
      const { method, headers, body } = init;
      return fetch(url, { method, headers, body, signal });
    },
    [allowInsecureRequests]: allowLoopback,
    signal,
  };
}

/** Our client for the library, which reads the time from `Date`. */
export function libraryClient(client: SpClient, clock: Clock): Client {
  return { client_id: client.id, [clockSkew]: clock.seconds() - Math.floor(Date.now() / 1000) };
}

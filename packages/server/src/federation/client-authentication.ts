// How we authenticate to an SP, and the fetch that its library uses.

import {
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  modifyAssertion,
  None,
  PrivateKeyJwt,
} from "oauth4webapi";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { SpClient } from "./authorization-request.ts";

/** What a request to an SP needs. */
export interface RequestDeps {
  readonly issuer: string;
  readonly keyring: Pick<Keyring, "signingKeyAt">;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Whether an SP at `http://localhost:PORT` is let in: only beside an issuer of that kind. */
  readonly allowLoopback: boolean;
}

/** Leaves the exchange: the SP does not know our client (any more). */
export class UnknownClientError extends Error {
  override name = "UnknownClientError";
}

/** Throws `UnknownClientError` without the secret that it takes. */
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

interface LibraryInit {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string | URLSearchParams | undefined;
  readonly signal?: AbortSignal;
}

/** Redirects are an error in any case: `redirect` is left out. */
export function oauthFetch(fetch: GuardedFetch) {
  return (url: string, { method, headers, body, signal }: LibraryInit): Promise<Response> =>
    fetch(url, { method, headers, body, signal });
}

// `id_token_hint`: an ID token that this service issued, which names an account to a request.

import type { Client } from "../clients/client.ts";
import type { Deps } from "./deps.ts";

/** The claims of a hint. `sid` is missing if an earlier version of this service issued the token or its code. */
export interface IdTokenHint {
  readonly sub: string;
  readonly sid: string | undefined;
}

/** An ID token has about 1 KB. */
const MAX_CHARS = 8192;

/** The client that an unverified hint says it is for; undefined if it says none. */
export function audienceOf(hint: string): string | undefined {
  if (hint.length > MAX_CHARS) return undefined;
  const [, payload = ""] = hint.split(".");
  try {
    const { aud } = JSON.parse(Buffer.from(payload, "base64url").toString()) ?? {};
    return typeof aud === "string" ? aud : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The claims of an ID token for the client. Null if the hint is not such a token: another issuer or audience,
 * a wrong signature, or one by a key that is no longer published. It may have expired (OIDC RP-Initiated Logout §4).
 */
export async function readIdTokenHint(
  hint: string,
  client: Pick<Client, "client_id">,
  { issuer, keyring, clock }: Pick<Deps, "issuer" | "keyring" | "clock">,
): Promise<IdTokenHint | null> {
  if (hint.length > MAX_CHARS) return null;
  const { jwtVerify, createLocalJWKSet } = await import("jose");
  const keys = createLocalJWKSet({ keys: [...keyring.publicKeys(clock.seconds())] });
  try {
    const { payload } = await jwtVerify(hint, keys, {
      issuer,
      audience: client.client_id,
      typ: "JWT",
      requiredClaims: ["sub"],
      // Long before its `exp`, so that it is accepted however old it is.
      currentDate: new Date(0),
    });
    const { sub = "", sid } = payload;
    return { sub, sid: typeof sid === "string" ? sid : undefined };
  } catch {
    return null;
  }
}

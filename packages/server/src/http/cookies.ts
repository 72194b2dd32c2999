// The three cookies: their names and attributes, and how they are read and set.

import { createHash } from "node:crypto";
import type { HttpRequest } from "./message.ts";

/** An interaction lasts an hour. Browsers limit the lifetime of a cookie to 400 days. */
const LIFETIMES_S = { browser: 3600, device: 400 * 86400, session: 90 * 86400 };

export type CookieKind = keyof typeof LIFETIMES_S;

/** 256 bits in base64url, the only form that we set. */
const VALUE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export type Cookies = ReturnType<typeof cookiesOf>;

/**
 * The cookies of one issuer. All ports of a host share their cookies, so the names end in a hash of
 * the issuer. `__Host-` and `Secure` require https and are omitted for loopback http issuers.
 */
export function cookiesOf(issuer: string) {
  const secure = issuer.startsWith("https:");
  const suffix = createHash("sha256").update(issuer).digest("hex").slice(0, 8);
  const name = (kind: CookieKind) => `${secure ? "__Host-" : ""}ds_${kind}_${suffix}`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return {
    /** The value of the cookie in the request; undefined if it is missing or malformed. */
    read(http: Pick<HttpRequest, "header">, kind: CookieKind): string | undefined {
      const wanted = `${name(kind)}=`;
      for (const pair of http.header("cookie")?.split(";") ?? []) {
        const trimmed = pair.trim();
        const value = trimmed.startsWith(wanted) ? trimmed.slice(wanted.length) : "";
        if (VALUE_PATTERN.test(value)) return value;
      }
      return undefined;
    },
    /** Returns a `Set-Cookie` header value. */
    set: (kind: CookieKind, value: string) =>
      `${name(kind)}=${value}; Max-Age=${LIFETIMES_S[kind]}${attributes}`,
  };
}

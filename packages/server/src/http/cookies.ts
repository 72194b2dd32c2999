// The three cookies: their names, their attributes, reading and setting them.

import { createHash } from "node:crypto";
import type { HttpRequest } from "./message.ts";

export type CookieKind = "browser" | "device" | "session";

/** Seconds: an interaction lives an hour, the mark of a browser as long as browsers allow. */
const LIFETIMES: Record<CookieKind, number> = {
  browser: 3600,
  device: 400 * 86400,
  session: 90 * 86400,
};

/** 256 bits in base64url. Anything else was not set by us. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

export interface Cookies {
  /** The value that the request carries, or undefined. */
  read(http: Pick<HttpRequest, "header">, kind: CookieKind): string | undefined;
  /** A `Set-Cookie` value. */
  set(kind: CookieKind, value: string): string;
}

/**
 * Cookies of one issuer. Ports of one host share cookies, so names end in a hash of the issuer.
 * `__Host-` and `Secure` need https; the loopback issuers of development go without both.
 */
export function cookiesOf(issuer: string): Cookies {
  const secure = issuer.startsWith("https:");
  const suffix = createHash("sha256").update(issuer).digest("hex").slice(0, 8);
  const name = (kind: CookieKind) => `${secure ? "__Host-" : ""}ds_${kind}_${suffix}`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return {
    read(http, kind) {
      const wanted = `${name(kind)}=`;
      for (const pair of http.header("cookie")?.split(";") ?? []) {
        const trimmed = pair.trim();
        const value = trimmed.startsWith(wanted) ? trimmed.slice(wanted.length) : "";
        if (FORM.test(value)) return value;
      }
      return undefined;
    },
    set: (kind, value) => `${name(kind)}=${value}; Max-Age=${LIFETIMES[kind]}${attributes}`,
  };
}

// The cookies: their names and attributes, and how they are read and set.

import { createHash } from "node:crypto";
import type { HttpRequest } from "./message.ts";

/** 400 days are the longest that browsers allow. */
const MAX_LIFETIME_S = 400 * 86400;

const KINDS = {
  /** An interaction lasts an hour, or a day if it waits for a record. The value has 256 bits in base64url. */
  browser: { lifetimeS: 86400, pattern: /^[A-Za-z0-9_-]{43}$/ },
  returning: {
    lifetimeS: MAX_LIFETIME_S,
    pattern: /^\d{1,11}\.[A-Za-z0-9_-]{11}\.[A-Za-z0-9_-]{22}$/,
  },
} as const;
/** The store decides how long the session lasts. */
const SESSION_LIFETIME_S = MAX_LIFETIME_S;

export type CookieKind = keyof typeof KINDS;

/** The secret of a session: 256 bits in base64url. */
const SECRET_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** Of sessions, known browsers and set-ups each: twice as many sessions as `startSession` leaves in a browser. */
const MAX_READ = 16;

/** The cookies of set-ups have about 700 characters, and 300 to 700 more with a passkey. */
const SET_UP_PATTERN = /^[A-Za-z0-9_-]{40,1500}$/;
const SET_UP_LIFETIME_S = 30 * 86400;

const REQUEST_PATTERN = /^[A-Za-z0-9_-]{1,3800}$/;
/** So long, a page that has expired leads back to the app. */
const REQUEST_LIFETIME_S = 7 * 86400;

/** The session cookie of one account, that of a browser it knows, or the cookie of one set-up. */
export interface NamedCookie {
  readonly name: string;
  readonly value: string;
}

export type Cookies = ReturnType<typeof cookiesOf>;

/**
 * The cookies of one issuer. All ports of a host share their cookies, so the names contain a hash of
 * the issuer. `__Host-` and `Secure` require https (RFC 6265bis §4.1.3). Over `http://localhost` some
 * browsers and most HTTP tools drop such cookies, so both are omitted if the issuer has `http:`, which
 * the configuration allows on loopback hosts only, for development.
 */
export function cookiesOf(issuer: string) {
  const secure = issuer.startsWith("https:");
  const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);
  const suffix = hash(issuer);
  const nameOf = (kind: string) => `${secure ? "__Host-" : ""}ds_${kind}_${suffix}`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const sessionPrefix = `${nameOf("session")}_`;
  const knownPrefix = `${nameOf("known")}_`;
  const setUpPrefix = `${nameOf("setup")}_`;
  const requestPrefix = `${nameOf("request")}_`;
  /** The name of the session cookie of an account. */
  const sessionName = (accountId: string) => sessionPrefix + hash(accountId);
  return {
    /** The value of the cookie in the request; undefined if it is missing or malformed. */
    read(http: Pick<HttpRequest, "header">, kind: CookieKind): string | undefined {
      const wanted = nameOf(kind);
      const { pattern } = KINDS[kind];
      return pairsOf(http).find(({ name, value }) => name === wanted && pattern.test(value))?.value;
    },
    /** Returns a `Set-Cookie` header value. */
    set: (kind: CookieKind, value: string) =>
      `${nameOf(kind)}=${value}; Max-Age=${KINDS[kind].lifetimeS}${attributes}`,
    /** The session cookies in the request, one for each account, the oldest first. */
    sessions: (http: Pick<HttpRequest, "header">) => secretsIn(http, sessionPrefix),
    sessionName,
    /**
     * The last secrets of sessions that have ended, one for each account, the oldest first: the accounts
     * know this browser by them.
     */
    known: (http: Pick<HttpRequest, "header">) => secretsIn(http, knownPrefix),
    knownName: (accountId: string) => knownPrefix + hash(accountId),
    /** `Set-Cookie` values that end a session in this browser, which the account still knows. */
    endSession: ({ name, value }: NamedCookie): readonly string[] => [
      `${name}=; Max-Age=0${attributes}`,
      `${knownPrefix}${name.slice(sessionPrefix.length)}=${value}; Max-Age=${SESSION_LIFETIME_S}${attributes}`,
    ],
    setSession: (accountId: string, value: string) =>
      `${sessionName(accountId)}=${value}; Max-Age=${SESSION_LIFETIME_S}${attributes}`,
    /** The cookies of set-ups in the request, each begun in one interaction. */
    setUps: (http: Pick<HttpRequest, "header">): readonly NamedCookie[] =>
      pairsOf(http)
        .filter((pair) => isNamed(pair, setUpPrefix) && SET_UP_PATTERN.test(pair.value))
        .slice(0, MAX_READ),
    setUpName: (interactionId: string) => setUpPrefix + hash(interactionId),
    setSetUp: (name: string, value: string) =>
      `${name}=${value}; Max-Age=${SET_UP_LIFETIME_S}${attributes}`,
    /** The authorization requests of this browser, one for each interaction, the oldest first. */
    requests: (http: Pick<HttpRequest, "header">): NamedCookie[] =>
      pairsOf(http)
        .filter((pair) => isNamed(pair, requestPrefix) && REQUEST_PATTERN.test(pair.value))
        .slice(0, MAX_READ),
    requestName: (interactionId: string) => requestPrefix + hash(interactionId),
    setRequest: (name: string, value: string) =>
      `${name}=${value}; Max-Age=${REQUEST_LIFETIME_S}${attributes}`,
    /** A `Set-Cookie` header value that removes a cookie with a name of its own. */
    clear: (name: string) => `${name}=; Max-Age=0${attributes}`,
  };
}

function secretsIn(http: Pick<HttpRequest, "header">, prefix: string): readonly NamedCookie[] {
  return pairsOf(http)
    .filter((pair) => isNamed(pair, prefix) && SECRET_PATTERN.test(pair.value))
    .slice(0, MAX_READ);
}

/** Whether the name is the prefix and the 8 hex digits of a hash. */
function isNamed({ name }: NamedCookie, prefix: string): boolean {
  return name.startsWith(prefix) && /^[0-9a-f]{8}$/.test(name.slice(prefix.length));
}

function pairsOf(http: Pick<HttpRequest, "header">): readonly NamedCookie[] {
  return (http.header("cookie")?.split(";") ?? []).map((pair) => {
    const trimmed = pair.trim();
    const at = trimmed.indexOf("=");
    return at < 0
      ? { name: "", value: trimmed }
      : { name: trimmed.slice(0, at), value: trimmed.slice(at + 1) };
  });
}

// The cookies: their names and attributes, and how they are read and set.

import { createHash } from "node:crypto";
import { type Random, randomText } from "../lib/random.ts";
import type { HttpRequest } from "./message.ts";

/** 400 days are the longest that browsers allow. The store decides how long a session lasts. */
const MAX_LIFETIME_S = 400 * 86400;
/** The cookies of set-ups have about 700 characters, and 300 to 700 more with a passkey. */
const SET_UP = { pattern: /^[A-Za-z0-9_-]{40,1500}$/, lifetimeS: 30 * 86400 };
/** The page of a challenge that is over says so for another day. */
const CHALLENGE = { pattern: /^[A-Za-z0-9_-]{40,1000}$/, lifetimeS: 2 * 86400 };
/** For this long, an expired page can lead back to the app. */
const REQUEST = { pattern: /^[A-Za-z0-9_-]{1,3800}$/, lifetimeS: 7 * 86400 };
/** 256 bits in base64url; of a browser, 128 random bits and a tag of 126 bits. */
const SECRET_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** Of all cookies of ours together. Proxies refuse longer header lines, on every page. */
export const MAX_OCTETS = 6000;
/** Cookies that are read of each kind: twice as many sessions as `startSession` leaves in a browser. */
const MAX_READ = 16;
/** Of the random part of a browser's cookie. */
const RANDOM = { octets: 16, chars: 22 };
const TAG_CHARS = 21;

const KINDS = {
  /** An interaction lasts an hour, or a day if a DNS challenge makes it again. */
  browser: { lifetimeS: 86400, pattern: SECRET_PATTERN },
  returning: {
    lifetimeS: MAX_LIFETIME_S,
    pattern: /^\d{1,11}\.[A-Za-z0-9_-]{23}\.[A-Za-z0-9_-]{22}$/,
  },
} as const;

export type CookieKind = keyof typeof KINDS;

export interface NamedCookie {
  readonly name: string;
  readonly value: string;
}

export type Cookies = ReturnType<typeof cookiesOf>;

/**
 * The cookies of one issuer. All ports of a host share their cookies, so the names contain a hash of the issuer.
 * `__Host-` and `Secure` require https (RFC 6265bis §4.1.3). An issuer with `http:`, allowed only on loopback hosts,
 * does without both: some browsers and most HTTP tools drop such cookies there. `macOf` is a MAC that all nodes make.
 */
export function cookiesOf(issuer: string, macOf: (text: string) => string) {
  const secure = issuer.startsWith("https:");
  const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);
  const suffix = hash(issuer);
  const nameOf = (kind: string) => `${secure ? "__Host-" : ""}ds_${kind}_${suffix}`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const cookie = (name: string, value: string, lifetimeS: number) =>
    `${name}=${value}; Max-Age=${lifetimeS}${attributes}`;
  const tagged = (text: string) => text + macOf(`browser ${text}`).slice(0, TAG_CHARS);
  const sessions = cookiesWithHash(nameOf("session"), SECRET_PATTERN, hash);
  const known = cookiesWithHash(nameOf("known"), SECRET_PATTERN, hash);
  const setUps = cookiesWithHash(nameOf("setup"), SET_UP.pattern, hash);
  const challenges = cookiesWithHash(nameOf("challenge"), CHALLENGE.pattern, hash);
  const requests = cookiesWithHash(nameOf("request"), REQUEST.pattern, hash);

  function read(http: HttpRequest, kind: CookieKind): string | undefined {
    const wanted = nameOf(kind);
    const { pattern } = KINDS[kind];
    return pairsOf(http).find(({ name, value }) => name === wanted && pattern.test(value))?.value;
  }

  return {
    /** The value of the cookie in the request; undefined if it is missing or malformed. */
    read,
    /** Returns a `Set-Cookie` header value, as all functions whose names begin with `set`. */
    set: (kind: CookieKind, value: string) => cookie(nameOf(kind), value, KINDS[kind].lifetimeS),
    newBrowser: (random: Random) => tagged(randomText(random, RANDOM.octets)),
    /** The browser's value, if this service made it: anybody can make one up for each request. */
    readGivenBrowser(http: HttpRequest): string | undefined {
      const browser = read(http, "browser") ?? "";
      return tagged(browser.slice(0, RANDOM.chars)) === browser ? browser : undefined;
    },
    /** The session cookies in the request, one for each account, the oldest first. */
    sessions: sessions.read,
    sessionName: sessions.nameOf,
    setSession: (accountId: string, value: string) =>
      cookie(sessions.nameOf(accountId), value, MAX_LIFETIME_S),
    /** The last secrets of ended sessions, by which accounts know this browser: one for each, the oldest first. */
    known: known.read,
    knownName: known.nameOf,
    /** `Set-Cookie` values that end a session in this browser, which the account still knows. */
    endSession: ({ name, value }: NamedCookie): readonly string[] => [
      cookie(name, "", 0),
      cookie(known.prefix + name.slice(sessions.prefix.length), value, MAX_LIFETIME_S),
    ],
    /** The cookies of set-ups in the request, each begun in one interaction. */
    setUps: setUps.read,
    setUpName: setUps.nameOf,
    setSetUp: (name: string, value: string) => cookie(name, value, SET_UP.lifetimeS),
    /** The DNS challenges of this browser. */
    challenges: challenges.read,
    challengeName: challenges.nameOf,
    setChallenge: (name: string, value: string) => cookie(name, value, CHALLENGE.lifetimeS),
    /** The authorization requests of this browser, one for each interaction, the oldest first. */
    requests: requests.read,
    requestName: requests.nameOf,
    setRequest: (name: string, value: string) => cookie(name, value, REQUEST.lifetimeS),
    clear: (name: string) => cookie(name, "", 0),
    /**
     * These `Set-Cookie` values, with those that clear what has no room beside them, the oldest first: requests
     * but the newest, ended sessions, set-ups, challenges, and the newest request.
     */
    fit(http: HttpRequest, setCookies: readonly string[]): readonly string[] {
      // So few have room, whatever is between them: nearly all requests are answered here.
      const received = http.header("cookie")?.length ?? 0;
      if (received + setCookies.join("").length <= MAX_OCTETS / 2) return setCookies;
      const jar = new Map(pairsOf(http).map(({ name, value }) => [name, value]));
      const set = setCookies.map((one) => namedIn(one.split(";")[0] ?? ""));
      for (const { name, value } of set) {
        if (value === "") jar.delete(name);
        else jar.set(name, value);
      }
      const own = Array.from(jar, ([name, value]) => ({ name, value })).filter(
        ({ name }) => name.startsWith(secure ? "__Host-ds_" : "ds_") && name.includes(`_${suffix}`),
      );
      let octets = own.reduce((sum, one) => sum + octetsOf(one), 0);
      const ofKind = ({ prefix }: { readonly prefix: string }) =>
        own.filter(({ name }) => name.startsWith(prefix));
      const isOld = ({ name }: NamedCookie) => !set.some((one) => one.name === name);
      const pending = ofKind(requests);
      const others = [known, setUps, challenges].flatMap(ofKind);
      const dropped = [...pending.slice(0, -1), ...others, ...pending.slice(-1)]
        .filter(isOld)
        .filter((one) => {
          if (octets <= MAX_OCTETS) return false;
          octets -= octetsOf(one);
          return true;
        });
      return [...setCookies, ...dropped.map(({ name }) => cookie(name, "", 0))];
    },
  };
}

/** With the characters between two cookies. */
function octetsOf({ name, value }: NamedCookie): number {
  return name.length + value.length + 3;
}

/** Cookies of one kind, one for each id, whose names end with 8 hex digits of a hash of the id. */
function cookiesWithHash(kind: string, pattern: RegExp, hash: (text: string) => string) {
  const prefix = `${kind}_`;
  const isOfKind = ({ name, value }: NamedCookie) =>
    name.startsWith(prefix) &&
    /^[0-9a-f]{8}$/.test(name.slice(prefix.length)) &&
    pattern.test(value);
  return {
    prefix,
    nameOf: (id: string) => prefix + hash(id),
    read: (http: HttpRequest): readonly NamedCookie[] =>
      pairsOf(http).filter(isOfKind).slice(0, MAX_READ),
  };
}

function pairsOf(http: HttpRequest): readonly NamedCookie[] {
  return (http.header("cookie")?.split(";") ?? []).map(namedIn);
}

function namedIn(pair: string): NamedCookie {
  const trimmed = pair.trim();
  const at = trimmed.indexOf("=");
  return at < 0
    ? { name: "", value: trimmed }
    : { name: trimmed.slice(0, at), value: trimmed.slice(at + 1) };
}

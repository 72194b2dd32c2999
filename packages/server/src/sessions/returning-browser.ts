// A cookie by which a browser shows, without the store, that somebody has signed in here with it before.
//
// It authenticates nobody. Its requests have limits of their own and go first while many wait.

import { timingSafeEqual } from "node:crypto";
import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import type { CookieSeal } from "../keys/cookie-seal.ts";
import type { Clock } from "../lib/clock.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";

export type ReturningBrowsers = ReturnType<typeof createReturningBrowsers>;

/** Of 256 bits: enough to tell accounts apart, and to make a MAC that nobody can guess. */
const LABEL_CHARS = 11;
const MAC_CHARS = 22;
const LIFETIME_S = 400 * 86_400;

interface Deps {
  readonly returningSeal: { readonly mac: CookieSeal["mac"] };
  readonly cookies: Cookies;
  readonly clock: Clock;
}

export function createReturningBrowsers({ returningSeal: seal, cookies, clock }: Deps) {
  const macOf = (since: number, label: string) =>
    seal.mac(`${since} ${label}`, since).slice(0, MAC_CHARS);
  return {
    /** The `Set-Cookie` value after an authentication. All browsers of an account get the same label for a while. */
    cookieFor(accountId: string): string {
      const since = clock.seconds();
      const label = seal.mac(`account ${accountId}`, since).slice(0, LABEL_CHARS);
      return cookies.set("returning", `${since}.${label}.${macOf(since, label)}`);
    },

    /** The label in the cookie of the request. Null without one that was made here. */
    read(http: HttpRequest): string | null {
      const value = cookies.read(http, "returning");
      if (value === undefined) return null;
      const [sinceText, label = "", mac = ""] = value.split(".");
      const [since, now] = [Number(sinceText), clock.seconds()];
      if (since > now + CLOCK_TOLERANCE_S || since <= now - LIFETIME_S) return null;
      return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(since, label))) ? label : null;
    },
  };
}

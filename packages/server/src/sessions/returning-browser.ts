// A cookie by which a browser shows, without the store, that somebody has signed in here with it before.
//
// It authenticates nobody. While many requests wait, those of returning browsers have a lane of their own, in which the
// browsers of one registrable domain take one turn: a domain can have any number of accounts below it.

import { timingSafeEqual } from "node:crypto";
import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import type { CookieSeal } from "../keys/cookie-seal.ts";
import type { Clock } from "../lib/clock.ts";
import { UNNAMED } from "../lib/fair-room.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ownedDomain, registrableDomain } from "../lib/registrable-domain.ts";

export type ReturningBrowsers = ReturnType<typeof createReturningBrowsers>;

/** Of 256 bits: enough to tell domains and accounts apart, and to make a MAC that nobody can guess. */
const LABEL_CHARS = { domain: 6, owned: 6, account: 11 } as const;
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
    /** The `Set-Cookie` value after an authentication. All browsers of an account get the same labels for a while. */
    cookieFor(accountId: string, domain: string): string {
      const since = clock.seconds();
      const label = (text: string, chars: number) => seal.mac(text, since).slice(0, chars);
      const labels = [
        label(`domain ${registrableDomain(domain) ?? domain}`, LABEL_CHARS.domain),
        label(`owned ${ownedDomain(domain)}`, LABEL_CHARS.owned),
        label(`account ${accountId}`, LABEL_CHARS.account),
      ].join("");
      return cookies.set("returning", `${since}.${labels}.${macOf(since, labels)}`);
    },

    /** The labels in the cookie of the request, the widest first. Null without a cookie that was made here. */
    read(http: HttpRequest): readonly string[] | null {
      const value = cookies.read(http, "returning");
      if (value === undefined) return null;
      const [sinceText, labels = "", mac = ""] = value.split(".");
      const [since, now] = [Number(sinceText), clock.seconds()];
      if (since > now + CLOCK_TOLERANCE_S || since <= now - LIFETIME_S) return null;
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(since, labels)))) return null;
      const { domain, owned } = LABEL_CHARS;
      const ends = [domain, domain + owned, undefined];
      return ends.map((end) => UNNAMED + labels.slice(0, end));
    },
  };
}

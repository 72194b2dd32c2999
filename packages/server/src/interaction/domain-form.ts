// The page that asks for a domain. Nothing is stored for it.

import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import type { CookieSeal } from "../keys/cookie-seal.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { type DomainPageProps, domainPage } from "../pages/domain.ts";
import { assertionOptions, newChallenge } from "../passkeys/challenge.ts";
import { browserCookie, type RequestContext } from "./interaction.ts";
import { pagesFor } from "./pending-request.ts";

export interface Deps {
  readonly issuer: string;
  readonly cookies: Cookies;
  readonly challengeSeal: CookieSeal;
  readonly clock: Clock;
  readonly random: Random;
}

export interface DomainForm extends Partial<DomainPageProps> {
  readonly status?: number;
  /** `Set-Cookie` values of the caller. */
  readonly cookies?: readonly string[];
}

export type ShowDomainForm = ReturnType<typeof createDomainForm>;

export function createDomainForm(deps: Deps) {
  /** With a browser cookie, which the page sets so that two tabs share one. */
  return (
    { http, request }: RequestContext,
    { value, notice, ended, signals, status = 200, cookies = [] }: DomainForm,
  ): Promise<HttpResponse> => {
    const { query } = request;
    const browser = browserCookie(http, deps);
    const challenge = newChallenge({ query, browser: browser.value }, deps);
    const options = assertionOptions({ issuer: deps.issuer, challenge });
    const shown = { value, notice, ended, signals };
    const props = { query, ...shown, passkeyOptions: JSON.stringify(options) };
    return page(status, domainPage(pagesFor(http, request), props), {
      "set-cookie": [browser.cookie, ...cookies],
    });
  };
}

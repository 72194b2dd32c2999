// The page that asks for a domain. Nothing is stored for it.

import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import type { CookieSeal } from "../keys/cookie-seal.ts";
import { type DomainPageProps, domainPage } from "../pages/domain.ts";
import { assertionOptions, newChallenge } from "../passkeys/challenge.ts";
import type { Deps } from "./deps.ts";
import { browserCookie } from "./interaction.ts";
import { type PendingRequest, pagesFor } from "./pending-request.ts";

export type DomainFormDeps = Pick<Deps, "cookies" | "random" | "clock"> & {
  readonly issuer: string;
  readonly challengeSeal: CookieSeal;
};

/** With a browser cookie, which the page sets so that two tabs share one, and `Set-Cookie` values of the caller. */
export function showDomainForm(
  { http, request }: { readonly http: HttpRequest; readonly request: PendingRequest },
  shown: Pick<DomainPageProps, "value" | "notice" | "ended"> & {
    readonly status?: number;
    readonly cookies?: readonly string[];
  },
  deps: DomainFormDeps,
): Promise<HttpResponse> {
  const { query } = request;
  const browser = browserCookie(http, deps);
  const challenge = newChallenge({ query, browser: browser.value }, deps);
  const options = assertionOptions({ issuer: deps.issuer, challenge });
  const { value, notice, ended, status = 200, cookies = [] } = shown;
  const props = { query, value, notice, ended, passkeyOptions: JSON.stringify(options) };
  return page(status, domainPage(pagesFor(http, request), props), {
    "set-cookie": [browser.cookie, ...cookies],
  });
}

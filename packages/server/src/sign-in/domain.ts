// The user has entered a domain: validates it, looks up its record, and begins the next step.

import type { SpRecordLook, SpRecords } from "../dns/sp-record.ts";
import { newExternalState } from "../federation/authorization-request.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import type { DomainNameOptions } from "../interaction/domain-name.ts";
import { readDomain } from "../interaction/domain-name.ts";
import { formField } from "../interaction/form-field.ts";
import { beginInteraction, type RequestContext } from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import { findSession, touchSession } from "../interaction/session.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import { domainPage } from "../pages/domain.ts";
import type { Notice } from "../pages/notice.ts";
import type { Account } from "../store/accounts.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Store } from "../store/store.ts";
import { deviceOf, knownDeviceOf } from "./device.ts";
import { beginEnrolment, pendingEnrolment } from "./enrolment.ts";
import { explain } from "./lookup-notice.ts";

interface Deps {
  readonly store: Store;
  readonly spRecords: SpRecords;
  readonly domainNames: DomainNameOptions;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
}

export function createDomainStep(deps: Deps) {
  return {
    enterDomain: (context: RequestContext) => enterDomain(context, deps),
    chooseOtherDomain,
  };
}

/** POST /sign-in with the authorization request's query and the field `domain`. */
async function enterDomain(context: RequestContext, deps: Deps): Promise<HttpResponse> {
  const { http, request } = context;
  const typed = await formField(http, "domain", request);
  const pages = pagesFor(http, request);
  const { t } = pages;
  const again = (status: number, notice: Notice) =>
    page(
      status,
      domainPage(pages, {
        action: `/sign-in?${http.query}`,
        value: typed,
        notice,
      }),
    );

  const input = readDomain(typed, deps.domainNames);
  if (!input.ok) {
    const about = { domain: input.about, example: `alice.${input.about}` };
    return again(400, t.explanation(`domainMistakes-${input.mistake}`, about));
  }
  const look = await deps.spRecords.lookToDecide(input.domain, "now");
  switch (look.outcome) {
    case "absent":
    // Usually a wildcard CNAME, which the record to publish replaces.
    case "alias_invalid":
      return beginSetUp(context, input.domain, deps);
    case "own":
      return signInOwn(context, { domain: input.domain, look }, deps);
    case "invalid":
    case "ambiguous":
    case "unsupported": {
      // If a set-up is pending in this browser, its page shows the right record.
      const device = knownDeviceOf(http, deps);
      if (device && (await pendingEnrolment(input.domain, device, deps))) {
        return beginSetUp(context, input.domain, deps);
      }
      return again(422, explain(t, look, input.domain));
    }
    case "external": {
      // Another service read the record and sent the user here: a further redirect could loop.
      if (!request.mayFederate) {
        const { host } = new URL(look.sp);
        const about = { domain: input.domain, sp: host, client: request.clientHost };
        return again(422, t.explanation("lookOutcomes-names_another", about));
      }
      return signInExternal(context, { domain: input.domain, look }, deps);
    }
    case "disabled":
    case "not_permitted":
      return again(422, explain(t, look, input.domain));
    case "unavailable":
    case "bogus":
      return again(503, explain(t, look, input.domain));
  }
}

/** GET of a path that only takes POST, such as by a reload: redirects to the first page. */
export function returnToRequest({ query }: HttpRequest): HttpResponse {
  return seeOther(`/oauth/authorize?${query}`);
}

/** POST /sign-in/other: repeats the request with prompt=select_account, and otherwise octet for octet. */
async function chooseOtherDomain({
  http,
  request: { prompt },
}: RequestContext): Promise<HttpResponse> {
  const fields = http.query
    .split("&")
    // Parsed, because the name can be percent-encoded. A duplicate would be an error.
    .filter((field) => !new URLSearchParams(field).has("prompt"));
  const values = [...prompt, "select_account"].join("+");
  return seeOther(`/oauth/authorize?${[...fields, `prompt=${values}`].join("&")}`);
}

async function beginSetUp(
  context: RequestContext,
  domain: string,
  deps: Deps,
): Promise<HttpResponse> {
  const device = deviceOf(context.http, deps);
  await beginEnrolment(domain, device, deps);
  const start = { domain, method: "dns-setup", cookies: [device.cookie] } as const;
  return beginInteraction(context, start, deps);
}

/** The record names this service: an account, or a set-up of this or another browser. */
async function signInOwn(
  context: RequestContext,
  { domain, look }: { domain: string; look: SpRecordLook & { outcome: "own" } },
  deps: Deps,
): Promise<HttpResponse> {
  const account = await deps.store.findAccount(domain, { sp: OWN_SP, acct: look.acct });
  if (account === null) {
    return beginInteraction(context, { domain, method: "dns-setup" }, deps);
  }
  const signedIn = await useSession(context, { account, look }, deps);
  if (signedIn !== null) return signedIn;
  const challenge = randomText(deps.random, 16);
  const start = { domain, method: "dns-challenge", acct: look.acct, challenge } as const;
  return beginInteraction(context, start, deps);
}

/** The record names an external SP. */
async function signInExternal(
  context: RequestContext,
  { domain, look }: { domain: string; look: SpRecordLook & { outcome: "external" } },
  deps: Deps,
): Promise<HttpResponse> {
  const { sp, acct } = look;
  const account = await deps.store.findAccount(domain, { sp, acct });
  const signedIn = account && (await useSession(context, { account, look }, deps));
  if (signedIn) return signedIn;
  const external = newExternalState(sp, randomText(deps.random, 16));
  return beginInteraction(context, { domain, method: "external", acct, external }, deps);
}

/** Signs in with the session of the browser, if it is for this account; else null. */
async function useSession(
  context: RequestContext,
  { account, look }: { account: Account; look: SpRecordLook },
  deps: Deps,
): Promise<HttpResponse | null> {
  const { http, request } = context;
  // The record names the account again: wakes it, and with it its sessions.
  if (account.asleepSince !== null) {
    const awake = await deps.store.wakeAccount(account, deps.clock.seconds());
    // The record changed between the two queries.
    if (awake === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
  }
  const live = await findSession(http, request, deps);
  if (live?.account.id !== account.id) return null;
  await touchSession(live.session, deps);
  const { domain, acct } = account;
  const { authTime, amr } = live.session;
  const proof = { accountId: account.id, authTime, amr, controlCheckedAt: look.checkedAt };
  return beginInteraction(context, { domain, method: "session", acct, proof }, deps);
}

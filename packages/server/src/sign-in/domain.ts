// The person has typed a domain: reads it, looks at its record, and begins the right step.

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
import { findSession, keepSession } from "../interaction/session.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import { domainPage } from "../pages/domain.ts";
import type { Notice } from "../pages/notice.ts";
import type { Account, AccountStore } from "../store/accounts.ts";
import type { ConsentStore } from "../store/consents.ts";
import type { EnrolmentStore } from "../store/enrolments.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { SessionStore } from "../store/sessions.ts";
import { OWN_SP } from "../store/shared-values.ts";
import { deviceOf, knownDeviceOf } from "./device.ts";
import { beginEnrolment, pendingEnrolment } from "./enrolment.ts";
import { explain } from "./lookup-notice.ts";

interface Deps {
  readonly store: AccountStore & EnrolmentStore & InteractionStore & ConsentStore & SessionStore;
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
  const { messages } = pages;
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
  if (!input.ok) return again(400, messages.domainMistakes[input.mistake](input.about));
  const look = await deps.spRecords.lookToDecide(input.domain, "now");
  switch (look.outcome) {
    case "absent":
    // Mostly a wildcard CNAME: the record to publish takes its place.
    case "alias_invalid":
      return beginSetUp(context, input.domain, deps);
    case "own":
      return meetOwn(context, { domain: input.domain, look }, deps);
    case "invalid":
    case "ambiguous":
    case "unsupported": {
      // Whoever is in the middle of a set-up here wants to see the record as it should be.
      const device = knownDeviceOf(http, deps);
      if (device && (await pendingEnrolment(input.domain, device, deps))) {
        return beginSetUp(context, input.domain, deps);
      }
      return again(422, explain(messages, look, input.domain));
    }
    case "external": {
      // Whoever read the record sent the person here: to go on would be to go round in a circle.
      if (!request.mayFederate) {
        const { host } = new URL(look.sp);
        return again(
          422,
          messages.lookOutcomes.names_another(input.domain, host, request.clientHost),
        );
      }
      return meetExternal(context, { domain: input.domain, look }, deps);
    }
    case "disabled":
    case "not_permitted":
      return again(422, explain(messages, look, input.domain));
    case "unavailable":
    case "bogus":
      return again(503, explain(messages, look, input.domain));
  }
}

/** GET of an address that is only posted to: a reload, or the address bar. Back to the first page. */
export function returnToRequest({ query }: HttpRequest): HttpResponse {
  return seeOther(`/oauth/authorize?${query}`);
}

/** POST /sign-in/other: the same request octet for octet, but with the domain page for whoever is signed in. */
async function chooseOtherDomain({
  http,
  request: { prompt },
}: RequestContext): Promise<HttpResponse> {
  const fields = http.query
    .split("&")
    // However its name is spelled: two of them would be one too many.
    .filter((field) => !new URLSearchParams(field).has("prompt"));
  const asked = [...prompt, "select_account"].join("+");
  return seeOther(`/oauth/authorize?${[...fields, `prompt=${asked}`].join("&")}`);
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

/** The zone names us: an account, a set-up of this browser, or one that began elsewhere. */
async function meetOwn(
  context: RequestContext,
  { domain, look }: { domain: string; look: SpRecordLook & { outcome: "own" } },
  deps: Deps,
): Promise<HttpResponse> {
  const account = await deps.store.findAccount(domain, { sp: OWN_SP, acct: look.acct });
  if (account === null) {
    return beginInteraction(context, { domain, method: "dns-setup" }, deps);
  }
  const signedIn = await goOnAs(context, { account, look }, deps);
  if (signedIn !== null) return signedIn;
  const challenge = randomText(deps.random, 16);
  const start = { domain, method: "dns-challenge", acct: look.acct, challenge } as const;
  return beginInteraction(context, start, deps);
}

/** The zone names somebody else, who signs its owner in. */
async function meetExternal(
  context: RequestContext,
  { domain, look }: { domain: string; look: SpRecordLook & { outcome: "external" } },
  deps: Deps,
): Promise<HttpResponse> {
  const { sp, acct } = look;
  const account = await deps.store.findAccount(domain, { sp, acct });
  const signedIn = account && (await goOnAs(context, { account, look }, deps));
  if (signedIn) return signedIn;
  const external = newExternalState(sp, randomText(deps.random, 16));
  return beginInteraction(context, { domain, method: "external", acct, external }, deps);
}

/** The zone names an account that there is: whoever is signed in to it here need not prove it again. */
async function goOnAs(
  context: RequestContext,
  { account, look }: { account: Account; look: SpRecordLook },
  deps: Deps,
): Promise<HttpResponse | null> {
  const { http, request } = context;
  // The zone names it again: it wakes, and so do its sessions.
  if (account.asleepSince !== null) {
    const awake = await deps.store.wakeAccount(account, deps.clock.seconds());
    // The zone changed hands between two questions.
    if (awake === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
  }
  const live = await findSession(http, request, deps);
  if (live?.account.id !== account.id) return null;
  await keepSession(live.session, deps);
  const { domain, acct } = account;
  const { authTime, amr } = live.session;
  const proof = { accountId: account.id, authTime, amr, controlCheckedAt: look.checkedAt };
  return beginInteraction(context, { domain, method: "session", acct, proof }, deps);
}

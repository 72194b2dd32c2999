// The person has typed a domain: reads it, looks at its record, and begins the right step.

import type { SpRecordLook } from "../dns/sp-record.ts";
import { newExternalState } from "../federation/external-state.ts";
import type { Exchange } from "../http/channels.ts";
import { page, seeOther } from "../http/headers.ts";
import { readDomain } from "../interaction/domain-name.ts";
import { formField } from "../interaction/form-field.ts";
import { beginInteraction, requireSameOrigin } from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import type { PendingRequest, SignInParts } from "../interaction/parts.ts";
import { findSession, keepSession } from "../interaction/session.ts";
import { OWN_SP } from "../lib/own-sp.ts";
import { randomText } from "../lib/random.ts";
import { domainPage } from "../pages/domain.ts";
import type { Notice } from "../pages/notice.ts";
import type { Account } from "../store/store.ts";
import { deviceOf, knownDeviceOf } from "./device.ts";
import { beginEnrolment, pendingEnrolment } from "./enrolment.ts";
import { explain } from "./look-words.ts";

/** POST /sign-in with the authorization request's query and the field `domain`. */
export function enterDomain(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    requireSameOrigin(exchange, parts);
    const request = await parts.readRequest(exchange.query, exchange.clientAddress);
    const typed = await formField(exchange.request, "domain", request);
    const pages = await pagesFor(exchange);
    const { messages } = pages;
    const again = (status: number, notice: Notice) =>
      page(
        status,
        domainPage(pages, {
          clientName: request.clientName,
          clientHost: request.clientHost,
          finalHost: request.finalHost,
          backToApp: request.backToApp,
          action: `/sign-in?${exchange.query}`,
          value: typed,
          notice,
        }),
      );

    const input = readDomain(typed, parts.domainNames);
    if (!input.ok) return again(400, messages.domainMistakes[input.mistake](input.about));
    const look = await parts.spRecords.lookToDecide(input.domain, "now");
    switch (look.outcome) {
      case "absent":
      // Mostly a wildcard CNAME: the record to publish takes its place.
      case "alias_invalid":
        return beginSetUp(exchange, request, input.domain, parts);
      case "own":
        return meetOwn(exchange, request, { domain: input.domain, look }, parts);
      case "invalid":
      case "ambiguous":
      case "unsupported": {
        // Whoever is in the middle of a set-up here wants to see the record as it should be.
        const device = knownDeviceOf(exchange, parts);
        if (device && (await pendingEnrolment(input.domain, device, parts))) {
          return beginSetUp(exchange, request, input.domain, parts);
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
        return meetExternal(exchange, request, { domain: input.domain, look }, parts);
      }
      case "disabled":
      case "not_permitted":
        return again(422, explain(messages, look, input.domain));
      case "unavailable":
      case "bogus":
        return again(503, explain(messages, look, input.domain));
    }
  };
}

/** GET of an address that is only posted to: a reload, or the address bar. Back to the first page. */
export function returnToRequest({ query }: Exchange): Response {
  return seeOther(`/oauth/authorize?${query}`);
}

/** POST /sign-in/other: the same request octet for octet, but with the domain page for whoever is signed in. */
export function chooseOtherDomain(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    requireSameOrigin(exchange, parts);
    const { prompt } = await parts.readRequest(exchange.query, exchange.clientAddress);
    const fields = exchange.query
      .split("&")
      // However its name is spelled: two of them would be one too many.
      .filter((field) => !new URLSearchParams(field).has("prompt"));
    const asked = [...prompt, "select_account"].join("+");
    return seeOther(`/oauth/authorize?${[...fields, `prompt=${asked}`].join("&")}`);
  };
}

async function beginSetUp(
  exchange: Exchange,
  request: PendingRequest,
  domain: string,
  parts: SignInParts,
): Promise<Response> {
  const device = deviceOf(exchange, parts);
  await beginEnrolment(domain, device, parts);
  const start = { domain, method: "dns-setup", cookies: [device.cookie] } as const;
  return beginInteraction(exchange, request, start, parts);
}

/** The zone names us: an account, a set-up of this browser, or one that began elsewhere. */
async function meetOwn(
  exchange: Exchange,
  request: PendingRequest,
  { domain, look }: { domain: string; look: SpRecordLook & { outcome: "own" } },
  parts: SignInParts,
): Promise<Response> {
  const account = await parts.store.findAccount(domain, { sp: OWN_SP, acct: look.acct });
  if (account === null) {
    return beginInteraction(exchange, request, { domain, method: "dns-setup" }, parts);
  }
  const signedIn = await goOnAs(exchange, request, { account, look }, parts);
  if (signedIn !== null) return signedIn;
  const challenge = randomText(parts.random, 16);
  const start = { domain, method: "dns-challenge", acct: look.acct, challenge } as const;
  return beginInteraction(exchange, request, start, parts);
}

/** The zone names somebody else, who signs its owner in. */
async function meetExternal(
  exchange: Exchange,
  request: PendingRequest,
  { domain, look }: { domain: string; look: SpRecordLook & { outcome: "external" } },
  parts: SignInParts,
): Promise<Response> {
  const { sp, acct } = look;
  const account = await parts.store.findAccount(domain, { sp, acct });
  const signedIn = account && (await goOnAs(exchange, request, { account, look }, parts));
  if (signedIn) return signedIn;
  const external = newExternalState(sp, randomText(parts.random, 16));
  return beginInteraction(exchange, request, { domain, method: "external", acct, external }, parts);
}

/** The zone names an account that there is: whoever is signed in to it here need not prove it again. */
async function goOnAs(
  exchange: Exchange,
  request: PendingRequest,
  { account, look }: { account: Account; look: SpRecordLook },
  parts: SignInParts,
): Promise<Response | null> {
  // The zone names it again: it wakes, and so do its sessions.
  if (account.asleepSince !== null) {
    const awake = await parts.store.wakeAccount(account, parts.clock.seconds());
    // The zone changed hands between two questions.
    if (awake === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
  }
  const live = await findSession(exchange, request, parts);
  if (live?.account.id !== account.id) return null;
  await keepSession(live.session, parts);
  const { domain, acct } = account;
  const { authTime, amr } = live.session;
  const proof = { accountId: account.id, authTime, amr, controlCheckedAt: look.checkedAt };
  return beginInteraction(exchange, request, { domain, method: "session", acct, proof }, parts);
}

// The forms of the first page: enter a domain, continue with the session, or choose another domain.

import type { SpRecordLook } from "../dns/sp-record.ts";
import { newExternalState } from "../federation/authorization-request.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { dnsFailed } from "../interaction/dns-failed.ts";
import { readDomain } from "../interaction/domain-name.ts";
import { beginInteraction, type RequestContext } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { findSession, type LiveSession, touchSession } from "../interaction/session.ts";
import { randomText } from "../lib/random.ts";
import { domainPage } from "../pages/domain.ts";
import type { Notice } from "../pages/notice.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Deps, StepDeps } from "./deps.ts";
import { beginEnrolment, deviceOf, pendingEnrolment } from "./device.ts";
import { explain } from "./lookup-notice.ts";

type DomainDeps = StepDeps &
  Pick<Deps, "accounts" | "enrolments" | "passkeys"> &
  Pick<Deps, "spRecords" | "newRecords" | "domainNames" | "control">;

export function createDomainStep(deps: DomainDeps) {
  return {
    enterDomain,
    continueSession: (context: RequestContext) => continueSession(context, deps),
    chooseOtherDomain,
  };

  /** POST /sign-in with the authorization request's query and the field `domain`. */
  async function enterDomain(context: RequestContext): Promise<HttpResponse> {
    const { http, request } = context;
    const typed = await formField(http, "domain", request);
    const pages = pagesFor(http, request);
    const { t } = pages;
    const again = (status: number, notice: Notice) =>
      page(status, domainPage(pages, { action: `/sign-in?${http.query}`, value: typed, notice }));
    const input = readDomain(typed, deps.domainNames);
    if (!input.ok) {
      const about = { domain: input.about, example: `alice.${input.about}` };
      return again(400, t.explanation(`domainMistakes-${input.mistake}`, about));
    }
    const { domain } = input;
    const look = (await deps.accounts.hasAccount(domain))
      ? await deps.spRecords.lookToDecide(domain, "now")
      : await deps.newRecords.lookForRecord(domain, { sp: null }, "now");
    switch (look.outcome) {
      case "absent":
      // Usually a wildcard CNAME, which the record to publish replaces.
      case "alias_invalid":
        return beginSetUp(context, domain, deps);
      case "own":
        return signIn(context, { domain, look }, deps);
      case "external": {
        if (request.mayFederate) return signIn(context, { domain, look }, deps);
        // Another service read the record and sent the user here: a further redirect could loop.
        const about = { domain, sp: new URL(look.sp).host, client: request.clientHost };
        return again(422, t.explanation("lookOutcomes-names_another", about));
      }
      case "invalid":
      case "ambiguous":
      case "unsupported":
        // If a set-up is pending in this browser, its page shows the right record.
        if (await pendingEnrolment(http, domain, deps)) return beginSetUp(context, domain, deps);
        return again(422, explain(t, look, domain));
      case "unregistered":
      case "disabled":
      case "not_permitted":
        return again(422, explain(t, look, domain));
      case "unavailable":
      case "bogus":
        return again(503, explain(t, look, domain));
    }
  }
}

async function beginSetUp(
  context: RequestContext,
  domain: string,
  deps: DomainDeps,
): Promise<HttpResponse> {
  const device = deviceOf(context.http, deps);
  await beginEnrolment(domain, device, deps);
  const start = { domain, method: "dns-setup", cookies: [device.cookie] } as const;
  return beginInteraction(context, start, deps);
}

/** The record names an account: uses its session, or begins its authentication. */
async function signIn(
  context: RequestContext,
  { domain, look }: { domain: string; look: SpRecordLook & { outcome: "own" | "external" } },
  deps: DomainDeps,
): Promise<HttpResponse> {
  const { acct } = look;
  const sp = look.outcome === "own" ? OWN_SP : look.sp;
  const account = await deps.accounts.findAccount(domain, { sp, acct });
  if (account !== null) {
    // The record names the account again: wakes it, and with it its sessions.
    if (account.asleepSince !== null) {
      const awake = await deps.accounts.wakeAccount(account, look.checkedAt);
      // The record has changed since the look.
      if (awake === "conflict") throw new PageError(503, "temporarilyUnavailable", context.request);
    }
    const live = await findSession(context.http, context.request, deps);
    if (live?.account.id === account.id) return useSession(context, live, look.checkedAt, deps);
  }
  const text = randomText(deps.random, 16);
  if (look.outcome === "external") {
    const external = newExternalState(sp, text);
    return beginInteraction(context, { domain, method: "external", acct, external }, deps);
  }
  // Without an account, the record is that of a set-up, of this or another browser.
  if (account === null) return beginInteraction(context, { domain, method: "dns-setup" }, deps);
  return (await deps.passkeys.hasPasskey(account.id))
    ? beginInteraction(context, { domain, method: "passkey", acct }, deps)
    : beginInteraction(context, { domain, method: "dns-challenge", acct, challenge: text }, deps);
}

/** Begins an interaction that needs no further proof. */
async function useSession(
  context: RequestContext,
  { session, account }: LiveSession,
  controlCheckedAt: number,
  deps: DomainDeps,
): Promise<HttpResponse> {
  await touchSession(session, deps);
  const { id: accountId, domain, acct } = account;
  const { authTime, amr } = session;
  const proof = { accountId, authTime, amr, controlCheckedAt };
  return beginInteraction(context, { domain, method: "session", acct, ...proof }, deps);
}

/** POST /sign-in/continue: "continue as" the account of the session, if the record still names it. */
async function continueSession(context: RequestContext, deps: DomainDeps): Promise<HttpResponse> {
  const { http, request } = context;
  const live = await findSession(http, request, deps);
  if (live === null) return returnToRequest(http);
  const { domain } = live.account;
  const result = await deps.control.check(live.account);
  switch (result.control) {
    case "unknown":
      return dnsFailed(context, { domain, failure: result.failure });
    case "lost":
      // The account is asleep now, so the first page asks for a domain.
      return returnToRequest(http);
    case "held":
      return useSession(context, live, result.checkedAt, deps);
  }
}

/** GET of a path that only takes POST, such as by a reload: redirects to the first page. */
export function returnToRequest({ query }: HttpRequest): HttpResponse {
  return seeOther(`/oauth/authorize?${query}`);
}

/** POST /sign-in/other: repeats the request with prompt=select_account, and otherwise octet for octet. */
function chooseOtherDomain({ http, request: { prompt } }: RequestContext): HttpResponse {
  const fields = http.query
    .split("&")
    // Parsed, because the name can be percent-encoded. A duplicate would be an error.
    .filter((field) => !new URLSearchParams(field).has("prompt"));
  const values = [...prompt, "select_account"].join("+");
  return seeOther(`/oauth/authorize?${[...fields, `prompt=${values}`].join("&")}`);
}

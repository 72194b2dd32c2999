// The first sign-in: shows the record to publish, and creates the account when DNS contains it.

import { formatSpRecord } from "domain-signin-verify/record";
import { type Freshness, failureOf, spRecordName } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { dnsFailed } from "../interaction/dns-failed.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { pagesFor } from "../interaction/pending-request.ts";
import { dnsSetupPage } from "../pages/dns-setup.ts";
import { ownUnknownPage } from "../pages/own-unknown.ts";
import { authenticated } from "./authenticated.ts";
import type { Deps, StepDeps } from "./deps.ts";
import { beginEnrolment, deviceOf, pendingEnrolment } from "./device.ts";
import { autoCheckAt, describeCheck } from "./lookup-notice.ts";
import { recoveryCodeHash, recoveryCodesOf } from "./recovery-codes.ts";

type SetUpDeps = StepDeps &
  Pick<Deps, "issuer" | "accounts" | "enrolments" | "spRecords" | "newRecords" | "diagnoses"> &
  Pick<Deps, "statementKeys" | "events">;

export function createDnsSetup(deps: SetUpDeps) {
  const { interactions, enrolments, clock } = deps;
  return { showDnsSetup, checkDnsSetup, startOver };

  /** GET /interaction/:id/dns-setup */
  function showDnsSetup(open: InteractionContext): Promise<HttpResponse> {
    return checkRecord(open, "recent", deps);
  }

  /** POST /interaction/:id/dns-setup: "check now". */
  function checkDnsSetup(open: InteractionContext): Promise<HttpResponse> {
    return checkRecord(open, "now", deps);
  }

  /** POST /interaction/:id/start-over: begins a new set-up, with a new record. */
  async function startOver(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const switched = await interactions.switchToSetUp(id, clock.seconds());
    if (switched === null) return advance(open, deps);
    const device = deviceOf(http, deps);
    await enrolments.dropEnrolment(domain, device.hash);
    await beginEnrolment(domain, device, deps);
    return advance({ interaction: switched, request }, deps, [device.cookie]);
  }
}

/** Looks up the record. Creates the account if it is found, and otherwise shows what was found. */
async function checkRecord(
  open: InteractionContext,
  freshness: Freshness,
  deps: SetUpDeps,
): Promise<HttpResponse> {
  const { http, interaction, request } = open;
  const { id, domain } = interaction;
  const hasAccount = await deps.accounts.hasAccount(domain);
  const setUp = await pendingSetUp(open, { hasAccount, freshness }, deps);
  const look = hasAccount
    ? await deps.spRecords.lookToDecide(domain, freshness)
    : await deps.newRecords.lookForRecord(domain, setUp?.value ?? { sp: null }, freshness);
  const failure = failureOf(look);
  let shown = look;
  if (setUp === null && look.outcome !== "own") {
    if (failure) return dnsFailed(open, { domain, failure });
    // The cookie is lost or the set-up has expired. No record is published yet, so begins a new one.
    const device = deviceOf(http, deps);
    await beginEnrolment(domain, device, deps);
    return seeOther(stepPath(id, "dns-setup"), [device.cookie]);
  }
  if (look.outcome === "own" && look.acct === setUp?.enrolment.acct) {
    const { enrolment, recoveryCodes, device } = setUp;
    const recoveryCodeHashes = recoveryCodes.map(recoveryCodeHash);
    const made = { enrolment, recoveryCodeHashes, now: look.checkedAt };
    const account = await deps.enrolments.enrol(made);
    if (account !== "conflict") {
      deps.events.enrolled({ accountId: account.id, domain, assurance: look.assurance });
      return authenticated(open, { account, amr: "dns", cookies: [device.cookie] }, deps);
    }
    // The record has changed since the look.
    shown = { ...look, outcome: "unavailable", reason: "unconfirmed" };
  }
  const { action, autoCheck, headers } = autoCheckAt(open, "dns-setup");
  // Failures are not cached: after a redirect the user would wait for DNS a second time.
  if (freshness === "now" && !failure) return seeOther(action);
  const pages = pagesFor(http, request);
  const startOverAction = stepPath(id, "start-over");
  // The record belongs to a set-up that this browser did not begin.
  if (setUp === null) return page(200, ownUnknownPage(pages, { domain, startOverAction }));
  const { value, recoveryCodes } = setUp;
  const record = { name: look.name, type: "TXT", value, ttl: 300 } as const;
  const diagnosis = await setUp.diagnosis;
  const result = describeCheck(pages.t, { look: shown, diagnosis, domain });
  const props = { domain, record, action, recoveryCodes, result, autoCheck, startOverAction };
  return page(200, dnsSetupPage(pages, props), headers);
}

/** The set-up that this browser has begun. The caller looks up the record while every server is queried. */
async function pendingSetUp(
  { http, interaction: { domain } }: InteractionContext,
  { hasAccount, freshness }: { hasAccount: boolean; freshness: Freshness },
  deps: SetUpDeps,
) {
  const pending = await pendingEnrolment(http, domain, deps);
  if (pending === null) return null;
  const { device, enrolment } = pending;
  // A record without these keys is accepted too: apps then get no provider proof.
  const spk = deps.statementKeys();
  const value = formatSpRecord({ sp: deps.issuer, acct: enrolment.acct, spk });
  const resolvers = hasAccount ? "always" : "once seen";
  return {
    ...pending,
    value,
    recoveryCodes: recoveryCodesOf(device.secret, enrolment.recoverySalt),
    diagnosis: deps.diagnoses.look(domain, spRecordName(domain), value, {
      resolvers,
      freshness,
    }),
  };
}

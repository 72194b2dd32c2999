// The first sign-in: shows the record to publish, and creates the account when DNS contains it.

import type { Diagnoses, Diagnosis } from "../dns/diagnosis.ts";
import type { SpRecords } from "../dns/sp-record.ts";
import { type Freshness, failureOf, type SpRecordLook, spRecordName } from "../dns/sp-record.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { dnsSetupPage } from "../pages/dns-setup.ts";
import { ownUnknownPage } from "../pages/own-unknown.ts";
import type { Enrolment } from "../store/enrolments.ts";
import type { Store } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";
import { authenticated } from "./authenticated.ts";
import { autoCheckAt } from "./auto-check.ts";
import { type Device, deviceOf, knownDeviceOf } from "./device.ts";
import { bogusFirst, dnsFailed } from "./dns-failed.ts";
import { beginEnrolment, finishEnrolment, pendingEnrolment, recordOf } from "./enrolment.ts";
import { describeSetUpLook } from "./lookup-notice.ts";
import { recoveryCodesOf } from "./recovery-codes.ts";

interface Deps {
  readonly issuer: string;
  readonly store: Store;
  readonly spRecords: SpRecords;
  readonly diagnoses: Diagnoses;
  readonly statementJkt: () => string;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

export function createDnsSetup(deps: Deps) {
  return {
    showDnsSetup: (context: InteractionContext) => showDnsSetup(context, deps),
    checkDnsSetup: (context: InteractionContext) => checkDnsSetup(context, deps),
    startOver: (context: InteractionContext) => startOver(context, deps),
  };
}

/** GET /interaction/:id/dns-setup: looks up the record, and continues if it is found. */
async function showDnsSetup(open: InteractionContext, deps: Deps): Promise<HttpResponse> {
  const result = await lookUpRecord(open, "recent", deps);
  return "response" in result ? result.response : showPage(open, result, deps);
}

/** POST /interaction/:id/dns-setup: "check now". */
async function checkDnsSetup(open: InteractionContext, deps: Deps): Promise<HttpResponse> {
  const result = await lookUpRecord(open, "now", deps);
  if ("response" in result) return result.response;
  // Failures are not cached: after a redirect the user would wait for DNS a second time.
  if (failureOf(result.look)) return showPage(open, result, deps);
  const { action } = autoCheckAt(stepPath(open.interaction.id, "dns-setup"), open.http);
  return seeOther(action);
}

/** POST /interaction/:id/start-over: begins a new set-up, with a new record. */
async function startOver(open: InteractionContext, deps: Deps): Promise<HttpResponse> {
  const { http, interaction, request } = open;
  const now = deps.clock.seconds();
  const switched = await deps.store.switchToSetUp(interaction.id, now);
  if (switched === null) return advance(open, deps);
  const device = deviceOf(http, deps);
  await deps.store.dropEnrolment(interaction.domain, device.hash);
  await beginEnrolment(interaction.domain, device, deps);
  return advance({ interaction: switched, request }, deps, [device.cookie]);
}

interface SetUp {
  readonly look: SpRecordLook;
  /** Null if the record belongs to a set-up that this browser did not begin. */
  readonly pending: Pending | null;
}

interface Pending {
  readonly enrolment: Enrolment;
  readonly device: Device;
  readonly diagnosis: Promise<Diagnosis>;
}

async function lookUpRecord(
  open: InteractionContext,
  freshness: Freshness,
  deps: Deps,
): Promise<{ readonly response: HttpResponse } | SetUp> {
  const { http } = open;
  const { domain } = open.interaction;
  const known = knownDeviceOf(http, deps);
  const enrolment = known && (await pendingEnrolment(domain, known, deps));
  const pending = known && enrolment && { enrolment, device: known, ...diagnose(enrolment, deps) };
  const look = await deps.spRecords.lookToDecide(domain, freshness);
  if (!pending) {
    if (look.outcome === "own") return { look, pending: null };
    const failure = failureOf(look);
    if (failure) return { response: await dnsFailed(open, { domain, failure }) };
    // The cookie is lost or the set-up has expired. No record is published yet, so begins a new one.
    const device = deviceOf(http, deps);
    await beginEnrolment(domain, device, deps);
    return { response: seeOther(stepPath(open.interaction.id, "dns-setup"), [device.cookie]) };
  }
  if (look.outcome !== "own" || look.acct !== pending.enrolment.acct) return { look, pending };
  const account = await finishEnrolment(pending.enrolment, pending.device, deps);
  if (account === "conflict") return { look, pending };
  deps.events.enrolled({ accountId: account.id, domain, assurance: look.assurance });
  const by = { account, amr: "dns", cookies: [pending.device.cookie] };
  return { response: await authenticated(open, by, deps) };
}

/** Queries every server in parallel with the lookup of the record, so that the user waits only once. */
function diagnose(enrolment: Enrolment, deps: Deps) {
  const { domain } = enrolment;
  const wanted = recordOf(enrolment, deps);
  return { diagnosis: deps.diagnoses.look(domain, spRecordName(domain), wanted) };
}

async function showPage(
  { http, interaction, request }: InteractionContext,
  { look, pending }: SetUp,
  deps: Deps,
): Promise<HttpResponse> {
  const pages = pagesFor(http, request);
  const { domain } = interaction;
  const startOverAction = stepPath(interaction.id, "start-over");
  if (pending === null) {
    return page(200, ownUnknownPage(pages, { domain, startOverAction }));
  }
  const { enrolment, device } = pending;
  const diagnosis = await pending.diagnosis;
  const { action, autoCheck, headers } = autoCheckAt(stepPath(interaction.id, "dns-setup"), http);
  return page(
    200,
    dnsSetupPage(pages, {
      domain,
      record: { name: look.name, type: "TXT", value: recordOf(enrolment, deps), ttl: 300 },
      action,
      recoveryCodes: recoveryCodesOf(device.secret, enrolment.recoverySalt),
      result: bogusFirst(pages.t, describeSetUpLook(pages.t, look, diagnosis, domain), {
        domain,
        isBogus: look.outcome === "bogus",
      }),
      autoCheck,
      startOverAction,
    }),
    headers,
  );
}

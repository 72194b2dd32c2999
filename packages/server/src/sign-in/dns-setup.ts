// The first sign-in: shows the one record to publish, and makes the account when DNS shows it.

import type { Diagnosis } from "../dns/diagnosis.ts";
import { type Freshness, failureOf, type SpRecordLook, spRecordName } from "../dns/sp-record.ts";
import type { Exchange } from "../http/channels.ts";
import { page, seeOther } from "../http/headers.ts";
import {
  advance,
  type OpenInteraction,
  openInteraction,
  requireSameOrigin,
  stepOf,
  stepPath,
} from "../interaction/interaction.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import type { SignInParts } from "../interaction/parts.ts";
import { dnsSetupPage } from "../pages/dns-setup.ts";
import { ownUnknownPage } from "../pages/own-unknown.ts";
import type { Enrolment } from "../store/store.ts";
import { authenticated } from "./authenticated.ts";
import { waitingAt } from "./by-itself.ts";
import { type Device, deviceOf, knownDeviceOf } from "./device.ts";
import { bogusFirst, dnsFailed } from "./dns-failed.ts";
import { beginEnrolment, finishEnrolment, pendingEnrolment, recordOf } from "./enrolment.ts";
import { describeSetUpLook } from "./look-words.ts";
import { recoveryCodesOf } from "./recovery-codes.ts";

/** GET /interaction/:id/dns-setup: looks, and goes on by itself once the record is there. */
export function showDnsSetUp(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    const open = await openInteraction(exchange, parts);
    if ((await stepOf(open, parts)) !== "dns-setup") return advance(open, parts);
    const seen = await lookForRecord(exchange, open, "recent", parts);
    return seen instanceof Response ? seen : showPage(exchange, open, seen, parts);
  };
}

/** POST /interaction/:id/dns-setup: "check now". */
export function checkDnsSetUp(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    requireSameOrigin(exchange, parts);
    const open = await openInteraction(exchange, parts);
    if ((await stepOf(open, parts)) !== "dns-setup") return advance(open, parts);
    const seen = await lookForRecord(exchange, open, "now", parts);
    if (seen instanceof Response) return seen;
    // No failure is remembered: behind a redirect DNS would be asked, and waited for, once more.
    if (failureOf(seen.look)) return showPage(exchange, open, seen, parts);
    const { action } = waitingAt(stepPath(open.interaction.id, "dns-setup"), exchange);
    return seeOther(action);
  };
}

/** POST /interaction/:id/start-over: a new record, whatever was begun or published before. */
export function startOver(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    requireSameOrigin(exchange, parts);
    const open = await openInteraction(exchange, parts);
    const { interaction, request } = open;
    const now = parts.clock.seconds();
    const standing = await parts.store.switchToSetUp(interaction.id, now);
    if (standing === null) return advance(open, parts);
    const device = deviceOf(exchange, parts);
    await parts.store.dropEnrolment(interaction.domain, device.hash);
    await beginEnrolment(interaction.domain, device, parts);
    return advance({ interaction: standing, request }, parts, [device.cookie]);
  };
}

interface SetUp {
  readonly look: SpRecordLook;
  /** Null when the zone names us by a set-up that this browser did not begin. */
  readonly pending: Pending | null;
}

interface Pending {
  readonly enrolment: Enrolment;
  readonly device: Device;
  readonly diagnosis: Promise<Diagnosis>;
}

async function lookForRecord(
  exchange: Exchange,
  open: OpenInteraction,
  freshness: Freshness,
  parts: SignInParts,
): Promise<Response | SetUp> {
  const { domain } = open.interaction;
  const known = knownDeviceOf(exchange, parts);
  const enrolment = known && (await pendingEnrolment(domain, known, parts));
  const pending = known && enrolment && { enrolment, device: known, ...diagnose(enrolment, parts) };
  const look = await parts.spRecords.lookToDecide(domain, freshness);
  if (!pending) {
    if (look.outcome === "own") return { look, pending: null };
    const failure = failureOf(look);
    if (failure) return dnsFailed(exchange, open.request, { domain, failure });
    // The cookie or the 24 hours are gone; nothing is published yet, so nothing is lost either.
    const device = deviceOf(exchange, parts);
    await beginEnrolment(domain, device, parts);
    return seeOther(stepPath(open.interaction.id, "dns-setup"), [device.cookie]);
  }
  if (look.outcome !== "own" || look.acct !== pending.enrolment.acct) return { look, pending };
  const account = await finishEnrolment(pending.enrolment, pending.device, parts);
  if (account === "conflict") return { look, pending };
  parts.events.enrolled({ accountId: account.id, domain, assurance: look.assurance });
  return authenticated(open, { account, amr: "dns", cookies: [pending.device.cookie] }, parts);
}

/** Begins to ask every server, while the record itself is looked for: a person waits for both at once. */
function diagnose(enrolment: Enrolment, parts: SignInParts) {
  const { domain } = enrolment;
  const wanted = recordOf(enrolment, parts);
  return { diagnosis: parts.diagnoses.look(domain, spRecordName(domain), wanted) };
}

async function showPage(
  exchange: Exchange,
  { interaction, request }: OpenInteraction,
  { look, pending }: SetUp,
  parts: SignInParts,
): Promise<Response> {
  const pages = await pagesFor(exchange, request);
  const { clientName, clientHost, finalHost, backToApp } = request;
  const common = { domain: interaction.domain, clientName, clientHost, finalHost, backToApp };
  const startOverAction = stepPath(interaction.id, "start-over");
  if (pending === null) {
    return page(200, ownUnknownPage(pages, { ...common, startOverAction }));
  }
  const { enrolment, device } = pending;
  const diagnosis = await pending.diagnosis;
  const { action, byItself, headers } = waitingAt(stepPath(interaction.id, "dns-setup"), exchange);
  return page(
    200,
    dnsSetupPage(pages, {
      ...common,
      record: { name: look.name, type: "TXT", value: recordOf(enrolment, parts), ttl: 300 },
      action,
      recoveryCodes: recoveryCodesOf(device.secret, enrolment.recoverySalt),
      look: bogusFirst(
        pages.messages,
        describeSetUpLook(pages.messages, look, diagnosis, interaction.domain),
        { domain: interaction.domain, isBogus: look.outcome === "bogus" },
      ),
      byItself,
      startOverAction,
    }),
    headers,
  );
}

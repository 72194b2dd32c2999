// The first sign-in: shows the one record to publish, and makes the account when DNS shows it.

import type { Freshness, SpRecordLook } from "../dns/sp-record.ts";
import type { Exchange } from "../http/channels.ts";
import { ASKS_AGAIN, page, seeOther } from "../http/headers.ts";
import {
  advance,
  type OpenInteraction,
  openInteraction,
  requireSameOrigin,
  stepOf,
  stepPath,
} from "../interaction/interaction.ts";
import type { SignInParts } from "../interaction/parts.ts";
import { dnsSetupPage } from "../pages/dns-setup.ts";
import { ownUnknownPage } from "../pages/own-unknown.ts";
import type { Enrolment } from "../store/store.ts";
import { authenticated } from "./authenticated.ts";
import { type Device, deviceOf, knownDeviceOf } from "./device.ts";
import { beginEnrolment, finishEnrolment, pendingEnrolment, recordOf } from "./enrolment.ts";
import { describeSetUpLook } from "./look-words.ts";
import { recoveryCodesOf } from "./recovery-codes.ts";

/** GET /interaction/:id/dns-setup: looks, and goes on by itself once the record is there. */
export function showDnsSetUp(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    const open = await openInteraction(exchange, parts);
    if ((await stepOf(open, parts)) !== "dns-setup") return advance(open, parts);
    const seen = await lookForRecord(exchange, open, "recent", parts);
    return seen instanceof Response ? seen : showPage(open, seen, parts);
  };
}

/** POST /interaction/:id/dns-setup: "check now". */
export function checkDnsSetUp(parts: SignInParts) {
  return async (exchange: Exchange): Promise<Response> => {
    requireSameOrigin(exchange, parts);
    const open = await openInteraction(exchange, parts);
    if ((await stepOf(open, parts)) !== "dns-setup") return advance(open, parts);
    const seen = await lookForRecord(exchange, open, "now", parts);
    return seen instanceof Response ? seen : advance(open, parts);
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
  readonly pending: { enrolment: Enrolment; device: Device } | null;
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
  const look = await parts.spRecords.look(domain, freshness);
  if (!known || !enrolment) {
    if (look.outcome === "own") return { look, pending: null };
    // The cookie or the 24 hours are gone; nothing is published yet, so nothing is lost either.
    const device = deviceOf(exchange, parts);
    await beginEnrolment(domain, device, parts);
    return seeOther(stepPath(open.interaction.id, "dns-setup"), [device.cookie]);
  }
  if (look.outcome !== "own" || look.acct !== enrolment.acct) {
    return { look, pending: { enrolment, device: known } };
  }
  const account = await finishEnrolment(enrolment, known, parts);
  if (account === "conflict") return { look, pending: { enrolment, device: known } };
  parts.events.enrolled({ accountId: account.id, domain, assurance: look.assurance });
  return authenticated(open, { account, amr: "dns", cookies: [known.cookie] }, parts);
}

function showPage(
  { interaction, request }: OpenInteraction,
  { look, pending }: SetUp,
  parts: SignInParts,
): Promise<Response> {
  const { clientName, clientHost, backToApp } = request;
  const common = { domain: interaction.domain, clientName, clientHost, backToApp };
  const startOverAction = stepPath(interaction.id, "start-over");
  if (pending === null) {
    return page(200, ownUnknownPage(parts.pages, { ...common, startOverAction }));
  }
  const { enrolment, device } = pending;
  return page(
    200,
    dnsSetupPage(parts.pages, {
      ...common,
      record: { name: look.name, type: "TXT", value: recordOf(enrolment, parts.issuer), ttl: 300 },
      action: stepPath(interaction.id, "dns-setup"),
      recoveryCodes: recoveryCodesOf(device.secret, enrolment.recoverySalt),
      look: describeSetUpLook(parts.pages.messages, look, interaction.domain),
      startOverAction,
    }),
    ASKS_AGAIN,
  );
}

// A later sign-in by DNS: a short-lived record, together with a known device or a recovery code.

import { formatChallengeRecord } from "domain-signin-verify/challenge-record";
import type { Diagnoses, Diagnosis } from "../dns/diagnosis.ts";
import type { SpRecords } from "../dns/sp-record.ts";
import { type ChallengeLook, challengeName } from "../dns/sp-record.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { formField } from "../interaction/form-field.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { dnsChallengePage } from "../pages/dns-challenge.ts";
import type { Translate } from "../pages/messages.ts";
import type { CheckResult } from "../pages/notice.ts";
import type { Account } from "../store/accounts.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Store } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";
import { countAttempt } from "./attempts.ts";
import { authenticated } from "./authenticated.ts";
import { autoCheckAt } from "./auto-check.ts";
import { deviceOf, knownDeviceOf } from "./device.ts";
import { bogusFirst } from "./dns-failed.ts";
import { describeChallengeLook, explain } from "./lookup-notice.ts";
import { recoveryCodeHash } from "./recovery-codes.ts";

interface Deps {
  readonly issuer: string;
  readonly store: Store;
  readonly spRecords: SpRecords;
  readonly diagnoses: Diagnoses;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

export function createDnsChallenge(deps: Deps) {
  return {
    showDnsChallenge: (context: InteractionContext) => showDnsChallenge(context, deps),
    checkDnsChallenge: (context: InteractionContext) => checkDnsChallenge(context, deps),
  };
}

/** GET /interaction/:id/dns-challenge */
async function showDnsChallenge(open: InteractionContext, deps: Deps): Promise<HttpResponse> {
  const { t } = pagesFor(open.http, open.request);
  const challenge = await readChallenge(open, deps);
  if (!challenge.browserIsKnown) {
    const notice = await lookUpNotice(challenge, t, deps);
    return showPage(200, open, { challenge, notice }, deps);
  }
  return proceed(open, { challenge, recoveryCode: null }, deps);
}

/** POST /interaction/:id/dns-challenge, with `recovery_code` if the browser is not known. */
async function checkDnsChallenge(open: InteractionContext, deps: Deps): Promise<HttpResponse> {
  const { http } = open;
  const challenge = await readChallenge(open, deps);
  if (challenge.browserIsKnown) {
    return proceed(open, { challenge, recoveryCode: null }, deps);
  }
  const field = await formField(http, "recovery_code", open.request);
  const typed = field.trim().slice(0, 100);
  const { t } = pagesFor(http, open.request);
  const refuse = async (status: number, problem: string, more: Record<string, string> = {}) => {
    const notice = await lookUpNotice(challenge, t, deps);
    const shown = { challenge, notice, recovery: { typed, problem } };
    return showPage(status, open, shown, deps, more);
  };
  if (typed === "") return refuse(400, t("recoveryProblems-missing"));
  const wait = await countAttempt(http, open.interaction, deps);
  if (wait !== null) {
    return refuse(429, t("recoveryProblems-tooMany"), { "retry-after": String(wait) });
  }
  const codeHash = recoveryCodeHash(typed);
  if (!(await deps.store.hasRecoveryCode(challenge.account.id, codeHash))) {
    return refuse(400, t("recoveryProblems-wrong"));
  }
  return proceed(open, { challenge, recoveryCode: { typed, codeHash } }, deps);
}

interface Challenge {
  readonly account: Account;
  readonly value: string;
  readonly browserIsKnown: boolean;
}

async function readChallenge(
  { http, interaction, request }: InteractionContext,
  deps: Deps,
): Promise<Challenge> {
  const { domain, acct, challenge } = interaction;
  if (acct === null || challenge === null)
    throw new Error("the interaction of a challenge has no acct or challenge");
  const account = await deps.store.findAccount(domain, { sp: OWN_SP, acct });
  if (account === null) throw new PageError(400, "expired", request);
  const device = knownDeviceOf(http, deps);
  const browserIsKnown = device !== null && (await deps.store.knowsDevice(account.id, device.hash));
  return { account, value: challenge, browserIsKnown };
}

/** Looks up both records. If both are right, authenticates the owner. */
async function proceed(
  open: InteractionContext,
  proof: { challenge: Challenge; recoveryCode: { typed: string; codeHash: string } | null },
  deps: Deps,
): Promise<HttpResponse> {
  const { challenge, recoveryCode } = proof;
  const { store, clock, spRecords } = deps;
  const { http } = open;
  const { t } = pagesFor(http, open.request);
  const recovery = recoveryCode ? { typed: recoveryCode.typed } : undefined;
  let { account } = challenge;
  // Both in parallel, so that the user waits only once.
  const [result, record] = await Promise.all([
    lookUpChallenge(challenge, deps),
    spRecords.lookToDecide(account.domain, "now"),
  ]);
  if (result.look.outcome !== "seen") {
    const notice = await noticeOf(challenge, result, t);
    return showPage(200, open, { challenge, notice, recovery }, deps);
  }
  if (record.outcome !== "own" || record.acct !== account.acct) {
    const notice = explain(t, record, account.domain);
    return showPage(200, open, { challenge, notice, recovery }, deps);
  }
  const now = clock.seconds();
  if (account.asleepSince !== null) {
    const awake = await store.wakeAccount(account, now);
    if (awake === "conflict") throw new PageError(400, "expired", open.request);
    account = awake;
  }
  const device = deviceOf(http, deps);
  if (recoveryCode !== null) {
    const { codeHash } = recoveryCode;
    if (!(await store.takeRecoveryCode({ accountId: account.id, codeHash, now }))) {
      return advance(open, deps);
    }
    await store.addDevice({ accountId: account.id, deviceHash: device.hash, now });
  }
  return authenticated(open, { account, amr: "dns", cookies: [device.cookie] }, deps);
}

interface ChallengeResult {
  readonly look: ChallengeLook;
  readonly diagnosis: Promise<Diagnosis>;
}

/** Queries every server in parallel with the lookup of the record, so that the user waits only once. */
async function lookUpChallenge(
  { account: { domain }, value }: Challenge,
  { spRecords, diagnoses, issuer }: Deps,
): Promise<ChallengeResult> {
  const wanted = formatChallengeRecord({ sp: issuer, chal: value });
  const diagnosis = diagnoses.look(domain, challengeName(domain), wanted);
  return { look: await spRecords.lookForChallenge(domain, value), diagnosis };
}

async function lookUpNotice(challenge: Challenge, t: Translate, deps: Deps): Promise<CheckResult> {
  return noticeOf(challenge, await lookUpChallenge(challenge, deps), t);
}

async function noticeOf(
  { account: { domain } }: Challenge,
  { look, diagnosis }: ChallengeResult,
  t: Translate,
): Promise<CheckResult> {
  const notice = describeChallengeLook(t, look, await diagnosis, domain);
  return bogusFirst(t, notice, { domain, isBogus: look.outcome === "bogus" });
}

async function showPage(
  status: number,
  { http, interaction, request }: InteractionContext,
  shown: {
    challenge: Challenge;
    notice: CheckResult;
    recovery?: { typed: string; problem?: string } | undefined;
  },
  deps: Deps,
  more: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const { challenge, notice, recovery } = shown;
  const { domain } = challenge.account;
  const { action, autoCheck, headers } = autoCheckAt(
    stepPath(interaction.id, "dns-challenge"),
    http,
  );
  return page(
    status,
    dnsChallengePage(pagesFor(http, request), {
      domain,
      issuerHost: new URL(deps.issuer).host,
      record: {
        name: challengeName(domain),
        type: "TXT",
        value: formatChallengeRecord({ sp: deps.issuer, chal: challenge.value }),
        ttl: 60,
      },
      action,
      autoCheck: challenge.browserIsKnown ? autoCheck : undefined,
      askRecoveryCode: !challenge.browserIsKnown,
      recoveryCodeValue: recovery?.typed,
      recoveryProblem: recovery?.problem,
      result: notice,
      lostAccessAction: stepPath(interaction.id, "start-over"),
    }),
    { ...(challenge.browserIsKnown && headers), ...more },
  );
}

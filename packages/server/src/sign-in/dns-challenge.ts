// A later sign-in by DNS: a short-lived record, together with a known device or a recovery code.

import { formatChallengeRecord } from "domain-signin-verify/challenge-record";
import { challengeName, namesAccount } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { dnsChallengePage } from "../pages/dns-challenge.ts";
import type { CheckResult, Notice } from "../pages/notice.ts";
import { OWN_SP } from "../store/shared-values.ts";
import { authenticated } from "./authenticated.ts";
import type { Deps, StepDeps } from "./deps.ts";
import { deviceOf, knownDeviceOf } from "./device.ts";
import { autoCheckAt, describeCheck, explain } from "./lookup-notice.ts";
import { countAttempt, recoveryCodeHash } from "./recovery-codes.ts";

type ChallengeDeps = StepDeps &
  Pick<Deps, "issuer" | "accounts" | "devices" | "passkeys" | "attempts" | "events"> &
  Pick<Deps, "spRecords" | "newRecords" | "diagnoses">;

export function createDnsChallenge(deps: ChallengeDeps) {
  return { showDnsChallenge, checkDnsChallenge };

  /** GET /interaction/:id/dns-challenge */
  async function showDnsChallenge(open: InteractionContext): Promise<HttpResponse> {
    const challenge = await readChallenge(open, deps);
    return challenge.browserIsKnown
      ? proceed(challenge, undefined, deps)
      : showPage(challenge, { notice: await noticeNow(challenge, deps) }, deps);
  }

  /** POST /interaction/:id/dns-challenge, with `recovery_code` if the browser is not known. */
  async function checkDnsChallenge(open: InteractionContext): Promise<HttpResponse> {
    const challenge = await readChallenge(open, deps);
    if (challenge.browserIsKnown) return proceed(challenge, undefined, deps);
    const field = await formField(open.http, "recovery_code", open.request);
    const typed = field.trim().slice(0, 100);
    const { t } = challenge.pages;
    const refuse = async (status: number, problem: string, headers = {}) => {
      const notice = await noticeNow(challenge, deps);
      return showPage(challenge, { notice, status, typed, problem, headers }, deps);
    };
    if (typed === "") return refuse(400, t("recoveryProblems-missing"));
    const wait = await countAttempt(open, deps);
    if (wait > 0)
      return refuse(429, t("recoveryProblems-tooMany"), { "retry-after": String(wait) });
    const codeHash = recoveryCodeHash(typed);
    if (!(await deps.devices.hasRecoveryCode(challenge.account.id, codeHash))) {
      return refuse(400, t("recoveryProblems-wrong"));
    }
    return proceed(challenge, typed, deps);
  }
}

type Challenge = Awaited<ReturnType<typeof readChallenge>>;

async function readChallenge(open: InteractionContext, deps: ChallengeDeps) {
  const { http, interaction, request } = open;
  const { domain, acct, challenge: chal } = interaction;
  if (acct === null || chal === null)
    throw new Error("the interaction of a challenge has no acct or challenge");
  const account = await deps.accounts.findAccount(domain, { sp: OWN_SP, acct });
  if (account === null) throw new PageError(400, "expired", request);
  const device = knownDeviceOf(http, deps);
  // With a passkey, a browser alone is no longer enough: this is the way for people who lost theirs.
  const hasPasskey = await deps.passkeys.hasPasskey(account.id);
  const browserIsKnown =
    !hasPasskey && device !== null && (await deps.devices.knowsDevice(account.id, device.hash));
  const value = formatChallengeRecord({ sp: deps.issuer, chal });
  const record = { name: challengeName(domain), type: "TXT", value, ttl: 60 } as const;
  return {
    ...open,
    account,
    chal,
    record,
    hasPasskey,
    browserIsKnown,
    pages: pagesFor(http, request),
  };
}

/** Looks up both records. If both are right, authenticates the owner. */
async function proceed(
  challenge: Challenge,
  typed: string | undefined,
  deps: ChallengeDeps,
): Promise<HttpResponse> {
  const { http, request, pages, account: found } = challenge;
  const { accounts, devices, clock, spRecords } = deps;
  const { id: accountId, domain } = found;
  // Both in parallel, so that the user waits only once.
  const [{ look, notice }, record] = await Promise.all([
    lookUp(challenge, deps),
    spRecords.lookToDecide(domain, "now"),
  ]);
  if (look.outcome !== "seen") {
    return showPage(challenge, { notice: await notice(), typed }, deps);
  }
  if (!namesAccount(record, found)) {
    return showPage(challenge, { notice: explain(pages.t, record, domain), typed }, deps);
  }
  const now = clock.seconds();
  const { checkedAt } = record;
  const account = found.asleepSince === null ? found : await accounts.wakeAccount(found, checkedAt);
  // The record has changed since the look.
  if (account === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
  if (found.asleepSince !== null) deps.events.recordFound({ accountId, domain });
  const device = deviceOf(http, deps);
  if (typed !== undefined) {
    const codeHash = recoveryCodeHash(typed);
    if (!(await devices.takeRecoveryCode({ accountId, codeHash, now }))) {
      return advance(challenge, deps);
    }
    await devices.addDevice({ accountId, deviceHash: device.hash, now });
    deps.events.recoveryCodeUsed({ accountId, domain });
    deps.events.browserAdded({ accountId, domain });
  }
  return authenticated(challenge, { account, amr: "dns", cookies: [device.cookie] }, deps);
}

/** Queries every server in parallel with the lookup of the record, so that the user waits only once. */
async function lookUp(
  { http, account: { domain }, chal, record, pages }: Challenge,
  { diagnoses, newRecords }: ChallengeDeps,
) {
  const { name, value } = record;
  // Only "check now" asks again; a page that checks by itself shares the answer of others.
  const freshness = http.method === "POST" ? "now" : "recent";
  const diagnosing = diagnoses.look(domain, name, value, { resolvers: "once seen", freshness });
  const look = await newRecords.lookForChallenge(domain, { chal, value }, freshness);
  const notice = async () => describeCheck(pages.t, { look, diagnosis: await diagnosing, domain });
  return { look, notice };
}

async function noticeNow(challenge: Challenge, deps: ChallengeDeps): Promise<CheckResult> {
  const { notice } = await lookUp(challenge, deps);
  return notice();
}

function showPage(
  challenge: Challenge,
  shown: {
    status?: number;
    notice: CheckResult | Notice;
    typed?: string | undefined;
    problem?: string;
    headers?: Readonly<Record<string, string>>;
  },
  deps: ChallengeDeps,
): Promise<HttpResponse> {
  const { interaction, account, record, hasPasskey, browserIsKnown, pages } = challenge;
  const { status = 200, typed, problem } = shown;
  const { action, autoCheck, headers } = autoCheckAt(challenge, "dns-challenge");
  return page(
    status,
    dnsChallengePage(pages, {
      domain: account.domain,
      issuerHost: new URL(deps.issuer).host,
      record,
      action,
      autoCheck: browserIsKnown ? autoCheck : undefined,
      askRecoveryCode: !browserIsKnown,
      hasPasskey,
      recoveryCodeValue: typed,
      recoveryProblem: problem,
      result: shown.notice,
      lostAccessAction: stepPath(interaction.id, "start-over"),
    }),
    { ...(browserIsKnown && headers), ...shown.headers },
  );
}

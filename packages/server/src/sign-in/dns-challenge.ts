// A later sign-in by DNS: a record for this sign-in, together with a known browser or a recovery code.

import { formatChallengeRecord } from "domain-signin-verify/challenge-record";
import { challengeName, namesAccount } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { accountUri } from "../interaction/account-page.ts";
import {
  advance,
  type InteractionContext,
  isByItself,
  stepPath,
} from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { dnsChallengePage } from "../pages/dns-challenge.ts";
import type { CheckResult, Notice } from "../pages/notice.ts";
import { FEW_CODES } from "../pages/recovery-codes.ts";
import { OWN_SP } from "../store/shared-values.ts";
import { authenticated } from "./authenticated.ts";
import { confirmationOf, passkeyToConfirm } from "./confirm-passkey.ts";
import type { Deps, StepDeps } from "./deps.ts";
import { autoCheckAt, describeCheck, explain } from "./lookup-notice.ts";
import { countAttempt, recoveryCodeHash } from "./recovery-codes.ts";
import { PASSKEY_AMR } from "./use-passkey.ts";

type ChallengeDeps = StepDeps &
  Pick<Deps, "issuer" | "accounts" | "recoveryCodes" | "passkeys" | "attempts" | "events"> &
  Pick<Deps, "spRecords" | "newRecords" | "diagnoses">;

export function createDnsChallenge(deps: ChallengeDeps) {
  return { showDnsChallenge, checkDnsChallenge };

  /** GET /interaction/:id/dns-challenge */
  async function showDnsChallenge(open: InteractionContext): Promise<HttpResponse> {
    const challenge = await readChallenge(open, deps);
    return challenge.mustAsk ? showPage(challenge, {}, deps) : proceed(challenge, deps);
  }

  /** POST /interaction/:id/dns-challenge, with `recovery_code` while the page asks for it. */
  async function checkDnsChallenge(open: InteractionContext): Promise<HttpResponse> {
    const challenge = await readChallenge(open, deps);
    if (!challenge.mustAsk) return proceed(challenge, deps);
    const field = await formField(open.http, "recovery_code", open.request);
    const typed = field.trim().slice(0, 100);
    const { t } = challenge.pages;
    const refuse = (status: number, problem: string, headers = {}) =>
      showPage(challenge, { status, typed, problem, headers }, deps);
    if (typed === "") return refuse(400, t("recoveryProblems-missing"));
    const wait = await countAttempt(open, deps);
    if (wait > 0)
      return refuse(429, t("recoveryProblems-tooMany"), { "retry-after": String(wait) });
    const codeHash = recoveryCodeHash(typed);
    if (!(await deps.recoveryCodes.hasRecoveryCode(challenge.account.id, codeHash))) {
      return refuse(400, t("recoveryProblems-wrong"));
    }
    const { id } = open.interaction;
    const kept = await deps.interactions.keepRecoveryCode(id, codeHash, deps.clock.seconds());
    // Another tab has signed in, or started over: then a set-up has kept the code.
    if (kept?.method !== "dns-challenge") return advance(open, deps);
    return proceed({ ...challenge, interaction: kept, mustAsk: false }, deps);
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
  // It signed in this interaction, so that nothing else is asked for.
  const confirmed = await passkeyToConfirm(interaction, account.id, deps);
  // With a passkey, a browser alone is no longer enough: this is the way for people who lost theirs.
  const hasPasskey = await deps.passkeys.hasPasskey(account.id);
  const browserIsKnown = !hasPasskey && (await deps.browserSessions.isKnown(http, account));
  // Another tab may have used up the code that was entered here.
  const { recoveryHash } = interaction;
  const hasCode =
    recoveryHash !== null && (await deps.recoveryCodes.hasRecoveryCode(account.id, recoveryHash));
  const value = formatChallengeRecord({ sp: deps.issuer, chal });
  const record = { name: challengeName(domain), type: "TXT", value, ttl: 60 } as const;
  return {
    ...open,
    account,
    chal,
    record,
    hasPasskey,
    browserIsKnown,
    confirmed,
    mustAsk: confirmed === null && !browserIsKnown && !hasCode,
    pages: pagesFor(http, request),
  };
}

/** Looks up both records. If both are right and the person asks, authenticates the owner. */
async function proceed(challenge: Challenge, deps: ChallengeDeps): Promise<HttpResponse> {
  const { http, interaction, request, pages, account: found } = challenge;
  const { accounts, spRecords } = deps;
  const { id: accountId, domain } = found;
  // Both in parallel, so that the user waits only once.
  const [{ look, notice }, record] = await Promise.all([
    lookUp(challenge, deps),
    spRecords.lookToDecide(domain, "now"),
  ]);
  if (look.outcome !== "seen") return showPage(challenge, { notice: await notice() }, deps);
  if (!namesAccount(record, found)) {
    return showPage(challenge, { notice: explain(pages.t, record, domain) }, deps);
  }
  // Uses up a recovery code, and a change of the account must follow soon: left to the person, who may be away.
  if (isByItself(http)) return seeOther(stepPath(interaction.id, "dns-challenge"));
  const { checkedAt } = record;
  const account = found.asleepSince === null ? found : await accounts.wakeAccount(found, checkedAt);
  // The record has changed since the look.
  if (account === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
  if (found.asleepSince !== null) deps.events.recordFound({ accountId, domain });
  const { confirmed } = challenge;
  if (confirmed !== null) {
    await deps.passkeys.confirmPasskey(confirmed, deps.clock.seconds());
    const statement = confirmationOf(confirmed);
    return authenticated(challenge, { account, amr: PASSKEY_AMR, statement }, deps);
  }
  const by = { account, amr: "dns" };
  if (challenge.browserIsKnown) {
    return authenticated(challenge, { ...by, inKnownBrowser: true }, deps);
  }
  // Used up by the statement that records the authentication: neither a crash nor another browser comes between.
  const usedCode = challenge.interaction.recoveryHash;
  const codesOfferedFrom = await setToReplace(challenge, deps);
  const recovery = challenge.hasPasskey ? "asked" : null;
  return authenticated(challenge, { ...by, usedCode, codesOfferedFrom, recovery }, deps);
}

/**
 * The set of recovery codes that the person is offered to replace, because few are left without the one that is about
 * to be used up; otherwise null.
 */
async function setToReplace(
  { account: { id }, request }: Challenge,
  { recoveryCodes, issuer }: Pick<ChallengeDeps, "recoveryCodes" | "issuer">,
): Promise<string | null> {
  // The account page tells it as well, and has a way of its own.
  if (request.clientId === accountUri(issuer)) return null;
  const left = (await recoveryCodes.countRecoveryCodesOf(id)) - 1;
  return left < FEW_CODES ? ((await recoveryCodes.recoveryCodeSet(id)) ?? "") : null;
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

function showPage(
  challenge: Challenge,
  shown: {
    status?: number;
    /** Missing while the page asks for the recovery code: nothing is published yet. */
    notice?: CheckResult | Notice;
    typed?: string;
    problem?: string;
    headers?: Readonly<Record<string, string>>;
  },
  deps: ChallengeDeps,
): Promise<HttpResponse> {
  const { interaction, account, record, hasPasskey, browserIsKnown, mustAsk, pages } = challenge;
  const isPasskeyKept = challenge.confirmed !== null;
  const { status = 200, notice, typed, problem } = shown;
  const { action, autoCheck } = autoCheckAt(challenge, "dns-challenge");
  const code = mustAsk ? { hasPasskey, value: typed, problem } : undefined;
  return page(
    status,
    dnsChallengePage(pages, {
      domain: account.domain,
      issuerHost: new URL(deps.issuer).host,
      record,
      action,
      ...(code === undefined
        ? { autoCheck, isPasskeyKept, isCodeKept: !isPasskeyKept && !browserIsKnown }
        : { code }),
      result: notice,
      lostAccessAction: stepPath(interaction.id, "start-over"),
    }),
    shown.headers,
  );
}

// A later sign-in by DNS: a record for this sign-in, together with a known browser or a recovery code.

import { formatChallengeRecord } from "domain-signin-verify/challenge-record";
import type { Control } from "../account/control.ts";
import type { Diagnoses } from "../dns/diagnosis.ts";
import type { NewRecords } from "../dns/new-records.ts";
import { challengeName, namesAccount, type SpRecords } from "../dns/sp-record.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { requesterAt } from "../http/requester.ts";
import { page, seeOther, withCookies } from "../http/responses.ts";
import { accountUri } from "../interaction/account-page.ts";
import type { Flow } from "../interaction/flow.ts";
import { addressWithRequest, isByItself, type StepContext } from "../interaction/interaction.ts";
import { PageError, pagesFor } from "../interaction/pending-request.ts";
import { recoveryCodeEntered } from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { dnsChallengePage } from "../pages/dns-challenge.ts";
import type { CheckResult, Notice } from "../pages/notice.ts";
import { FEW_CODES } from "../pages/recovery-codes.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { AccountStore } from "../store/accounts.ts";
import type { AttemptStore } from "../store/attempts.ts";
import type { RecoveryCodeStore } from "../store/code-sets.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { SessionStore } from "../store/sessions.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Events } from "../telemetry/events.ts";
import { type Challenges, challengeHash } from "./challenge-cookie.ts";
import { returnToRequest } from "./domain.ts";
import { autoCheckOf, describeCheck, explain } from "./lookup-notice.ts";
import type { RecoveryCodeEntry, RefusedCode } from "./recovery-code-entry.ts";
import { noteReuse } from "./set-up/finish-set-up.ts";
import { PASSKEY_AMR } from "./use-passkey.ts";

export interface Deps {
  readonly issuer: string;
  readonly flow: Flow;
  readonly challenges: Challenges;
  readonly enterRecoveryCode: RecoveryCodeEntry;
  readonly control: Control;
  readonly accounts: AccountStore;
  readonly interactions: InteractionStore;
  readonly sessions: SessionStore;
  readonly attempts: AttemptStore;
  readonly passkeys: PasskeyStore;
  readonly recoveryCodes: RecoveryCodeStore;
  readonly browserSessions: BrowserSessions;
  readonly spRecords: SpRecords;
  readonly newRecords: NewRecords;
  readonly diagnoses: Diagnoses;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly events: Events;
}

type ChallengeStep = StepContext<"dns-challenge">;

export function createDnsChallenge(deps: Deps) {
  const { issuer, flow, passkeys, recoveryCodes } = deps;
  type Challenge = Awaited<ReturnType<typeof readChallenge>>;
  return { showDnsChallenge, checkDnsChallenge };

  /** GET /interaction/:id/dns-challenge */
  async function showDnsChallenge(open: ChallengeStep): Promise<HttpResponse> {
    const challenge = await readChallenge(open);
    return challenge.mustAsk ? showPage(challenge) : proceed(challenge);
  }

  /** POST /interaction/:id/dns-challenge, with `recovery_code` while the page asks for it. */
  async function checkDnsChallenge(open: ChallengeStep): Promise<HttpResponse> {
    const challenge = await readChallenge(open);
    if (!challenge.mustAsk) return proceed(challenge);
    const { id: accountId } = challenge.account;
    const entered = await deps.enterRecoveryCode(open, (hash) =>
      recoveryCodes.hasRecoveryCode(accountId, hash),
    );
    if (typeof entered !== "string") return showPage(challenge, undefined, entered);
    const kept = await flow.change(open.interaction, recoveryCodeEntered(entered));
    const { isChanged, interaction } = kept;
    const { progress } = interaction;
    // Another tab has signed in, or has started over with a set-up, which keeps the code.
    if (!isChanged || progress.step !== "dns-challenge") return flow.next(open);
    const setCookies = await deps.challenges.keepCode(open.http, challenge.chal, entered);
    const changed = { ...challenge, interaction: { ...interaction, progress }, mustAsk: false };
    return withCookies(await proceed(changed), setCookies);
  }

  async function readChallenge(open: ChallengeStep) {
    const { http, interaction, request } = open;
    const { domain, progress } = interaction;
    const { acct, challenge: chal, recoveryCode, unconfirmed } = progress;
    const account = await deps.accounts.findAccount(domain, { sp: OWN_SP, acct });
    if (account === null) throw new PageError(400, "expired", request);
    // The passkey has signed in this interaction, so the owner needs no further proof.
    const all = unconfirmed === null ? [] : await passkeys.passkeysOf(account.id);
    const confirmed = all.find((one) => one.credentialId === unconfirmed?.credentialId) ?? null;
    // For an account with a passkey, a known browser does not replace the recovery code.
    const hasPasskey = await passkeys.hasPasskey(account.id);
    const browserIsKnown = !hasPasskey && (await deps.browserSessions.isKnown(http, account));
    // Another tab may have used up the code that was entered here.
    const hasCode =
      recoveryCode !== null && (await recoveryCodes.hasRecoveryCode(account.id, recoveryCode));
    const value = formatChallengeRecord({ sp: issuer, chal });
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
  async function proceed(challenge: Challenge): Promise<HttpResponse> {
    const { http, request, pages, account: found, confirmed } = challenge;
    const { domain } = found;
    const [{ look, notice }, record] = await Promise.all([
      lookUp(challenge),
      deps.spRecords.lookToDecide(domain, { freshness: "now", from: ownerAt(http) }),
    ]);
    if (look.outcome !== "seen") return showPage(challenge, await notice());
    if (!namesAccount(record, found)) return showPage(challenge, explain(pages.t, record, domain));
    // Authenticating uses up a code and limits the time for a change, and the person may be away.
    if (isByItself(http)) return seeOther(addressOf(challenge));
    const usedChallenge = challengeHash(challenge.chal);
    if (await deps.interactions.isChallengeUsed(usedChallenge)) return finishedElsewhere(challenge);
    const account = await deps.control.wake(found, record.checkedAt);
    if (account === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
    const cookie = deps.cookies.clear(deps.cookies.challengeName(challenge.chal));
    const used = { usedChallenge, cookies: [cookie] };
    if (confirmed !== null) {
      await passkeys.confirmPasskey(confirmed, deps.clock.seconds());
      return flow.authenticate(challenge, { ...used, account, amr: PASSKEY_AMR });
    }
    const proof = { ...used, account, amr: "dns" };
    if (challenge.browserIsKnown) {
      return flow.authenticate(challenge, { ...proof, inKnownBrowser: true });
    }
    // The statement that records the authentication uses up the code: no crash can separate them.
    const usedCode = challenge.interaction.progress.recoveryCode;
    const codesOfferedFrom = await setToReplace(challenge);
    const recovery = challenge.hasPasskey ? "asked" : null;
    return flow.authenticate(challenge, { ...proof, usedCode, codesOfferedFrom, recovery });
  }

  /** Another tab of this browser was faster, or somebody with a copy of its cookies, of whom the owner is told. */
  async function finishedElsewhere({ http, request, account, chal }: Challenge) {
    const sid = await deps.sessions.sidStartedBy(challengeHash(chal));
    const { live } = await deps.browserSessions.read(http);
    if (live.some(({ session }) => session.sid === sid)) return returnToRequest(request);
    const { id: accountId, domain } = account;
    if (await noteReuse(deps, { accountId, what: "challenge" })) {
      deps.events.challengeReused({ accountId, domain });
    }
    throw new PageError(400, "challengeUsed", request);
  }

  /** The set of codes to offer to replace, if few are left after this sign-in; otherwise null. */
  async function setToReplace({ account: { id }, request }: Challenge): Promise<string | null> {
    // The account page itself shows how many codes are left, and offers new ones.
    if (request.clientId === accountUri(issuer)) return null;
    const left = (await recoveryCodes.countRecoveryCodesOf(id)) - 1;
    return left < FEW_CODES ? ((await recoveryCodes.recoveryCodeSet(id)) ?? "") : null;
  }

  /** Queries every server in parallel with the lookup of the record, so that the user waits only once. */
  async function lookUp({ http, account: { domain }, chal, record, pages }: Challenge) {
    const { name, value } = record;
    // Only "check now" asks again. A page that checks by itself may get the answer of an earlier look.
    const freshness = http.method === "POST" ? "now" : "recent";
    const wanted = { freshness, from: ownerAt(http) } as const;
    const diagnosing = deps.diagnoses.look(domain, name, value, wanted);
    const look = await deps.newRecords.lookForChallenge(domain, { chal, value }, wanted);
    const notice = async () =>
      describeCheck(pages.t, { look, diagnosis: await diagnosing, domain });
    return { look, notice };
  }

  /** While the page asks for the recovery code, it has no result: nothing is published yet. */
  function showPage(
    challenge: Challenge,
    result?: CheckResult | Notice,
    refused?: RefusedCode,
  ): Promise<HttpResponse> {
    const { http, interaction, account, record, hasPasskey, browserIsKnown, mustAsk } = challenge;
    const isPasskeyKept = challenge.confirmed !== null;
    const { action, autoCheck } = autoCheckOf(http, addressOf(challenge));
    const code = { hasPasskey, value: refused?.typed, problem: refused?.problem };
    return page(
      refused?.status ?? 200,
      dnsChallengePage(challenge.pages, {
        domain: account.domain,
        issuerHost: new URL(issuer).host,
        record,
        action,
        ...(mustAsk
          ? { code }
          : { autoCheck, isPasskeyKept, isCodeKept: !isPasskeyKept && !browserIsKnown }),
        result,
        lostAccessAction: addressWithRequest(interaction.id, "start-over", challenge.request),
      }),
      refused?.headers,
    );
  }
}

/** A look is made only for a browser that the account knows, or after a recovery code or a passkey of the account. */
function ownerAt({ clientAddress }: HttpRequest): Requester {
  return requesterAt(clientAddress, true);
}

function addressOf({ interaction, request }: ChallengeStep): string {
  return addressWithRequest(interaction.id, "dns-challenge", request);
}

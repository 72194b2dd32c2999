// A sign-in on the page that asks for a domain: the browser offers its passkeys there, so nobody types.

import { failureOf, type SpRecordLook } from "../dns/sp-record.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import type { ShowDomainForm } from "../interaction/domain-form.ts";
import type { Flow } from "../interaction/flow.ts";
import type { RequestContext } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { passkeyOf } from "../interaction/progress.ts";
import type { CookieSeal } from "../keys/cookie-seal.ts";
import type { Clock } from "../lib/clock.ts";
import { sha256 } from "../lib/random.ts";
import { formerRecordPage } from "../pages/former-record.ts";
import type { NameIn } from "../pages/messages.ts";
import type { PasskeySignals } from "../pages/passkey-signals.ts";
import { CEREMONY_LIFETIME_S, isFreshChallenge } from "../passkeys/challenge.ts";
import { type CredentialProblem, challengeIn, readAssertion } from "../passkeys/credential.ts";
import { verifyAssertion } from "../passkeys/webauthn.ts";
import type { Account } from "../store/accounts.ts";
import type { AttemptStore } from "../store/attempts.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { Events } from "../telemetry/events.ts";
import { explain } from "./lookup-notice.ts";
import type { NewCeremony } from "./owner-statement.ts";
import type { SignalsOf } from "./passkey-signals.ts";
import type { FormerAccounts } from "./set-up/former-record.ts";
import { type AcceptPasskey, PASSKEY_AMR } from "./use-passkey.ts";

export interface Deps {
  readonly issuer: string;
  readonly flow: Flow;
  readonly showDomainForm: ShowDomainForm;
  readonly acceptPasskey: AcceptPasskey;
  readonly newCeremony: NewCeremony;
  readonly signalsOf: SignalsOf;
  readonly formerAccounts: FormerAccounts;
  readonly passkeys: PasskeyStore;
  readonly attempts: AttemptStore;
  readonly cookies: Cookies;
  readonly challengeSeal: CookieSeal;
  readonly clock: Clock;
  readonly events: Events;
}

const EXPIRED = ["expired", "expired"] as const;
const CLONED = ["notUsable", "cloned"] as const;

export function createDomainPasskey(deps: Deps) {
  const { issuer, flow, showDomainForm, formerAccounts, passkeys, clock, events } = deps;
  return { signInWithPasskey };

  /**
   * POST /sign-in/passkey with the authorization request's query and the assertion as JSON in `credential`. The
   * passkey identifies the account. It is no owner proof, because its challenge is not a statement about the domain.
   */
  async function signInWithPasskey(context: RequestContext): Promise<HttpResponse> {
    const { http, request } = context;
    const posted = await formField(http, "credential", request);
    const refuse = (
      problem: NameIn<"passkeyProblems">,
      cause: CredentialProblem | "unknown" | "expired",
      { domain = "", signals }: { domain?: string; signals?: PasskeySignals | undefined } = {},
    ) => {
      events.passkeyRefused({ domain, problem: cause });
      const notice = { summary: pagesFor(http, request).t(`passkeyProblems-${problem}`) };
      return showDomainForm(context, { status: 400, notice, signals });
    };
    const read = readAssertion(posted);
    if (read.outcome === "refused") return refuse("notUsable", read.problem);
    const challenge = challengeIn(read.clientDataJson);
    const browser = deps.cookies.read(http, "browser") ?? "";
    const about = { query: request.query, browser };
    if (!(await isFreshChallenge(challenge, about, deps))) return refuse("expired", "expired");
    // A session that the challenge starts records its use. Without a session, an attempt does.
    const hash = sha256(challenge);
    const attempt = `passkey challenge ${hash}`;
    const now = clock.seconds();
    const found = await passkeys.findPasskeyAndAccount(read.credentialId, { hash, attempt }, now);
    // The same answer as for a passkey that cannot be verified, so nobody learns which passkeys there are.
    if (found === null) {
      const signals = await deps.signalsOf.presented(read.credentialId);
      return refuse("notUsable", "unknown", { signals });
    }
    const { domain } = found.account;
    const asserted = verifyAssertion(read, found.passkey, { issuer, challenge });
    if (asserted.outcome === "refused") return refuse("notUsable", asserted.problem, { domain });
    if (found.isChallengeUsed) return refuse("expired", "expired", { domain });
    const of = { asserted, clientAddress: http.clientAddress, begunAt: null };
    const accepted = await deps.acceptPasskey({ ...found, ...of });
    if (accepted.outcome === "accepted" && request.ownerProof !== "required") {
      const { account, look, use } = accepted;
      const proof = { account, amr: PASSKEY_AMR, controlCheckedAt: look.checkedAt, use };
      const begun = await flow.beginOnce(context, { ...proof, challengeHash: hash });
      if (begun !== null) return begun;
      // Either another request with this challenge was first, or the passkey must not be used.
      const again = await passkeys.findPasskeyAndAccount(read.credentialId, { hash, attempt }, now);
      const isUsed = again?.isChallengeUsed !== false;
      return isUsed ? refuse(...EXPIRED, { domain }) : refuse(...CLONED, { domain });
    }
    if (!(await isFirstUse(attempt))) return refuse(...EXPIRED, { domain });
    switch (accepted.outcome) {
      case "conflict":
        throw new PageError(503, "temporarilyUnavailable", request);
      case "not_named":
        return showWhatDnsSays(context, found.account, accepted.look);
      case "unconfirmed":
        return askAgain(context, found.account);
      case "accepted": {
        const { use } = accepted;
        const isUsed = !use || (await passkeys.usePasskey(use, use)) === "used";
        return isUsed ? askAgain(context, accepted.account) : refuse(...CLONED, { domain });
      }
    }
  }

  /** Asks for the passkey again, in a statement about the request. */
  function askAgain(context: RequestContext, account: Account): Promise<HttpResponse> {
    const ceremony = deps.newCeremony(context.request, account);
    const { domain, acct } = account;
    return flow.begin(context, { domain, progress: passkeyOf(acct, ceremony) });
  }

  /** The record does not name the account: shows the owner how to use the account again. */
  async function showWhatDnsSays(
    context: RequestContext,
    account: Account,
    look: SpRecordLook,
  ): Promise<HttpResponse> {
    const { http, request } = context;
    const { domain } = account;
    const pages = pagesFor(http, request);
    const notice = explain(pages.t, look, domain);
    if (failureOf(look)) return showDomainForm(context, { status: 503, value: domain, notice });
    const record = await formerAccounts.recordToRestore(account);
    const signInAgain = `/oauth/authorize?${request.query}`;
    // For a record of ours, the notice would say that another browser began the set-up.
    const more = look.outcome === "own" || look.outcome === "absent" ? {} : { notice };
    return page(422, formerRecordPage(pages, { domain, record, signInAgain, ...more }));
  }

  /** Records the use of a challenge that starts no session. Of concurrent callers, on all nodes, one gets true. */
  async function isFirstUse(name: string): Promise<boolean> {
    // Longer than the challenge is valid, by the clock of any node.
    const windowSeconds = 2 * CEREMONY_LIFETIME_S;
    const attempt = { name, windowSeconds, now: clock.seconds() };
    return (await deps.attempts.countAttempt(attempt)).count === 1;
  }
}

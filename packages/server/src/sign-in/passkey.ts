// A sign-in with a passkey: its challenge is the hash of a statement about this very request.

import type { AccountLook } from "../account/control.ts";
import { failureOf, type SpRecords } from "../dns/sp-record.ts";
import type { Federation } from "../federation/federation.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { requesterAt } from "../http/requester.ts";
import { page } from "../http/responses.ts";
import { type Flow, UNPROVED_LIFETIME_S } from "../interaction/flow.ts";
import { browserCookie, type StepContext, stepPath } from "../interaction/interaction.ts";
import {
  formField,
  PageError,
  type PendingRequest,
  pagesFor,
} from "../interaction/pending-request.ts";
import {
  passkeySkipped,
  passkeyUnconfirmed,
  recordGone,
  statementOffered,
  type Transition,
} from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, sha256 } from "../lib/random.ts";
import { readUserAgent } from "../lib/user-agent.ts";
import type { NameIn } from "../pages/messages.ts";
import type { Notice } from "../pages/notice.ts";
import { passkeyPage } from "../pages/passkey.ts";
import type { PasskeySignals } from "../pages/passkey-signals.ts";
import { recordFoundPage } from "../pages/record-found.ts";
import { assertionOptions } from "../passkeys/challenge.ts";
import {
  type CredentialProblem,
  type ReadAssertion,
  readAssertion,
} from "../passkeys/credential.ts";
import { type Asserted, type AssertingPasskey, verifyAssertion } from "../passkeys/webauthn.ts";
import type { Account, AccountStore } from "../store/accounts.ts";
import type { Interaction } from "../store/interaction-row.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { Passkey } from "../store/passkeys.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Events } from "../telemetry/events.ts";
import type { Challenges } from "./challenge-cookie.ts";
import { explain } from "./lookup-notice.ts";
import type { NewCeremony } from "./owner-statement.ts";
import type { SignalsOf } from "./passkey-signals.ts";
import type { SetUpEnd } from "./set-up/finish-set-up.ts";
import type { SetUp, SetUps } from "./set-up/set-up.ts";
import { type AcceptPasskey, PASSKEY_AMR } from "./use-passkey.ts";

export interface Deps {
  readonly issuer: string;
  readonly flow: Flow;
  readonly accounts: AccountStore;
  readonly interactions: InteractionStore;
  readonly newCeremony: NewCeremony;
  readonly challenges: Challenges;
  readonly setUps: SetUps;
  readonly setUpEnd: SetUpEnd;
  readonly acceptPasskey: AcceptPasskey;
  readonly signalsOf: SignalsOf;
  readonly spRecords: SpRecords;
  readonly federation: Federation;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

/** A page shows the pending challenge again, unless the person would have less time than this. */
const MIN_REMAINING_S = 60;

type Problem = NameIn<"passkeyProblems">;
type PasskeyStep = StepContext<"passkey">;

/** Whose passkey is asked for; `passkey` is null if the assertion is not by one of theirs. */
type PasskeyOwner =
  | { readonly of: "account"; readonly passkey: null }
  | { readonly of: "account"; readonly account: Account; readonly passkey: Passkey }
  | { readonly of: "set-up"; readonly setUp: SetUp; readonly passkey: AssertingPasskey | null };

interface Shown {
  readonly read: ReadAssertion;
  readonly asserted: Asserted;
  readonly statement: string;
}

interface Proven extends Shown {
  readonly account: Account;
  readonly passkey: Passkey;
}

export function createPasskeyStep(deps: Deps) {
  const { issuer, flow, setUps, clock, events } = deps;
  return {
    /** GET /interaction/:id/passkey */
    showPasskey: (open: PasskeyStep) => showPage(open),
    checkPasskey,
    continueWithoutPasskey,
  };

  /** POST /interaction/:id/without-passkey: continues with a recovery code and a DNS challenge. */
  async function continueWithoutPasskey(open: PasskeyStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { domain, progress } = interaction;
    const account = await deps.accounts.findAccount(domain, { sp: OWN_SP, acct: progress.acct });
    if (account === null) return flow.next(open);
    const begun = { account, interactionId: interaction.id, request, isRecovery: true };
    const { chal, code, setCookies } = await deps.challenges.begin(http, begun);
    return challenge(open, passkeySkipped(chal, code), setCookies);
  }

  /** POST /interaction/:id/passkey, with the assertion as JSON in `credential`. */
  async function checkPasskey(open: PasskeyStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { domain, progress } = interaction;
    const posted = await formField(http, "credential", request);
    const refuse = (
      problem: Problem,
      cause: CredentialProblem | "unknown" | "expired",
      signals?: PasskeySignals,
    ) => {
      events.passkeyRefused({ domain, problem: cause });
      return showPage(open, { status: 400, problem, signals });
    };
    // The page works without script up to this point.
    if (posted === "") return showPage(open, { status: 400, problem: "missing" });
    const read = readAssertion(posted);
    if (read.outcome === "refused") return refuse("failed", read.problem);
    // Checked again by the statement that records the authentication, which counts once.
    const { ceremony } = progress;
    if (ceremony === null || ceremony.expiresAt <= clock.seconds()) {
      return refuse("expired", "expired");
    }
    const owner = await ownerOf(open, read.credentialId);
    // The same answer for a passkey of another domain as for one that nobody knows; not for one that was removed.
    if (owner.passkey === null) {
      return refuse("unknown", "unknown", await deps.signalsOf.presented(read.credentialId));
    }
    const { statement } = ceremony;
    const challenge = sha256(statement);
    const asserted = verifyAssertion(read, owner.passkey, { issuer, challenge });
    if (asserted.outcome === "refused")
      return refuse(problemShown(asserted.problem), asserted.problem);
    const shown = { read, asserted, statement };
    return owner.of === "account"
      ? signInWith(open, { ...owner, passkey: owner.passkey, ...shown })
      : finishWith(open, owner.setUp, shown);
  }

  /** The account that the record can still name, or the set-up of this browser whose record was seen. */
  async function ownerOf(open: PasskeyStep, credentialId: string): Promise<PasskeyOwner> {
    const { http, interaction, request, account, passkeys } = open;
    const { owner, acct } = interaction.progress;
    if (owner === "set-up") {
      const all = await setUps.read(http);
      const setUp = all.find((one) => one.acct === acct && one.passkey !== undefined);
      // Its cookie is lost.
      if (setUp?.passkey === undefined) throw new PageError(400, "expired", request);
      const { userHandle, passkey } = setUp;
      const isIts = passkey.credentialId === credentialId;
      return { of: "set-up", setUp, passkey: isIts ? { ...passkey, userHandle } : null };
    }
    const passkey = passkeys.find((one) => one.credentialId === credentialId);
    return account === null || passkey === undefined
      ? { of: "account", passkey: null }
      : { of: "account", account, passkey };
  }

  /** The assertion of a set-up is valid. If the record still names it, creates its account. */
  async function finishWith(open: PasskeyStep, setUp: SetUp, shown: Shown): Promise<HttpResponse> {
    const { http, request } = open;
    const { domain, userHandle } = setUp;
    const from = requesterAt(http.clientAddress, true);
    const look = await deps.spRecords.lookToDecide(domain, { freshness: "now", from });
    if (look.outcome !== "own" || look.acct !== setUp.acct || setUp.passkey === undefined) {
      if (failureOf(look) !== null) {
        const notice = explain(pagesFor(http, request).t, look, domain);
        return showPage(open, { status: 503, notice });
      }
      // The page with the record says what DNS says now.
      return flow.next({ ...(await flow.change(open.interaction, recordGone)), http, request });
    }
    const { counter, backedUp } = shown.asserted;
    const name = readUserAgent(http.header("user-agent"));
    const createdAt = clock.seconds();
    const passkey = { ...setUp.passkey, counter, backedUp, userHandle, name, createdAt };
    const proofs = await proofsOf({ account: setUp, ...shown }, look, request);
    const proof = { amr: PASSKEY_AMR, controlCheckedAt: look.checkedAt, proofs, passkey };
    return deps.setUpEnd.finish(open, setUp, look, {
      ...proof,
      async onConflict() {
        throw new PageError(503, "temporarilyUnavailable", request);
      },
    });
  }

  /** The assertion is valid. If the record names the account, authenticates the owner. */
  async function signInWith(open: PasskeyStep, proven: Proven): Promise<HttpResponse> {
    const { http, request } = open;
    const { domain } = proven.account;
    const { clientAddress } = http;
    const begunAt = open.interaction.createdAt;
    const accepted = await deps.acceptPasskey({ ...proven, clientAddress, begunAt });
    switch (accepted.outcome) {
      case "conflict":
        throw new PageError(503, "temporarilyUnavailable", request);
      case "unconfirmed": {
        const { credentialId } = proven.passkey;
        const { account } = proven;
        const about = { account, interactionId: open.interaction.id, request };
        const begun = { ...about, isRecovery: false, unconfirmed: credentialId };
        const { chal, endsAt, setCookies } = await deps.challenges.begin(http, begun);
        const confirmation = { challenge: chal, credentialId };
        const times = { now: clock.seconds(), expiresAt: endsAt };
        const transition = passkeyUnconfirmed(proven.statement, confirmation, times);
        return challenge(open, transition, setCookies);
      }
      case "not_named": {
        const notice = explain(pagesFor(http, request).t, accepted.look, domain);
        return showPage(open, { status: 503, notice });
      }
      case "accepted": {
        const { account, look, use } = accepted;
        const proofs = await proofsOf(proven, look, request);
        const proof = { account, amr: PASSKEY_AMR, controlCheckedAt: look.checkedAt, proofs };
        // Another tab or a copy of the key used the same counter, or the passkey was just removed.
        const refused = () => {
          events.passkeyRefused({ domain, problem: "cloned" });
          return showPage(open, { status: 400, problem: "failed" });
        };
        return flow.authenticate(open, { ...proof, beside: { use, refused } });
      }
    }
  }

  /** Continues with a DNS challenge, for which the person has a day. */
  async function challenge(
    { http, interaction, request }: PasskeyStep,
    transition: Transition,
    setCookies: readonly string[],
  ): Promise<HttpResponse> {
    const expiresAt = interaction.createdAt + UNPROVED_LIFETIME_S;
    const changed = await flow.change(interaction, transition, { expiresAt });
    // Otherwise the cookie would expire before the challenge: it was set when the sign-in began.
    const all = [browserCookie(http, deps).cookie, ...setCookies];
    return flow.next({ ...changed, http, request }, all);
  }

  /** JSON of the owner proof, if the record lists the key; null otherwise. Apps get it only with a chain. */
  async function proofsOf(
    {
      account,
      read,
      asserted,
      statement,
    }: Shown & { readonly account: { readonly domain: string; readonly acct: string } },
    { spk, jkt }: AccountLook,
    request: PendingRequest,
  ): Promise<string | null> {
    if (request.ownerProof === "none") return null;
    const owner_proof = {
      kind: "webauthn",
      statement: Buffer.from(statement).toString("base64url"),
      key: asserted.jwk,
      authenticator_data: read.authenticatorData,
      client_data_json: read.clientDataJson,
      signature: read.signature,
    };
    const { domain, acct } = account;
    const record = { domain, sp: issuer, acct, spk, jkt };
    const context = { ...record, now: clock.seconds(), wanted: request.ownerStatement };
    // As strict as the verifier of the app: most of all, the record must list the key.
    const svc = request.ownerStatement?.svc ?? issuer;
    const { proofs } = await deps.federation.checkProofs({ owner_proof }, context, svc);
    return proofs.owner_proof === undefined ? null : JSON.stringify(proofs);
  }

  async function showPage(
    open: PasskeyStep,
    shown: {
      status?: number;
      problem?: Problem;
      notice?: Notice;
      signals?: PasskeySignals | undefined;
    } = {},
  ): Promise<HttpResponse> {
    const { http, request, interaction } = open;
    const { status = 200, ...text } = shown;
    const statement = await pendingStatement(open);
    if (statement === null) return flow.next(open);
    const { id, domain, progress } = interaction;
    const pages = pagesFor(http, request);
    const options = assertionOptions({ issuer, challenge: sha256(statement) });
    const question = { action: stepPath(id, "passkey"), options };
    if (progress.owner === "set-up") {
      const startOverAction = stepPath(id, "start-over");
      const setUp = (await setUps.read(http)).find(({ acct }) => acct === progress.acct)?.key;
      const props = { domain, finish: question, ...text, startOverAction, setUp };
      return page(status, recordFoundPage(pages, "passkey", props));
    }
    const withoutPasskeyAction = stepPath(id, "without-passkey");
    return page(status, passkeyPage(pages, { domain, ...question, ...text, withoutPasskeyAction }));
  }

  /**
   * The statement to sign, the same in all tabs, so that no tab ends the ceremony of another. The sign-in has begun with
   * one. Null if the interaction was authenticated in another tab in the meantime.
   */
  async function pendingStatement({ interaction: open, request }: PasskeyStep) {
    const now = clock.seconds();
    let interaction: Interaction | null = open;
    // Of pages that are opened at once, one writes; a second attempt reads what it wrote.
    for (let attempt = 1; attempt <= 2; attempt++) {
      if (interaction?.progress.step !== "passkey") return null;
      const { domain, progress } = interaction;
      const { ceremony: former, acct } = progress;
      if (former !== null && former.expiresAt - MIN_REMAINING_S > now) return former.statement;
      const ceremony = deps.newCeremony(request, { domain, acct });
      const offered = statementOffered(former, ceremony)(progress);
      const changed = offered && (await deps.interactions.advance(interaction, offered, { now }));
      if (changed !== null) return ceremony.statement;
      interaction = await deps.interactions.readInteraction(interaction.id);
    }
    return null;
  }
}

/** People can do something about few of the causes. */
function problemShown(problem: CredentialProblem): Problem {
  switch (problem) {
    case "user_not_present":
    case "user_not_verified":
      return "notVerified";
    case "wrong_challenge":
      return "expired";
    default:
      return "failed";
  }
}

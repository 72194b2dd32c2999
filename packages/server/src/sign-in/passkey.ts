// A sign-in with a passkey: its challenge is the hash of a statement about this very request.

import type { AccountLook } from "../account/control.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { readUserAgent } from "../http/user-agent.ts";
import {
  advance,
  browserCookie,
  CHALLENGE_LIFETIME_S,
  type InteractionContext,
  type PasskeyAnswerContext,
  stepPath,
} from "../interaction/interaction.ts";
import {
  formField,
  PageError,
  type PendingRequest,
  pagesFor,
} from "../interaction/pending-request.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { NameIn } from "../pages/messages.ts";
import { type PasskeyPageProps, passkeyPage } from "../pages/passkey.ts";
import { assertionOptions, CEREMONY_LIFETIME_S } from "../passkeys/challenge.ts";
import {
  type CredentialProblem,
  type ReadAssertion,
  readAssertion,
} from "../passkeys/credential.ts";
import { type Asserted, type AssertingPasskey, verifyAssertion } from "../passkeys/webauthn.ts";
import type { Account } from "../store/accounts.ts";
import type { Passkey } from "../store/passkeys.ts";
import { authenticated } from "./authenticated.ts";
import { confirmationOf } from "./confirm-passkey.ts";
import type { Deps, StepDeps } from "./deps.ts";
import { explain } from "./lookup-notice.ts";
import { finishSetUp } from "./set-up/finish-set-up.ts";
import { readSetUps, type SetUp } from "./set-up/set-up.ts";
import { acceptPasskey, PASSKEY_AMR } from "./use-passkey.ts";

type PasskeyDeps = StepDeps &
  Pick<Deps, "issuer" | "accounts" | "passkeys" | "spRecords" | "federation" | "events"> &
  Pick<Deps, "enrolments" | "setUpSeal" | "restoredAt" | "attempts">;

/** A page shows the pending challenge again, unless the person would have less time than this. */
const MIN_REMAINING_S = 60;
/** Leaves time for consent and for a code of ten minutes; `cch` and `nonce` prevent replays. */
const STATEMENT_LIFETIME_S = 3600;
type Problem = NameIn<"passkeyProblems">;

export function createPasskeyStep(deps: PasskeyDeps) {
  return { showPasskey, checkPasskey, continueWithoutPasskey };

  /** GET /interaction/:id/passkey */
  function showPasskey(open: InteractionContext): Promise<HttpResponse> {
    return showPage(open, {}, deps);
  }

  /** POST /interaction/:id/passkey, with the assertion as JSON in `credential`. */
  async function checkPasskey(open: PasskeyAnswerContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { domain, passkeyStatement: statement, passkeyExpiresAt } = interaction;
    const posted = await formField(http, "credential", request);
    const refuse = (problem: Problem, cause: CredentialProblem | "unknown" | "expired") => {
      deps.events.passkeyRefused({ domain, problem: cause });
      return showPage(open, { status: 400, problem }, deps);
    };
    // The page works without script up to this point.
    if (posted === "") return showPage(open, { status: 400, problem: "missing" }, deps);
    const read = readAssertion(posted);
    if (read.outcome === "refused") return refuse("failed", read.problem);
    // Checked again by the statement that records the authentication, which counts once.
    if (statement === null || (passkeyExpiresAt ?? 0) <= deps.clock.seconds()) {
      return refuse("expired", "expired");
    }
    const asked = await askedOf(open, read.credentialId, deps);
    // The same answer for a passkey of another domain as for one that nobody knows.
    if (asked.passkey === null) return refuse("unknown", "unknown");
    const { issuer } = deps;
    const challenge = sha256(statement);
    const asserted = await verifyAssertion(read, asked.passkey, { issuer, challenge });
    if (asserted.outcome === "refused")
      return refuse(problemShown(asserted.problem), asserted.problem);
    const shown = { read, asserted, statement };
    return asked.for === "account"
      ? signInWith(open, { ...asked, passkey: asked.passkey, ...shown }, deps)
      : finishWith(open, { ...asked, ...shown }, deps);
  }

  /** POST /interaction/:id/without-passkey: continues with a recovery code and a DNS challenge. */
  async function continueWithoutPasskey(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { interactions, clock, random } = deps;
    const challenge = randomText(random, 16);
    const now = clock.seconds();
    const to = { challenge, expiresAt: now + CHALLENGE_LIFETIME_S };
    const switched = await interactions.switchToDnsChallenge(interaction.id, to, now);
    // Otherwise the cookie would expire before the challenge: it was set when the sign-in began.
    const { cookie } = browserCookie(http, deps);
    return advance({ interaction: switched ?? interaction, request }, deps, [cookie]);
  }
}

/** Whose passkey is asked for; `passkey` is null if the assertion is not by one of theirs. */
type Asked =
  | { readonly for: "account"; readonly passkey: null }
  | { readonly for: "account"; readonly account: Account; readonly passkey: Passkey }
  | { readonly for: "set-up"; readonly setUp: SetUp; readonly passkey: AssertingPasskey | null };

/** The account that the record can still name, or the set-up of this browser whose record was seen. */
async function askedOf(
  { http, interaction, request, account, passkeys }: PasskeyAnswerContext,
  credentialId: string,
  deps: PasskeyDeps,
): Promise<Asked> {
  const { acct, method } = interaction;
  if (method === "dns-setup") {
    const setUps = await readSetUps(http, deps);
    const setUp = setUps.find((one) => one.acct === acct && one.passkey !== undefined);
    // Its cookie is lost.
    if (setUp?.passkey === undefined) throw new PageError(400, "expired", request);
    const { userHandle, passkey } = setUp;
    const isIts = passkey.credentialId === credentialId;
    return { for: "set-up", setUp, passkey: isIts ? { ...passkey, userHandle } : null };
  }
  const passkey = passkeys.find((one) => one.credentialId === credentialId);
  return account === null || passkey === undefined
    ? { for: "account", passkey: null }
    : { for: "account", account, passkey };
}

/** An assertion that was verified. */
interface Shown {
  readonly read: ReadAssertion;
  readonly asserted: Asserted;
  readonly statement: string;
}

interface Proven extends Shown {
  readonly account: Account;
  readonly passkey: Passkey;
}

/** The assertion of a set-up is valid. If the record still names it, creates its account. */
async function finishWith(
  open: InteractionContext,
  { setUp, ...shown }: Shown & { readonly setUp: SetUp },
  deps: PasskeyDeps,
): Promise<HttpResponse> {
  const { http, request } = open;
  const { domain, userHandle } = setUp;
  const look = await deps.spRecords.lookToDecide(domain, "now");
  if (look.outcome !== "own" || look.acct !== setUp.acct || setUp.passkey === undefined) {
    const notice = explain(pagesFor(http, request).t, look, domain);
    return showPage(open, { status: 503, notice }, deps);
  }
  const { browser, system } = readUserAgent(http.header("user-agent"));
  const { counter, backedUp } = shown.asserted;
  const name = `${browser} ${system}`;
  const createdAt = deps.clock.seconds();
  const passkey = { ...setUp.passkey, counter, backedUp, userHandle, name, createdAt };
  const finished = await finishSetUp(open, { setUp, look, passkey }, deps);
  if (finished.outcome === "over") return finished.response;
  if (finished.outcome === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
  const { account } = finished;
  const proofs = await proofsOf({ account, ...shown }, look, request, deps);
  const { statement } = shown;
  const by = { amr: PASSKEY_AMR, controlCheckedAt: look.checkedAt, proofs, statement };
  // The interaction stays open for its recovery codes, and with it the cookie that binds it to the browser.
  const cookies = [browserCookie(http, deps).cookie];
  return authenticated(open, { account, ...by, cookies }, deps);
}

/** The assertion is valid. If the record names the account, authenticates the owner. */
async function signInWith(
  open: InteractionContext,
  proven: Proven,
  deps: PasskeyDeps,
): Promise<HttpResponse> {
  const { http, request } = open;
  const accepted = await acceptPasskey({ ...proven, begunAt: open.interaction.createdAt }, deps);
  switch (accepted.outcome) {
    case "conflict":
      throw new PageError(503, "temporarilyUnavailable", request);
    case "refused":
      deps.events.passkeyRefused({ domain: proven.account.domain, problem: "cloned" });
      return showPage(open, { status: 400, problem: "failed" }, deps);
    case "unconfirmed":
      return confirmByDns(open, proven, deps);
    case "not_named": {
      const notice = explain(pagesFor(http, request).t, accepted.look, proven.account.domain);
      return showPage(open, { status: 503, notice }, deps);
    }
    case "accepted": {
      const { account, look } = accepted;
      const proofs = await proofsOf(proven, look, request, deps);
      const { statement } = proven;
      const by = { amr: PASSKEY_AMR, controlCheckedAt: look.checkedAt, proofs, statement };
      return authenticated(open, { account, ...by }, deps);
    }
  }
}

/** A restored backup has brought the passkey back, and the record does not list it: continues with a DNS challenge. */
async function confirmByDns(
  { http, interaction, request }: InteractionContext,
  { passkey, statement }: Pick<Proven, "passkey" | "statement">,
  deps: PasskeyDeps,
): Promise<HttpResponse> {
  const now = deps.clock.seconds();
  const to = confirmationOf(passkey);
  const challenge = randomText(deps.random, 16);
  const by = { statement, to, challenge, expiresAt: now + CHALLENGE_LIFETIME_S };
  const switched = await deps.interactions.switchToConfirmation(interaction.id, by, now);
  const current = switched ?? (await deps.interactions.readInteraction(interaction.id));
  const cookies = [browserCookie(http, deps).cookie];
  return advance({ interaction: current ?? interaction, request }, deps, cookies);
}

/** JSON of the owner proof, if the record lists the key; null otherwise. Apps get it only with a chain. */
async function proofsOf(
  { account, read, asserted, statement }: Shown & Pick<Proven, "account">,
  { spk, jkt }: AccountLook,
  request: PendingRequest,
  { federation, issuer, clock }: PasskeyDeps,
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
  const { proofs } = await federation.checkProofs({ owner_proof }, context, svc);
  return proofs.owner_proof === undefined ? null : JSON.stringify(proofs);
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

async function showPage(
  open: InteractionContext,
  shown: { status?: number } & Pick<PasskeyPageProps, "problem" | "notice">,
  deps: PasskeyDeps,
): Promise<HttpResponse> {
  const { http, request, interaction } = open;
  const { status = 200, ...text } = shown;
  const statement = await pendingStatement(open, deps);
  // The interaction was authenticated in another tab in the meantime.
  if (statement === null) return advance(open, deps);
  const isSetUp = interaction.method === "dns-setup";
  return page(
    status,
    passkeyPage(pagesFor(http, request), {
      domain: interaction.domain,
      action: stepPath(interaction.id, "passkey"),
      options: assertionOptions({ issuer: deps.issuer, challenge: sha256(statement) }),
      ...text,
      isSetUp,
      withoutPasskeyAction: stepPath(interaction.id, isSetUp ? "start-over" : "without-passkey"),
    }),
  );
}

/**
 * The statement that the page asks the passkey to sign. Two tabs show the same one, so that opening a page
 * does not end the ceremony in another. Null after an authentication.
 */
async function pendingStatement(
  { interaction: { id }, request }: InteractionContext,
  deps: PasskeyDeps,
): Promise<string | null> {
  const { interactions, clock, random, issuer } = deps;
  const now = clock.seconds();
  // Of pages that are opened at once, one writes; a second attempt reads what it wrote.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const interaction = await interactions.readInteraction(id);
    if (interaction === null || interaction.accountId !== null) return null;
    const { domain, acct, passkeyStatement: from, passkeyExpiresAt } = interaction;
    if (from !== null && (passkeyExpiresAt ?? 0) - MIN_REMAINING_S > now) return from;
    const { aud, redirect_uri, cch, nonce, svc } = request.ownerStatement ?? {};
    const bound = { aud, redirect_uri, ...(cch && { cch }), ...(nonce && { nonce }) };
    const to = JSON.stringify({
      ...{
        typ: "domain-owner-statement",
        v: 1,
        domain,
        acct,
        ...bound,
        svc: svc ?? issuer,
        sp: issuer,
      },
      ...{ iat: now, exp: now + STATEMENT_LIFETIME_S, jti: randomText(random, 16) },
    });
    const change = { from, to, expiresAt: now + CEREMONY_LIFETIME_S };
    const changed = await interactions.offerPasskeyStatement(id, change, now);
    if (changed !== null) return changed.passkeyStatement;
  }
  return null;
}

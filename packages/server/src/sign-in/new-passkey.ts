// Adds a passkey to an account, by an authentication that was made for it, or as the next step of a recovery.

import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import type { Flow } from "../interaction/flow.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formFields, PageError, pagesFor } from "../interaction/pending-request.ts";
import { decided, recoveryAnswered } from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import { sha256 } from "../lib/random.ts";
import { readUserAgent } from "../lib/user-agent.ts";
import { passkeyChangedPage } from "../pages/change-passkeys.ts";
import type { NameIn } from "../pages/messages.ts";
import { newPasskeyPage } from "../pages/new-passkey.ts";
import { registrationOptions, verifyRegistration } from "../passkeys/webauthn.ts";
import type { AccountStore } from "../store/accounts.ts";
import { type Authenticated, isAuthenticated } from "../store/interaction-row.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Events } from "../telemetry/events.ts";
import type { AccountChanges } from "./account-change.ts";
import type { SignalsOf } from "./passkey-signals.ts";

export interface Deps {
  readonly issuer: string;
  readonly flow: Flow;
  readonly accountChanges: AccountChanges;
  readonly accounts: AccountStore;
  readonly passkeys: PasskeyStore;
  readonly signalsOf: SignalsOf;
  readonly sessions: SessionStore;
  readonly clock: Clock;
  readonly events: Events;
}

export function createNewPasskey(deps: Deps) {
  const { issuer, flow, accountChanges, accounts, passkeys, signalsOf, sessions, clock, events } =
    deps;
  return { showNewPasskey, addNewPasskey };

  /** GET /interaction/:id/new-passkey: asks, and then shows the record with the passkey. */
  async function showNewPasskey(open: InteractionContext): Promise<HttpResponse> {
    if (isLeft(open)) return flow.next(open);
    const accountId = accountChanges.mayAddPasskey(open);
    if (isAdded(open)) return showRecord(open, accountId);
    const added = await passkeys.passkeyAddedIn(open.interaction.id);
    if (added === null) return showPage(open, accountId);
    // The process ended before the addition was recorded in the interaction.
    await recordAddition(open, { accountId, name: added.name, isNew: false });
    return showRecord(open, accountId);
  }

  /**
   * POST /interaction/:id/new-passkey, with the registration as JSON in `credential`. After a recovery, `continue` goes
   * on to the next step, with or without a new passkey.
   */
  async function addNewPasskey(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    if (isLeft(open)) return flow.next(open);
    const accountId = accountChanges.mayAddPasskey(open);
    const fields = await formFields(http, request);
    if (recoveryOf(open) !== null && fields.has("continue")) {
      const answered = await flow.change(interaction, recoveryAnswered("done"));
      return flow.next({ ...open, ...answered });
    }
    const posted = fields.get("credential") ?? "";
    if (posted === "") return showPage(open, accountId, "missing");
    const result = await verifyRegistration(posted, { issuer, challenge: challengeOf(open) });
    if (result.outcome === "refused") {
      events.passkeyRefused({ domain: interaction.domain, problem: result.problem });
      return showPage(open, accountId, "failed");
    }
    // The name is that of the browser, until the owner gives the passkey another.
    const name = readUserAgent(http.header("user-agent"));
    const owner = { accountId, userHandle: userHandleOf(accountId) };
    const passkey = { ...result.passkey, ...owner, name, createdAt: clock.seconds() };
    // The statement decides which passkey this interaction adds, so a crash loses nothing that follows.
    // A removed passkey of this interaction does not make room for another one.
    const added = isAdded(open) ? "refused" : await passkeys.addPasskey(passkey, interaction.id);
    if (added === "full") return showPage(open, accountId, "full");
    if (added === "refused") return refuse(open, passkey.credentialId);
    await recordAddition(open, { accountId, name, isNew: added === "added" });
    return seeOther(stepPath(interaction.id, "new-passkey"));
  }

  /** Whether a recovery is over. A sign-in that was made to add a passkey stays on this page. */
  function isLeft(open: InteractionContext): boolean {
    return recoveryOf(open) === "done" && !isForThis(open);
  }

  /** Whether the sign-in was made to add a passkey on the account page. */
  function isForThis({ interaction }: InteractionContext): boolean {
    return accountChanges.changeOf(interaction) === "new-passkey";
  }

  /** Redirects if this interaction has already added the passkey; otherwise throws `PageError`. */
  async function refuse(
    { interaction: { id }, request }: InteractionContext,
    credentialId: string,
  ): Promise<HttpResponse> {
    const added = await passkeys.passkeyAddedIn(id);
    if (added?.credentialId === credentialId) return seeOther(stepPath(id, "new-passkey"));
    throw new PageError(400, added === null ? "expired" : "alreadyUsed", request);
  }

  /** Records that the passkey was added. Other browsers of the account show it. */
  async function recordAddition(
    open: InteractionContext,
    added: { readonly accountId: string; readonly name: string; readonly isNew: boolean },
  ): Promise<void> {
    const { accountId, name, isNew } = added;
    const { domain, progress } = open.interaction;
    const transition = recoveryOf(open) === null ? decided("allow") : recoveryAnswered("added");
    const { isChanged } = await flow.change(open.interaction, transition);
    if (!isNew && !isChanged) return;
    const sid = progress.step === "authenticated" ? progress.sid : "";
    await sessions.noticeOthers({ accountId, sid, at: clock.seconds() });
    events.passkeyAdded({ accountId, domain, name });
  }

  async function showRecord(open: InteractionContext, accountId: string): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query } = interaction;
    const record = await accountChanges.recordAfterChange(open, accountId, null);
    const goesOn = recoveryOf(open) !== null && !isForThis(open);
    const continueAction = goesOn ? stepPath(id, "new-passkey") : undefined;
    const signals = await signalsOf.account(accountId);
    const props = { domain, change: "added", record, query, continueAction, signals } as const;
    return page(200, passkeyChangedPage(pagesFor(http, request), props));
  }

  async function showPage(
    open: InteractionContext,
    accountId: string,
    problem?: NameIn<"newPasskeyProblems">,
  ): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query } = interaction;
    const account = await accounts.readAccount(accountId);
    if (account === null) throw new PageError(400, "expired", request);
    const options = registrationOptions({
      ...{ issuer, challenge: challengeOf(open), userHandle: userHandleOf(accountId), domain },
      exclude: await passkeys.passkeysOf(accountId),
    });
    // A change needs the passkey, so nobody goes on to one without it.
    const purpose = accountChanges.changeOf(interaction) === undefined ? "sign-in" : "change";
    const props = {
      ...{ domain, options, problem, query, action: stepPath(id, "new-passkey") },
      recovery: recoveryOf(open) === null ? undefined : purpose,
    } as const;
    return page(problem === undefined ? 200 : 400, newPasskeyPage(pagesFor(http, request), props));
  }
}

function recoveryOf({ interaction }: InteractionContext): Authenticated["recovery"] {
  return isAuthenticated(interaction) ? interaction.progress.recovery : null;
}

function isAdded({ interaction }: InteractionContext): boolean {
  if (!isAuthenticated(interaction)) return false;
  const { recovery, decision } = interaction.progress;
  return recovery === null ? decision === "allow" : recovery === "added";
}

/** Secret, because the id of the grant is secret, and the same after a reload. */
function challengeOf({ interaction }: InteractionContext): string {
  return sha256(`new passkey ${interaction.id} ${interaction.grantId}`);
}

/** The same for all passkeys of an account, so that an authenticator replaces its own. */
function userHandleOf(accountId: string): string {
  return sha256(`user handle ${accountId}`);
}

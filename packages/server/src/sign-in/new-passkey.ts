// Adds a passkey to an account, after the owner has authenticated for this change.

import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { readUserAgent } from "../http/user-agent.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { sha256 } from "../lib/random.ts";
import { passkeyChangedPage } from "../pages/change-passkeys.ts";
import type { NameIn } from "../pages/messages.ts";
import { newPasskeyPage } from "../pages/new-passkey.ts";
import { authenticatedFor, recordAfterChange } from "./account-change.ts";
import type { Deps } from "./deps.ts";
import { registrationOptions, verifyRegistration } from "./webauthn.ts";

type NewPasskeyDeps = Pick<
  Deps,
  | ("issuer" | "accounts" | "passkeys" | "interactions" | "spRecords" | "statementKeys")
  | ("sessions" | "clock" | "events")
>;

export function createNewPasskey(deps: NewPasskeyDeps) {
  const { issuer, accounts, passkeys, interactions, clock, events } = deps;
  return { showNewPasskey, addNewPasskey };

  /** GET /interaction/:id/new-passkey: asks, and then shows the record with the passkey. */
  async function showNewPasskey(open: InteractionContext): Promise<HttpResponse> {
    const { accountId } = authenticatedFor("new-passkey", open, deps);
    return open.interaction.decision === "allow"
      ? showRecord(open, accountId)
      : showPage(open, accountId);
  }

  /** POST /interaction/:id/new-passkey, with the registration as JSON in `credential`. */
  async function addNewPasskey(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { accountId } = authenticatedFor("new-passkey", open, deps);
    const posted = await formField(http, "credential", request);
    if (posted === "") return showPage(open, accountId, "missing");
    const challenge = challengeOf(open);
    const result = await verifyRegistration(posted, { issuer, challenge });
    if (result.outcome === "refused") {
      events.passkeyRefused({ domain: interaction.domain, problem: result.problem });
      return showPage(open, accountId, "failed");
    }
    const now = clock.seconds();
    // An authentication adds one passkey: of several posts, one records the decision.
    const decided = await interactions.decide(interaction.id, "allow", now);
    if (decided === null) throw new PageError(400, "alreadyUsed", request);
    const { credentialId, publicKey, thumbprint, counter, backedUp } = result;
    const name = browserNameOf(http);
    const added = await passkeys.addPasskey({
      ...{ credentialId, publicKey, thumbprint, counter, backedUp, accountId },
      ...{ userHandle: userHandleOf(accountId), name, createdAt: now },
    });
    if (added === "refused") throw new PageError(400, "expired", request);
    await announce(interaction, { accountId, name }, deps);
    return seeOther(stepPath(interaction.id, "new-passkey"));
  }

  async function showRecord(open: InteractionContext, accountId: string): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const account = await accounts.readAccount(accountId);
    if (account === null) throw new PageError(400, "expired", request);
    const record = await recordAfterChange(account, null, deps);
    const { domain } = interaction;
    return page(
      200,
      passkeyChangedPage(pagesFor(http, request), { domain, change: "added", record }),
    );
  }

  async function showPage(
    open: InteractionContext,
    accountId: string,
    problem?: NameIn<"newPasskeyProblems">,
  ): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const account = await accounts.readAccount(accountId);
    if (account === null) throw new PageError(400, "expired", request);
    const options = registrationOptions({
      ...{ issuer, challenge: challengeOf(open), userHandle: userHandleOf(accountId), domain },
      exclude: await passkeys.passkeysOf(accountId),
    });
    const props = { domain, options, problem, action: stepPath(id, "new-passkey") };
    return page(problem === undefined ? 200 : 400, newPasskeyPage(pagesFor(http, request), props));
  }
}

/** Other browsers of the account show that it has a new passkey. */
async function announce(
  { domain, sid }: InteractionContext["interaction"],
  { accountId, name }: { readonly accountId: string; readonly name: string },
  { sessions, events, clock }: Pick<NewPasskeyDeps, "sessions" | "events" | "clock">,
): Promise<void> {
  await sessions.noticeOthers({ accountId, sid: sid ?? "", at: clock.seconds() });
  events.passkeyAdded({ accountId, domain, name });
}

/** The name of a new passkey: that of the browser that made it, until the owner gives it another. */
function browserNameOf(http: InteractionContext["http"]): string {
  const { browser, system } = readUserAgent(http.header("user-agent"));
  return `${browser} ${system}`;
}

/** Known to this browser alone, because the id of the grant is not; the same after a reload. */
function challengeOf({ interaction }: InteractionContext): string {
  return sha256(`new passkey ${interaction.id} ${interaction.grantId}`);
}

/** The same for all passkeys of an account, so that an authenticator replaces its own. */
function userHandleOf(accountId: string): string {
  return sha256(`user handle ${accountId}`);
}

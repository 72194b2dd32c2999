// Adds a passkey to an account, by an authentication that was made for it, or as the next step of a recovery.

import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { readUserAgent } from "../http/user-agent.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formFields, PageError, pagesFor } from "../interaction/pending-request.ts";
import { sha256 } from "../lib/random.ts";
import { passkeyChangedPage } from "../pages/change-passkeys.ts";
import type { NameIn } from "../pages/messages.ts";
import { newPasskeyPage } from "../pages/new-passkey.ts";
import { type Registered, registrationOptions, verifyRegistration } from "../passkeys/webauthn.ts";
import { changeOf, mayAddPasskey, recordAfterChange } from "./account-change.ts";
import type { Deps } from "./deps.ts";

type NewPasskeyDeps = Pick<
  Deps,
  | ("issuer" | "accounts" | "passkeys" | "interactions" | "spRecords" | "statementKeys")
  | ("consents" | "sessions" | "clock" | "events")
>;

export function createNewPasskey(deps: NewPasskeyDeps) {
  const { issuer, passkeys, events } = deps;
  return { showNewPasskey, addNewPasskey };

  /** GET /interaction/:id/new-passkey: asks, and then shows the record with the passkey. */
  async function showNewPasskey(open: InteractionContext): Promise<HttpResponse> {
    if (isLeft(open, deps)) return advance(open, deps);
    const accountId = mayAddPasskey(open, deps);
    if (isAdded(open)) return showRecord(open, accountId, deps);
    const added = await passkeys.passkeyAddedIn(open.interaction.id);
    if (added === null) return showPage(open, { accountId }, deps);
    // The process ended before it was recorded here.
    await recordAddition(open, { accountId, name: added.name, isNew: false }, deps);
    return showRecord(open, accountId, deps);
  }

  /**
   * POST /interaction/:id/new-passkey, with the registration as JSON in `credential`. After a recovery, `continue` goes
   * on to the next step, with or without a new passkey.
   */
  async function addNewPasskey(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    if (isLeft(open, deps)) return advance(open, deps);
    const accountId = mayAddPasskey(open, deps);
    const fields = await formFields(http, request);
    if (interaction.recovery !== null && fields.has("continue")) return leave(open, deps);
    const posted = fields.get("credential") ?? "";
    if (posted === "") return showPage(open, { accountId, problem: "missing" }, deps);
    const challenge = challengeOf(open);
    const result = await verifyRegistration(posted, { issuer, challenge });
    if (result.outcome === "refused") {
      events.passkeyRefused({ domain: interaction.domain, problem: result.problem });
      return showPage(open, { accountId, problem: "failed" }, deps);
    }
    // One that was added in this interaction and then removed does not make room for another.
    const added = isAdded(open) ? "refused" : await add(open, { accountId, ...result }, deps);
    if (added === "full") return showPage(open, { accountId, problem: "full" }, deps);
    if (added === "refused") return refuse(open, result.credentialId, deps);
    const name = browserNameOf(http);
    await recordAddition(open, { accountId, name, isNew: added === "added" }, deps);
    return seeOther(stepPath(interaction.id, "new-passkey"));
  }
}

/** Whether the person has left the step of a recovery. The path is then still that of a change, if it was made for one. */
function isLeft(open: InteractionContext, deps: Pick<Deps, "issuer">): boolean {
  return open.interaction.recovery === "done" && changeOf(open, deps) !== "new-passkey";
}

function isAdded({ interaction: { recovery, decision } }: InteractionContext): boolean {
  return recovery === null ? decision === "allow" : recovery === "added";
}

/** The statement decides which passkey this interaction adds, so that nothing that follows is lost by a crash. */
function add(
  { http, interaction }: InteractionContext,
  { accountId, ...registration }: Registered & { readonly accountId: string },
  { passkeys, clock }: NewPasskeyDeps,
) {
  const { credentialId, publicKey, thumbprint, counter, backedUp } = registration;
  const key = { credentialId, publicKey, thumbprint, counter, backedUp };
  const [userHandle, name] = [userHandleOf(accountId), browserNameOf(http)];
  const passkey = { ...key, accountId, userHandle, name, createdAt: clock.seconds() };
  return passkeys.addPasskey(passkey, interaction.id);
}

/** The passkey is this interaction's own, sent once more; or another one, or one that cannot be added. */
async function refuse(
  { interaction: { id }, request }: InteractionContext,
  credentialId: string,
  { passkeys }: NewPasskeyDeps,
): Promise<HttpResponse> {
  const added = await passkeys.passkeyAddedIn(id);
  if (added?.credentialId === credentialId) return seeOther(stepPath(id, "new-passkey"));
  throw new PageError(400, added === null ? "expired" : "alreadyUsed", request);
}

/** Records that the passkey was added. Other browsers of the account show it. */
async function recordAddition(
  { interaction: { id, domain, sid, recovery } }: InteractionContext,
  added: { readonly accountId: string; readonly name: string; readonly isNew: boolean },
  { interactions, sessions, events, clock }: NewPasskeyDeps,
): Promise<void> {
  const { accountId, name, isNew } = added;
  const now = clock.seconds();
  const recorded =
    recovery === null
      ? await interactions.decide(id, "allow", now)
      : await interactions.answerRecovery(id, "added", now);
  if (!isNew && recorded === null) return;
  await sessions.noticeOthers({ accountId, sid: sid ?? "", at: now });
  events.passkeyAdded({ accountId, domain, name });
}

/** The person goes on after a recovery. */
async function leave(
  { interaction, request }: InteractionContext,
  deps: NewPasskeyDeps,
): Promise<HttpResponse> {
  const { interactions, clock } = deps;
  const left = await interactions.answerRecovery(interaction.id, "done", clock.seconds());
  const current = left ?? (await interactions.readInteraction(interaction.id)) ?? interaction;
  return advance({ interaction: current, request }, deps);
}

async function showRecord(
  open: InteractionContext,
  accountId: string,
  deps: NewPasskeyDeps,
): Promise<HttpResponse> {
  const { http, interaction, request } = open;
  const { id, domain, query, recovery } = interaction;
  const account = await deps.accounts.readAccount(accountId);
  if (account === null) throw new PageError(400, "expired", request);
  const record = await recordAfterChange(account, null, deps);
  const goesOn = recovery !== null && changeOf(open, deps) !== "new-passkey";
  const continueAction = goesOn ? stepPath(id, "new-passkey") : undefined;
  const props = { domain, change: "added", record, query, continueAction } as const;
  return page(200, passkeyChangedPage(pagesFor(http, request), props));
}

async function showPage(
  open: InteractionContext,
  shown: { readonly accountId: string; readonly problem?: NameIn<"newPasskeyProblems"> },
  deps: NewPasskeyDeps,
): Promise<HttpResponse> {
  const { http, interaction, request } = open;
  const { accountId, problem } = shown;
  const { id, domain, query, recovery } = interaction;
  const account = await deps.accounts.readAccount(accountId);
  if (account === null) throw new PageError(400, "expired", request);
  const { issuer, passkeys } = deps;
  const options = registrationOptions({
    ...{ issuer, challenge: challengeOf(open), userHandle: userHandleOf(accountId), domain },
    exclude: await passkeys.passkeysOf(accountId),
  });
  // A change needs the passkey, so nobody goes on to one without it.
  const purpose = changeOf(open, deps) === undefined ? "sign-in" : "change";
  const props = {
    ...{ domain, options, problem, query, action: stepPath(id, "new-passkey") },
    recovery: recovery === null ? undefined : purpose,
  } as const;
  return page(problem === undefined ? 200 : 400, newPasskeyPage(pagesFor(http, request), props));
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

// The changes of an account, after the owner has authenticated for each: a passkey is removed, the recovery codes are
// replaced, or the account is deleted. A new passkey is in the room `sign-in`, because a recovery asks for one as well.

import type { AccountAccess } from "../account/account-access.ts";
import type { History } from "../account/history-writer.ts";
import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import type { Flow } from "../interaction/flow.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { decided } from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import { passkeyChangedPage, removePasskeyPage } from "../pages/change-passkeys.ts";
import { accountDeletedPage, deleteAccountPage } from "../pages/delete-account.ts";
import { displayDomain } from "../pages/domain-display.ts";
import { recoveryCodesPage } from "../pages/recovery-codes.ts";
import type { AccountChanges } from "../sign-in/account-change.ts";
import type { NewRecoveryCodes } from "../sign-in/new-recovery-codes.ts";
import type { SignalsOf } from "../sign-in/passkey-signals.ts";
import type { HistoryStore } from "../store/history-entries.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { Events } from "../telemetry/events.ts";

interface Deps {
  readonly flow: Flow;
  readonly accountChanges: AccountChanges;
  readonly newRecoveryCodes: NewRecoveryCodes;
  readonly accountAccess: AccountAccess;
  readonly passkeys: PasskeyStore;
  readonly signalsOf: SignalsOf;
  readonly histories: HistoryStore;
  readonly history: History;
  readonly clock: Clock;
  readonly events: Events;
}

export function createChanges(deps: Deps) {
  const { flow, accountChanges, newRecoveryCodes, accountAccess, passkeys, clock, events } = deps;
  return {
    showRemovePasskey,
    removePasskey,
    showNewCodes,
    saveNewCodes,
    showDeleteAccount,
    deleteAccount,
  };

  /** GET /interaction/:id/remove-passkey: asks, and then shows the record without the passkey. */
  async function showRemovePasskey(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query } = interaction;
    const pages = pagesFor(http, request);
    const { accountId, about, isMade } = accountChanges.authenticatedFor("remove-passkey", open);
    if (isMade) {
      const record = await accountChanges.recordAfterChange(open, accountId, about);
      const signals = await deps.signalsOf.account(accountId, about);
      const props = { domain, change: "removed", record, query, signals } as const;
      return page(200, passkeyChangedPage(pages, props));
    }
    const { passkey, isLast } = await namedPasskey(open);
    if (passkey === undefined) throw new PageError(400, "expired", request);
    const action = stepPath(id, "remove-passkey");
    const props = { domain, name: passkey.name, isLast, action, query };
    return page(200, removePasskeyPage(pages, props));
  }

  /** POST /interaction/:id/remove-passkey */
  async function removePasskey(open: InteractionContext): Promise<HttpResponse> {
    const { interaction } = open;
    const { id, domain } = interaction;
    const { accountId, isMade } = accountChanges.authenticatedFor("remove-passkey", open);
    const done = seeOther(stepPath(id, "remove-passkey"));
    if (isMade) return done;
    // Before the removal, in case a later step fails; and again after it, for what came in between.
    await accountChanges.endOtherChanges(id, accountId);
    const { passkey } = await namedPasskey(open);
    const now = clock.seconds();
    if (passkey !== undefined && (await passkeys.removePasskey(passkey, now)) === "removed") {
      events.passkeyRemoved({ accountId, domain, name: passkey.name });
    }
    await accountChanges.endOtherChanges(id, accountId);
    await flow.change(interaction, decided("allow"));
    return done;
  }

  /** The passkey with this thumbprint. Undefined if an earlier, failed request has removed it. */
  async function namedPasskey(open: InteractionContext) {
    const { accountId, about } = accountChanges.authenticatedFor("remove-passkey", open);
    const all = await passkeys.passkeysOf(accountId);
    const passkey = all.find(({ thumbprint }) => thumbprint === about);
    return { passkey, isLast: all.length === 1 };
  }

  /** GET /interaction/:id/new-codes: shows the same ten codes until they are saved, and never afterwards. */
  async function showNewCodes(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query } = interaction;
    const { isMade } = accountChanges.authenticatedFor("new-codes", open);
    if (isMade) return toAccount(domain);
    const codes = newRecoveryCodes.codesFor(open);
    const props = { domain, codes, query, action: stepPath(id, "new-codes"), areNew: true };
    return page(200, recoveryCodesPage(pagesFor(http, request), props));
  }

  /** POST /interaction/:id/new-codes: "I have saved them". The new codes replace the former ones. */
  async function saveNewCodes(open: InteractionContext): Promise<HttpResponse> {
    const { interaction } = open;
    const { domain } = interaction;
    const { accountId, about, isMade } = accountChanges.authenticatedFor("new-codes", open);
    if (isMade) return toAccount(domain);
    await newRecoveryCodes.save(open, { accountId, from: about === "" ? null : about });
    // Only now: if the former answer got lost, the same codes are saved again.
    const { isChanged } = await flow.change(interaction, decided("allow"));
    if (isChanged) events.recoveryCodesRenewed({ accountId, domain });
    return toAccount(domain);
  }

  /** GET /interaction/:id/delete-account: says what is lost, and then that the account is deleted. */
  async function showDeleteAccount(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { accountId, isMade } = accountChanges.authenticatedFor("delete-account", open);
    if (!isMade) return askToDelete(open);
    const { domain } = interaction;
    const signals = await deps.signalsOf.deletedAccount(accountId);
    return page(200, accountDeletedPage(pagesFor(http, request), { domain, signals }));
  }

  /** POST /interaction/:id/delete-account with `domain`, typed to confirm. Deletes the history as well. */
  async function deleteAccount(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const { accountId, isMade } = accountChanges.authenticatedFor("delete-account", open);
    const done = seeOther(stepPath(id, "delete-account"));
    if (isMade) return done;
    if (!names(await formField(http, "domain", request), domain)) return askToDelete(open, true);
    // One column of one row: from then on, nothing of the account is valid. The rest can be repeated.
    const isEnded = await accountAccess.endAccount(accountId, clock.seconds(), id);
    // This sign-in itself may still wait to be written.
    await deps.history.caughtUp();
    await deps.histories.deleteHistory(accountId);
    await flow.change(interaction, decided("allow"));
    if (isEnded) events.accountDeleted({ accountId, domain });
    return done;
  }
}

function toAccount(domain: string): HttpResponse {
  return seeOther(`/account?${new URLSearchParams({ domain })}`);
}

function askToDelete(
  { http, interaction: { id, domain, query }, request }: InteractionContext,
  isWrong = false,
): HttpResponse | Promise<HttpResponse> {
  const props = { domain, isWrong, query, action: stepPath(id, "delete-account") };
  return page(isWrong ? 400 : 200, deleteAccountPage(pagesFor(http, request), props));
}

/** Whether the person typed this domain, in A-labels or as the page shows it. */
function names(typed: string, domain: string): boolean {
  const name = typed.trim().normalize("NFC").toLowerCase().replace(/\.$/, "");
  return name === domain || name === displayDomain(domain).shown;
}

// Deletes an account and its history, after the owner has authenticated for this change.

import type { AccountAccess } from "../account/account-access.ts";
import type { History } from "../account/history-writer.ts";
import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import type { Flow } from "../interaction/flow.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, pagesFor } from "../interaction/pending-request.ts";
import { decided } from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import { accountDeletedPage, deleteAccountPage } from "../pages/delete-account.ts";
import { displayDomain } from "../pages/domain-display.ts";
import type { AccountChanges } from "../sign-in/account-change.ts";
import type { HistoryStore } from "../store/history-entries.ts";
import type { Events } from "../telemetry/events.ts";

export interface Deps {
  readonly flow: Flow;
  readonly accountChanges: AccountChanges;
  readonly accountAccess: AccountAccess;
  readonly histories: HistoryStore;
  readonly history: History;
  readonly clock: Clock;
  readonly events: Events;
}

export function createDeleteAccount(deps: Deps) {
  const { flow, accountChanges, accountAccess, histories, history, clock, events } = deps;
  return { showDeleteAccount, deleteAccount };

  /** GET /interaction/:id/delete-account: says what is lost, and then that the account is deleted. */
  async function showDeleteAccount(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { isMade } = accountChanges.authenticatedFor("delete-account", open);
    if (!isMade) return showPage(open);
    const { domain } = interaction;
    return page(200, accountDeletedPage(pagesFor(http, request), { domain }));
  }

  /** POST /interaction/:id/delete-account with `domain`, typed to confirm. */
  async function deleteAccount(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const { accountId, isMade } = accountChanges.authenticatedFor("delete-account", open);
    const done = seeOther(stepPath(id, "delete-account"));
    if (isMade) return done;
    if (!names(await formField(http, "domain", request), domain)) return showPage(open, true);
    // One column of one row: from then on, nothing of the account is valid. The rest can be repeated.
    const isEnded = await accountAccess.endAccount(accountId, clock.seconds(), id);
    // This sign-in itself may still wait to be written.
    await history.caughtUp();
    await histories.deleteHistory(accountId);
    await flow.change(interaction, decided("allow"));
    if (isEnded) events.accountDeleted({ accountId, domain });
    return done;
  }

  function showPage(
    { http, interaction: { id, domain, query }, request }: InteractionContext,
    isWrong = false,
  ): HttpResponse | Promise<HttpResponse> {
    const props = { domain, isWrong, query, action: stepPath(id, "delete-account") };
    return page(isWrong ? 400 : 200, deleteAccountPage(pagesFor(http, request), props));
  }
}

/** Whether the person typed this domain, in A-labels or as the page shows it. */
function names(typed: string, domain: string): boolean {
  const name = typed.trim().normalize("NFC").toLowerCase().replace(/\.$/, "");
  return name === domain || name === displayDomain(domain).shown;
}

// Deletes an account and its history, after the owner has authenticated for this change.

import { endAccount } from "../account/account-access.ts";
import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, pagesFor } from "../interaction/pending-request.ts";
import { accountDeletedPage, deleteAccountPage } from "../pages/delete-account.ts";
import { displayDomain } from "../pages/domain-display.ts";
import { authenticatedFor } from "../sign-in/account-change.ts";
import type { Deps } from "../sign-in/deps.ts";

type DeleteAccountDeps = Pick<
  Deps,
  "issuer" | "accountAdmin" | "histories" | "history" | "interactions" | "clock" | "events"
>;

export function createDeleteAccount(deps: DeleteAccountDeps) {
  const { histories, history, interactions, clock, events } = deps;
  return { showDeleteAccount, deleteAccount };

  /** GET /interaction/:id/delete-account: says what is lost, and then that the account is deleted. */
  async function showDeleteAccount(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    authenticatedFor("delete-account", open, deps);
    const { domain, decision } = interaction;
    if (decision !== "allow") return showPage(open);
    return page(200, accountDeletedPage(pagesFor(http, request), { domain }));
  }

  /** POST /interaction/:id/delete-account with `domain`, typed to confirm. */
  async function deleteAccount(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, decision } = interaction;
    const { accountId } = authenticatedFor("delete-account", open, deps);
    const done = seeOther(stepPath(id, "delete-account"));
    if (decision === "allow") return done;
    if (!names(await formField(http, "domain", request), domain)) return showPage(open, true);
    // One column of one row: from then on, nothing of the account is valid. The rest can be repeated.
    const isEnded = await endAccount({ accountId, keptId: id, now: clock.seconds() }, deps);
    // This sign-in itself may still wait to be written.
    await history.caughtUp();
    await histories.deleteHistory(accountId);
    await interactions.decide(id, "allow", clock.seconds());
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

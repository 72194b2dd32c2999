// Removes a passkey of an account, after the owner has authenticated for this change.

import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { PageError, pagesFor } from "../interaction/pending-request.ts";
import { passkeyChangedPage, removePasskeyPage } from "../pages/change-passkeys.ts";
import { authenticatedFor, endOtherChanges, recordAfterChange } from "../sign-in/account-change.ts";
import type { Deps } from "../sign-in/deps.ts";

type RemovePasskeyDeps = Pick<
  Deps,
  | ("issuer" | "accounts" | "passkeys" | "interactions" | "spRecords" | "statementKeys")
  | ("clock" | "events")
>;

export function createRemovePasskey(deps: RemovePasskeyDeps) {
  const { accounts, passkeys, interactions, clock, events } = deps;
  return { showRemovePasskey, removePasskey };

  /** GET /interaction/:id/remove-passkey: asks, and then shows the record without the passkey. */
  async function showRemovePasskey(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query, decision } = interaction;
    const pages = pagesFor(http, request);
    if (decision === "allow") {
      const { accountId, about } = authenticatedFor("remove-passkey", open, deps);
      const account = await accounts.readAccount(accountId);
      if (account === null) throw new PageError(400, "expired", request);
      const record = await recordAfterChange(account, about, deps);
      return page(200, passkeyChangedPage(pages, { domain, change: "removed", record, query }));
    }
    const { passkey, isLast } = await asked(open);
    const action = stepPath(id, "remove-passkey");
    const props = { domain, name: passkey.name, isLast, action, query };
    return page(200, removePasskeyPage(pages, props));
  }

  /** POST /interaction/:id/remove-passkey */
  async function removePasskey(open: InteractionContext): Promise<HttpResponse> {
    const { id, domain, decision } = open.interaction;
    const { accountId } = authenticatedFor("remove-passkey", open, deps);
    const done = seeOther(stepPath(id, "remove-passkey"));
    if (decision === "allow") return done;
    // Before the removal, so that a failure after it leaves no such change, and again for what came in between.
    await endOtherChanges(open, accountId, deps);
    const { passkey } = await askedOrGone(open);
    if (passkey !== undefined && (await passkeys.removePasskey(passkey)) === "removed") {
      events.passkeyRemoved({ accountId, domain, name: passkey.name });
    }
    await endOtherChanges(open, accountId, deps);
    await interactions.decide(id, "allow", clock.seconds());
    return done;
  }

  async function asked(open: InteractionContext) {
    const { passkey, isLast } = await askedOrGone(open);
    if (passkey === undefined) throw new PageError(400, "expired", open.request);
    return { passkey, isLast };
  }

  /**
   * The passkey of the account that the authentication names by its thumbprint. Undefined if it is gone, such as by a
   * former request for this removal whose next statement failed.
   */
  async function askedOrGone(open: InteractionContext) {
    const { accountId, about } = authenticatedFor("remove-passkey", open, deps);
    const all = await passkeys.passkeysOf(accountId);
    const passkey = all.find(({ thumbprint }) => thumbprint === about);
    return { passkey, isLast: all.length === 1 };
  }
}

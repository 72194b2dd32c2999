// Removes a passkey of an account, after the owner has authenticated for this change.

import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import type { Flow } from "../interaction/flow.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { PageError, pagesFor } from "../interaction/pending-request.ts";
import { decided } from "../interaction/progress.ts";
import { passkeyChangedPage, removePasskeyPage } from "../pages/change-passkeys.ts";
import type { AccountChanges } from "../sign-in/account-change.ts";
import type { AccountStore } from "../store/accounts.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { Events } from "../telemetry/events.ts";

export interface Deps {
  readonly flow: Flow;
  readonly accountChanges: AccountChanges;
  readonly accounts: AccountStore;
  readonly passkeys: PasskeyStore;
  readonly events: Events;
}

export function createRemovePasskey(deps: Deps) {
  const { flow, accountChanges, accounts, passkeys, events } = deps;
  return { showRemovePasskey, removePasskey };

  /** GET /interaction/:id/remove-passkey: asks, and then shows the record without the passkey. */
  async function showRemovePasskey(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query } = interaction;
    const pages = pagesFor(http, request);
    const { accountId, about, isMade } = accountChanges.authenticatedFor("remove-passkey", open);
    if (isMade) {
      const account = await accounts.readAccount(accountId);
      if (account === null) throw new PageError(400, "expired", request);
      const record = await accountChanges.recordAfterChange(account, about);
      return page(200, passkeyChangedPage(pages, { domain, change: "removed", record, query }));
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
    // Before the removal, so that a failure after it leaves no such change, and again for what came in between.
    await accountChanges.endOtherChanges(id, accountId);
    const { passkey } = await namedPasskey(open);
    if (passkey !== undefined && (await passkeys.removePasskey(passkey)) === "removed") {
      events.passkeyRemoved({ accountId, domain, name: passkey.name });
    }
    await accountChanges.endOtherChanges(id, accountId);
    await flow.change(interaction, decided("allow"));
    return done;
  }

  /**
   * The passkey of the account that the authentication names by its thumbprint. Undefined if it is gone, such as by a
   * former request for this removal whose next statement failed.
   */
  async function namedPasskey(open: InteractionContext) {
    const { accountId, about } = accountChanges.authenticatedFor("remove-passkey", open);
    const all = await passkeys.passkeysOf(accountId);
    const passkey = all.find(({ thumbprint }) => thumbprint === about);
    return { passkey, isLast: all.length === 1 };
  }
}

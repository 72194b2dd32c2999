// Makes ten new recovery codes, after the owner has authenticated for this change. They replace the former ones once they are saved.

import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import type { Flow } from "../interaction/flow.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { pagesFor } from "../interaction/pending-request.ts";
import { decided } from "../interaction/progress.ts";
import { recoveryCodesPage } from "../pages/recovery-codes.ts";
import type { AccountChanges } from "../sign-in/account-change.ts";
import type { NewRecoveryCodes } from "../sign-in/new-recovery-codes.ts";
import type { Events } from "../telemetry/events.ts";

export interface Deps {
  readonly flow: Flow;
  readonly accountChanges: AccountChanges;
  readonly newRecoveryCodes: NewRecoveryCodes;
  readonly events: Events;
}

export function createNewCodes({ flow, accountChanges, newRecoveryCodes, events }: Deps) {
  return { showNewCodes, saveNewCodes };

  /** GET /interaction/:id/new-codes: shows the same codes until they are saved, and never afterwards. */
  async function showNewCodes(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query } = interaction;
    const { isMade } = accountChanges.authenticatedFor("new-codes", open);
    if (isMade) return toAccount(domain);
    const codes = newRecoveryCodes.codesFor(open);
    const props = { domain, codes, query, action: stepPath(id, "new-codes"), areNew: true };
    return page(200, recoveryCodesPage(pagesFor(http, request), props));
  }

  /** POST /interaction/:id/new-codes: "I have saved them". */
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
}

function toAccount(domain: string): HttpResponse {
  return seeOther(`/account?${new URLSearchParams({ domain })}`);
}

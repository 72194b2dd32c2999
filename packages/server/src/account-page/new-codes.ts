// Makes ten new recovery codes, after the owner has authenticated for this change. They replace the former ones once they are saved.

import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { PageError, pagesFor } from "../interaction/pending-request.ts";
import { recoveryCodesPage } from "../pages/recovery-codes.ts";
import { authenticatedFor, endOtherChanges } from "../sign-in/account-change.ts";
import type { Deps } from "../sign-in/deps.ts";
import {
  newCodeSet,
  newCodesOf,
  recoveryCodeHash,
  shownCodesOf,
} from "../sign-in/recovery-codes.ts";

export function createNewCodes(
  deps: Pick<
    Deps,
    "issuer" | "recoveryCodes" | "interactions" | "cookies" | "setUpSeal" | "clock" | "events"
  >,
) {
  const { recoveryCodes, interactions, clock, events } = deps;
  return { showNewCodes, saveNewCodes };

  /** GET /interaction/:id/new-codes: shows the same codes until they are saved, and never afterwards. */
  async function showNewCodes(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query } = interaction;
    authenticatedFor("new-codes", open, deps);
    if (interaction.decision === "allow") return toAccount(domain);
    const codes = newCodesOf(open, deps);
    const props = { domain, codes, query, action: stepPath(id, "new-codes"), areNew: true };
    return page(200, recoveryCodesPage(pagesFor(http, request), props));
  }

  /** POST /interaction/:id/new-codes: "I have saved them". */
  async function saveNewCodes(open: InteractionContext): Promise<HttpResponse> {
    const { interaction, request } = open;
    const { id, domain, decision } = interaction;
    const { accountId, about } = authenticatedFor("new-codes", open, deps);
    if (decision === "allow") return toAccount(domain);
    const renewed = await recoveryCodes.renewRecoveryCodes({
      accountId,
      from: about === "" ? null : about,
      to: newCodeSet(open),
      codeHashes: (await shownCodesOf(open, deps)).map(recoveryCodeHash),
    });
    // Others were saved since this authentication began, and must stay valid.
    if (renewed === "stale") throw new PageError(400, "expired", request);
    await endOtherChanges(open, accountId, deps);
    // Only now: if the former answer got lost, the same codes are saved again.
    const decided = await interactions.decide(id, "allow", clock.seconds());
    if (decided !== null) events.recoveryCodesRenewed({ accountId, domain });
    return toAccount(domain);
  }
}

function toAccount(domain: string): HttpResponse {
  return seeOther(`/account?${new URLSearchParams({ domain })}`);
}

// The consent step: shows the requested scopes and records the user's decision.

import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { consentPage } from "../pages/consent.ts";
import type { Deps } from "./deps.ts";

/** GET /interaction/:id/consent */
async function showConsent(context: InteractionContext): Promise<HttpResponse> {
  const { http, interaction, request } = context;
  const pages = pagesFor(http, request);
  const { id, domain, query } = interaction;
  const props = { domain, query, scopes: request.scopes, action: stepPath(id, "consent") };
  return page(200, consentPage(pages, props));
}

export function createConsent(deps: Pick<Deps, "interactions" | "consents" | "clock" | "events">) {
  const { interactions, consents, clock, events } = deps;
  return { showConsent, decideConsent };

  /** POST /interaction/:id/consent with `decision` */
  async function decideConsent(context: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = context;
    const decision = await formField(http, "decision", request);
    if (decision !== "allow" && decision !== "deny") {
      throw new PageError(400, "malformedRequest", request);
    }
    const now = clock.seconds();
    const decided = await interactions.decide(interaction.id, decision, now);
    // The first decision counts. Submitting the same one again is not an error.
    if (decided === null && interaction.decision !== decision) {
      const stored = await interactions.readInteraction(interaction.id);
      if (stored?.decision !== decision) throw new PageError(400, "alreadyUsed", request);
    }
    const { accountId } = interaction;
    if (decided?.decision === "allow" && accountId !== null) {
      const { clientId, scopes } = request;
      events.appAllowed({ accountId, clientId, scope: scopes.join(" ") });
    }
    if (decision === "allow" && accountId !== null && request.consent === "first") {
      const { clientId, scopes } = request;
      await consents.rememberConsent({ accountId, clientId, scopes, now });
    }
    return advance({ interaction: { ...interaction, decision }, request }, deps);
  }
}

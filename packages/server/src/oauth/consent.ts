// The consent step: shows the requested scopes and records the user's decision.

import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { formField } from "../interaction/form-field.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import { consentPage } from "../pages/consent.ts";
import type { Deps } from "./deps.ts";

/** GET /interaction/:id/consent */
async function showConsent({
  http,
  interaction,
  request,
}: InteractionContext): Promise<HttpResponse> {
  const pages = pagesFor(http, request);
  return page(
    200,
    consentPage(pages, {
      domain: interaction.domain,
      scopes: request.scopes,
      action: stepPath(interaction.id, "consent"),
    }),
  );
}

export function createConsent({ store, clock }: Pick<Deps, "store" | "clock">) {
  return { showConsent, decideConsent };

  /** POST /interaction/:id/consent with `decision` */
  async function decideConsent({
    http,
    interaction,
    request,
  }: InteractionContext): Promise<HttpResponse> {
    const decision = await formField(http, "decision", request);
    if (decision !== "allow" && decision !== "deny") {
      throw new PageError(400, "malformedRequest", request);
    }
    const now = clock.seconds();
    const decided = await store.decide(interaction.id, decision, now);
    // The first decision counts. Submitting the same one again is not an error.
    if (decided === null && interaction.decision !== decision) {
      const stored = await store.readInteraction(interaction.id);
      if (stored?.decision !== decision) throw new PageError(400, "alreadyUsed", request);
    }
    const { accountId } = interaction;
    if (decision === "allow" && accountId !== null && request.consent === "first") {
      const { clientId, scopes } = request;
      await store.rememberConsent({ accountId, clientId, scopes, now });
    }
    return advance({ interaction: { ...interaction, decision }, request }, { store });
  }
}

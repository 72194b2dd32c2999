// The consent step: shows the requested scopes and records the user's decision.

import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { accountUri } from "../interaction/account-page.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { consentPage } from "../pages/consent.ts";
import type { Deps } from "./deps.ts";

/** GET /interaction/:id/consent */
async function showConsent(context: InteractionContext): Promise<HttpResponse> {
  const { http, interaction, request } = context;
  const pages = pagesFor(http, request);
  const { id, domain, query } = interaction;
  const props = {
    domain,
    query,
    scopes: request.scopes,
    resources: request.resources,
    action: stepPath(id, "consent"),
  };
  return page(200, consentPage(pages, props));
}

export function createConsent(
  deps: Pick<Deps, "issuer" | "interactions" | "consents" | "clock" | "events">,
) {
  const { issuer, interactions, consents, clock, events } = deps;
  return { showConsent, decideConsent };

  /** POST /interaction/:id/consent with `decision` */
  async function decideConsent(context: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = context;
    const decision = await formField(http, "decision", request);
    if (decision !== "allow" && decision !== "deny") {
      throw new PageError(400, "malformedRequest", request);
    }
    const now = clock.seconds();
    const { id, accountId } = interaction;
    const { clientId, permissions: scopes } = request;
    // Changes of an account ask for no consent: there, a decision records that the change was made.
    if (clientId === accountUri(issuer)) throw new PageError(400, "malformedRequest", request);
    // Before the decision. A revocation ends the interaction and then forgets the consents: either it
    // forgets this one too, or the decision below is refused.
    const added =
      decision === "allow" && accountId !== null && request.consent === "first"
        ? await consents.rememberConsent({ accountId, clientId, scopes, now })
        : [];
    const decided = await interactions.decide(id, decision, now);
    if (decided === null) {
      // The first decision counts. Submitting the same one again is not an error.
      const stored = await interactions.readInteraction(id);
      if (stored?.decision !== decision || stored.expiresAt <= now) {
        if (accountId !== null) await consents.undoConsent({ accountId, clientId, scopes: added });
        throw new PageError(400, "alreadyUsed", request);
      }
    } else if (decision === "allow" && accountId !== null) {
      events.appAllowed({ accountId, clientId, scope: scopes.join(" ") });
    }
    return advance({ interaction: { ...interaction, decision }, request }, deps);
  }
}

// The consent step: what the client asks for, in words, and the person's answer.

import type { Exchange } from "../http/channels.ts";
import { page } from "../http/headers.ts";
import { formField } from "../interaction/form-field.ts";
import {
  advance,
  openInteraction,
  requireSameOrigin,
  stepOf,
  stepPath,
} from "../interaction/interaction.ts";
import { PageError } from "../interaction/page-error.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import { consentPage, scopeWords } from "../pages/consent.ts";
import type { OAuthParts } from "./parts.ts";

/** GET /interaction/:id/consent */
export function showConsent(parts: OAuthParts) {
  return async (exchange: Exchange): Promise<Response> => {
    const open = await openInteraction(exchange, parts);
    if ((await stepOf(open, parts)) !== "consent") return advance(open, parts);
    const { interaction, request } = open;
    const pages = await pagesFor(exchange, request);
    return page(
      200,
      consentPage(pages, {
        domain: interaction.domain,
        clientName: request.clientName,
        clientHost: request.clientHost,
        finalHost: request.finalHost,
        scopes: request.scopes.map((name) => ({
          name,
          words: scopeWords(pages.messages, name),
        })),
        action: stepPath(interaction.id, "consent"),
      }),
    );
  };
}

/** POST /interaction/:id/consent with `decision` */
export function decideConsent(parts: OAuthParts) {
  return async (exchange: Exchange): Promise<Response> => {
    requireSameOrigin(exchange, parts);
    const { interaction, request } = await openInteraction(exchange, parts);
    const decision = await formField(exchange.request, "decision", request);
    if (decision !== "allow" && decision !== "deny") {
      throw new PageError(400, "malformedRequest", request);
    }
    const now = parts.clock.seconds();
    const decided = await parts.store.decide(interaction.id, decision, now);
    // A second press of the same button is the same answer; the first one stands.
    if (decided === null && interaction.decision !== decision) {
      const standing = await parts.store.readInteraction(interaction.id);
      if (standing?.decision !== decision) throw new PageError(400, "alreadyUsed", request);
    }
    const { accountId } = interaction;
    if (decision === "allow" && accountId !== null && request.consent === "first") {
      const { clientId, scopes } = request;
      await parts.store.rememberConsent({ accountId, clientId, scopes, now });
    }
    return advance({ interaction: { ...interaction, decision }, request }, parts);
  };
}

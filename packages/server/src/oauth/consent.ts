// The consent step: shows the requested scopes and records the user's decision.

import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { accountUri } from "../interaction/account-page.ts";
import type { Flow } from "../interaction/flow.ts";
import { type InteractionContext, type StepContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { decided } from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import { consentPage } from "../pages/consent.ts";
import type { ConsentStore } from "../store/consents.ts";
import { isAuthenticated } from "../store/interaction-row.ts";
import type { Events } from "../telemetry/events.ts";
import { permissionsOf } from "./grant-resources.ts";

/** GET /interaction/:id/consent */
async function showConsent(context: StepContext<"consent">): Promise<HttpResponse> {
  const { http, interaction, request } = context;
  const { id, domain, query } = interaction;
  const { scopes, resources } = request;
  const props = { domain, query, scopes, resources, action: stepPath(id, "consent") };
  return page(200, consentPage(pagesFor(http, request), props));
}

interface Deps {
  readonly issuer: string;
  readonly flow: Flow;
  readonly consents: ConsentStore;
  readonly clock: Clock;
  readonly events: Events;
}

export function createConsent(deps: Deps) {
  const { issuer, flow, consents, clock, events } = deps;
  return { showConsent, decideConsent };

  /** POST /interaction/:id/consent with `decision` */
  async function decideConsent(context: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = context;
    const decision = await formField(http, "decision", request);
    if (decision !== "allow" && decision !== "deny") {
      throw new PageError(400, "malformedRequest", request);
    }
    const now = clock.seconds();
    const accountId = isAuthenticated(interaction) ? interaction.progress.accountId : null;
    const { clientId, permissions: scopes } = request;
    // Changes of an account ask for no consent: there, a decision records that the change was made.
    if (clientId === accountUri(issuer)) throw new PageError(400, "malformedRequest", request);
    // With the decision, in one commit. A revocation ends the interaction and then forgets the consents, so it either
    // forgets this consent too, or the decision is refused.
    // Also where the person is asked each time: to `prompt=none`, the account then exists.
    const others =
      decision === "allow" && accountId !== null && request.consent !== "never"
        ? consents.writeConsent({ accountId, clientId, scopes, now })
        : [];
    const answered = await flow.change(interaction, decided(decision), { others });
    if (!answered.isChanged) {
      // The first decision counts. Submitting the same one again is not an error.
      const { progress } = answered.interaction;
      const isSame = progress.step === "authenticated" && progress.decision === decision;
      if (!isSame || !answered.isOpen) throw new PageError(400, "alreadyUsed", request);
    } else if (decision === "allow" && accountId !== null) {
      const scope = permissionsOf(request.scopes, request.resources).join(" ");
      events.appAllowed({ accountId, clientId, scope });
    }
    return flow.next({ ...context, ...answered });
  }
}

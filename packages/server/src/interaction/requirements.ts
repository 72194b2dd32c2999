// The checks that a route may require: an authorization request, an open interaction, its step.

import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Prepared } from "../http/pipeline.ts";
import type { Clock } from "../lib/clock.ts";
import type { ConsentStore } from "../store/consents.ts";
import type { InteractionStore } from "../store/interactions.ts";
import {
  advance,
  type InteractionContext,
  openInteraction,
  type RequestContext,
  stepOf,
} from "./interaction.ts";
import type { Step } from "./next-step.ts";
import type { PendingRequest } from "./pending-request.ts";

interface Deps<R extends PendingRequest> {
  readonly store: InteractionStore & ConsentStore;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly readRequest: (query: string, requesterAddress?: string) => Promise<R>;
}

/** Each check returns the handler's context, throws, or returns a response instead of a context. */
export function createRequirements<R extends PendingRequest>(deps: Deps<R>) {
  return { request, interaction, step };

  /** Requires a valid authorization request in the query. */
  async function request(http: HttpRequest): Promise<Prepared<RequestContext<R>>> {
    return { context: { http, request: await deps.readRequest(http.query, http.clientAddress) } };
  }

  /** Requires that the interaction in the path is open and belongs to this browser. */
  async function interaction(http: HttpRequest): Promise<Prepared<InteractionContext<R>>> {
    return { context: await openInteraction(http, idInPath(http), deps) };
  }

  /** Also requires that the interaction is at this step; otherwise redirects to its current step. */
  function step(name: Step, idOf: (http: HttpRequest) => string = idInPath) {
    return async (http: HttpRequest): Promise<Prepared<InteractionContext<R>>> => {
      const context = await openInteraction(http, idOf(http), deps);
      if ((await stepOf(context, deps)) === name) return { context };
      return { response: await advance(context, deps) };
    };
  }
}

function idInPath({ params: { id = "" } }: HttpRequest): string {
  return id;
}

// The checks that a route may require: an authorization request, an open interaction, its step.

import type { HttpRequest } from "../http/message.ts";
import type { Prepared } from "../http/pipeline.ts";
import { sha256 } from "../lib/random.ts";
import type { Deps } from "./deps.ts";
import { advance, type InteractionContext, type RequestContext, stepOf } from "./interaction.ts";
import type { Step } from "./next-step.ts";
import { PageError } from "./page-error.ts";
import type { PendingRequest } from "./pending-request.ts";

/** Each check returns the handler's context, throws, or returns a response instead of a context. */
export function createRequirements<R extends PendingRequest>(
  deps: Pick<Deps, "interactions" | "consents" | "cookies" | "clock"> & {
    readonly readRequest: (query: string, requesterAddress?: string) => Promise<R>;
  },
) {
  return { request, interaction, step };

  /** Requires a valid authorization request in the query. */
  async function request(http: HttpRequest): Promise<Prepared<RequestContext<R>>> {
    return { context: { http, request: await deps.readRequest(http.query, http.clientAddress) } };
  }

  /** Requires that the interaction in the path is open and belongs to this browser. */
  async function interaction(http: HttpRequest): Promise<Prepared<InteractionContext<R>>> {
    return { context: await open(http, idInPath(http)) };
  }

  /** Also requires that the interaction is at this step; otherwise redirects to its current step. */
  function step(name: Step, idOf: (http: HttpRequest) => string = idInPath) {
    return async (http: HttpRequest): Promise<Prepared<InteractionContext<R>>> => {
      const context = await open(http, idOf(http));
      if ((await stepOf(context, deps)) === name) return { context };
      return { response: await advance(context, deps) };
    };
  }

  /** Throws `PageError` if the interaction has expired or is of another browser. */
  async function open(http: HttpRequest, id: string): Promise<InteractionContext<R>> {
    const isValidId = /^[A-Za-z0-9_-]{22}$/.test(id);
    const interaction = isValidId ? await deps.interactions.readInteraction(id) : null;
    if (interaction === null) throw new PageError(400, "expired");
    const request = await deps.readRequest(interaction.query);
    const browser = deps.cookies.read(http, "browser");
    if (interaction.expiresAt <= deps.clock.seconds()) throw new PageError(400, "expired", request);
    if (browser === undefined || sha256(browser) !== interaction.browserHash) {
      throw new PageError(403, "wrongBrowser", request);
    }
    return { http, interaction, request };
  }
}

function idInPath({ params: { id = "" } }: HttpRequest): string {
  return id;
}

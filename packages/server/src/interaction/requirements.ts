// What a route may require of a request: a valid authorization request, an open interaction of this browser, its step.

import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Prepared } from "../http/pipeline.ts";
import { requesterAt } from "../http/requester.ts";
import type { StoredRoom } from "../http/stored-room.ts";
import type { Clock } from "../lib/clock.ts";
import { isOver } from "../lib/lifetime.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import { type Interaction, isAuthenticated, type Progress } from "../store/interaction-row.ts";
import type { InteractionStore, PendingInteraction } from "../store/interactions.ts";
import type { Flow } from "./flow.ts";
import {
  type InteractionContext,
  isByItself,
  type KeptStep,
  ownBrowser,
  type RequestContext,
  type Sender,
  type StepContext,
} from "./interaction.ts";
import { keptRequest } from "./kept-request.ts";
import type { ProgressAt, Step } from "./next-step.ts";
import { PageError, type PendingRequest } from "./pending-request.ts";

export interface Deps<R extends PendingRequest> {
  readonly interactions: InteractionStore;
  readonly browserSessions: BrowserSessions;
  readonly flow: Flow;
  readonly unproved: StoredRoom;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly readRequest: (query: string, sender: Sender) => Promise<R>;
  /** What cookies of this browser prove about an interaction whose row is gone; null for nothing. */
  readonly keptStep: (
    http: HttpRequest,
    interactionId: string,
    request: R,
  ) => Promise<KeptStep | null>;
  /** The name of the client for which this browser began a set-up in the interaction. */
  readonly clientOfSetUp: (http: HttpRequest, interactionId: string) => Promise<string | undefined>;
}

/** How a request names its interaction. */
export interface InteractionSource {
  readonly idOf: (http: HttpRequest) => string;
  /** Throws if the request cannot belong to the interaction. Called before a client is fetched. */
  readonly verify: (http: HttpRequest, interaction: Interaction | null) => void;
}

const IN_PATH: InteractionSource = { idOf: idInPath, verify: () => {} };

/** Each check returns the handler's context or a response, or throws. */
export function createRequirements<R extends PendingRequest>(deps: Deps<R>) {
  const { interactions, browserSessions, flow, unproved } = deps;
  const { cookies, clock, readRequest, keptStep, clientOfSetUp } = deps;
  return { request, interaction, step };

  /** Requires a valid authorization request in the query. */
  async function request(http: HttpRequest): Promise<Prepared<RequestContext<R>>> {
    // The pipeline has checked that a POST comes from one of our pages.
    const request = await readRequest(http.query, senderOf(http, http.method === "POST"));
    return { context: { http, request } };
  }

  /** Requires that the interaction in the path is open and belongs to this browser. */
  async function interaction(
    http: HttpRequest,
  ): Promise<Prepared<InteractionContext<Progress, R>>> {
    const id = validId(idInPath(http));
    const checked = await check(http, id, await interactions.readPending(id));
    if ("context" in checked) await present(checked.context);
    return checked;
  }

  /** Also requires this step. Redirects to the current one, unless a page asks by itself. */
  function step<S extends Step>(name: S, { idOf, verify }: InteractionSource = IN_PATH) {
    return async (http: HttpRequest): Promise<Prepared<StepContext<S, R>>> => {
      const id = validId(idOf(http));
      const pending = await interactions.readPending(id);
      verify(http, pending?.interaction ?? null);
      const checked = await check(http, id, pending);
      if ("response" in checked) return checked;
      const { context } = checked;
      // The last step records it with the grant.
      if (name !== "complete") await present(context);
      if (isAt(context, await flow.stepOf(context), name)) return { context };
      // The page takes a redirect to mean that its record was seen.
      if (isByItself(http)) throw new PageError(400, "expired", context.request);
      return { response: await flow.next(context) };
    };
  }

  /** Throws `PageError` if the interaction has expired or is of another browser, or its session has ended. */
  async function check(
    http: HttpRequest,
    interactionId: string,
    pending: PendingInteraction | null,
  ): Promise<Prepared<InteractionContext<Progress, R>>> {
    const interaction = pending?.interaction ?? null;
    const query = keptRequest(http, { interactionId, ofRow: interaction?.query ?? null }, cookies);
    const again = isGone(http, interaction) ? await beginAgain(http, interactionId, query) : null;
    if (again !== null) return again;
    if (pending === null || interaction === null)
      throw await expired(http, { interactionId, query });
    const isOwn = ownBrowser(http, interaction, cookies) !== null;
    // Kept by another browser, or dropped by this one for its later requests.
    if (query === null) throw new PageError(isOwn ? 400 : 403, isOwn ? "expired" : "wrongBrowser");
    const request = await readRequest(query, { ...senderOf(http, true), isOpen: true });
    const { createdAt: since, expiresAt: end } = interaction;
    if (isOver({ since, end }, clock)) throw new PageError(400, "expired", request);
    if (!isOwn) throw new PageError(403, "wrongBrowser", request);
    unproved.touch(interactionId);
    if (isAuthenticated(interaction) && pending.session.isOver === 1)
      throw new PageError(400, "signedOut", request);
    return { context: { ...pending, http, interaction, request } };
  }

  /**
   * The request that follows an authentication is the first that carries the new secret. While the codes of a set-up are
   * not saved, its browser can get the session again.
   */
  async function present({ http, interaction, session }: InteractionContext): Promise<void> {
    if (!isAuthenticated(interaction)) return;
    const { unsent } = session;
    const { accountId, codes } = interaction.progress;
    if (unsent !== null && codes?.of !== "set-up")
      await browserSessions.present(http, accountId, unsent);
  }

  /** Also true for a row of this browser that has expired before anybody was authenticated. */
  function isGone(http: HttpRequest, interaction: Interaction | null): boolean {
    if (interaction === null) return true;
    const { createdAt: since, expiresAt: end } = interaction;
    if (isAuthenticated(interaction) || !isOver({ since, end }, clock)) return false;
    return ownBrowser(http, interaction, cookies) !== null;
  }

  /** Makes the row again if cookies of this browser prove its step: nobody else can make it expire. */
  async function beginAgain(
    http: HttpRequest,
    interactionId: string,
    query: string | null,
  ): Promise<Prepared<InteractionContext<Progress, R>> | null> {
    const hasCookies = cookies.setUps(http).length + cookies.challenges(http).length > 0;
    if (query === null || !hasCookies) return null;
    const request = await readRequest(query, senderOf(http, http.method === "POST"));
    const kept = await keptStep(http, interactionId, request);
    if (kept === null) return null;
    // The script is told nothing by which its browser could use another row: that row would be nobody's.
    if (isByItself(http) && cookies.read(http, "browser") === undefined) {
      throw new PageError(400, "expired", request);
    }
    const begun = await flow.beginAgain({ http, request }, { ...kept, id: interactionId });
    if (begun === null) {
      // Another request of this browser was faster.
      const pending = await interactions.readPending(interactionId);
      const isOther = pending === null || isGone(http, pending.interaction);
      return isOther ? null : check(http, interactionId, pending);
    }
    const { interaction, setCookies } = begun;
    if (setCookies.length === 0) {
      const session = { isOver: 0, unsent: null, codeSet: null } as const;
      const nothing = { account: null, passkeys: [], consented: null, session };
      return { context: { http, interaction, request, ...nothing } };
    }
    return { response: await flow.next({ http, interaction, request }, setCookies) };
  }

  /** The row is gone, but cookies may still have the request, or the client's name of a set-up. */
  async function expired(
    http: HttpRequest,
    { interactionId, query }: { readonly interactionId: string; readonly query: string | null },
  ): Promise<PageError> {
    const sender = senderOf(http, false);
    // Its client may be gone as well.
    const request =
      query === null ? undefined : await readRequest(query, sender).catch(() => undefined);
    const client = request ? undefined : await clientOfSetUp(http, interactionId);
    return new PageError(400, "expired", request, client);
  }
}

function senderOf({ clientAddress }: HttpRequest, hasActed: boolean): Sender {
  return { from: requesterAt(clientAddress), hasActed };
}

/** `nextStep` chooses a step by the progress, so that the step determines the type of the progress. */
function isAt<S extends Step, R extends PendingRequest>(
  _context: InteractionContext<ProgressAt[Step], R>,
  current: Step,
  name: S,
): _context is StepContext<S, R> {
  return current === name;
}

/** Refuses an id that cannot exist without reading the store. */
function validId(id: string): string {
  if (!/^[A-Za-z0-9_-]{22}$/.test(id)) throw new PageError(400, "expired");
  return id;
}

function idInPath({ params: { id = "" } }: HttpRequest): string {
  return id;
}

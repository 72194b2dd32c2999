// An interaction is one pending authorization in one browser tab: creation, lookup and next step.

import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { ConsentStore } from "../store/consents.ts";
import type { Authentication, Interaction, InteractionStore } from "../store/interactions.ts";
import { consentNeeded } from "./consent-needed.ts";
import { nextStep, type Step } from "./next-step.ts";
import { PageError } from "./page-error.ts";
import type { PendingRequest } from "./pending-request.ts";

/** How long a sign-in may take. A published challenge must expire sooner. */
const LIFETIMES_S = {
  session: 3600,
  "dns-setup": 3600,
  "dns-challenge": 1800,
  // Leaves time to create an account at the SP.
  external: 3600,
} as const;

/** An interaction of this browser, and its authorization request. */
export interface OpenInteraction<R extends PendingRequest = PendingRequest> {
  readonly interaction: Interaction;
  readonly request: R;
}

/** The context of a handler before the interaction: a validated authorization request. */
export interface RequestContext<R extends PendingRequest = PendingRequest> {
  readonly http: HttpRequest;
  readonly request: R;
}

/** The context of a handler within an interaction. */
export interface InteractionContext<R extends PendingRequest = PendingRequest>
  extends OpenInteraction<R> {
  readonly http: HttpRequest;
}

export function stepPath(interactionId: string, step: string): string {
  return `/interaction/${interactionId}/${step}`;
}

/** How a sign-in starts: with a method of proof, or with an existing session. */
export type Start = { readonly domain: string; readonly cookies?: readonly string[] } & (
  | { readonly method: "dns-setup" }
  | { readonly method: "dns-challenge"; readonly acct: string; readonly challenge: string }
  | { readonly method: "external"; readonly acct: string; readonly external: string }
  | { readonly method: "session"; readonly acct: string; readonly proof: Authentication }
);

/** The cookie that binds interactions to a browser, new or renewed. It authenticates no one. */
export function browserCookie(
  http: HttpRequest,
  { cookies, random }: { readonly cookies: Cookies; readonly random: Random },
): { value: string; cookie: string } {
  const value = cookies.read(http, "browser") ?? randomText(random, 32);
  return { value, cookie: cookies.set("browser", value) };
}

interface BeginDeps {
  readonly store: InteractionStore & ConsentStore;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
}

/** Creates an interaction for this browser and redirects to its first step. */
export async function beginInteraction(
  { http, request }: RequestContext,
  start: Start,
  deps: BeginDeps,
): Promise<HttpResponse> {
  const browser = browserCookie(http, deps);
  const now = deps.clock.seconds();
  const proof = start.method === "session" ? start.proof : null;
  const interaction: Interaction = {
    id: randomText(deps.random, 16),
    browserHash: sha256(browser.value),
    clientId: request.clientId,
    query: request.query,
    domain: start.domain,
    method: start.method,
    acct: start.method === "dns-setup" ? null : start.acct,
    challenge: start.method === "dns-challenge" ? start.challenge : null,
    external: start.method === "external" ? start.external : null,
    grantId: newGrantId(deps.clock, deps.random),
    createdAt: now,
    expiresAt: now + LIFETIMES_S[start.method],
    accountId: proof?.accountId ?? null,
    authTime: proof?.authTime ?? null,
    amr: proof?.amr ?? null,
    controlCheckedAt: proof?.controlCheckedAt ?? null,
    ownerProof: null,
    decision: null,
  };
  await deps.store.beginInteraction(interaction);
  const cookies = [browser.cookie, ...(start.cookies ?? [])];
  return advance({ interaction, request }, deps, cookies);
}

/** Redirects to the current step of the interaction. */
export async function advance(
  { interaction, request }: OpenInteraction,
  deps: { readonly store: InteractionStore & ConsentStore },
  cookies: readonly string[] = [],
): Promise<HttpResponse> {
  return seeOther(stepPath(interaction.id, await stepOf({ interaction, request }, deps)), cookies);
}

/** The current step of the interaction. */
export async function stepOf(
  { interaction, request }: OpenInteraction,
  { store }: { readonly store: InteractionStore & ConsentStore },
): Promise<Step> {
  const { accountId } = interaction;
  return nextStep(
    interaction,
    accountId !== null && (await consentNeeded(store, accountId, request)),
  );
}

/** The interaction with this id. Throws `PageError` if it has expired or is of another browser. */
export async function openInteraction<R extends PendingRequest>(
  http: HttpRequest,
  id: string,
  deps: {
    readonly store: InteractionStore & ConsentStore;
    readonly cookies: Cookies;
    readonly clock: Clock;
    readonly readRequest: (query: string, requesterAddress?: string) => Promise<R>;
  },
): Promise<InteractionContext<R>> {
  const isValidId = /^[A-Za-z0-9_-]{22}$/.test(id);
  const interaction = isValidId ? await deps.store.readInteraction(id) : null;
  if (interaction === null) throw new PageError(400, "expired");
  const request = await deps.readRequest(interaction.query);
  const browser = deps.cookies.read(http, "browser");
  if (interaction.expiresAt <= deps.clock.seconds()) throw new PageError(400, "expired", request);
  if (browser === undefined || sha256(browser) !== interaction.browserHash) {
    throw new PageError(403, "wrongBrowser", request);
  }
  return { http, interaction, request };
}

/**
 * The id of the grant that a sign-in will create, chosen in advance so that completing it twice
 * creates one grant. 48 bits of milliseconds and 80 random bits in hex: sortable by time.
 */
export function newGrantId(clock: Clock, random: Random): string {
  return clock.milliseconds().toString(16).padStart(12, "0") + random(10).toString("hex");
}

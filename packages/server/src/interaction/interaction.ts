// One pending authorization in one browser tab: begun, found again, moved to its next step.

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

/** Seconds that a sign-in may take; a challenge record is worth something for less. */
const LIFETIME = {
  ...{ session: 3600, "dns-setup": 3600, "dns-challenge": 1800 },
  // Whoever has no account at the SP yet makes one there first.
  external: 3600,
} as const;

/** An interaction that belongs to this browser, and the request that it is for. */
export interface OpenInteraction<R extends PendingRequest = PendingRequest> {
  readonly interaction: Interaction;
  readonly request: R;
}

/** What a handler of a page before the interaction has begun receives: a request that was validated. */
export interface RequestContext<R extends PendingRequest = PendingRequest> {
  readonly http: HttpRequest;
  readonly request: R;
}

/** What a handler of a later page receives. */
export interface InteractionContext<R extends PendingRequest = PendingRequest>
  extends OpenInteraction<R> {
  readonly http: HttpRequest;
}

export function stepPath(interactionId: string, step: string): string {
  return `/interaction/${interactionId}/${step}`;
}

/** How a sign-in begins: what it will be proven by, or that a session has proven it already. */
export type Start = { readonly domain: string; readonly cookies?: readonly string[] } & (
  | { readonly method: "dns-setup" }
  | { readonly method: "dns-challenge"; readonly acct: string; readonly challenge: string }
  | { readonly method: "external"; readonly acct: string; readonly external: string }
  | { readonly method: "session"; readonly acct: string; readonly proof: Authentication }
);

/** What binds interactions to a browser; it authenticates nobody. Fresh, or renewed for an hour. */
export function browserCookie(
  http: HttpRequest,
  { cookies, random }: { readonly cookies: Cookies; readonly random: Random },
): { value: string; cookie: string } {
  const value = cookies.read(http, "browser") ?? randomText(random, 32);
  return { value, cookie: cookies.set("browser", value) };
}

/** What begins an interaction needs. */
interface BeginDeps {
  readonly store: InteractionStore & ConsentStore;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
}

/** Begins an interaction for this browser and goes to its first step. */
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
    expiresAt: now + LIFETIME[start.method],
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

/** Goes to the step that the interaction now waits for. */
export async function advance(
  { interaction, request }: OpenInteraction,
  deps: { readonly store: InteractionStore & ConsentStore },
  cookies: readonly string[] = [],
): Promise<HttpResponse> {
  return seeOther(stepPath(interaction.id, await stepOf({ interaction, request }, deps)), cookies);
}

/** The step that the interaction waits for. */
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

/**
 * The interaction with this id, if it belongs to this browser and is not over; else a problem page
 * that leads back to the app.
 */
export async function openInteraction<R extends PendingRequest>(
  http: HttpRequest,
  id: string,
  deps: {
    readonly store: InteractionStore & ConsentStore;
    readonly cookies: Cookies;
    readonly clock: Clock;
    readonly readRequest: (query: string, askedBy?: string) => Promise<R>;
  },
): Promise<InteractionContext<R>> {
  const isOurs = /^[A-Za-z0-9_-]{22}$/.test(id);
  const interaction = isOurs ? await deps.store.readInteraction(id) : null;
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
 * The id that the grant of a sign-in will have, so that finishing it twice makes one grant. 48 bits of
 * milliseconds and 80 random bits, in hex: ids sort by time, and none can be guessed.
 */
export function newGrantId(clock: Clock, random: Random): string {
  return clock.milliseconds().toString(16).padStart(12, "0") + random(10).toString("hex");
}

// An interaction is one pending authorization in one browser tab: creation and next step.

import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { Authentication, Interaction } from "../store/interactions.ts";
import type { Deps } from "./deps.ts";
import { consentNeeded, nextStep, type Step } from "./next-step.ts";
import type { PendingRequest } from "./pending-request.ts";

/** How long a sign-in may take. A published challenge must expire sooner. */
const LIFETIMES_S = {
  session: 3600,
  "dns-setup": 3600,
  "dns-challenge": 1800,
  // Leaves time to create an account at the SP.
  external: 3600,
} as const;

/** The context of a handler before the interaction: a validated authorization request. */
export interface RequestContext<R extends PendingRequest = PendingRequest> {
  readonly http: HttpRequest;
  readonly request: R;
}

/** The context of a handler within an interaction of this browser. */
export interface InteractionContext<R extends PendingRequest = PendingRequest>
  extends RequestContext<R> {
  readonly interaction: Interaction;
}

export type OpenInteraction = Omit<InteractionContext, "http">;

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
  { cookies, random }: Pick<Deps, "cookies" | "random">,
): { value: string; cookie: string } {
  const value = cookies.read(http, "browser") ?? randomText(random, 32);
  return { value, cookie: cookies.set("browser", value) };
}

/** Creates an interaction for this browser and redirects to its first step. */
export async function beginInteraction(
  { http, request }: RequestContext,
  start: Start,
  deps: Pick<Deps, "interactions" | "consents" | "cookies" | "clock" | "random">,
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
  await deps.interactions.beginInteraction(interaction);
  const cookies = [browser.cookie, ...(start.cookies ?? [])];
  return advance({ interaction, request }, deps, cookies);
}

/** Redirects to the current step of the interaction. */
export async function advance(
  { interaction, request }: OpenInteraction,
  deps: Pick<Deps, "consents">,
  cookies: readonly string[] = [],
): Promise<HttpResponse> {
  return seeOther(stepPath(interaction.id, await stepOf({ interaction, request }, deps)), cookies);
}

/** The current step of the interaction. */
export async function stepOf(
  { interaction, request }: OpenInteraction,
  { consents }: Pick<Deps, "consents">,
): Promise<Step> {
  const { accountId } = interaction;
  return nextStep(
    interaction,
    accountId !== null && (await consentNeeded(consents, accountId, request)),
  );
}

/**
 * The id of the grant that a sign-in will create, chosen in advance so that completing it twice
 * creates one grant. 48 bits of milliseconds and 80 random bits in hex: sortable by time.
 */
export function newGrantId(clock: Clock, random: Random): string {
  return clock.milliseconds().toString(16).padStart(12, "0") + random(10).toString("hex");
}

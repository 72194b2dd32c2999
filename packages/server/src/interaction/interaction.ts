// An interaction is one pending authorization in one browser tab: its addresses, its cookie, and the contexts of handlers.

import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { type Random, sha256 } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Interaction, Progress, Proving } from "../store/interaction-row.ts";
import type { SessionStanding } from "../store/interactions.ts";
import type { Passkey } from "../store/passkeys.ts";
import type { ProgressAt, Step } from "./next-step.ts";
import type { PendingRequest } from "./pending-request.ts";

/** Whether a page that waits for DNS asks by itself. Authenticating must wait for the person. */
export function isByItself({ query }: { readonly query: string }): boolean {
  return /^by-itself=yes(?:&|$)/.test(query);
}

/** The query of the authorization request in the address of a page, after the page's own parameters; null without one. */
export function requestInAddress({ query }: { readonly query: string }): string | null {
  const rest = query.replace(/^(?:(?:by-itself|passkey)=[A-Za-z]*(?:&|$))+/, "");
  return rest === "" ? null : rest;
}

/** The context of a handler before the interaction: a validated authorization request. */
export interface RequestContext<R extends PendingRequest = PendingRequest> {
  readonly http: HttpRequest;
  readonly request: R;
}

/** The context of a handler within an interaction of this browser. */
export interface InteractionContext<
  P extends Progress = Progress,
  R extends PendingRequest = PendingRequest,
> extends RequestContext<R> {
  readonly interaction: Interaction<P>;
  /** As in `PendingInteraction`: what was read with the interaction. */
  readonly account: Account | null;
  readonly passkeys: readonly Passkey[];
  readonly consented: ReadonlySet<string> | null;
  readonly session: SessionStanding;
}

export type StepContext<
  S extends Step,
  R extends PendingRequest = PendingRequest,
> = InteractionContext<ProgressAt[S], R>;

export function stepPath(interactionId: string, step: string): string {
  return `/interaction/${interactionId}/${step}`;
}

/** The address of a page of an interaction, with the request: whoever waits for DNS may come when the row is gone. */
export function addressWithRequest(
  interactionId: string,
  page: string,
  { query }: { readonly query: string },
): string {
  return `${stepPath(interactionId, page)}?${query}`;
}

/** What a cookie of this browser proves about an interaction whose row is gone. `until`: epoch seconds. */
export interface KeptStep {
  readonly domain: string;
  readonly progress: Proving;
  readonly until: number;
}

/** The cookie that binds interactions to a browser, new or renewed. It authenticates no one. */
export function browserCookie(
  http: HttpRequest,
  { cookies, random }: { readonly cookies: Cookies; readonly random: Random },
): { value: string; cookie: string } {
  const value = cookies.read(http, "browser") ?? cookies.newBrowser(random);
  return { value, cookie: cookies.set("browser", value) };
}

/** The cookie of the browser that began the interaction; null in any other. */
export function ownBrowser(
  http: HttpRequest,
  { browserHash }: Interaction,
  cookies: Cookies,
): string | null {
  const browser = cookies.read(http, "browser");
  return browser !== undefined && sha256(browser) === browserHash ? browser : null;
}

/** Who sent an authorization request. */
export interface Sender {
  readonly from: Requester;
  /** Whether a person has used a form of ours. Only then may we fetch the metadata of an API. */
  readonly hasActed: boolean;
  /** Whether the request is of an open interaction. */
  readonly isOpen?: boolean;
}

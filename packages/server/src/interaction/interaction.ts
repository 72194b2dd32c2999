// An interaction is one pending authorization in one browser tab: its start, checks and next step.

import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import type { Prepared } from "../http/pipeline.ts";
import { seeOther } from "../http/responses.ts";
import type { Clock } from "../lib/clock.ts";
import { isOver } from "../lib/lifetime.ts";
import type { Random } from "../lib/random.ts";
import { randomText, sha256, timeOrderedId } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Authentication, Interaction } from "../store/interactions.ts";
import type { Passkey } from "../store/passkeys.ts";
import type { Deps } from "./deps.ts";
import { keepRequest, keptRequest, queryForRow } from "./kept-request.ts";
import { consentNeeded, nextStep, type Step } from "./next-step.ts";
import { PageError, type PendingRequest } from "./pending-request.ts";

/** A record of a challenge is accepted for so long: someone else may have to publish it. */
export const CHALLENGE_LIFETIME_S = 86_400;

/** How long a sign-in may take. */
const LIFETIMES_S = {
  session: 3600,
  "dns-setup": 3600,
  passkey: 1800,
  "dns-challenge": CHALLENGE_LIFETIME_S,
  // Leaves time to create an account at the SP.
  external: 3600,
} as const;

/**
 * The limit of what strangers store counts a row for this time at most. A DNS challenge that counted for its whole
 * day shut out others at its address after 36 of them. It is stored for its day all the same: somebody else may have
 * to publish the record, and nothing but the row remembers the challenge.
 */
const COUNTED_LIFETIME_S = 3600;

/** Whether a page asks by itself, while it waits for DNS. What only the person may lose or gain must wait for the person. */
export function isByItself({ query }: Pick<HttpRequest, "query">): boolean {
  return query === "by-itself=yes";
}

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

/** The context of the answer of an authenticator: the account that is to be signed in, and its passkeys. */
export interface PasskeyAnswerContext<R extends PendingRequest = PendingRequest>
  extends InteractionContext<R> {
  readonly account: Account | null;
  readonly passkeys: readonly Passkey[];
}

export type OpenInteraction = Omit<InteractionContext, "http">;

export function stepPath(interactionId: string, step: string): string {
  return `/interaction/${interactionId}/${step}`;
}

/** The cookie that binds interactions to a browser, new or renewed. It authenticates no one. */
export function browserCookie(
  http: HttpRequest,
  { cookies, random }: Pick<Deps, "cookies" | "random">,
): { value: string; cookie: string } {
  const value = cookies.read(http, "browser") ?? randomText(random, 32);
  return { value, cookie: cookies.set("browser", value) };
}

/** The cookie of the browser that began the interaction; null in any other. */
export function ownBrowser(
  http: HttpRequest,
  { browserHash }: Pick<Interaction, "browserHash">,
  cookies: Cookies,
): string | null {
  const browser = cookies.read(http, "browser");
  return browser !== undefined && sha256(browser) === browserHash ? browser : null;
}

/** How a sign-in starts: with a method of proof, or with an existing session. */
type Start = { readonly domain: string } & (
  | { readonly method: "dns-setup" }
  | { readonly method: "passkey"; readonly acct: string }
  // The passkey was used on the page that asks for a domain.
  | ({ readonly method: "passkey"; readonly acct: string } & Authenticated)
  | { readonly method: "dns-challenge"; readonly acct: string; readonly challenge: string }
  | { readonly method: "external"; readonly acct: string; readonly external: string }
  | ({ readonly method: "session"; readonly acct: string } & Authenticated)
);

/** By a passkey or a session, of a browser that has this news to show. */
type Authenticated = Authentication & Pick<Interaction, "newsFrom">;

/** The members of an interaction that its start leaves unset, unless it sets them. */
const UNSET = {
  acct: null,
  challenge: null,
  recoveryHash: null,
  external: null,
  passkeyStatement: null,
  passkeyExpiresAt: null,
  accountId: null,
  authTime: null,
  amr: null,
  controlCheckedAt: null,
  sid: null,
  newsFrom: null,
  proofs: null,
  codesOfferedFrom: null,
  usedCode: null,
  recovery: null,
  codesSavedAt: null,
  decision: null,
} as const;

/** For a start whose cookies depend on the id. */
export function newInteractionId({ random }: Pick<Deps, "random">): string {
  return randomText(random, 16);
}

/** Creates an interaction for this browser and redirects to its first step. */
export async function beginInteraction(
  { http, request }: RequestContext,
  {
    cookies = [],
    ...start
  }: Start & { readonly id?: string; readonly cookies?: readonly string[] },
  deps: Pick<Deps, "interactions" | "consents" | "cookies" | "storageLimit" | "clock" | "random">,
): Promise<HttpResponse> {
  const browser = browserCookie(http, deps);
  const now = deps.clock.seconds();
  const { clientId, query } = request;
  const interaction: Interaction = {
    ...UNSET,
    id: newInteractionId(deps),
    ...start,
    browserHash: sha256(browser.value),
    clientId,
    query: queryForRow(query),
    grantId: newGrantId(deps.clock, deps.random),
    createdAt: now,
    expiresAt: now + LIFETIMES_S[start.method],
  };
  const lifetimeS = Math.min(LIFETIMES_S[start.method], COUNTED_LIFETIME_S);
  deps.storageLimit.take(http, { octets: octetsOf(interaction, query), lifetimeS });
  await deps.interactions.beginInteraction(interaction);
  const kept = keepRequest(http, { interactionId: interaction.id, query }, deps.cookies);
  return advance({ interaction, request }, deps, [browser.cookie, ...kept, ...cookies]);
}

/** The size of the row, with the statement for a passkey, which repeats what the request names. */
function octetsOf(interaction: Interaction, query: string): number {
  return JSON.stringify(interaction).length + query.length;
}

/** Redirects to the current step of the interaction. */
export async function advance(
  open: OpenInteraction,
  deps: Pick<Deps, "consents">,
  cookies: readonly string[] = [],
): Promise<HttpResponse> {
  return seeOther(stepPath(open.interaction.id, await stepOf(open, deps)), cookies);
}

async function stepOf(
  { interaction, request }: OpenInteraction,
  { consents }: Pick<Deps, "consents">,
): Promise<Step> {
  const { accountId } = interaction;
  const mustConsent = accountId !== null && (await consentNeeded(consents, accountId, request));
  return nextStep(interaction, mustConsent);
}

/**
 * The id of the grant that a sign-in will create, chosen in advance so that completing it twice
 * creates one grant. Its access tokens contain the time.
 */
export function newGrantId(clock: Clock, random: Random): string {
  return timeOrderedId(clock, random);
}

/** Who sent an authorization request that is not of an open interaction. */
export interface Sender {
  readonly address: string;
  /** Whether a person has used a form of ours: only then may a request cause that an API's metadata is fetched. */
  readonly hasActed: boolean;
}

interface RequestSources<R extends PendingRequest> {
  readonly readRequest: (query: string, sender?: Sender) => Promise<R>;
  /** The name of the client for which this browser began a set-up in the interaction. */
  readonly clientOfSetUp: (http: HttpRequest, interactionId: string) => Promise<string | undefined>;
}

/** What a route may require. Each check returns the handler's context or a response, or throws. */
export function createRequirements<R extends PendingRequest>(
  deps: Pick<
    Deps,
    "interactions" | "sessions" | "browserSessions" | "consents" | "cookies" | "clock"
  > &
    RequestSources<R>,
) {
  const { interactions, browserSessions, cookies, clock, readRequest } = deps;
  return { request, interaction, step, passkeyAnswer };

  /** Requires a valid authorization request in the query. */
  async function request(http: HttpRequest): Promise<Prepared<RequestContext<R>>> {
    // The pipeline has checked that a POST comes from one of our pages.
    const sender = { address: http.clientAddress, hasActed: http.method === "POST" };
    return { context: { http, request: await readRequest(http.query, sender) } };
  }

  /** Requires that the interaction in the path is open and belongs to this browser. */
  async function interaction(http: HttpRequest): Promise<Prepared<InteractionContext<R>>> {
    const id = validId(idInPath(http));
    return { context: await check(http, id, await interactions.readInteraction(id)) };
  }

  /** Also requires that the interaction is at this step; otherwise redirects to its current step, unless a page asks by itself. */
  function step(name: Step, { idOf, verify }: InteractionSource = IN_PATH) {
    return async (http: HttpRequest): Promise<Prepared<InteractionContext<R>>> => {
      const id = validId(idOf(http));
      const interaction = await interactions.readInteraction(id);
      verify(http, interaction);
      const context = await check(http, id, interaction);
      if ((await stepOf(context, deps)) === name) return { context };
      // The page takes a redirect to mean that its record was seen.
      if (isByItself(http)) throw new PageError(400, "expired", context.request);
      return { response: await advance(context, deps) };
    };
  }

  /** The step `passkey`, with the account and the passkeys that may answer: one statement reads all of them. */
  async function passkeyAnswer(http: HttpRequest): Promise<Prepared<PasskeyAnswerContext<R>>> {
    const found = await interactions.readInteractionAndPasskeys(validId(idInPath(http)));
    const context = await check(http, idInPath(http), found?.interaction ?? null);
    if ((await stepOf(context, deps)) !== "passkey") {
      return { response: await advance(context, deps) };
    }
    const { account = null, passkeys = [] } = found ?? {};
    return { context: { ...context, account, passkeys } };
  }

  /** Throws `PageError` if the interaction has expired or is of another browser, or its session has ended. */
  async function check(http: HttpRequest, interactionId: string, interaction: Interaction | null) {
    const query = keptRequest(http, { interactionId, ofRow: interaction?.query ?? null }, cookies);
    if (interaction === null) throw await expired(http, { interactionId, query }, deps);
    const isOwn = ownBrowser(http, interaction, cookies) !== null;
    // Kept by another browser, or dropped by this one for its later requests.
    if (query === null) throw new PageError(isOwn ? 400 : 403, isOwn ? "expired" : "wrongBrowser");
    const request = await readRequest(query);
    const { createdAt: since, expiresAt: end } = interaction;
    if (isOver({ since, end }, clock)) throw new PageError(400, "expired", request);
    if (!isOwn) throw new PageError(403, "wrongBrowser", request);
    const { accountId, method, sid } = interaction;
    const isOut = sid !== null && (await isSignedOut({ method, sid }));
    if (isOut) throw new PageError(400, "signedOut", request);
    // The request that follows an authentication is the first that carries the new secret.
    if (accountId !== null && method !== "session") await browserSessions.present(http, accountId);
    return { http, interaction, request };
  }

  /**
   * Whether the session has ended or, after a failure, was never stored: nobody would see such a sign-in. A set-up
   * without a session still shows its recovery codes; `readBasis` lets it go no further.
   */
  function isSignedOut({ method, sid }: { method: Interaction["method"]; sid: string }) {
    return method === "dns-setup"
      ? deps.sessions.hasEnded(sid)
      : deps.sessions.isWithoutSession(sid);
  }
}

/** The row is gone: only this browser still has the request, and a set-up even longer the name of the client. */
async function expired<R extends PendingRequest>(
  http: HttpRequest,
  { interactionId, query }: { readonly interactionId: string; readonly query: string | null },
  { readRequest, clientOfSetUp }: RequestSources<R>,
): Promise<PageError> {
  const sender = { address: http.clientAddress, hasActed: false };
  // Its client may be gone as well.
  const request =
    query === null ? undefined : await readRequest(query, sender).catch(() => undefined);
  const client = request ? undefined : await clientOfSetUp(http, interactionId);
  return new PageError(400, "expired", request, client);
}

/** How a request names its interaction. */
export interface InteractionSource {
  readonly idOf: (http: HttpRequest) => string;
  /**
   * Throws if the request cannot belong to the interaction, which is null if its row is gone. Called before the client
   * of the interaction is read, for which its document may have to be fetched.
   */
  readonly verify: (http: HttpRequest, interaction: Interaction | null) => void;
}

const IN_PATH: InteractionSource = { idOf: idInPath, verify: () => {} };

/** Without a statement for an id that cannot be one. */
function validId(id: string): string {
  if (!/^[A-Za-z0-9_-]{22}$/.test(id)) throw new PageError(400, "expired");
  return id;
}

function idInPath({ params: { id = "" } }: HttpRequest): string {
  return id;
}

// Begins a pending sign-in, changes its progress, records its authentication, and redirects to its current step.

import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import type { StoredRoom } from "../http/stored-room.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText, sha256, timeOrderedId } from "../lib/random.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { Account } from "../store/accounts.ts";
import type { ConsentStore } from "../store/consents.ts";
import {
  type Authenticated,
  type Interaction,
  type Progress,
  type Proving,
  rowOf,
} from "../store/interaction-row.ts";
import type { InteractionStore, NewAuthentication } from "../store/interactions.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { JoinedWrite } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";
import {
  addressWithRequest,
  browserCookie,
  type InteractionContext,
  isByItself,
  type RequestContext,
  stepPath,
} from "./interaction.ts";
import { keepRequest, keptRequest, queryForRow } from "./kept-request.ts";
import { isConsentNeeded, nextStep, type Step } from "./next-step.ts";
import { PageError } from "./pending-request.ts";
import type { Transition } from "./progress.ts";

/** How long a row is kept that nobody has proved. Whoever waits for DNS for longer has a cookie that makes it again. */
export const UNPROVED_LIFETIME_S = 3600;
const PASSKEY_LIFETIME_S = 1800;

/** Attempts at one change. Each failure means that another request has changed the progress. */
const MAX_CHANGES = 5;

const NONE: ReadonlySet<string> = new Set();

/** What the way to the current step depends on. */
export interface Position extends RequestContext {
  readonly interaction: InteractionOf<Progress>;
  /** What the authenticated account has consented to, if that was read. */
  readonly consented?: ReadonlySet<string> | null;
  /** The account that is authenticated, if that was read; it may be another one. */
  readonly account?: Account | null;
  /** Whether the browser has to come back with a new secret first: from then on, copies of its former one are refused. */
  readonly hasFormerSecret?: boolean;
}

interface InteractionOf<P> {
  readonly id: string;
  readonly grantId: string;
  readonly progress: P;
}

/** A sign-in that needs no further page. */
export interface Completed extends RequestContext {
  readonly interaction: InteractionOf<Authenticated>;
  readonly account?: Account | null | undefined;
}

export interface Start {
  readonly domain: string;
  readonly progress: Progress;
  /** For a start whose cookies depend on the id. */
  readonly id?: string;
  readonly cookies?: readonly string[];
  /** The latest end of the row, in epoch seconds. */
  readonly until?: number;
  /** See `Position`. */
  readonly hasFormerSecret?: boolean;
  readonly consented?: ReadonlySet<string> | null;
}

export interface Proof {
  readonly account: Account;
  readonly amr: string;
  readonly cookies?: readonly string[];
  /** Epoch seconds of the authentication and of the DNS lookup; now by default. */
  readonly authTime?: number;
  readonly controlCheckedAt?: number;
  /** JSON of the proofs for this request. */
  readonly proofs?: string | null;
  /** The proof counts only in a browser that the account knows. */
  readonly inKnownBrowser?: boolean;
  /** The set of recovery codes that the next step offers to replace. */
  readonly codesOfferedFrom?: string | null;
  /** The hash of the recovery code that this authentication uses up. It counts only if nothing else has used it. */
  readonly usedCode?: string | null;
  /** The hash of the DNS challenge that this authentication uses up, on the same condition. */
  readonly usedChallenge?: string | null;
  /** `asked` if the account has passkeys, and none of them was used. */
  readonly recovery?: "asked" | null;
}

export interface ChangeOptions {
  /** The new end of the row, in epoch seconds. */
  readonly expiresAt?: number | null;
  /** What is stored with the change, or not at all. */
  readonly others?: readonly JoinedWrite[];
}

export interface Deps {
  readonly interactions: InteractionStore;
  readonly consents: ConsentStore;
  readonly sessions: SessionStore;
  readonly browserSessions: BrowserSessions;
  readonly cookies: Cookies;
  readonly unproved: StoredRoom;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
  /** Sends the code to the app; throws, or answers with a page, if that is not possible. */
  completeInteraction(context: Completed): Promise<HttpResponse>;
}

export type Flow = ReturnType<typeof createFlow>;

export function createFlow(deps: Deps) {
  const { interactions, consents, sessions, browserSessions } = deps;
  const { cookies, unproved, clock, random, events } = deps;
  return { newId, begin, beginAgain, next, stepOf, change, authenticate };

  function newId(): string {
    return randomText(random, 16);
  }

  /** Creates an interaction for this browser and redirects to its first step. */
  async function begin(
    { http, request }: RequestContext,
    {
      id = newId(),
      cookies: more = [],
      hasFormerSecret = false,
      consented = null,
      ...start
    }: Start,
  ): Promise<HttpResponse> {
    const { interaction, networks, setCookies } = counted({ http, request }, { ...start, id });
    await interactions.beginInteraction(interaction, networks);
    const position = { http, interaction, request, hasFormerSecret, consented };
    return next(position, [...setCookies, ...more]);
  }

  /**
   * Makes the row of an interaction of this browser again that is gone. Null if there is another row. `setCookies`:
   * without them, the browser could not go on.
   */
  async function beginAgain(
    { http, request }: RequestContext,
    start: Start & { readonly id: string },
  ): Promise<{
    readonly interaction: Interaction;
    readonly setCookies: readonly string[];
  } | null> {
    const { interaction, networks, setCookies } = counted({ http, request }, start);
    const made = await interactions.beginAgain(interaction, networks);
    if (made === null) return null;
    const isKept =
      cookies.read(http, "browser") !== undefined &&
      keptRequest(http, { interactionId: start.id, ofRow: made.query }, cookies) !== null;
    return { interaction: made, setCookies: isKept ? [] : setCookies };
  }

  /** Counts the row of a new interaction, before it is stored. */
  function counted(
    { http, request }: RequestContext,
    { domain, progress, id, until = Infinity }: Start & { readonly id: string },
  ) {
    const browser = browserCookie(http, { cookies, random });
    const now = clock.seconds();
    const { clientId, query } = request;
    const method = progress.step === "authenticated" ? progress.method : progress.step;
    const lifetimeS = method === "passkey" ? PASSKEY_LIFETIME_S : UNPROVED_LIFETIME_S;
    const expiresAt = Math.min(now + lifetimeS, until);
    const interaction = {
      ...{ id, browserHash: sha256(browser.value), clientId, query: queryForRow(query), domain },
      ...{ grantId: timeOrderedId(clock, random), createdAt: now, expiresAt, progress },
    };
    // The size of the row, with the statement for a passkey, which repeats what the request names.
    const octets = JSON.stringify(rowOf(interaction)).length + query.length;
    const networks = unproved.networksFor(http.clientAddress);
    unproved.enter({ id, causedBy: networks, octets });
    const kept = keepRequest(http, { interactionId: id, query }, cookies);
    return { interaction, networks, setCookies: [browser.cookie, ...kept] };
  }

  /** Redirects to the current step of the interaction; after a form that needs no further page, to the app at once. */
  async function next(
    position: Position,
    setCookies: readonly string[] = [],
  ): Promise<HttpResponse> {
    const { interaction, request } = position;
    const step = await stepOf(position);
    const appAddress = step === "complete" ? await addressOfApp(position) : null;
    if (appAddress !== null) return seeOther(appAddress, setCookies);
    const waitsForDns = step === "dns-setup" || step === "dns-challenge";
    const address = waitsForDns
      ? addressWithRequest(interaction.id, step, request)
      : stepPath(interaction.id, step);
    return seeOther(address, setCookies);
  }

  /** Null if the step `complete`, which has an address of its own, has to say why there is no code. */
  async function addressOfApp(position: Position): Promise<string | null> {
    const { http, interaction, request, account, hasFormerSecret = false } = position;
    const { id, grantId, progress } = interaction;
    const isOfPerson = http.method === "POST" && !isByItself(http) && !hasFormerSecret;
    if (!isOfPerson || progress.step !== "authenticated" || progress.decision === "deny") {
      return null;
    }
    const own = account?.id === progress.accountId ? account : undefined;
    const completed = { http, request, account: own, interaction: { id, grantId, progress } };
    // Whatever has failed fails again there, on a page that can be reloaded, and the cookies are not lost.
    const response = await deps.completeInteraction(completed).catch(() => null);
    const location = response?.status === 303 ? response.headers.location : undefined;
    return typeof location === "string" ? location : null;
  }

  async function stepOf({
    interaction: { progress },
    request,
    consented,
  }: Omit<Position, "http">): Promise<Step> {
    if (progress.step !== "authenticated" || progress.decision !== null) {
      return nextStep(progress, false);
    }
    const { consent, clientId } = request;
    const { accountId } = progress;
    const read = () => (consent === "first" ? consents.readConsent(accountId, clientId) : NONE);
    const granted = consented ?? (await read());
    return nextStep(progress, isConsentNeeded(request, granted));
  }

  /**
   * Applies the transition to the current progress of the interaction. Nothing changes if the interaction has expired,
   * or if the transition no longer applies, such as after an authentication in another tab. Of concurrent callers with
   * one transition that applies once, one changes the interaction.
   */
  async function change(
    interaction: Interaction,
    transition: Transition,
    { expiresAt = null, others = [] }: ChangeOptions = {},
  ) {
    const now = clock.seconds();
    let current = interaction;
    let isOpen = true;
    for (let attempt = 0; attempt < MAX_CHANGES; attempt++) {
      const to = transition(current.progress);
      const changed = to && (await interactions.advance(current, to, { now, expiresAt, others }));
      if (changed !== null) return { isChanged: true, isOpen, interaction: changed };
      // The first value may be out of date: another request may even have ended the interaction.
      if (attempt > 0 && (to === null || !isOpen)) break;
      const stored = await interactions.readInteraction(interaction.id);
      isOpen = stored !== null && stored.expiresAt > now;
      if (stored === null) break;
      current = stored;
    }
    return { isChanged: false, isOpen, interaction: current };
  }

  /** Records an authentication, starts a session and redirects. A second call only redirects. */
  async function authenticate(
    { http, interaction, request }: InteractionContext<Proving>,
    { account, cookies: more = [], inKnownBrowser = false, ...proof }: Proof,
  ): Promise<HttpResponse> {
    const now = clock.seconds();
    const { id: accountId, domain } = account;
    const { amr, authTime = now, controlCheckedAt = now } = proof;
    const { usedCode = null, usedChallenge = null } = proof;
    const authentication = { accountId, authTime, amr, controlCheckedAt };
    const formerHash = browserSessions.formerHash(http, accountId);
    const result = { ...proof, ...authentication, sid: randomText(random, 16), formerHash };
    // Before the session: a call that is too late must not leave a session whose secret nobody has.
    const updated = await record(interaction, result, now);
    if (updated === null) {
      const current = (await interactions.readInteraction(interaction.id)) ?? interaction;
      return next({ http, interaction: current, request, account }, more);
    }
    unproved.leave(interaction.id);
    if (usedCode !== null) events.recoveryCodeUsed({ accountId, domain });
    const started = { ...authentication, domain, sid: updated.progress.sid };
    const session =
      usedChallenge === null
        ? await browserSessions.start(http, started)
        : await browserSessions.startOnce(http, started, usedChallenge);
    if (session === null) throw new PageError(400, "challengeUsed", request);
    const { sid, isNewBrowser, setCookies } = session;
    // After the session is stored: a sign-out everywhere in the meantime either ends it, or is seen here.
    if (inKnownBrowser && !(await browserSessions.isKnown(http, account))) {
      await sessions.endSession({ sid, accountId }, "elsewhere", now);
      throw new PageError(400, "signedOut", request);
    }
    if (isNewBrowser) {
      await sessions.noticeOthers({ accountId, sid, at: now });
      if (updated.progress.method !== "dns-setup") events.browserAdded({ accountId, domain });
    }
    events.signedIn({ accountId, domain, clientId: request.clientId, amr });
    const position = { http, interaction: updated, request, account };
    const hasFormerSecret = formerHash !== null;
    return next({ ...position, hasFormerSecret }, [...setCookies, ...more]);
  }

  /** If the row was removed or has expired while its owner proved it, the proof wins: the row is made again. */
  async function record(
    interaction: Interaction<Proving>,
    proof: NewAuthentication,
    now: number,
  ): Promise<Interaction<Authenticated> | null> {
    const recorded = await interactions.authenticate(interaction, proof, now);
    if (recorded !== null) return recorded;
    const times = { createdAt: now, expiresAt: now + UNPROVED_LIFETIME_S };
    const again = await interactions.beginAgain({ ...interaction, ...times });
    return again === null ? null : interactions.authenticate(interaction, proof, now);
  }
}

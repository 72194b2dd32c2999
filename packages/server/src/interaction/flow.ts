// Begins a pending sign-in, changes its progress, records its authentication, and redirects to its current step.

import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import type { StoredRoom } from "../http/stored-room.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText, sha256, timeOrderedId } from "../lib/random.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { Account, NewAccount } from "../store/accounts.ts";
import type { ConsentStore } from "../store/consents.ts";
import type { EnrolmentStore, NewEnrolment, NotEnrolled } from "../store/enrolments.ts";
import {
  type Authenticated,
  type Interaction,
  type Progress,
  type Proving,
  rowOf,
} from "../store/interaction-row.ts";
import type { InteractionStore, SessionStanding } from "../store/interactions.ts";
import type { PasskeyUse } from "../store/passkeys.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { NewSignIn, SignedIn } from "../store/sign-ins.ts";
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
import { authenticatedBy, type Transition } from "./progress.ts";

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
  /** If this request may be the first that carries its secret. */
  readonly session?: SessionStanding;
}

export interface Start {
  readonly domain: string;
  readonly progress: Progress;
  /** For a start whose cookies depend on the id. */
  readonly id?: string;
  readonly cookies?: readonly string[];
  /** The latest end of the row, in epoch seconds. */
  readonly until?: number;
  /** The page of the first step, if the step has several. */
  readonly page?: string;
  /** See `Position`. */
  readonly consented?: ReadonlySet<string> | null;
}

/** Why what is recorded beside an authentication must not be. */
export type Refusal = "refused" | Exclude<NotEnrolled, "not waiting">;

/** What the commit of an authentication also records. Without it, nothing is recorded, and `refused` answers. */
export interface Beside {
  /** The use of a passkey. */
  readonly use?: PasskeyUse | null;
  /** The end of a set-up, which creates the account. */
  readonly finish?: Omit<NewEnrolment, "signIn">;
  /** The account was created by this very call. */
  readonly created?: () => void;
  readonly refused: (why: Refusal) => Promise<HttpResponse>;
}

export interface Proof {
  readonly account: Account | NewAccount;
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
  readonly beside?: Beside;
}

/** A proof by a challenge that is stored nowhere before it is used. */
export interface OnceProof {
  readonly account: Account;
  readonly amr: string;
  readonly controlCheckedAt: number;
  readonly challengeHash: string;
  /** The use of a passkey that the same commit records. */
  readonly use: PasskeyUse | null;
}

export interface ChangeOptions {
  /** The new end of the row, in epoch seconds. */
  readonly expiresAt?: number | null;
  /** What is stored with the change, or not at all. */
  readonly others?: readonly JoinedWrite[];
}

export interface Deps {
  readonly interactions: InteractionStore;
  readonly enrolments: EnrolmentStore;
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
  const { interactions, enrolments, consents, sessions, browserSessions } = deps;
  const { cookies, unproved, clock, random, events } = deps;
  return { newId, begin, beginOnce, beginAgain, next, stepOf, change, authenticate };

  function newId(): string {
    return randomText(random, 16);
  }

  /** Creates an interaction for this browser and redirects to its first step. */
  async function begin(
    { http, request }: RequestContext,
    { id = newId(), cookies: more = [], page, consented = null, ...start }: Start,
  ): Promise<HttpResponse> {
    const { interaction, networks, setCookies } = counted({ http, request }, { ...start, id });
    await interactions.beginInteraction(interaction, networks);
    const cookies = [...setCookies, ...more];
    if (page !== undefined) return seeOther(addressWithRequest(id, page, request), cookies);
    return next({ http, interaction, request, consented }, cookies);
  }

  /**
   * Starts a session by a challenge that is not stored, and begins an interaction that is authenticated by the same
   * proof. Null if the challenge was used, or the passkey must not be used.
   */
  async function beginOnce(
    { http, request }: RequestContext,
    { account, amr, controlCheckedAt, challengeHash, use }: OnceProof,
  ): Promise<HttpResponse | null> {
    const { id: accountId, domain } = account;
    const proof = { accountId, authTime: clock.seconds(), amr, controlCheckedAt };
    const proven = { ...proof, domain };
    const { secret, session } = browserSessions.newSession(http, proven);
    const progress = authenticatedBy("passkey", { ...proof, sid: session.newSid }, null);
    const start = { id: newId(), domain, progress };
    const { interaction, networks, setCookies } = counted({ http, request }, start);
    const by = { session, challengeHash, use };
    const begun = await interactions.beginStarted(interaction, networks, by);
    if (begun === null) {
      unproved.leave(interaction.id);
      return null;
    }
    if (begun.session.isNewBrowser) events.browserAdded({ accountId, domain });
    events.signedIn({ accountId, domain, clientId: request.clientId, amr });
    const cookies = await browserSessions.cookiesOf(http, proven, secret);
    const hasFormerSecret = session.formerHash !== null;
    const position = { http, interaction: begun.interaction, request, account, hasFormerSecret };
    return next(position, [...setCookies, ...cookies]);
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
    // Read only where it decides.
    if (progress.step !== "authenticated" || nextStep(progress, true) !== "consent") {
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

  /** Records an authentication, starts its session in the same commit, and redirects. A second call only redirects. */
  async function authenticate(
    { http, interaction, request }: InteractionContext<Proving>,
    { account, cookies: more = [], inKnownBrowser = false, beside, ...proof }: Proof,
  ): Promise<HttpResponse> {
    const now = clock.seconds();
    const { id: accountId, domain } = account;
    const { amr, authTime = now, controlCheckedAt = now, usedCode = null } = proof;
    const authentication = { accountId, authTime, amr, controlCheckedAt };
    const proven = { ...authentication, domain };
    // That of a set-up is not read.
    const known = "createdAt" in account ? account : null;
    const { secret, session: started } = browserSessions.newSession(http, proven);
    const recorded = await record(
      {
        interaction,
        proof: { ...proof, ...authentication, sid: randomText(random, 16) },
        session: started,
      },
      beside,
    );
    if (typeof recorded === "string") {
      if (beside === undefined) throw new Error(`nothing could be ${recorded}`);
      return beside.refused(recorded);
    }
    if (recorded === null) {
      const current = (await interactions.readInteraction(interaction.id)) ?? interaction;
      return next({ http, interaction: current, request, account: known }, more);
    }
    unproved.leave(interaction.id);
    if (usedCode !== null) events.recoveryCodeUsed({ accountId, domain });
    const { interaction: updated, session } = recorded;
    // After the session is stored: a sign-out everywhere in the meantime either ends it, or is seen here.
    if (inKnownBrowser && !(await browserSessions.isKnown(http, account))) {
      await sessions.endSession({ sid: session.sid, accountId }, "elsewhere", now);
      throw new PageError(400, "signedOut", request);
    }
    if (session.isNewBrowser && updated.progress.method !== "dns-setup") {
      events.browserAdded({ accountId, domain });
    }
    events.signedIn({ accountId, domain, clientId: request.clientId, amr });
    const setCookies = await browserSessions.cookiesOf(http, proven, secret);
    const hasFormerSecret = started.formerHash !== null;
    const position = { http, interaction: updated, request, account: known, hasFormerSecret };
    return next(position, [...setCookies, ...more]);
  }

  /**
   * If the row was removed or has expired while its owner proved it, the proof wins: the row is made again. Null if the
   * interaction does not wait for this proof any more.
   */
  async function record(signIn: NewSignIn, beside?: Beside): Promise<SignedIn | Refusal | null> {
    const recorded = await commit(signIn, beside);
    if (recorded !== null) return recorded;
    const { interaction, session } = signIn;
    const times = { createdAt: session.now, expiresAt: session.now + UNPROVED_LIFETIME_S };
    const again = await interactions.beginAgain({ ...interaction, ...times });
    return again === null ? null : commit(signIn, beside);
  }

  async function commit(
    signIn: NewSignIn,
    { use = null, finish, created }: Partial<Beside> = {},
  ): Promise<SignedIn | Refusal | null> {
    if (finish === undefined) return interactions.authenticate(signIn, use);
    const enrolled = await enrolments.enrol({ ...finish, signIn });
    if (enrolled === "not waiting") return null;
    if (typeof enrolled === "string") return enrolled;
    if (enrolled.isNew) created?.();
    return enrolled.signedIn;
  }
}

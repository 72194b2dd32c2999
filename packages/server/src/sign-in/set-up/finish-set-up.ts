// The end of a set-up, which creates its account: by its record, and by its passkey if it has one.

import type { SpRecordLook } from "../../dns/sp-record.ts";
import type { Cookies } from "../../http/cookies.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import { page } from "../../http/responses.ts";
import type { Flow, Refusal } from "../../interaction/flow.ts";
import { browserCookie, type InteractionContext, stepPath } from "../../interaction/interaction.ts";
import { PageError, pagesFor } from "../../interaction/pending-request.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { ownUnknownPage } from "../../pages/own-unknown.ts";
import type { BrowserSessions } from "../../sessions/browser-sessions.ts";
import type { AccountStore } from "../../store/accounts.ts";
import type { AttemptStore } from "../../store/attempts.ts";
import type { Enrolment } from "../../store/enrolments.ts";
import { isAuthenticated, type Proving } from "../../store/interaction-row.ts";
import type { InteractionStore } from "../../store/interactions.ts";
import type { SessionStore } from "../../store/sessions.ts";
import { OWN_SP } from "../../store/shared-values.ts";
import type { Events } from "../../telemetry/events.ts";
import { returnToRequest } from "../domain.ts";
import { recoveryCodesOf } from "../new-recovery-codes.ts";
import { recoveryCodeHash } from "../recovery-code-entry.ts";
import { finishHash, type SetUp } from "./set-up.ts";

export interface Deps {
  readonly flow: Flow;
  readonly interactions: InteractionStore;
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly browserSessions: BrowserSessions;
  readonly attempts: AttemptStore;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

/** What proves that the record of a set-up is that of this person, beside the cookie. */
export interface SetUpProof {
  readonly amr: string;
  readonly controlCheckedAt?: number;
  readonly proofs?: string | null;
  readonly passkey?: Enrolment["passkey"];
  /** The record has changed since the look. */
  readonly onConflict: () => Promise<HttpResponse>;
}

export type SetUpEnd = ReturnType<typeof createSetUpEnd>;

export function createSetUpEnd(deps: Deps) {
  const { flow, interactions, accounts, browserSessions, events } = deps;
  return { finish, overIn, isSignedIn };

  /** Creates the account of a set-up whose record was seen, unless another interaction has, and signs in. */
  function finish(
    open: InteractionContext<Proving>,
    { accountId, acct, seed }: SetUp,
    { assurance, checkedAt }: SpRecordLook,
    { passkey, onConflict, ...proof }: SetUpProof,
  ): Promise<HttpResponse> {
    const { id, domain } = open.interaction;
    const finish = {
      enrolment: { domain, acct, accountId, finishHash: finishHash(id), passkey },
      recoveryCodeHashes: recoveryCodesOf(seed).map(recoveryCodeHash),
      now: checkedAt,
    };
    function created(): void {
      events.enrolled({ accountId, domain, assurance });
      if (passkey !== undefined) events.passkeyAdded({ accountId, domain, name: passkey.name });
    }
    async function refused(why: Refusal): Promise<HttpResponse> {
      if (why === "full") throw new PageError(403, "tooManyAccounts", open.request);
      if (why === "ended") return cannotFinish(open, "ended");
      return why === "elsewhere" ? finishedElsewhere(open, accountId, acct) : onConflict();
    }
    // The interaction stays open for its recovery codes, and with it the cookie that binds it to the browser.
    const cookies = [browserCookie(open.http, deps).cookie];
    const account = { id: accountId, domain, sp: OWN_SP, acct };
    const beside = { finish, created, refused };
    return flow.authenticate(open, { ...proof, account, cookies, beside });
  }

  async function finishedElsewhere(
    open: InteractionContext,
    accountId: string,
    acct: string,
  ): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    // It was another request of this very interaction, and the codes were saved in the meantime.
    const current = await interactions.readInteraction(id);
    if (current !== null && isAuthenticated(current) && current.progress.accountId === accountId) {
      return flow.next({ http, interaction: current, request });
    }
    if (await isSignedIn(open, acct, undefined)) return returnToRequest(interaction);
    if (await noteReuse(deps, { accountId, what: "set-up" })) {
      events.setUpReused({ accountId, domain });
    }
    return cannotFinish(open, "finished");
  }

  /** Set-ups whose account has ended or does not know this browser must not block a new set-up. */
  async function overIn(http: HttpRequest, setUps: readonly SetUp[]): Promise<readonly SetUp[]> {
    const over: SetUp[] = [];
    for (const setUp of setUps) {
      const account = await accounts.readAccount(setUp.accountId);
      if (account === null) continue;
      const isOver = account.endedAt !== null || !(await browserSessions.isKnown(http, account));
      if (isOver) over.push(setUp);
    }
    return over;
  }

  /**
   * Whether another tab has finished a set-up since the set-up of this page began. An earlier session does not count:
   * the person may be setting up a new account.
   */
  async function isSignedIn(
    { http, interaction: { domain } }: InteractionContext,
    acct: string,
    own: SetUp | undefined,
  ): Promise<boolean> {
    const { live } = await browserSessions.read(http);
    return live.some(
      ({ account, session }) =>
        account.domain === domain &&
        account.acct === acct &&
        session.authTime >= (own?.startedAt ?? 0),
    );
  }
}

/**
 * Tells the owner, at most once a day, that somebody else has the cookie of a set-up or a challenge. True if an entry
 * of the history is due.
 */
export async function noteReuse(
  deps: { readonly attempts: AttemptStore; readonly sessions: SessionStore; readonly clock: Clock },
  { accountId, what }: { readonly accountId: string; readonly what: "set-up" | "challenge" },
): Promise<boolean> {
  const now = deps.clock.seconds();
  const attempt = { name: `${what} reused ${accountId}`, windowSeconds: 86_400, now };
  if ((await deps.attempts.countAttempt(attempt)).count > 1) return false;
  await deps.sessions.noticeOthers({ accountId, sid: "", at: now });
  return true;
}

/** The page of a set-up that is over or, without `over`, that another browser began. */
export function cannotFinish(
  { http, interaction: { id, domain }, request }: InteractionContext,
  over?: "finished" | "ended" | "restored",
): Promise<HttpResponse> {
  const text = over === undefined ? { formerRecord: stepPath(id, "former-record") } : { over };
  const props = { domain, startOverAction: stepPath(id, "start-over"), ...text };
  return page(200, ownUnknownPage(pagesFor(http, request), props));
}

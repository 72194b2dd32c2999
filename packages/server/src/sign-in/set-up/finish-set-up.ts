// The end of a set-up, which creates its account: by its record, and by its passkey if it has one.

import type { SpRecordLook } from "../../dns/sp-record.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import { page, seeOther } from "../../http/responses.ts";
import { advance, type InteractionContext, stepPath } from "../../interaction/interaction.ts";
import { PageError, pagesFor } from "../../interaction/pending-request.ts";
import { ownUnknownPage } from "../../pages/own-unknown.ts";
import type { Account } from "../../store/accounts.ts";
import type { Enrolment } from "../../store/enrolments.ts";
import type { Deps } from "../deps.ts";
import { recoveryCodeHash, recoveryCodesOf } from "../recovery-codes.ts";
import { finishHash, type SetUp } from "./set-up.ts";

type FinishDeps = Pick<
  Deps,
  | ("enrolments" | "interactions" | "consents" | "sessions" | "browserSessions" | "attempts")
  | ("clock" | "events")
>;

type Finished =
  | { readonly outcome: "finished"; readonly account: Account }
  /** The record has changed since the look. */
  | { readonly outcome: "conflict" }
  /** Another interaction was first, or its account has ended. `response` says so. */
  | { readonly outcome: "over"; readonly response: HttpResponse };

/** The record of a set-up was seen. Creates its account, with its passkey if it has one, unless another interaction has. */
export async function finishSetUp(
  open: InteractionContext,
  by: {
    readonly setUp: SetUp;
    readonly look: Pick<SpRecordLook, "assurance" | "checkedAt">;
    readonly passkey?: Enrolment["passkey"];
  },
  deps: FinishDeps,
): Promise<Finished> {
  const { id, domain } = open.interaction;
  const { accountId, acct, seed } = by.setUp;
  const enrolled = await deps.enrolments.enrol({
    enrolment: { domain, acct, accountId, finishHash: finishHash(id), passkey: by.passkey },
    recoveryCodeHashes: recoveryCodesOf(seed).map(recoveryCodeHash),
    now: by.look.checkedAt,
  });
  if (enrolled === "conflict") return { outcome: "conflict" };
  if (enrolled === "full") throw new PageError(403, "tooManyAccounts", open.request);
  if (enrolled === "ended") return { outcome: "over", response: await setUpOver(open, "ended") };
  if (enrolled === "elsewhere") {
    return { outcome: "over", response: await finishedElsewhere(open, by.setUp, deps) };
  }
  if (enrolled.isNew) {
    const name = by.passkey?.name;
    deps.events.enrolled({ accountId, domain, assurance: by.look.assurance });
    if (name !== undefined) deps.events.passkeyAdded({ accountId, domain, name });
  }
  return { outcome: "finished", account: enrolled.account };
}

async function finishedElsewhere(
  open: InteractionContext,
  { accountId, acct }: SetUp,
  deps: FinishDeps,
): Promise<HttpResponse> {
  const { interaction, request } = open;
  const { id, domain } = interaction;
  // It was another request of this very interaction, and the codes were saved in the meantime.
  const current = await deps.interactions.readInteraction(id);
  if (current?.accountId === accountId) return advance({ interaction: current, request }, deps);
  if (await isSignedIn(open, acct, undefined, deps)) return redirectToFirstPage(open);
  await noteReuse({ accountId, domain }, deps);
  return setUpOver(open, "finished");
}

/** The page of a set-up that can no longer be finished here. */
export function setUpOver(
  { http, interaction: { id, domain }, request }: InteractionContext,
  over: "finished" | "ended" | "restored",
): Promise<HttpResponse> {
  const text = { domain, startOverAction: stepPath(id, "start-over"), over };
  return page(200, ownUnknownPage(pagesFor(http, request), text));
}

/**
 * The set-ups for the domain that are over and that this browser has nothing to gain from: their account has ended,
 * or does not know the browser. Who starts over must not find them in the way.
 */
export async function setUpsOver(
  http: HttpRequest,
  setUps: readonly SetUp[],
  deps: Pick<Deps, "accounts" | "browserSessions">,
): Promise<readonly SetUp[]> {
  const over: SetUp[] = [];
  for (const setUp of setUps) {
    const account = await deps.accounts.readAccount(setUp.accountId);
    if (account === null) continue;
    const isOver = account.endedAt !== null || !(await deps.browserSessions.isKnown(http, account));
    if (isOver) over.push(setUp);
  }
  return over;
}

/** The owner is told that somebody else has the cookie of the set-up; once a day, because a page asks again and again. */
async function noteReuse(
  { accountId, domain }: { readonly accountId: string; readonly domain: string },
  { sessions, attempts, clock, events }: FinishDeps,
): Promise<void> {
  const now = clock.seconds();
  const name = `set-up reused ${accountId}`;
  const { count } = await attempts.countAttempt({ name, windowSeconds: 86_400, now });
  if (count > 1) return;
  await sessions.noticeOthers({ accountId, sid: "", at: now });
  events.setUpReused({ accountId, domain });
}

/**
 * Whether another tab of this browser has finished a set-up, since that of this page began. Somebody who was
 * signed in before may be setting up a new account.
 */
export async function isSignedIn(
  { http, interaction: { domain } }: InteractionContext,
  acct: string,
  own: Pick<SetUp, "startedAt"> | undefined,
  deps: Pick<Deps, "browserSessions">,
): Promise<boolean> {
  const { live } = await deps.browserSessions.read(http);
  return live.some(
    ({ account, session }) =>
      account.domain === domain &&
      account.acct === acct &&
      session.authTime >= (own?.startedAt ?? 0),
  );
}

/** It offers to continue. */
export function redirectToFirstPage({ interaction: { query } }: InteractionContext): HttpResponse {
  return seeOther(`/oauth/authorize?${query}`);
}

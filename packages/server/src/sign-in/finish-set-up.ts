// The end of a set-up, which creates its account: by its record, and by its passkey if it has one.

import type { SpRecordLook } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { pagesFor } from "../interaction/pending-request.ts";
import { readSessions } from "../interaction/session.ts";
import { ownUnknownPage } from "../pages/own-unknown.ts";
import type { Account } from "../store/accounts.ts";
import type { Enrolment } from "../store/enrolments.ts";
import type { Deps } from "./deps.ts";
import { recoveryCodeHash, recoveryCodesOf } from "./recovery-codes.ts";
import { finishHash, type SetUp } from "./set-up.ts";

type FinishDeps = Pick<
  Deps,
  "enrolments" | "sessions" | "attempts" | "cookies" | "clock" | "events"
>;

type Finished =
  | { readonly outcome: "finished"; readonly account: Account }
  /** The record has changed since the look. */
  | { readonly outcome: "conflict" }
  /** Another interaction was first. `response` says so. */
  | { readonly outcome: "elsewhere"; readonly response: HttpResponse };

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
  const { http, interaction, request } = open;
  const { id, domain } = interaction;
  const { accountId, acct, seed } = by.setUp;
  const account = await deps.enrolments.enrol({
    enrolment: { domain, acct, accountId, finishHash: finishHash(id), passkey: by.passkey },
    recoveryCodeHashes: recoveryCodesOf(seed).map(recoveryCodeHash),
    now: by.look.checkedAt,
  });
  if (account === "conflict") return { outcome: "conflict" };
  if (account === "elsewhere") {
    const isHere = await isSignedIn(open, acct, undefined, deps);
    if (!isHere) await noteReuse({ accountId, domain }, deps);
    const startOverAction = stepPath(id, "start-over");
    const text = { domain, startOverAction, isFinished: true };
    const response = isHere
      ? firstPage(open)
      : await page(200, ownUnknownPage(pagesFor(http, request), text));
    return { outcome: "elsewhere", response };
  }
  deps.events.enrolled({ accountId, domain, assurance: by.look.assurance });
  return { outcome: "finished", account };
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
  deps: Pick<Deps, "sessions" | "cookies" | "clock" | "events">,
): Promise<boolean> {
  const { live } = await readSessions(http, deps);
  return live.some(
    ({ account, session }) =>
      account.domain === domain &&
      account.acct === acct &&
      session.authTime >= (own?.startedAt ?? 0),
  );
}

/** It offers to continue. */
export function firstPage({ interaction: { query } }: InteractionContext): HttpResponse {
  return seeOther(`/oauth/authorize?${query}`);
}

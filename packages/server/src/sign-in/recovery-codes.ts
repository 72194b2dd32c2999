// The step that shows recovery codes until they are saved: for a new account, or when few are left.

import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import type { Flow } from "../interaction/flow.ts";
import { type StepContext, stepPath } from "../interaction/interaction.ts";
import { formField, pagesFor } from "../interaction/pending-request.ts";
import { codesSaved } from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import { recoveryCodesPage } from "../pages/recovery-codes.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { EnrolmentStore } from "../store/enrolments.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Events } from "../telemetry/events.ts";
import { type NewRecoveryCodes, recoveryCodesOf } from "./new-recovery-codes.ts";
import { finishHash, type SetUp, type SetUps } from "./set-up/set-up.ts";

export interface Deps {
  readonly flow: Flow;
  readonly setUps: SetUps;
  readonly newRecoveryCodes: NewRecoveryCodes;
  readonly enrolments: EnrolmentStore;
  readonly sessions: SessionStore;
  readonly browserSessions: BrowserSessions;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly events: Events;
}

type CodesStep = StepContext<"recovery-codes">;

export function createRecoveryCodes(deps: Deps) {
  const { flow, setUps, newRecoveryCodes, browserSessions, events } = deps;
  return { showRecoveryCodes, saveRecoveryCodes };

  /** GET /interaction/:id/recovery-codes */
  async function showRecoveryCodes(open: CodesStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query, progress } = interaction;
    const areOffered = progress.codes?.of === "offer";
    const codes = areOffered ? newRecoveryCodes.codesFor(open) : await codesOfSetUp(open);
    const hasPasskey = (await finishedSetUp(open))?.passkey !== undefined;
    const action = stepPath(id, "recovery-codes");
    const props = { domain, codes, query, action, areNew: areOffered, areOffered, hasPasskey };
    const cookies = areOffered ? [] : await lostSession(open);
    const headers = cookies.length === 0 ? {} : { "set-cookie": cookies };
    return page(200, recoveryCodesPage(pagesFor(http, request), props), headers);
  }

  /** POST /interaction/:id/recovery-codes: "I have saved them"; with `keep`, those offered are not wanted. */
  async function saveRecoveryCodes(open: CodesStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { domain, progress } = interaction;
    const { accountId, codes } = progress;
    if (codes?.of === "offer") {
      const isKept = (await formField(http, "keep", request)) !== "";
      if (!isKept) await newRecoveryCodes.save(open, { accountId, from: codes.replaces });
      // Only now: if the former answer got lost, the same codes are saved again.
      const answered = await flow.change(interaction, codesSaved);
      if (answered.isChanged && !isKept) events.recoveryCodesRenewed({ accountId, domain });
      return flow.next({ ...open, ...answered });
    }
    const lost = await lostSession(open);
    const saved = await saveCodesOfSetUp(open);
    const done = await setUps.clearOf(http, accountId);
    return flow.next({ ...open, ...saved }, [...lost, ...done]);
  }

  async function saveCodesOfSetUp(open: CodesStep) {
    const { id, progress } = open.interaction;
    const { accountId } = progress;
    const presented = sentNow(open);
    const others = [
      deps.enrolments.writeConfirmed(accountId, finishHash(id)),
      ...(presented === null
        ? []
        : [deps.sessions.writePresented(presented, deps.clock.seconds())]),
    ];
    const saved = await flow.change(open.interaction, codesSaved, { others });
    // Another tab was faster, or the interaction is over.
    if (!saved.isChanged) await deps.enrolments.confirmCodes(accountId, finishHash(id));
    return saved;
  }

  /** None if the cookie of the set-up is lost, or if new codes were made on the account page. */
  async function codesOfSetUp(open: CodesStep): Promise<string[]> {
    if (open.session.codeSet) return [];
    const setUp = await finishedSetUp(open);
    return setUp === undefined ? [] : recoveryCodesOf(setUp.seed);
  }

  /** If the response with the session's secret was lost, the set-up's browser gets a new secret. */
  async function lostSession(open: CodesStep): Promise<readonly string[]> {
    const { accountId, sid } = open.interaction.progress;
    if (!open.session.unsent || sentNow(open) !== null) return [];
    if ((await finishedSetUp(open)) === undefined) return [];
    return browserSessions.replaceLostSecret(accountId, sid);
  }

  /** The hash of the secret of the session, if this browser is the first to send it. */
  function sentNow({ http, interaction, session }: CodesStep): string | null {
    const { unsent } = session;
    const { accountId } = interaction.progress;
    return unsent !== null && browserSessions.hasSent(http, accountId, unsent) ? unsent : null;
  }

  /** The set-up that created the account; undefined if its cookie is lost. */
  async function finishedSetUp({ http, interaction }: CodesStep): Promise<SetUp | undefined> {
    const all = await setUps.read(http);
    return all.find(({ accountId }) => accountId === interaction.progress.accountId);
  }
}

// The step that shows recovery codes until the person has saved them: those of a new account, or ten new ones after a
// sign-in that leaves few.

import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { recoveryCodesPage } from "../pages/recovery-codes.ts";
import { endOtherChanges } from "./account-change.ts";
import type { Deps, StepDeps } from "./deps.ts";
import {
  newCodeSet,
  newCodesOf,
  recoveryCodeHash,
  recoveryCodesOf,
  shownCodesOf,
} from "./recovery-codes.ts";
import { finishHash, readSetUps, type SetUp } from "./set-up/set-up.ts";

type SaveDeps = StepDeps &
  Pick<Deps, "issuer" | "enrolments" | "setUpSeal" | "restoredAt" | "recoveryCodes" | "events">;

export function createSaveCodes(deps: SaveDeps) {
  const { interactions, clock, events } = deps;
  return { showRecoveryCodes, saveRecoveryCodes };

  /** GET /interaction/:id/recovery-codes */
  async function showRecoveryCodes(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query, codesOfferedFrom } = interaction;
    const areOffered = codesOfferedFrom !== null;
    const setUp =
      areOffered || (await areReplaced(open, deps)) ? undefined : await finished(open, deps);
    const ofSetUp = setUp === undefined ? [] : recoveryCodesOf(setUp.seed);
    const codes = areOffered ? newCodesOf(open, deps) : ofSetUp;
    const action = stepPath(id, "recovery-codes");
    const props = { domain, codes, query, action, areNew: areOffered, areOffered };
    const cookies = areOffered ? [] : await lostSession(open, deps);
    const headers = cookies.length === 0 ? {} : { "set-cookie": cookies };
    return page(200, recoveryCodesPage(pagesFor(http, request), props), headers);
  }

  /** POST /interaction/:id/recovery-codes: "I have saved them"; with `keep`, those offered are not wanted. */
  async function saveRecoveryCodes(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, accountId, domain, codesOfferedFrom } = interaction;
    if (codesOfferedFrom !== null && accountId !== null) {
      const isKept = (await formField(http, "keep", request)) !== "";
      if (!isKept) await renew(open, { accountId, from: codesOfferedFrom }, deps);
      // Only now: if the former answer got lost, the same codes are saved again.
      const answered = await interactions.saveCodes(id, clock.seconds());
      if (answered !== null && !isKept) events.recoveryCodesRenewed({ accountId, domain });
      return advance({ interaction: answered ?? interaction, request }, deps);
    }
    const lost = await lostSession(open, deps);
    const saved = (await interactions.saveCodes(id, clock.seconds())) ?? interaction;
    if (accountId !== null) await deps.enrolments.confirmCodes(accountId, finishHash(id));
    const setUp = await finished(open, deps);
    const done = setUp === undefined ? [] : [deps.cookies.clear(setUp.cookieName)];
    return advance({ interaction: saved, request }, deps, [...lost, ...done]);
  }
}

/** Whether the codes of the set-up are valid no more, because new ones were made on the account page. */
async function areReplaced(
  { interaction: { accountId } }: InteractionContext,
  { recoveryCodes }: SaveDeps,
): Promise<boolean> {
  return accountId !== null && (await recoveryCodes.recoveryCodeSet(accountId)) !== null;
}

/** The session of the set-up, if the answer with its secret got lost: only the set-up's own browser gets it again. */
async function lostSession(open: InteractionContext, deps: SaveDeps): Promise<readonly string[]> {
  const { accountId, sid } = open.interaction;
  if (accountId === null || sid === null) return [];
  return (await finished(open, deps)) === undefined
    ? []
    : deps.browserSessions.replaceLostSecret(accountId, sid);
}

/** The set-up of which the account came; undefined if its cookie is lost. */
async function finished(
  { http, interaction }: InteractionContext,
  deps: SaveDeps,
): Promise<SetUp | undefined> {
  const setUps = await readSetUps(http, deps);
  return setUps.find(({ accountId }) => accountId === interaction.accountId);
}

/** The new codes replace the set `from`: the sign-in that offers them has just used up one of its codes. */
async function renew(
  open: InteractionContext,
  { accountId, from }: { readonly accountId: string; readonly from: string },
  { recoveryCodes, ...deps }: SaveDeps,
): Promise<void> {
  const renewed = await recoveryCodes.renewRecoveryCodes({
    accountId,
    from: from === "" ? null : from,
    to: newCodeSet(open),
    codeHashes: (await shownCodesOf(open, deps)).map(recoveryCodeHash),
  });
  // Others were saved since this sign-in began, and must stay valid.
  if (renewed === "stale") throw new PageError(400, "expired", open.request);
  await endOtherChanges(open, accountId, deps);
}

// The step after a set-up: shows the recovery codes of the new account until the person has saved them.

import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { pagesFor } from "../interaction/pending-request.ts";
import { recoveryCodesPage } from "../pages/recovery-codes.ts";
import type { Deps, StepDeps } from "./deps.ts";
import { recoveryCodesOf } from "./recovery-codes.ts";
import { finishHash, readSetUps, type SetUp } from "./set-up.ts";

export function createSaveCodes(deps: StepDeps & Pick<Deps, "enrolments" | "setUpSeal">) {
  const { interactions, enrolments, cookies, clock } = deps;
  return { showRecoveryCodes, saveRecoveryCodes };

  /** GET /interaction/:id/recovery-codes */
  async function showRecoveryCodes(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const setUp = await finished(open);
    const codes = setUp === undefined ? [] : recoveryCodesOf(setUp.seed);
    const props = { domain, codes, action: stepPath(id, "recovery-codes") };
    return page(200, recoveryCodesPage(pagesFor(http, request), props));
  }

  /** POST /interaction/:id/recovery-codes: "I have saved them". */
  async function saveRecoveryCodes(open: InteractionContext): Promise<HttpResponse> {
    const { interaction, request } = open;
    const { id, accountId } = interaction;
    const saved = (await interactions.saveCodes(id, clock.seconds())) ?? interaction;
    if (accountId !== null) await enrolments.confirmCodes(accountId, finishHash(id));
    const setUp = await finished(open);
    const setCookies = setUp === undefined ? [] : [cookies.clear(setUp.cookieName)];
    return advance({ interaction: saved, request }, deps, setCookies);
  }

  /** The set-up of which the account came; undefined if its cookie is lost. */
  async function finished({ http, interaction }: InteractionContext): Promise<SetUp | undefined> {
    const setUps = await readSetUps(http, deps);
    return setUps.find(({ accountId }) => accountId === interaction.accountId);
  }
}

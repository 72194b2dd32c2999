// The passkey of a set-up: it is made before the record is published, so that the record names its key.

import type { HttpResponse } from "../../http/message.ts";
import { seeOther } from "../../http/responses.ts";
import { type InteractionContext, stepPath } from "../../interaction/interaction.ts";
import { formField } from "../../interaction/pending-request.ts";
import { sha256 } from "../../lib/random.ts";
import type { PasskeyOffer } from "../../pages/dns-setup.ts";
import type { NameIn } from "../../pages/messages.ts";
import { registrationOptions, verifyRegistration } from "../../passkeys/webauthn.ts";
import type { Deps } from "../deps.ts";
import { addToSetUp, readSetUps, type SetUp } from "./set-up.ts";

type Problem = NameIn<"newPasskeyProblems">;

const PROBLEMS: readonly Problem[] = ["missing", "failed", "tooLarge"];

export function createSetUpPasskey(
  deps: Pick<
    Deps,
    | ("issuer" | "cookies" | "setUpSeal" | "clock" | "random")
    | ("statementKeys" | "passkeys" | "events" | "restoredAt")
  >,
) {
  const { issuer, passkeys, events } = deps;
  return { addSetUpPasskey };

  /** POST /interaction/:id/set-up-passkey, with the registration as JSON in `credential`. */
  async function addSetUpPasskey(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const again = (problem?: Problem, cookies: readonly string[] = []) =>
      seeOther(`${stepPath(id, "dns-setup")}${problem ? `?passkey=${problem}` : ""}`, cookies);
    const name = deps.cookies.setUpName(id);
    const own = (await readSetUps(http, deps)).find(({ cookieName }) => cookieName === name);
    // Its cookie is lost or it has expired: the page begins another.
    if (own === undefined) return again();
    const posted = await formField(http, "credential", request);
    if (posted === "") return again("missing");
    const challenge = challengeOf(open, own);
    const result = await verifyRegistration(posted, { issuer, challenge });
    const problem =
      result.outcome === "refused"
        ? result.problem
        : (await passkeys.findPasskey(result.credentialId)) === null
          ? null
          : "unknown";
    if (result.outcome === "refused" || problem !== null) {
      events.passkeyRefused({ domain, problem: problem ?? "unknown" });
      return again("failed");
    }
    const { credentialId, publicKey, thumbprint, counter, backedUp } = result;
    const passkey = { credentialId, publicKey, thumbprint, counter, backedUp };
    const setCookies = await addToSetUp(http, id, own, passkey, deps);
    return setCookies === null ? again("tooLarge") : again(undefined, setCookies);
  }
}

/** What the page of the set-up says about a passkey. */
export function passkeyOffer(
  open: InteractionContext,
  setUp: SetUp,
  { issuer }: Pick<Deps, "issuer">,
): PasskeyOffer {
  const { http, interaction } = open;
  const { domain, userHandle } = setUp;
  const sent = new URLSearchParams(http.query).get("passkey");
  const challenge = challengeOf(open, setUp);
  return {
    action: stepPath(interaction.id, "set-up-passkey"),
    options: registrationOptions({ issuer, challenge, userHandle, domain }),
    isMade: setUp.passkey !== undefined,
    problem: PROBLEMS.find((one) => one === sent),
  };
}

/** Of this interaction and this state of the set-up: a registration counts once, and in no other browser. */
function challengeOf({ interaction }: InteractionContext, { seed }: SetUp): string {
  return sha256(`set-up passkey ${interaction.id} ${interaction.grantId} ${seed}`);
}

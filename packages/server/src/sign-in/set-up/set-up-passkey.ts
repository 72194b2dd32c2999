// The passkey of a set-up: it is made before the record is published, so that the record names its key.

import type { HttpResponse } from "../../http/message.ts";
import { seeOther } from "../../http/responses.ts";
import { type StepContext, stepPath } from "../../interaction/interaction.ts";
import { formField } from "../../interaction/pending-request.ts";
import { sha256 } from "../../lib/random.ts";
import type { PasskeyOffer } from "../../pages/dns-setup.ts";
import type { NameIn } from "../../pages/messages.ts";
import { registrationOptions, verifyRegistration } from "../../passkeys/webauthn.ts";
import type { PasskeyStore } from "../../store/passkeys.ts";
import type { Events } from "../../telemetry/events.ts";
import type { SetUp, SetUps } from "./set-up.ts";

type Problem = NameIn<"newPasskeyProblems">;
type Context = StepContext<"dns-setup">;

const PROBLEMS: readonly Problem[] = ["missing", "failed", "tooLarge"];

export interface Deps {
  readonly issuer: string;
  readonly setUps: SetUps;
  readonly passkeys: PasskeyStore;
  readonly events: Events;
}

export type SetUpPasskeys = ReturnType<typeof createSetUpPasskeys>;

export function createSetUpPasskeys({ issuer, setUps, passkeys, events }: Deps) {
  return { addSetUpPasskey, offer };

  /** POST /interaction/:id/set-up-passkey, with the registration as JSON in `credential`. */
  async function addSetUpPasskey(open: Context): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const again = (problem?: Problem, cookies: readonly string[] = []) =>
      seeOther(`${stepPath(id, "dns-setup")}${problem ? `?passkey=${problem}` : ""}`, cookies);
    const own = await setUps.ofInteraction(http, id);
    // Its cookie is lost or it has expired: the page begins another.
    if (own === undefined) return again();
    const posted = await formField(http, "credential", request);
    if (posted === "") return again("missing");
    const result = await verifyRegistration(posted, { issuer, challenge: challengeOf(open, own) });
    if (result.outcome === "refused") {
      events.passkeyRefused({ domain, problem: result.problem });
      return again("failed");
    }
    const { credentialId, publicKey, thumbprint, counter, backedUp } = result;
    if ((await passkeys.findPasskey(credentialId)) !== null) {
      events.passkeyRefused({ domain, problem: "unknown" });
      return again("failed");
    }
    const passkey = { credentialId, publicKey, thumbprint, counter, backedUp };
    const setCookies = await setUps.addPasskey(http, id, own, passkey);
    return setCookies === null ? again("tooLarge") : again(undefined, setCookies);
  }

  /** What the page of the set-up says about a passkey. */
  function offer(open: Context, setUp: SetUp): PasskeyOffer {
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
}

/** Of this interaction and this state of the set-up: a registration counts once, and in no other browser. */
function challengeOf({ interaction }: Context, { seed }: SetUp): string {
  return sha256(`set-up passkey ${interaction.id} ${interaction.grantId} ${seed}`);
}

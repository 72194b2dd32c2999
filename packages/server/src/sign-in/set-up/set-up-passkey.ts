// The first step of a set-up, before its record is shown: a passkey, which the record will name, or none.

import type { Cookies } from "../../http/cookies.ts";
import type { HttpResponse } from "../../http/message.ts";
import { page, seeOther } from "../../http/responses.ts";
import { addressWithRequest, type StepContext, stepPath } from "../../interaction/interaction.ts";
import { formFields, pagesFor } from "../../interaction/pending-request.ts";
import { sha256 } from "../../lib/random.ts";
import { isWebView } from "../../lib/user-agent.ts";
import { shownMoment } from "../../pages/dates.ts";
import type { EarlierSetUp } from "../../pages/earlier-set-ups.ts";
import type { NameIn } from "../../pages/messages.ts";
import { setUpPasskeyPage } from "../../pages/set-up-passkey.ts";
import { registrationOptions, verifyRegistration } from "../../passkeys/webauthn.ts";
import type { PasskeyStore } from "../../store/passkeys.ts";
import type { Events } from "../../telemetry/events.ts";
import type { FormerAccounts } from "./former-record.ts";
import { isPasskeyAnswered, type SetUp, type SetUps } from "./set-up.ts";

export interface Deps {
  readonly issuer: string;
  readonly setUps: SetUps;
  readonly formerAccounts: FormerAccounts;
  readonly cookies: Cookies;
  readonly passkeys: PasskeyStore;
  readonly events: Events;
}

type PasskeyQuestionStep = StepContext<"dns-setup">;
type PasskeyProblem = NameIn<"newPasskeyProblems">;

const PASSKEY_PROBLEMS: readonly PasskeyProblem[] = ["missing", "failed", "tooLarge"];

export function createSetUpPasskey(deps: Deps) {
  const { issuer, setUps, formerAccounts, cookies, passkeys, events } = deps;
  return { showSetUpPasskey, answerSetUpPasskey };

  /** GET /interaction/:id/set-up-passkey */
  async function showSetUpPasskey(open: PasskeyQuestionStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const all = await setUps.read(http);
    const own = all.find(({ cookieName }) => cookieName === cookies.setUpName(id));
    const record = addressWithRequest(id, "dns-setup", request);
    // That page begins a set-up where there is none.
    if (own === undefined || isPasskeyAnswered(own)) return seeOther(record);
    const { userHandle } = own;
    const challenge = passkeyChallengeOf(open);
    const sent = new URLSearchParams(http.query).get("passkey");
    const isKnown = (await formerAccounts.knownToBrowser(http, domain)) !== null;
    const pages = pagesFor(http, request);
    const isShown = (one: SetUp) => one !== own && isPasskeyAnswered(one);
    const earlier = all.filter((one) => one.domain === domain && isShown(one));
    const props = {
      domain,
      // Who has published or sent the record of an earlier one needs no other passkey.
      earlier: shownEarlier(earlier, pages.lang),
      resumeAction: addressWithRequest(id, "resume", request),
      action: addressWithRequest(id, "set-up-passkey", request),
      options: registrationOptions({ issuer, challenge, userHandle, domain }),
      problem: PASSKEY_PROBLEMS.find((one) => one === sent),
      isWebView: isWebView(http.header("user-agent")),
      formerRecord: isKnown ? addressWithRequest(id, "former-record", request) : null,
      withoutScript: `${stepPath(id, "dns-setup")}?passkey=none&${request.query}`,
    };
    return page(200, setUpPasskeyPage(pages, props));
  }

  /** POST /interaction/:id/set-up-passkey, with the registration as JSON in `credential`, or with `without`. */
  async function answerSetUpPasskey(open: PasskeyQuestionStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const goOn = (cookies: readonly string[] = []) =>
      seeOther(addressWithRequest(id, "dns-setup", request), cookies);
    const again = (problem: PasskeyProblem) =>
      seeOther(`${stepPath(id, "set-up-passkey")}?passkey=${problem}&${request.query}`);
    const own = await setUps.ofInteraction(http, id);
    // Its cookie is lost or it has expired: the page begins another.
    if (own === undefined) return goOn();
    const fields = await formFields(http, request);
    if (fields.has("without")) {
      return goOn(isPasskeyAnswered(own) ? [] : await setUps.goWithoutPasskey(http, id, own));
    }
    const credential = fields.get("credential") ?? "";
    if (credential === "") return again("missing");
    const result = await verifyRegistration(credential, {
      issuer,
      challenge: passkeyChallengeOf(open),
    });
    if (result.outcome === "refused") {
      events.passkeyRefused({ domain, problem: result.problem });
      return again("failed");
    }
    const { passkey } = result;
    // The same answer of the authenticator a second time must not change the record that is shown.
    if (passkey.credentialId === own.passkey?.credentialId) return goOn();
    if ((await passkeys.findPasskey(passkey.credentialId)) !== null) {
      events.passkeyRefused({ domain, problem: "unknown" });
      return again("failed");
    }
    const setCookies = await setUps.addPasskey(http, id, own, passkey);
    return setCookies === null ? again("tooLarge") : goOn(setCookies);
  }
}

/**
 * The same for as long as the interaction lasts: an authenticator keeps only the last passkey of a set-up, so that the
 * last registration counts, whatever the set-up was when its page was opened.
 */
function passkeyChallengeOf({ interaction }: PasskeyQuestionStep): string {
  return sha256(`set-up passkey ${interaction.id} ${interaction.browserHash}`);
}

/** Set-ups of this browser that a page offers to resume. */
export function shownEarlier(setUps: readonly SetUp[], lang: string): readonly EarlierSetUp[] {
  return setUps.map(({ key, client, startedAt }) => {
    return { key, client, date: shownMoment(lang, startedAt) };
  });
}

// Tests of how much a person has to read in a set-up, in every language.

import { expect, test } from "vitest";
import { consentPage } from "./consent.ts";
import { dnsSetupPage } from "./dns-setup.ts";
import { contextIn, LANGUAGES } from "./languages.ts";
import type { Language } from "./messages.ts";
import { recordFoundPage } from "./record-found.ts";
import { recoveryCodesPage } from "./recovery-codes.ts";
import { setUpPasskeyPage } from "./set-up-passkey.ts";

const MAX_WORDS = 60;
const domain = "alice.com";

/** Of the page as a person sees it first: values to be copied are no words, nor is what is closed. */
function wordsOf(html: string): number {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? "";
  const text = main
    .replace(/<details[^>]*>\s*<summary>(.*?)<\/summary>.*?<\/details>/gs, " $1 ")
    .replace(/<(code|noscript).*?<\/\1>|<span class="visually-hidden">.*?<\/span>/gs, "")
    .replace(/<p[^>]* hidden>.*?<\/p>/gs, "")
    .replace(/<\/?(?:b|bdi|span|i)(?: [^>]*)?>/g, "")
    .replace(/<[^>]*>/g, " ");
  return (text.match(/[\p{L}\p{N}]\S*/gu) ?? []).length;
}

async function setUpIn(language: Language): Promise<Record<string, number>> {
  const client = { clientName: "Notes", clientHost: "notes.example", backToApp: "/back" };
  const context = { ...contextIn(language), client };
  const { t } = context;
  const steps = {
    "set-up-passkey": setUpPasskeyPage(context, {
      ...{ domain, action: "/", options: {}, isWebView: false },
      ...{ formerRecord: null, withoutScript: "/", earlier: [], resumeAction: "/" },
    }),
    "dns-setup": dnsSetupPage(context, {
      domain,
      record: { name: `_domain-signin.${domain}`, type: "TXT", value: "v=dsi1 …", ttl: 300 },
      panel: {
        ...{ name: "Cloudflare", link: "https://dash.example/", hostField: "Name" },
        ...{ addsZone: true, wantsQuotes: false },
      },
      ...{ action: "/", handOn: "/", formerRecord: "/", resumeAction: "/", startOverAction: "/" },
      ...{ earlier: [], autoCheck: { isOn: true, other: "/" } },
      result: t.explanation("looks-absent"),
    }),
    found: recordFoundPage(context, "passkey", {
      ...{ domain, finish: { action: "/", options: {} }, startOverAction: "/", setUp: "key" },
    }),
    "recovery-codes": recoveryCodesPage(context, {
      ...{ domain, codes: ["7fqk-29tm-xw4p-xd3h"], action: "/", query: "", hasPasskey: true },
    }),
    consent: consentPage(context, {
      ...{ domain, scopes: ["openid"], resources: [], action: "/", query: "" },
    }),
  };
  const counts = Object.entries(steps).map(async ([step, html]) => [
    step,
    wordsOf(`${await html}`),
  ]);
  return Object.fromEntries(await Promise.all(counts));
}

test.each([...LANGUAGES.values()])(
  "a step of the set-up has at most 60 words in $lang",
  async (language) => {
    const counts = await setUpIn(language);
    console.info(language.lang, JSON.stringify(counts));
    for (const [step, words] of Object.entries(counts)) {
      expect([step, words > 5, words <= MAX_WORDS || words]).toEqual([step, true, true]);
    }
  },
);

// Tests of the verdict on a domain: each outcome has one, in one sentence and in each language.

import { describe, expect, test } from "vitest";
import { someLook } from "../../test/support/some-look.ts";
import { BOGUS_CAUSES } from "../dns/bogus.ts";
import { DNS_FAILURE_REASONS } from "../dns/resolver.ts";
import type { SpRecordLook, SpRecordOutcome } from "../dns/sp-record.ts";
import { contextIn, ENGLISH, LANGUAGES } from "../pages/languages.ts";
import { verdictOn } from "./verdict.ts";

const DOMAIN = "alice.test";
const keys = { acct: "a".repeat(22), jkt: [], spk: [] };
const own = { outcome: "own", ...keys } as const;
const external = { outcome: "external", sp: "https://login.example.net/tenant", ...keys } as const;
const failed = (reason: "contradictory" | "unconfirmed" | (typeof DNS_FAILURE_REASONS)[number]) =>
  ({ outcome: "indeterminate", reason }) as const;
const bogus = (cause: (typeof BOGUS_CAUSES)[number]) =>
  ({ outcome: "bogus", cause, reason: "expired: alice.test" }) as const;

type Problem = SpRecordLook["records"][number]["problems"][number];

const invalid = (...problems: readonly Problem[]) =>
  someLook({ outcome: "invalid" }, { records: [{ value: "v=dsi1", problems }] });
const verdictIn = (look: SpRecordLook, language = ENGLISH) =>
  verdictOn(contextIn(language), look, DOMAIN).summary;

/** Each outcome, so that a new one cannot be forgotten; some have several verdicts. */
const VERDICTS: Readonly<
  Record<SpRecordOutcome["outcome"], readonly (readonly [SpRecordOutcome, string])[]>
> = {
  own: [[own, "alice.test can sign in here."]],
  external: [[external, "alice.test signs in through login.example.net."]],
  absent: [[{ outcome: "absent" }, "alice.test has no sign-in record yet."]],
  unregistered: [[{ outcome: "unregistered" }, "alice.test is not a registered domain."]],
  disabled: [[{ outcome: "disabled" }, "Sign-in as alice.test is turned off."]],
  invalid: [[{ outcome: "invalid" }, "The sign-in record for alice.test contains an error."]],
  ambiguous: [[{ outcome: "ambiguous" }, "alice.test has more than one sign-in record."]],
  unsupported: [
    [
      { outcome: "unsupported" },
      "The sign-in record for alice.test has a version that this service does not support.",
    ],
  ],
  alias_invalid: [
    [
      { outcome: "alias_invalid", target: "www.alice.test" },
      "The sign-in record for alice.test is an alias of a name that is not meant for sign-in.",
    ],
  ],
  not_permitted: [
    [{ outcome: "not_permitted", reason: "unsigned" }, "You cannot sign in here as alice.test."],
    [
      { outcome: "not_permitted", reason: "unsupported_dnssec" },
      "alice.test is signed in a way that we cannot check.",
    ],
  ],
  indeterminate: [
    [failed("contradictory"), "DNS servers disagree about alice.test."],
    [failed("unconfirmed"), "We could not confirm the DNS answer for alice.test."],
    [failed("timeout"), "The DNS servers for alice.test did not answer."],
    [failed("busy"), "Our service is busy, so we could not look up alice.test."],
  ],
  bogus: [
    [bogus("validation_failed"), "DNSSEC validation failed for alice.test."],
    [bogus("was_signed"), "alice.test is no longer signed with DNSSEC."],
  ],
};

describe("the verdict in one sentence", () => {
  test.each(
    Object.entries(VERDICTS).flatMap(([outcome, all]) =>
      all.map(([found, sentence]) => [outcome, sentence, found] as const),
    ),
  )("on %s is: %s", (_, sentence, found) => {
    expect(verdictIn(someLook(found))).toBe(sentence);
  });

  test.each<[Problem, string]>([
    [{ code: "missing_acct" }, "the tag acct is missing"],
    [{ code: "missing_sp" }, "the tag sp is missing"],
    [{ code: "bad_sp", about: "no_url" }, "sp must be a URL that begins with https://"],
    [{ code: "wildcard" }, "a wildcard record (*) does not count"],
    // What is quoted may contain anything.
    [
      { code: "malformed_tag", about: "sp: x. y" },
      '"sp: x. y" is not of the form name=value, without spaces',
    ],
  ])("on a record with the problem %o names it", (problem, clause) => {
    const sentence = `The record of alice.test is not valid: ${clause}.`;
    expect(verdictIn(invalid(problem, { code: "bad_spk" }))).toBe(sentence);
  });

  const looks = [
    ...Object.values(VERDICTS).flatMap((all) => all.map(([found]) => someLook(found))),
    ...BOGUS_CAUSES.map((cause) => someLook(bogus(cause))),
    ...DNS_FAILURE_REASONS.map((reason) => someLook(failed(reason))),
    invalid({ code: "missing_acct" }),
    invalid({ code: "missing_sp" }),
    invalid({ code: "wildcard" }),
    invalid({ code: "key_in_both" }),
    invalid({ code: "malformed_tag", about: "sp: x. y" }),
  ];

  test.each([...LANGUAGES.values()])(
    "is one sentence in $lang, which names the domain",
    (language) => {
      for (const look of looks) {
        const sentence = verdictIn(look, language);
        expect(sentence).toContain(DOMAIN);
        expect(sentence.replace("sp: x. y", "").match(/[.?!](?=\s|$)/g)).toEqual(["."]);
        expect(sentence).toMatch(/[^.\s]\.$/);
      }
    },
  );

  test("goes on after the colon as the language does", () => {
    const inLanguage = (lang: string) => {
      const { dir } = LANGUAGES.get(lang) ?? ENGLISH;
      return verdictIn(invalid({ code: "missing_acct" }), { lang, dir });
    };
    expect(inLanguage("de")).toBe(
      "Der Eintrag von alice.test ist nicht gültig: Die Angabe acct fehlt.",
    );
    expect(inLanguage("fr")).toBe(
      "L’enregistrement du domaine alice.test n’est pas valide : l’élément acct manque.",
    );
  });
});

test("beside the verdict stands what to do", () => {
  const detailsOf = (look: SpRecordLook) => verdictOn(contextIn(ENGLISH), look, DOMAIN).details;
  expect(detailsOf(someLook({ outcome: "absent" }))).toEqual([
    "You get one when you first sign in to an app with it.",
  ]);
  expect(detailsOf(invalid({ code: "missing_acct" }))).toEqual([
    "Correct it in your DNS settings.",
  ]);
  expect(detailsOf(someLook(external))).toEqual([
    "Its record is valid. This check does not contact login.example.net.",
  ]);
});

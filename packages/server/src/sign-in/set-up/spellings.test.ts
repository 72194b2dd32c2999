// Tests of what becomes of a record as panels store it, over real DNS packets: accepted, or what the page says.

import { afterEach, describe, expect, test } from "vitest";
import { startDiagnosedZone } from "../../../test/support/diagnosed-zone.ts";
import {
  EARLIER_ACCT,
  SPELLING_ACCT,
  SPELLING_ISSUER,
  SPELLINGS,
  type Spelling,
} from "../../../test/support/spellings.ts";
import { SERVICE } from "../../lib/fair-queue.ts";
import { english } from "../../pages/languages.ts";
import { checkStatus } from "../../pages/notice.ts";
import { describeCheck } from "../lookup-notice.ts";

let close = () => {};
afterEach(() => close());

/** What the set-up page does after "check now". */
async function check({ domain, wanted, published, isRegistered }: Spelling) {
  const zone = await startDiagnosedZone({ issuer: SPELLING_ISSUER, isRegistered });
  close = zone.close;
  zone.records.push(...published);
  const asked = { freshness: "now", from: SERVICE, earlier: [EARLIER_ACCT] } as const;
  const diagnosing = zone.look(domain, wanted, asked);
  const look = await zone.lookForRecord(domain, wanted);
  const diagnosis = await diagnosing;
  const result = describeCheck(english(), { look, diagnosis, domain });
  return { look, diagnosis, html: String(await checkStatus(english(), result, undefined)), result };
}

const MINIMUM = 30;

test("there are at least thirty spellings, no two of them the same", () => {
  expect(SPELLINGS.length).toBeGreaterThanOrEqual(MINIMUM);
  expect(new Set(SPELLINGS.map(({ spelling }) => spelling)).size).toBe(SPELLINGS.length);
});

describe("a record that is published", () => {
  const accepted = SPELLINGS.filter(({ says }) => says === null);
  test.each(accepted.map((one) => [one.spelling, one] as const))(
    "%s is accepted",
    async (_, one) => {
      const { look, diagnosis } = await check(one);
      expect(look).toMatchObject({ outcome: "own", acct: SPELLING_ACCT });
      expect([diagnosis.zone, diagnosis.mistake]).toEqual(["seen", null]);
    },
  );

  const others = SPELLINGS.filter(({ says }) => says !== null);
  test.each(others.map((one) => [one.spelling, one] as const))(
    "%s is not accepted, and the page says why",
    async (_, one) => {
      const { look, html, result } = await check(one);
      expect(look.outcome === "own" && look.acct === SPELLING_ACCT).toBe(false);
      const { summary, details = [], records = [] } = result;
      const sentences = [summary, ...details, ...records.flatMap(({ problems }) => problems)];
      expect(sentences.join(" ")).toBe(one.says);
      const shown = html.replaceAll("&quot;", '"').replaceAll("&#39;", "'");
      for (const sentence of sentences) expect(shown).toContain(sentence);
    },
  );
});

describe("what differs is marked", () => {
  test.each([
    ["one letter wrong", "bq2<mark>w</mark>S1n"],
    ["upper-case tags", "<mark>SP</mark>="],
    ["in curly quotation marks", "<mark>“</mark>v=dsi1"],
    ["a slash after the service", "auth.example.com<mark>/</mark>"],
    ["without its spaces", "dsi<mark>1s</mark>p="],
    ["a space inside", "bq2<mark> </mark>v"],
  ])("in the value %s", async (spelling, marked) => {
    const [one] = SPELLINGS.filter((row) => row.spelling === spelling);
    if (one === undefined) throw new Error(`There is no spelling "${spelling}".`);
    const { html } = await check(one);
    expect(html).toContain(marked);
    // In the list of what was found, and in the answer of the name server.
    expect(html.split("<mark>").length).toBeGreaterThan(2);
  });

  test("but not in records of others", async () => {
    const [one] = SPELLINGS.filter(({ spelling }) => spelling === "another TXT record");
    if (one === undefined) throw new Error("There is no such spelling.");
    const { html } = await check(one);
    expect(html).toContain("v=spf1 -all");
    expect(html).not.toContain("<mark>");
  });
});

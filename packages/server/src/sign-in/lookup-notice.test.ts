// Tests of what the pages say about the result of a check in DNS.

import { describe, expect, it } from "vitest";
import type { Diagnosis } from "../dns/diagnosis.ts";
import type { SpRecordLook } from "../dns/sp-record.ts";
import { LANGUAGES } from "../pages/languages.ts";
import { createTranslate } from "../pages/messages.ts";
import { describeCheck } from "./lookup-notice.ts";

const domain = "ann.alice.test";
const name = `_domain-signin.${domain}`;
const look: SpRecordLook = {
  ...{ name, checkedAt: 0, assurance: "single", records: [] },
  ...{ resolvers: 1, proof: null, inception: null, outcome: "absent" },
};
const diagnosis: Diagnosis = {
  ...{ name, wanted: null, checkedAt: 0, asked: [], mistake: null },
  ...{ zone: "unseen", panel: null, wildcard: null },
};

describe.each([...LANGUAGES.values()])("in $lang", (language) => {
  const t = createTranslate(language);

  it("a wildcard that no longer covers the domain is named after what was found", () => {
    const without = describeCheck(t, { look, diagnosis, domain });
    const withIt = { ...diagnosis, wildcard: "*.alice.test" };
    const { details = [], summary } = describeCheck(t, { look, diagnosis: withIt, domain });
    expect(summary).toBe(without.summary);
    expect(details.slice(0, -1)).toEqual(without.details);
    expect(details.at(-1)).toContain("*.alice.test");
    expect(details.at(-1)).toContain(domain);
  });
});

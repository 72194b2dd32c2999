// Tests of the assurance that a record needs where DNS decides, and of what agreeing answers share.

import { beforeEach, describe, expect, it, test } from "vitest";
import { LOOK_CACHED, LOOK_NOW, turns } from "../../test/support/looks-for.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import type { AcceptedAnswer, AcceptedRecord } from "../store/remembered.ts";
import { ASSURANCES, type Assurance } from "./assurance.ts";
import type { AssuredLook } from "./assured-look.ts";
import { NOTHING_REMEMBERED } from "./looks.ts";
import type { Failed } from "./majority.ts";
import { createSpRecords, failureOf, type SpRecords } from "./sp-record.ts";
import type { Found } from "./view.ts";

const issuer = "https://auth.example.com";
const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const own = `v=dsi1 sp=${issuer} acct=${acct}`;
const external = own.replace("auth.", "other.");
const chal = "c".repeat(22);
const answer = `v=dsi1-chal sp=${issuer} chal=${chal}`;
const proof = { chain: Uint8Array.of(1), notBefore: 1, notAfter: 2 };
const INCEPTION = 900;
const SIGNATURE = { inception: INCEPTION, expiration: 2_000_000 };
const [keyA, keyB, keyC] = ["a".repeat(43), "b".repeat(43), "c".repeat(43)];

/** What the agreeing resolvers found, or why the look failed. */
let seen: { readonly assurance: Assurance; readonly answers: readonly Found[] } | Failed;
/** What was to be compared with: of each look the domain, the label and what was accepted before. */
let asked: unknown[];
let accepted: AcceptedRecord | null;
let noted: AcceptedAnswer[];

beforeEach(() => {
  asked = [];
  accepted = null;
  noted = [];
});

const lookUp: AssuredLook = async ({ domain, label, read, accepted }) => {
  asked.push([domain, label, accepted]);
  if ("outcome" in seen) return seen;
  const { assurance } = seen;
  const [first, ...others] = seen.answers.map((found) => ({
    ...(assurance === "secure"
      ? ({ security: "secure", found, proof, ...SIGNATURE } as const)
      : ({ security: "insecure", found, insecureZone: domain, insecureName: domain } as const)),
    ...read(found),
  }));
  if (first === undefined) throw new Error("no answer");
  return { outcome: "agreed", assurance, answers: [first, ...others] };
};

/** The records as `look` finds them. */
function spRecordsFor(minAssurance: Assurance, look: AssuredLook = lookUp): SpRecords {
  return createSpRecords({
    ...{ lookUp: look, turns, minAssurance, issuer },
    rememberedOf: async () => ({ ...NOTHING_REMEMBERED, accepted }),
    noteAccepted: async (answer) => void noted.push(answer),
    clock: clockFrom(() => 1_000_000),
  });
}
const decide = (minAssurance: Assurance) =>
  spRecordsFor(minAssurance).lookToDecide("alice.test", LOOK_NOW);

function found(...values: string[]): Found {
  return { values, aliasTarget: null, isWildcard: false, ttl: 300 };
}

/** Two resolvers say the same. */
function values(assurance: Assurance, ...said: string[]): typeof seen {
  return { assurance, answers: [found(...said), found(...said)] };
}

/** The levels, each with the outcome of a record with `assurance` where `minAssurance` is needed. */
const table = ASSURANCES.flatMap((minAssurance, needed) =>
  ASSURANCES.map((assurance, level) => {
    const tooLow =
      minAssurance === "secure" ? "not_permitted unsigned" : "indeterminate unconfirmed";
    return { minAssurance, assurance, tooLow: level < needed ? tooLow : null };
  }),
);

function inWords(look: { outcome: string; reason?: string }): string {
  return [look.outcome, look.reason].filter(Boolean).join(" ");
}

describe("a look that decides", () => {
  test.each(table)("needs $minAssurance, has $assurance: $tooLow", async (row) => {
    const { minAssurance, assurance, tooLow } = row;
    for (const [outcome, record] of Object.entries({ own, external })) {
      seen = values(assurance, record);
      const look = await decide(minAssurance);
      expect(inWords(look)).toBe(tooLow ?? outcome);
      expect(look).toMatchObject({ assurance, resolvers: 2, records: [{ value: record }] });
      expect(look.proof).toEqual(assurance === "secure" ? proof : null);
      expect(look.inception).toBe(assurance === "secure" ? INCEPTION : null);
      if (tooLow === null) continue;
      // An account cannot be taken from what is not enough.
      expect(look).not.toHaveProperty("acct");
      expect(look).not.toHaveProperty("jkt");
      expect(failureOf(look)).toBe(minAssurance === "secure" ? null : "unconfirmed");
    }
  });

  it.each([
    [["v=dsi1 sp=none"], "disabled"],
    [["v=dsi1 sp=what"], "invalid"],
    [[own, external], "ambiguous"],
    [["v=dsi2"], "unsupported"],
  ])("says what %j is, %s, with any assurance: nobody gets in by it", async (said, outcome) => {
    seen = values("single", ...said);
    for (const level of ASSURANCES) {
      expect((await decide(level)).outcome).toBe(outcome);
    }
  });

  it("gives a remembered record no more assurance than it had", async () => {
    seen = values("single", own);
    const spRecords = spRecordsFor("corroborated");
    expect((await spRecords.look("alice.test", LOOK_CACHED)).outcome).toBe("own");
    const decided = await spRecords.lookToDecide("alice.test", LOOK_CACHED);
    expect(inWords(decided)).toBe("indeterminate unconfirmed");
    expect(asked).toHaveLength(1);
  });

  it("is over for a domain without a record that is not secure, where only signed zones may sign in", async () => {
    const outcome = async (assurance: Assurance, minAssurance: Assurance) => {
      seen = values(assurance);
      return inWords(await decide(minAssurance));
    };
    expect(await outcome("secure", "secure")).toBe("absent");
    expect(await outcome("corroborated", "secure")).toBe("not_permitted unsigned");
    expect(await outcome("corroborated", "corroborated")).toBe("absent");
    expect(await outcome("single", "single")).toBe("absent");
  });

  it("distinguishes resolvers that do not agree from those that fail", async () => {
    for (const [reason, failure] of [
      ["contradictory", "contradictory"],
      ["unconfirmed", "unconfirmed"],
      ["timeout", "indeterminate"],
    ] as const) {
      seen = { outcome: "indeterminate", reason };
      const spRecords = spRecordsFor("corroborated");
      const look = await spRecords.lookToDecide("alice.test", LOOK_NOW);
      expect(look).toMatchObject({ outcome: "indeterminate", reason, records: [], resolvers: 0 });
      expect(failureOf(look)).toBe(failure);
      expect(failureOf(await spRecords.lookForChallenge("alice.test", chal, SERVICE))).toBe(
        failure,
      );
    }
    seen = { outcome: "bogus", cause: "validation_failed", reason: "expired" };
    const bogus = await decide("corroborated");
    expect([inWords(bogus), failureOf(bogus)]).toEqual(["bogus expired", "validation_failed"]);
  });

  it("is compared with what was accepted before for the domain, and a challenge with nothing", async () => {
    seen = values("secure", own);
    accepted = { key: "earlier", inception: 800 };
    const spRecords = spRecordsFor("corroborated");
    await spRecords.lookToDecide("alice.test", LOOK_NOW);
    await spRecords.lookForChallenge("alice.test", chal, SERVICE);
    expect(asked).toEqual([
      ["alice.test", "_domain-signin", accepted],
      ["alice.test", "_domain-signin-challenge", null],
    ]);
  });
});

describe("what a look accepted", () => {
  const key = JSON.stringify(["own", null, acct]);
  const gone = JSON.stringify(["absent", null, null]);
  const disabled = JSON.stringify(["disabled", null, null]);
  function note(of: string) {
    return { domain: "alice.test", checkedAt: 1000, key: of, spk: "", ...SIGNATURE };
  }
  const secure = (...said: string[]) => values("secure", ...said);
  const signed = secure(own);
  const unsigned = values("corroborated", own);

  it.each<[string, typeof seen, AcceptedRecord | null, string | null]>([
    ["is noted the first time", signed, null, key],
    ["is noted if it is absent", secure(), null, gone],
    ["is noted if it is sp=none", secure("v=dsi1 sp=none"), null, disabled],
    ["is not noted without signatures", unsigned, null, null],
    ["is not noted again", signed, { key, inception: 900 }, null],
    ["is not noted each time it is signed", signed, { key, inception: 899 }, null],
    ["is noted when it was signed anew an hour later", signed, { key, inception: 900 - 3600 }, key],
    [
      "does not give way to an older signature of the same data",
      signed,
      { key, inception: 90_000 },
      null,
    ],
    [
      "gives way to other data with the same inception: some zones sign for a week at once",
      signed,
      { key: gone, inception: 900 },
      key,
    ],
    [
      "gives way to other data of a signer whose inceptions are days older, once all agree",
      signed,
      { key: gone, inception: 900 + 3 * 86_400 },
      key,
    ],
  ])("%s", async (_, says, before, expected) => {
    [seen, accepted] = [says, before];
    await spRecordsFor("corroborated").look("alice.test", LOOK_NOW);
    expect(noted).toEqual(expected === null ? [] : [note(expected)]);
  });

  it("is noted at once when the provider's keys in the record changed", async () => {
    const spk = `${keyA},${keyB}`;
    seen = values("secure", `${own} spk=${spk}`);
    for (const before of [null, "", keyA, spk]) {
      accepted = { key, inception: 900, spk: before };
      await spRecordsFor("corroborated").look("alice.test", LOOK_NOW);
    }
    expect(noted).toEqual(Array(3).fill({ ...note(key), spk }));
  });

  it("is not noted when the look fails, nor for a challenge", async () => {
    seen = { outcome: "indeterminate", reason: "contradictory" };
    await spRecordsFor("corroborated").look("alice.test", LOOK_NOW);
    seen = values("secure", answer);
    await spRecordsFor("corroborated").lookForChallenge("alice.test", chal, SERVICE);
    expect(noted).toEqual([]);
  });
});

test("whether the domain is registered is asked only for its record, with an account or without", async () => {
  const may: unknown[] = [];
  for (const known of [null, { key: "earlier", inception: 800 }]) {
    accepted = known;
    const spRecords = spRecordsFor("single", async ({ mayBeUnregistered }) => {
      may.push(mayBeUnregistered);
      return { outcome: "indeterminate", reason: "timeout" };
    });
    await spRecords.look("alice.test", LOOK_NOW);
    await spRecords.lookForChallenge("alice.test", chal, SERVICE);
  }
  expect(may).toEqual([true, undefined, true, undefined]);
});

describe("answers that agree", () => {
  /** Of each answer the key; equal keys agree. */
  async function keysOf(...answers: readonly Found[]): Promise<string[]> {
    let keys: string[] = [];
    const spRecords = spRecordsFor("single", async ({ read }) => {
      keys = answers.map((one) => read(one).key);
      return { outcome: "indeterminate", reason: "timeout" };
    });
    await spRecords.look("alice.test", LOOK_NOW);
    return keys;
  }

  it("have the same outcome, sp and acct, whatever else they contain", async () => {
    const withKey = found("v=spf1 -all", `${own} jkt=${keyA}`);
    const keys = await keysOf(found(own), withKey, found(`${own} x=y`));
    expect(new Set(keys).size).toBe(1);
  });

  it("do not otherwise", async () => {
    const answers = [
      ...[found(own), found(external), found(own.replace(acct, "A".repeat(22))), found()],
      ...[found("v=dsi1 sp=none"), found("v=dsi1 sp=what"), found(own, external)],
      ...[found("v=dsi2"), { ...found(), aliasTarget: "web.test" }],
    ];
    expect(new Set(await keysOf(...answers)).size).toBe(answers.length);
  });

  it("count with the keys that all of them have", async () => {
    for (const tag of ["jkt", "spk"] as const) {
      const said = (...keys: string[]) => found(`${own}; ${tag}=${keys.join(",")}`);
      const shared = async (...answers: readonly Found[]) => {
        seen = { assurance: "corroborated", answers };
        const look = await decide("corroborated");
        return "jkt" in look ? look[tag] : null;
      };
      expect(await shared(said(keyA, keyB), said(keyB, keyA))).toEqual([keyA, keyB]);
      expect(await shared(said(keyA, keyB), said(keyB, keyC))).toEqual([keyB]);
      expect(await shared(said(keyA), said(keyA), found(own))).toEqual([]);
    }
  });
});

describe("a value from a wildcard", () => {
  const wildcard = (...said: string[]): Found => ({ ...found(...said), isWildcard: true });

  it("is no record: ours is invalid, any other is absent", async () => {
    seen = { assurance: "secure", answers: [wildcard(own)] };
    const invalid = await decide("single");
    const records = [{ value: own, problems: [{ code: "wildcard" }] }];
    expect(invalid).toMatchObject({ outcome: "invalid", records });
    expect(invalid).not.toHaveProperty("acct");
    seen = { assurance: "secure", answers: [wildcard("v=spf1 -all")] };
    expect((await decide("single")).outcome).toBe("absent");
  });

  it("answers no challenge", async () => {
    seen = { assurance: "secure", answers: [wildcard(answer)] };
    const look = await spRecordsFor("single").lookForChallenge("alice.test", chal, SERVICE);
    expect(look.outcome).toBe("not_seen");
  });
});

describe("a look for the answer to a challenge", () => {
  test.each(table)("needs $minAssurance, has $assurance: $tooLow", async (row) => {
    const { minAssurance, assurance, tooLow } = row;
    seen = values(assurance, "something else", answer);
    const look = await spRecordsFor(minAssurance).lookForChallenge("alice.test", chal, SERVICE);
    expect(inWords(look)).toBe(tooLow ?? "seen");
  });

  it("shows what is there instead, with any assurance", async () => {
    seen = values("single", "something else");
    const look = await spRecordsFor("secure").lookForChallenge("alice.test", chal, SERVICE);
    expect(look).toMatchObject({ outcome: "not_seen", records: [{ value: "something else" }] });
  });
});

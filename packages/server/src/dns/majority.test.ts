// Tests of the verdict of several resolvers, with a model that is written differently from the code.

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AcceptedRecord } from "../store/remembered.ts";
import { judge, type MajorityVerdict, type Rules, type Vote } from "./majority.ts";
import type { Unusable } from "./record-source.ts";

type Said = Vote | Unusable;

function secure(key: string, inception = 100): Said {
  return { security: "secure", key, inception };
}
function insecure(key: string): Said {
  return { security: "insecure", key };
}
const cause = "validation_failed";
const bogus: Said = { security: "bogus", cause, reason: "DNSSEC Bogus" };
const silent: Said = { security: "indeterminate", reason: "timeout" };

const TWO: Rules = { needed: 2, accepted: null };
const all = { pending: 0, unasked: 0 };

function inWords(verdict: MajorityVerdict<Vote> | null): string {
  if (verdict?.outcome !== "agreed") return failureWords(verdict);
  const [{ security, key }] = verdict.answers;
  return `${security} ${key} by ${verdict.answers.length}`;
}

function failureWords(
  failed: Exclude<MajorityVerdict<Vote>, { outcome: "agreed" }> | null,
): string {
  if (failed?.outcome !== "indeterminate") return failed?.outcome ?? "ask more";
  const { reason } = failed;
  return reason === "contradictory" || reason === "unconfirmed" ? reason : "indeterminate";
}

describe("three resolvers that have all answered", () => {
  test.each<[string, Said, Said, Said]>([
    ["secure a by 3", secure("a"), secure("a"), secure("a")],
    ["secure a by 2", secure("a"), secure("a"), secure("b")],
    ["secure a by 2", secure("a"), secure("a"), bogus],
    ["secure a by 2", secure("a"), secure("a"), silent],
    ["secure a by 2", secure("a"), secure("a"), insecure("b")],
    ["insecure a by 2", insecure("a"), insecure("a"), insecure("b")],
    ["insecure a by 2", insecure("a"), insecure("a"), bogus],
    // A proof beats any number of answers without one, but one source alone does not decide.
    ["unconfirmed", secure("a"), insecure("b"), insecure("b")],
    ["unconfirmed", secure("a"), silent, silent],
    ["contradictory", secure("a"), bogus, bogus],
    ["contradictory", secure("a"), secure("b"), secure("c")],
    ["contradictory", secure("a"), secure("b"), silent],
    ["contradictory", insecure("a"), insecure("b"), bogus],
    ["bogus", bogus, bogus, bogus],
    ["bogus", bogus, silent, silent],
    ["indeterminate", silent, silent, silent],
  ])("say %s", (words, ...voices) => {
    expect(inWords(judge(voices, TWO, all))).toBe(words);
  });
});

describe("an answer with an older signature than the accepted one", () => {
  const accepted: AcceptedRecord = { key: "new", inception: 100 };
  const rules: Rules = { needed: 2, accepted };
  const old = secure("old", 99);
  test.each<[string, readonly Said[]]>([
    ["contradictory", [old, old, secure("new")]],
    // "Bogus" is no answer, and one voice must not veto.
    ["secure old by 2", [old, old, bogus]],
    ["contradictory", [old, bogus, bogus]],
    ["secure old by 3", [old, old, old]],
    ["secure old by 2", [old, old, silent]],
    ["unconfirmed", [old, silent, silent]],
    // The same data: its signature does not matter.
    ["secure new by 2", [secure("new", 1), secure("new", 1), silent]],
    // Two sources say it with a signature that is new enough.
    ["secure old by 3", [old, secure("old", 100), secure("old", 101)]],
    ["contradictory", [old, secure("old", 100), secure("new")]],
  ])("is %s", (words, voices) => {
    expect(inWords(judge(voices, rules, all))).toBe(words);
  });

  it("waits for all sources", () => {
    expect(judge([old, old], rules, { pending: 0, unasked: 1 })).toBe(null);
    expect(judge([old, old], rules, { pending: 1, unasked: 0 })).toBe(null);
  });
});

describe("with one configured resolver", () => {
  const rules: Rules = { needed: 1, accepted: null };
  test.each<[string, Said]>([
    ["secure a by 1", secure("a")],
    ["insecure a by 1", insecure("a")],
    ["bogus", bogus],
    ["indeterminate", silent],
  ])("its word is enough: %s", (words, voice) => {
    expect(inWords(judge([voice], rules, all))).toBe(words);
  });
});

const voices = fc.array(
  fc.oneof(
    fc
      .record({ key: fc.constantFrom("a", "b"), inception: fc.integer({ min: 98, max: 102 }) })
      .map(({ key, inception }) => secure(key, inception)),
    fc.constantFrom("a", "b").map(insecure),
    fc.constantFrom(bogus, silent),
  ),
  { minLength: 1, maxLength: 5 },
);
const rulesFor = fc.record({
  needed: fc.constantFrom(1, 2),
  accepted: fc.option(fc.record({ key: fc.constantFrom("a", "b"), inception: fc.constant(100) })),
});

/** The rules of the design, told as a count of votes. */
function model(said: readonly Said[], { needed, accepted }: Rules): string {
  const isProven = said.some((voice) => voice.security === "secure");
  const votes = new Map<string, Said[]>();
  for (const voice of said) {
    if (voice.security === "indeterminate") continue;
    if (voice.security === "insecure" && isProven) continue;
    const key = voice.security === "bogus" ? "bogus" : voice.key;
    votes.set(key, [...(votes.get(key) ?? []), voice]);
  }
  const total = [...votes.values()].flat().length;
  for (const [key, group] of votes) {
    if (key === "bogus") continue;
    const others = total - group.length;
    const since = accepted?.inception ?? 0;
    const isFresh = (voice: Said) => !("inception" in voice) || (voice.inception ?? since) >= since;
    const fresh = group.filter(isFresh).length;
    const mayBeReplayed = accepted !== null && accepted.key !== key && fresh < needed;
    const answers = total - (votes.get("bogus")?.length ?? 0);
    const isVetoed = mayBeReplayed && answers > group.length;
    const wins = group.length >= needed && group.length > others && !isVetoed;
    if (wins) return `agreed ${key}`;
  }
  const keys = [...votes.keys()];
  if (keys.length > 1) return "contradictory";
  if (keys[0] === "bogus") return "bogus";
  return keys.length === 1 ? "unconfirmed" : "indeterminate";
}

function modelWords(verdict: MajorityVerdict<Vote> | null): string {
  if (verdict?.outcome === "agreed") return `agreed ${verdict.answers[0].key}`;
  return failureWords(verdict);
}

test("the cause that says most is told, whichever comes first", () => {
  const dname: Said = { security: "bogus", cause: "dname", reason: "dname: x" };
  const extendedError = { code: 15, name: "Blocked", kind: "blocked" } as const;
  const blocked: Said = { security: "indeterminate", reason: "blocked", extendedError };
  const told = [bogus, dname, silent];
  for (const voices of [told, told.toReversed()]) {
    const expected = { outcome: "bogus", cause: "dname", reason: "dname: x" };
    expect(judge(voices, TWO, all)).toEqual(expected);
  }
  const failed = [silent, blocked];
  for (const voices of [failed, failed.toReversed()]) {
    const expected = { outcome: "indeterminate", reason: "blocked", extendedError };
    expect(judge(voices, TWO, all)).toEqual(expected);
  }
});

describe("any voices", () => {
  it("are judged as the model says", () => {
    fc.assert(
      fc.property(voices, rulesFor, (said, rules) => {
        expect(modelWords(judge(said, rules, all))).toBe(model(said, rules));
      }),
      { numRuns: 3000 },
    );
  });

  it("are judged the same in every order of arrival, and never differently while some are missing", () => {
    fc.assert(
      fc.property(voices, rulesFor, fc.infiniteStream(fc.nat()), (said, rules, numbers) => {
        const order = said
          .map((voice) => ({ voice, at: numbers.next().value ?? 0 }))
          .sort((one, other) => one.at - other.at)
          .map(({ voice }) => voice);
        const final = modelWords(judge(said, rules, all));
        for (let count = 0; count <= order.length; count++) {
          const pending = order.length - count;
          const early = judge(order.slice(0, count), rules, { pending, unasked: 0 });
          if (early) expect(modelWords(early)).toBe(final);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

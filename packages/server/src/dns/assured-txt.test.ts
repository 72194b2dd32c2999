// Tests of what several resolvers' words come to, and of who is asked when, with resolvers made up here.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { classIn, encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import type { Assurance } from "./assurance.ts";
import { type AssuredTxt, createAssuredLook, type Source, verdictOf } from "./assured-txt.ts";
import type { Chains } from "./chain.ts";
import type { DnsAnswer } from "./resolver.ts";
import type { View } from "./view.ts";

const label = "_domain-signin";
const name = `${label}.alice.test`;
const proof = { chain: Uint8Array.of(1), notBefore: 1, notAfter: 2 };

function values(...said: string[]): View & { kind: "unsigned" } {
  const txt = { outcome: "values", values: said, ttl: 60, answers: [] } as const;
  return { kind: "unsigned", txt, isAliasSigned: false };
}
const alias: View = {
  kind: "unsigned",
  txt: { outcome: "alias_invalid", target: "web.test", ttl: 60 },
  isAliasSigned: false,
};
const secure = (said: string): View => ({ kind: "secure", txt: values(said).txt, proof });
const bogus: View = { kind: "failed", txt: { outcome: "bogus", reason: "expired" } };
const failed: View = { kind: "failed", txt: { outcome: "unavailable", reason: "timeout" } };
const [a, b, c, none] = [values("a"), values("b"), values("c"), values()];

function inWords(verdict: AssuredTxt | null): string {
  if (verdict === null) return "wait";
  const { txt, assurance, resolvers } = verdict;
  switch (txt.outcome) {
    case "values":
      return `${txt.values.join("+") || "nothing"}, ${assurance} by ${resolvers}`;
    case "alias_invalid":
      return `alias of ${txt.target}, ${assurance} by ${resolvers}`;
    default:
      return `${txt.outcome}: ${txt.reason}`;
  }
}

describe("of three resolvers, where two must agree", () => {
  test.each<[string, string, readonly View[]]>([
    ["nobody has spoken", "wait", []],
    ["one has spoken", "wait", [a]],
    ["one says that nothing is there", "wait", [none]],
    ["one failed", "wait", [failed]],
    ["one found bogus signatures", "wait", [bogus]],
    ["one has signatures", "a, secure by 1", [secure("a")]],
    ["two contradict each other", "wait", [a, b]],
    ["two agree", "a, corroborated by 2", [a, a]],
    ["two say that nothing is there", "nothing, corroborated by 2", [none, none]],
    ["two say that it leads away", "alias of web.test, corroborated by 2", [alias, alias]],
    ["two agree, in another order", "a+b, corroborated by 2", [values("a", "b"), values("b", "a")]],
    ["one has a value more", "wait", [a, values("a", "b")]],
    ["one joins two values into one", "wait", [values("a", "b"), values('a","b')]],
    ["an alias looks like a value", "wait", [alias, values("web.test")]],
    ["two agree after a failure", "a, corroborated by 2", [failed, a, a]],
    ["two agree against one", "a, corroborated by 2", [b, a, a]],
    ["all agree", "a, corroborated by 3", [a, a, a]],
    ["each says something else", "unavailable: disagreement", [a, b, c]],
    ["two contradict each other, one failed", "unavailable: disagreement", [a, failed, b]],
    ["one finds it, one nothing, one failed", "unavailable: disagreement", [a, none, failed]],
    ["one speaks, two failed", "a, single by 1", [failed, a, failed]],
    ["all failed", "unavailable: timeout", [failed, failed, failed]],
    ["one found bogus, two agree after it", "bogus: expired", [bogus, a, a]],
    ["one found bogus, two failed", "bogus: expired", [failed, bogus, failed]],
    ["one found bogus, one has signatures", "a, secure by 1", [bogus, secure("a")]],
    ["two agree, one has signatures for another", "b, secure by 1", [a, a, secure("b")]],
  ])("%s: %s", (_, words, views) => {
    expect(inWords(verdictOf(views, 3, "corroborated"))).toBe(words);
    expect(inWords(verdictOf(views, 3, "secure"))).toBe(words);
  });

  it("gives the proof with signatures, and with nothing else", () => {
    expect(verdictOf([a, secure("a")], 3, "corroborated")?.proof).toEqual(proof);
    expect(verdictOf([a, a], 3, "corroborated")?.proof).toBeNull();
  });
});

describe("where one resolver's word is enough", () => {
  test.each<[string, string, readonly View[]]>([
    ["one has spoken", "a, single by 1", [a]],
    ["one says that nothing is there", "nothing, single by 1", [none]],
    ["one failed", "wait", [failed]],
    ["one found bogus signatures", "wait", [bogus]],
    ["one spoke after a failure", "a, single by 1", [failed, a]],
    ["one found bogus, two agree", "bogus: expired", [bogus, a, a]],
    ["two agree", "a, corroborated by 2", [a, a]],
  ])("%s: %s", (_, words, views) => {
    expect(inWords(verdictOf(views, 3, "single"))).toBe(words);
  });
});

test.each<[string, number, Assurance, string, readonly View[]]>([
  ["one configured resolver", 1, "corroborated", "a, single by 1", [a]],
  ["both of two", 2, "corroborated", "a, single by 2", [a, a]],
  ["both of two that differ", 2, "corroborated", "unavailable: disagreement", [a, b]],
  ["the one of two that did not fail", 2, "corroborated", "a, single by 1", [failed, a]],
  ["two of five", 5, "corroborated", "a, corroborated by 2", [b, a, c, a]],
  ["one of five", 5, "corroborated", "wait", [b, a, c]],
])("the word of %s is no more than it is", (_, resolvers, least, words, views) => {
  expect(inWords(verdictOf(views, resolvers, least))).toBe(words);
});

type Script = { says: string | "silence"; afterMs?: number; isSigned?: boolean };

/** Questions for text, by the number of the resolver. */
let asked: number[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function record(type: number, rdata: Uint8Array): DnsRecord {
  return { name, type, class: classIn, ttl: 60, rdata };
}

/** A resolver with its chains: what it says is signed, or lies in a zone that is not. */
function sourceOf({ says, afterMs = 5, isSigned = false }: Script, index: number): Source {
  const text = record(recordType.TXT, encodeTxt(Buffer.from(says)));
  const rrsig = record(recordType.RRSIG, Uint8Array.of(0, recordType.TXT));
  const query = async (_: string, type: number): Promise<DnsAnswer> => {
    if (type === recordType.TXT) {
      asked.push(index);
      await new Promise((resolve) => setTimeout(resolve, says === "silence" ? 2000 : afterMs));
      if (says === "silence") return { outcome: "failed", reason: "timeout" };
    }
    const soa = { ...record(recordType.SOA, new Uint8Array()), name: "alice.test" };
    const records = isSigned ? [text, rrsig] : [text];
    return { outcome: "answer", records, authorities: [soa] };
  };
  const verified = { name, values: [text.rdata], ttl: 60, notBefore: 1, notAfter: 2 };
  const chains = {
    prove: async () => ({ outcome: "secure", chain: proof.chain, verified }),
    delegation: async () => ({ outcome: "unsigned" }),
  } as unknown as Chains;
  return { resolver: { query }, chains };
}

/** The verdict, and after how many milliseconds it came. */
async function look(scripts: readonly Script[], least: Assurance = "corroborated") {
  const began = Date.now();
  const looked = createAssuredLook({ sources: scripts.map(sourceOf), least })(name, label);
  const told = looked.then((verdict) => [inWords(verdict), Date.now() - began] as const);
  await vi.advanceTimersByTimeAsync(5000);
  return told;
}

describe("the first resolver", () => {
  it("is asked alone when its answer is signed", async () => {
    const told = await look([{ says: "a", isSigned: true }, { says: "b" }, { says: "b" }]);
    expect(told).toEqual(["a, secure by 1", 5]);
    expect(asked).toEqual([0]);
  });

  it("is asked alone where one resolver's word is enough", async () => {
    const told = await look([{ says: "a" }, { says: "b" }, { says: "b" }], "single");
    expect(told).toEqual(["a, single by 1", 5]);
    expect(asked).toEqual([0]);
  });

  it("is joined by the others as soon as its answer is not signed", async () => {
    const told = await look([{ says: "a" }, { says: "a", afterMs: 20 }, { says: "b" }]);
    expect(told).toEqual(["a, corroborated by 2", 25]);
    expect(asked).toEqual([0, 1, 2]);
  });

  it("is joined by the others when it is late, and still counts", async () => {
    const late = { says: "a", isSigned: true, afterMs: 600 };
    expect(await look([late, { says: "b" }, { says: "c" }])).toEqual(["a, secure by 1", 600]);
    expect(asked).toEqual([0, 1, 2]);
  });

  it("is not waited for when two others agree meanwhile", async () => {
    const told = await look([{ says: "silence" }, { says: "a" }, { says: "a" }]);
    expect(told).toEqual(["a, corroborated by 2", 405]);
  });
});

describe("resolvers that are silent", () => {
  it("are not waited for once another has spoken, and add nothing to its word", async () => {
    const silent = { says: "silence" };
    expect(await look([silent, { says: "a" }, silent])).toEqual(["a, single by 1", 1700]);
    expect(await look([{ says: "a" }, silent, { says: "b" }])).toEqual([
      "unavailable: disagreement",
      1305,
    ]);
  });

  it("are waited for while nobody has spoken", async () => {
    const silent = { says: "silence" };
    expect(await look([silent, silent, silent])).toEqual(["unavailable: timeout", 2400]);
    const slow = { says: "a", afterMs: 1500 };
    expect(await look([silent, slow, slow])).toEqual(["a, corroborated by 2", 1900]);
  });
});

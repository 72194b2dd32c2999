// Tests of which mistake is told for what was found, and in which order of precedence.

import { describe, expect, it } from "vitest";
import { type Answered, findMistake, isOurs, type Misplaced, readWanted } from "./mistake.ts";

const sp = "https://auth.example.com";
const spRecord = `v=dsi1; sp=${sp} acct=${"a".repeat(22)}`;
const oldSpRecord = `v=dsi1; sp=${sp} acct=${"b".repeat(22)}`;
const challenge = `v=dsi1-chal sp=${sp} chal=${"c".repeat(22)}`;
const oldChallenge = `v=dsi1-chal sp=${sp} chal=${"d".repeat(22)}`;

function mistake(
  wanted: string,
  found: { zone?: string[][]; resolvers?: Answered[]; places?: Misplaced[] },
) {
  const nameServers = (found.zone ?? [[]]).map((values) => answered(wanted, values));
  const { resolvers = [], places = [] } = found;
  return findMistake({ nameServers, resolvers }, places, readWanted(wanted));
}

function answered(wanted: string, values: string[], ttl: number | null = 60): Answered {
  return { isWanted: values.includes(wanted), values, ttl };
}

function at(kind: Misplaced["kind"], ...values: string[]): Misplaced {
  return { kind, name: `${kind}.test`, values };
}

const PLACES = ["at_domain", "doubled_name", "at_www", "no_underscore", "at_parent"] as const;

describe.each([
  ["an SP record", spRecord, oldSpRecord],
  ["a challenge", challenge, oldChallenge],
])("with %s wanted", (_, wanted, old) => {
  it.each<[string, string[], string | undefined]>([
    ["nothing", [], undefined],
    ["an older one", [old], undefined],
    ["other texts", ["v=spf1 -all", "hello"], undefined],
    ["a newer version", ["v=dsi12 x=y"], undefined],
    ["the version alone", ["v=dsi1"], "cut_at_semicolon"],
    ["the version and its semicolon", ["hello", "V = dsi1;"], "cut_at_semicolon"],
    ["the version of a challenge", ["v=dsi1-chal"], "cut_at_semicolon"],
    ["the version with an escape", ["v=dsi1\\"], "cut_at_semicolon"],
    ["the version with an opening quotation mark", ['"v=dsi1'], "cut_at_semicolon"],
    ["quotation marks that are part of it", [`v=dsi1 "${wanted}"`], "quoted"],
    ["marks of a word processor", [`“${wanted}”`], "curly_quotes"],
    ["a closing mark alone", [`${wanted}"`], "quoted"],
    ["quotation marks around an older one, which do no harm", [`"${old}"`], undefined],
    ["semicolons in an older one, which do no harm", [old.replaceAll(" ", "\\; ")], undefined],
    ["marks around another text", ['"v=spf1 -all"'], undefined],
  ])("%s at the name", (_case, values, kind) => {
    expect(mistake(wanted, { zone: [values] })?.kind).toBe(kind);
  });

  it("the right value at a wrong name is told even beside an older one", () => {
    for (const kind of PLACES) {
      const told = { kind, name: `${kind}.test` };
      expect(mistake(wanted, { zone: [[old]], places: [at(kind, wanted)] })).toEqual(told);
      expect(mistake(wanted, { zone: [['"v=dsi1']], places: [at(kind, wanted)] })).toEqual(told);
    }
  });

  it("another record at a wrong name is told if none is at the right one, but not above", () => {
    for (const value of [old, `${wanted}"`, "v=dsi1"]) {
      for (const kind of PLACES.filter((one) => one !== "at_parent")) {
        expect(mistake(wanted, { places: [at(kind, value)] })?.kind).toBe(kind);
        expect(mistake(wanted, { zone: [[old]], places: [at(kind, value)] })).toBeNull();
      }
      expect(mistake(wanted, { places: [at("at_parent", value)] })).toBeNull();
    }
  });

  it("a resolver that does not have it yet will have it when its answers have expired", () => {
    const resolvers = [
      answered(wanted, [wanted], 999),
      answered(wanted, [old], 40),
      answered(wanted, [], 70),
      answered(wanted, [], null),
    ];
    const behind = { kind: "old_value", seconds: 70 };
    expect(mistake(wanted, { zone: [[wanted], [old]], resolvers })).toEqual(behind);
    const noTtl = [answered(wanted, [], null)];
    expect(mistake(wanted, { zone: [[wanted]], resolvers: noTtl })).toEqual({
      kind: "old_value",
      seconds: null,
    });
    expect(mistake(wanted, { zone: [], resolvers })).toEqual(behind);
    expect(mistake(wanted, { zone: [[old]], resolvers })).toBeNull();
  });

  it("nothing is wrong where it is seen, whatever stands elsewhere", () => {
    const resolvers = [answered(wanted, [wanted])];
    const places = [at("at_domain", wanted)];
    expect(mistake(wanted, { zone: [[wanted]], resolvers, places })).toBeNull();
  });
});

describe("several records", () => {
  it("are too many for an SP record, and told before all else", () => {
    const zone = [[oldSpRecord, `${oldSpRecord};`]];
    const places = [at("doubled_name", spRecord)];
    expect(mistake(spRecord, { zone, places })).toEqual({ kind: "several" });
  });

  it("are the wanted one and another, also if the other is no valid record", () => {
    for (const other of [oldSpRecord, `${spRecord}"`, "V=dsi1"]) {
      const told = mistake(spRecord, { zone: [[], [other, `"${spRecord}"`]] });
      expect(told).toEqual({ kind: "old_beside_new" });
    }
  });

  it("are the two parts of one value, also if the second part is no record", () => {
    const at = spRecord.indexOf(" acct");
    for (const [start, rest] of [
      [spRecord.slice(0, at), spRecord.slice(at)],
      [spRecord.slice(0, at + 9), spRecord.slice(at + 9)],
      ["v=dsi1;", spRecord.slice(8)],
    ] as const) {
      const told = mistake(spRecord, { zone: [[rest, "v=spf1 -all", start]] });
      expect(told).toEqual({ kind: "split_in_two" });
      // Two servers with a part each are not one that has both.
      expect(mistake(spRecord, { zone: [[start], [rest]] })?.kind).not.toBe("split_in_two");
    }
    expect(mistake(spRecord, { zone: [["", spRecord.replaceAll(" ", "")]] })?.kind).not.toBe(
      "split_in_two",
    );
  });

  it("are several with one that only looks like a record", () => {
    for (const alike of [`;${oldSpRecord}`, "V=dsi1", `“${oldSpRecord}”`]) {
      expect(mistake(spRecord, { zone: [[alike, oldSpRecord]] })).toEqual({ kind: "several" });
    }
  });

  it("are not several where one of them is no record, or none on the same server", () => {
    expect(mistake(spRecord, { zone: [[oldSpRecord, "v=spf1"]] })).toBeNull();
    expect(mistake(spRecord, { zone: [[oldSpRecord], [oldSpRecord]] })).toBeNull();
    expect(mistake(spRecord, { zone: [["v=dsi2 x=y", oldSpRecord]] })).toBeNull();
  });

  it("do no harm to a challenge", () => {
    expect(mistake(challenge, { zone: [[oldChallenge, `${oldChallenge};`]] })).toBeNull();
  });
});

describe("a value is the wanted one", () => {
  it("by what it says, not by how it is written", () => {
    const { isSame } = readWanted(spRecord);
    expect(isSame(`"v=dsi1;acct=${"a".repeat(22)} \\;sp=${sp};"`)).toBe(true);
    expect(isSame(`${spRecord} later=tag`)).toBe(true);
    expect(isSame(`${spRecord} jkt=${"k".repeat(43)}`)).toBe(true);
    expect(isSame(`"${spRecord}`)).toBe(false);
    expect(isSame(oldSpRecord)).toBe(false);
    expect(readWanted(challenge).isSame(challenge.replaceAll(" ", ";"))).toBe(true);
    expect(readWanted("v=dsi1 odd").isSame("v=dsi1 odd")).toBe(true);
  });

  it("by its version where any record is wanted; a challenge is none", () => {
    const { isSame } = readWanted({ sp: null });
    const meant = [spRecord, `;${spRecord}`, "V=dsi1", "v=dsi2 x"];
    expect(meant.filter((value) => !isSame(value))).toEqual([]);
    expect([challenge, "v=spf1 -all", "hello"].filter(isSame)).toEqual([]);
  });

  it("is told for texts of any length", () => {
    expect(isOurs(`x${" ".repeat(60_000)}`)).toBe(false);
    expect(isOurs(`${'" '.repeat(30_000)}x`)).toBe(false);
  });
});

// Tests of the tag list's format: the separators, and the message for each malformed part.

import { describe, expect, it } from "vitest";
import { describeProblem } from "./record-problems.ts";
import { problemsOf, type RecordProblem, readTagList } from "./tag-list.ts";

const inWords = (problem: RecordProblem) => ({ ...problem, message: describeProblem(problem) });

function problemsIn(text: string): unknown[] {
  const list = readTagList(text);
  return list.outcome === "invalid" ? list.problems.map(inWords) : [list];
}

describe("white space", () => {
  it("may stand around separators and equals signs, as much as one likes", () => {
    const list = readTagList("v \t=  dsi1 \t ; \t sp =\t x \t;  acct= y;");
    expect(list).toEqual({
      outcome: "tags",
      tags: new Map([
        ["sp", "x"],
        ["acct", "y"],
      ]),
    });
  });

  it("stays where nothing is separated: before the first and after the last part", () => {
    expect(readTagList(" v=dsi1")).toEqual({ outcome: "not_ours" });
    expect(problemsIn("v=dsi1; sp=x ")).toMatchObject([{ code: "malformed_tag", about: "sp=x " }]);
    expect(problemsIn("v=dsi1 ")).toMatchObject([{ code: "malformed_version", about: "v=dsi1 " }]);
  });
});

describe("what is wrong with a part", () => {
  it("quotes it, and gives it apart for other languages", () => {
    expect(problemsIn("v=dsi1; novalue; =y; x=; v=z")).toEqual([
      ...["novalue", "=y", "x="].map((about) => ({
        ...{ code: "malformed_tag", about, message: `"${about}" is not of the form name=value.` },
      })),
      { code: "repeated_tag", about: "v", message: "The tag v occurs more than once." },
    ]);
  });

  it("keeps no more than 40 characters of it", () => {
    const [exact, over] = ["x".repeat(40), "x".repeat(41)];
    expect(problemsIn(`v=dsi1; ${exact}`)).toMatchObject([{ about: exact }]);
    expect(problemsIn(`v=dsi1; ${over}`)).toMatchObject([
      { about: `${exact}…`, message: `"${exact}…" is not of the form name=value.` },
    ]);
  });

  it("names the version, the characters or the length", () => {
    expect(problemsIn("v=dsi1 sp=x")).toMatchObject([
      { code: "malformed_version", message: 'A semicolon must follow v=dsi1 in "v=dsi1 sp=x".' },
    ]);
    const [letters] = problemsIn("v=dsi1; x=é") as object[];
    expect(letters).toEqual({
      ...{ code: "not_ascii", message: expect.stringContaining("not printable ASCII") },
    });
    const long = "v=dsi1; x=".padEnd(1025, "y");
    expect(problemsIn(long)).toEqual([
      {
        ...{ code: "too_long", about: "1025" },
        message: "The record is 1025 octets long; at most 1024 are allowed.",
      },
    ]);
  });

  it("names eight parts at most", () => {
    expect(problemsIn(`v=dsi1${";x".repeat(8)}`)).toHaveLength(8);
    expect(problemsIn(`v=dsi1${";x".repeat(9)}`)).toHaveLength(8);
  });
});

describe("what keeps a value from being used", () => {
  const problems = (value: string) => {
    const list = readTagList(value);
    return problemsOf(value, list.outcome === "tags" ? { outcome: "ok" } : list).map(inWords);
  };

  it("is nothing where it is a list of tags", () => {
    expect(problems("v=dsi1; sp=x")).toEqual([]);
  });

  it("is its version", () => {
    expect(problems("v=dsi2; sp=x")).toEqual([
      {
        ...{ code: "unsupported_version", about: "dsi2" },
        message: "Version dsi2 is not supported.",
      },
    ]);
  });

  it.each(['"v=dsi1; sp=x', " V \t= \tdsi1", "x v=dsi1"])("is the text before %j", (value) => {
    expect(problems(value)).toMatchObject([
      {
        code: "not_ours",
        message: "The record must begin with v=dsi1: remove everything before it.",
      },
    ]);
  });

  it("is that it is another record", () => {
    expect(problems("v=spf1 -all")).toEqual([
      {
        code: "not_ours",
        message: "The record does not begin with v=dsi1: it is another record and is ignored.",
      },
    ]);
  });

  it("is every mistake in it", () => {
    expect(problems("v=dsi1; x; y")).toMatchObject([{ about: "x" }, { about: "y" }]);
  });
});

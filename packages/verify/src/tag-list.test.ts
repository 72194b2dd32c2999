// Tests of the tag list's format: what panels do to a text, what is meant as a record, and each malformed part.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../test/support/random-seed.ts";
import { describeProblem } from "./record-problems.ts";
import { problemsOf, type RecordProblem, readTagList } from "./tag-list.ts";

const inWords = (problem: RecordProblem) => ({ ...problem, message: describeProblem(problem) });
const read = (text: string) => readTagList(text, "dsi1");

function problemsIn(text: string): unknown[] {
  const list = read(text);
  return list.outcome === "invalid" ? list.problems.map(inWords) : [list];
}

function codes(text: string): string[] {
  const list = read(text);
  return list.outcome === "invalid" ? list.problems.map(({ code }) => code) : [list.outcome];
}

const plain = {
  outcome: "tags",
  tags: new Map([
    ["sp", "x"],
    ["acct", "y"],
  ]),
};

describe("between tags", () => {
  it.each([
    "v=dsi1 sp=x acct=y",
    "v=dsi1; sp=x; acct=y",
    "v=dsi1;sp=x;acct=y;",
    "v=dsi1\\; sp=x\\; acct=y\\;",
    "v=dsi1 \t;\\; ;sp=x;;;acct=y ; \\;",
    " \t v=dsi1\tsp=x\tacct=y\t ",
  ])("may be any mix of white space, semicolons and escaped ones: %j", (text) => {
    expect(read(text)).toEqual(plain);
  });

  it.each(["v=dsi1, sp=x", "v=dsi1\\ sp=x", "v=dsi1\\\\; sp=x", "v=dsi1|sp=x", "v=dsi1\nsp=x"])(
    "is nothing else: %j",
    (text) => {
      expect(read(text).outcome).toBe("invalid");
    },
  );
});

describe("quotation marks", () => {
  it.each([
    '"v=dsi1 sp=x acct=y"',
    ' "v=dsi1 sp=x acct=y" ',
    '" v=dsi1 sp=x acct=y "',
    '"v=dsi1 sp=x ac" "ct=y"',
    '"v=ds" \t "i1 sp=x ac" "ct=y"',
    'v=dsi1 sp=x ac" "ct=y',
  ])("that enclose the whole or its strings are removed: %j", (text) => {
    expect(read(text)).toEqual(plain);
  });

  it.each([
    '"v=dsi1 sp=x acct=y',
    'v=dsi1 sp=x acct=y"',
    '""v=dsi1 sp=x acct=y""',
    'v=dsi1 sp="x" acct=y',
    '"v=dsi1 sp=x ac""ct=y"',
    'v=dsi1 "sp=x" "acct=y"',
    '\\"v=dsi1 sp=x acct=y\\"',
  ])("that do anything else are a mistake: %j", (text) => {
    expect(codes(text)).toEqual(["quotes"]);
  });

  it.each(["“v=dsi1 sp=x”", "v=dsi1 sp=‘x’", "â\x80\x9cv=dsi1 sp=xâ\x80\x9d", "„v=dsi1“"])(
    "that are curly are named: %j",
    (text) => {
      expect(codes(text)).toEqual(["curly_quotes"]);
    },
  );
});

describe("a text", () => {
  it.each(["", "hello", "v=spf1 -all", "v=dsi", "v=dsix", "dsi", `${"x".repeat(13)}dsi1`])(
    "is not ours without dsi and a digit in its first 16 octets: %j",
    (text) => {
      expect(codes(text)).toEqual(["not_ours"]);
    },
  );

  it.each([
    [";v=dsi1 sp=x", ["before_version"]],
    ["'v=dsi1 sp=x'", ["before_version"]],
    ["\\;v=dsi1 sp=x", ["before_version"]],
    ["TXT v=dsi1 sp=x", ["before_version"]],
    [`${"x".repeat(10)}v=dsi1`, ["before_version"]],
    ["V=dsi1 sp=x", ["upper_case_version"]],
    ["v=DSI1 sp=x", ["upper_case_version"]],
    ["v = dsi1 sp=x", ["spaced_version"]],
    ["v\t=dsi1", ["spaced_version"]],
    ["; V= DSI1", ["before_version", "upper_case_version", "spaced_version"]],
    ["v=dsi1x sp=x", ["malformed_version"]],
    ["v=dsi1-challenge", ["malformed_version"]],
    ["v=dsi1,sp=x", ["malformed_version"]],
    ["v=dsi1sp=x", ["malformed_version"]],
    ["v=dsi0 sp=x", ["malformed_version"]],
    ["v=dsi01 sp=x", ["malformed_version"]],
    ["v=dsi02 sp=x", ["malformed_version"]],
    ["v==dsi1 sp=x", ["malformed_version"]],
    ["v:dsi1 sp=x", ["malformed_version"]],
    ["dsi1 sp=x", ["malformed_version"]],
    [`${"x".repeat(12)}dsi1`, ["malformed_version"]],
    ["\ufeffv=dsi1 sp=x", ["not_ascii"]],
    ["\u00a0v=dsi1 sp=x", ["not_ascii"]],
    ["v=dsi1\u00a0sp=x", ["not_ascii"]],
    ["v=dsi1\r\n", ["not_ascii"]],
    ["v=dsi1 sp=x\u0000", ["not_ascii"]],
  ])("that was meant as a record is invalid, with its mistake named: %j", (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it.each(["v=dsi2", "v=dsi2 sp=x", "v=dsi10;x", '"v=dsi2 x"', "v=dsi2-chal x", 'v=dsi3 x="é'])(
    "of a newer version is told from one with mistakes: %j",
    (text) => {
      expect(codes(text)).toEqual(["unsupported"]);
    },
  );

  it("of the other version is told from one with mistakes", () => {
    const chal = { outcome: "other_version", version: "dsi1-chal" };
    expect(read("v=dsi1-chal")).toEqual(chal);
    expect(read(' "v=dsi1-chal; sp=x" ')).toEqual(chal);
    expect(readTagList("v=dsi1 sp=x", "dsi1-chal")).toEqual({ ...chal, version: "dsi1" });
    expect(readTagList("v=dsi1-chal sp=x acct=y", "dsi1-chal")).toEqual(plain);
  });
});

describe("random edits", () => {
  const text = "v=dsi1 sp=https://auth.example.com acct=m3Zk0bq2vS1nF9o7b0uHqg";
  const isMeant = (one: string) => /^[\s\S]{0,12}dsi1/i.test(one);

  it("never make a record with dsi1 in its first 16 octets look absent", () => {
    const mark = fc.constantFrom(" ", "\t", ";", "\\", '"', "“", "'", "=", "v", "V", "\u00a0", "x");
    const edit = fc.record({
      at: fc.nat(text.length),
      cut: fc.nat(3),
      put: fc.oneof(mark, fc.string({ unit: "binary", maxLength: 4 })),
    });
    let meant = 0;
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
        const edited = edits.reduce(
          (one, { at, cut, put }) => one.slice(0, at) + put + one.slice(at + cut),
          text,
        );
        if (!isMeant(edited)) return;
        meant += 1;
        expect([edited, read(edited).outcome]).not.toEqual([edited, "not_ours"]);
      }),
      { numRuns: 3000 },
    );
    expect(meant).toBeGreaterThan(1000);
  });
});

describe("what is wrong with a part", () => {
  it("quotes it, and gives it apart for other languages", () => {
    expect(problemsIn("v=dsi1; novalue; =y; x=; v=z; SP=x")).toEqual([
      ...["novalue", "=y", "x="].map((about) => ({
        code: "malformed_tag",
        about,
        message: `"${about}" is not of the form name=value, without spaces.`,
      })),
      { code: "repeated_tag", about: "v", message: "The tag v occurs more than once." },
      {
        ...{ code: "upper_case_tag", about: "SP" },
        message: "The name of the tag SP must be in lower case.",
      },
    ]);
  });

  it("is told of each spelling of a pair", () => {
    for (const part of ["sp==x", "sp=x=", "sp=<x", "sp=x\\", "a23456789-1234567=x", "-a=x", "1=x"])
      expect([part, codes(`v=dsi1 ${part}`)]).toEqual([part, ["malformed_tag"]]);
    expect(codes("v=dsi1 sp = x")).toEqual(["malformed_tag", "malformed_tag", "malformed_tag"]);
    expect(read("v=dsi1 x=a=b")).toEqual({ outcome: "tags", tags: new Map([["x", "a=b"]]) });
  });

  it("keeps no more than 40 characters of it", () => {
    const [exact, over] = ["x".repeat(40), "x".repeat(41)];
    expect(problemsIn(`v=dsi1; ${exact}`)).toMatchObject([{ about: exact }]);
    expect(problemsIn(`v=dsi1; ${over}`)).toMatchObject([{ about: `${exact}…` }]);
  });

  it("names the version or the length", () => {
    expect(problemsIn("v=dsi1x sp=x")).toEqual([
      {
        ...{ code: "malformed_version", about: "v=dsi1x" },
        message: 'The record must begin with v=dsi1 and a space, but begins with "v=dsi1x".',
      },
    ]);
    expect(problemsIn("v=dsi1 x=".padEnd(1025, "y"))).toEqual([
      {
        ...{ code: "too_long", about: "1025" },
        message: "The record is 1025 octets long; at most 1024 are allowed.",
      },
    ]);
  });

  it("counts the octets of white space and quotation marks, but not those of another record", () => {
    expect(codes("v=dsi1 x=".padEnd(1024, "y"))).toEqual(["tags"]);
    expect(codes("v=dsi1 x=y".padEnd(1025, " "))).toEqual(["too_long"]);
    expect(codes("v=spf1 ".padEnd(1025, "y"))).toEqual(["not_ours"]);
    expect(codes("v=dsi2 ".padEnd(1025, "y"))).toEqual(["unsupported"]);
  });

  it("names eight parts at most", () => {
    expect(problemsIn(`v=dsi1${";x".repeat(8)}`)).toHaveLength(8);
    expect(problemsIn(`v=dsi1${";x".repeat(9)}`)).toHaveLength(8);
  });
});

describe("what keeps a value from being used", () => {
  const problems = (value: string) => {
    const list = read(value);
    return problemsOf(value, list.outcome === "tags" ? { outcome: "ok" } : list).map(inWords);
  };

  it("is nothing where it is a list of tags", () => {
    expect(problems("v=dsi1 sp=x")).toEqual([]);
  });

  it("is its version", () => {
    expect(problems("v=dsi2 sp=x")).toEqual([
      {
        ...{ code: "unsupported_version", about: "dsi2" },
        message: "Version dsi2 is not supported.",
      },
    ]);
    expect(problems("v=dsi1-chal sp=x")).toMatchObject([{ code: "is_challenge" }]);
    expect(problemsOf("v=dsi1", readTagList("v=dsi1", "dsi1-chal") as never)).toMatchObject([
      { code: "is_sp_record" },
    ]);
  });

  it("is the text before it, even if so much stands there that it is not meant as a record", () => {
    expect(problems("_domain-signin.alice.com TXT v=dsi1 sp=x")).toMatchObject([
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
    expect(problems("v=dsi1 x y")).toMatchObject([{ about: "x" }, { about: "y" }]);
  });
});

it("takes time that grows with the length of a text, not with its square", () => {
  const long = 60_000;
  const hostile = [
    `x${" ".repeat(long)}x`,
    `v=dsi1 ${" ".repeat(long)}x`,
    '" '.repeat(long / 2),
    `"${'" '.repeat(long / 2)}`,
    "\\;".repeat(long / 2),
    `v${" ".repeat(long)}`,
    `dsi1${"v ".repeat(long / 2)}`,
    `v=${"dsi1".repeat(long / 4)}`,
  ];
  const began = performance.now();
  for (const text of hostile) problemsOf(text, readTagList(text, "dsi1") as never);
  expect(performance.now() - began).toBeLessThan(500);
});

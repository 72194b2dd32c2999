// Tests of the SP record: the grammar, and sets of TXT values.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../test/support/random-seed.ts";
import { formatSpRecord, parseSpRecord, type RecordProblem, readSpRecordSet } from "./record.ts";
import { describeProblem } from "./record-problems.ts";

const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const jkt = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";
const spk = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
const withFirst = (letter: string) => (text: string) => letter + text.slice(1);
const sp = "https://auth.example.com";
const plain = `v=dsi1 sp=${sp} acct=${acct}`;

function codes(text: string, options = {}): string[] {
  const parsed = parseSpRecord(text, options);
  if (parsed.outcome !== "invalid") return [parsed.outcome];
  return parsed.problems.map((problem) => {
    expect(describeProblem(problem)).toMatch(/^\S+( \S+){4,}\.$/);
    return problem.code;
  });
}

function problemsFor(text: string, options = {}): readonly RecordProblem[] {
  const parsed = parseSpRecord(text, options);
  return parsed.outcome === "invalid" ? parsed.problems : [];
}

function withSp(value: string, options = {}): string[] {
  return codes(`v=dsi1 sp=${value} acct=${acct}`, options);
}

const base64url = fc.stringMatching(/^[A-Za-z0-9_-]{22,64}$/);
const thumbprint = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
const someRecord = fc.record({
  sp: fc.constant(sp),
  acct: base64url,
  jkt: fc.array(thumbprint.map(withFirst("j")), { maxLength: 4 }),
  spk: fc.array(thumbprint.map(withFirst("s")), { maxLength: 4 }),
});

/** What panels do to a value between the field and the zone. */
const panel = fc.record({
  gap: fc.stringMatching(/^(?:[ \t;]|\\;){1,4}$/),
  ends: fc.tuple(fc.stringMatching(/^[ \t]{0,3}$/), fc.stringMatching(/^(?:[ \t;]|\\;){0,3}$/)),
  isQuoted: fc.boolean(),
  splits: fc.array(fc.tuple(fc.nat(), fc.stringMatching(/^[ \t]{1,2}$/)), { maxLength: 3 }),
});

describe("a record", () => {
  it("names service provider, account and keys", () => {
    expect(parseSpRecord(`${plain} jkt=${jkt} spk=${spk},${jkt.toLowerCase()}`)).toEqual({
      outcome: "ok",
      record: { sp, acct, jkt: [jkt], spk: [spk, jkt.toLowerCase()] },
    });
    expect(parseSpRecord(plain)).toEqual({ outcome: "ok", record: { sp, acct, jkt: [], spk: [] } });
  });

  it("with sp=none may name one all the same", () => {
    const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
    expect(parseSpRecord(`v=dsi1 sp=none acct=${acct}`)).toEqual({
      ...{ outcome: "ok", record: { sp: "none", acct, jkt: [], spk: [] } },
    });
  });

  it("with sp=none needs no account", () => {
    expect(parseSpRecord("v=dsi1 sp=none")).toEqual({
      outcome: "ok",
      record: { sp: "none", jkt: [], spk: [] },
    });
  });

  it("lists four keys at most", () => {
    const four = ["a", "b", "c", "d"].map((letter) => letter.repeat(43)).join(",");
    expect(codes(`${plain} spk=${four}`)).toEqual(["ok"]);
    expect(codes(`${plain} jkt=${four}`)).toEqual(["ok"]);
  });

  it("may have its tags in any order, and hold tags that are not known here", () => {
    expect(codes(`v=dsi1 acct=${acct} sp=${sp}`)).toEqual(["ok"]);
    expect(codes(`v=dsi1; x-1=a=b,'c'; acct=${acct}; sp=${sp};`)).toEqual(["ok"]);
  });

  it("comes back as it was formatted", () => {
    fc.assert(
      fc.property(someRecord, (one) => {
        expect(parseSpRecord(formatSpRecord(one))).toEqual({ outcome: "ok", record: one });
      }),
    );
    expect(formatSpRecord({ sp: "none" })).toBe("v=dsi1 sp=none");
    expect(formatSpRecord({ sp, acct, spk: [spk], jkt: [jkt] })).toBe(
      `${plain} jkt=${jkt} spk=${spk}`,
    );
  });

  it("says the same after what panels do to its text", () => {
    fc.assert(
      fc.property(someRecord, panel, (one, { gap, ends, isQuoted, splits }) => {
        const [before, after] = ends;
        const text = formatSpRecord(one).replaceAll(" ", gap);
        // Only strings in quotation marks are split, and never inside an escaped semicolon.
        const cuts = splits.map(([at, white]) => [at % text.length, white] as const);
        const split = cuts
          .filter(([at]) => isQuoted && at > 0 && text[at - 1] !== "\\")
          .sort(([at], [other]) => other - at)
          .filter(([at], index, all) => at !== all[index - 1]?.[0])
          .reduce((all, [at, white]) => `${all.slice(0, at)}"${white}"${all.slice(at)}`, text);
        const kept = isQuoted ? `"${split}${after}"` : `${split}${after}`;
        const value = before + kept;
        expect([value, parseSpRecord(value)]).toEqual([value, { outcome: "ok", record: one }]);
      }),
      { numRuns: 1000 },
    );
  });

  it("of random text never throws", () => {
    const text = fc.string({ unit: "binary" }).map((end) => `v=dsi1 ${end}`);
    fc.assert(fc.property(fc.oneof(text, fc.string()), (one) => void parseSpRecord(one)));
  });
});

describe("a text of another kind", () => {
  it.each([
    ["v=spf1 -all", "not_ours"],
    ["v=dsi2 sp=x", "unsupported"],
    [`v=dsi1-chal sp=${sp} chal=${acct}`, "other_version"],
  ])("is recognized: %j", (text, outcome) => {
    expect(codes(text)).toEqual([outcome]);
  });
});

describe("an invalid record", () => {
  it.each([
    [`${plain} acct=${acct}`, ["repeated_tag"]],
    [`v=dsi1 v=dsi1 sp=none`, ["repeated_tag"]],
    [`${plain} x=1 x=1`, ["repeated_tag"]],
    [`${plain} jkt=`, ["malformed_tag"]],
    [`${plain}; jkt`, ["malformed_tag"]],
    [`${plain}; JKT=${jkt}`, ["upper_case_tag"]],
    [`${plain}; a23456789-1234567=x`, ["malformed_tag"]],
    [`${plain} x=a b`, ["malformed_tag"]],
    [`${plain} x="a"`, ["quotes"]],
    [`;${plain}`, ["before_version"]],
    ["v=dsi1x sp=none", ["malformed_version"]],
    ["v=dsi1", ["missing_sp", "missing_acct"]],
    [`v=dsi1 acct=${acct}`, ["missing_sp"]],
    [`v=dsi1 sp=${sp}`, ["missing_acct"]],
    [`v=dsi1 sp=${sp} acct=${acct.slice(1)}`, ["bad_acct"]],
    [`v=dsi1 sp=${sp} acct=${"a".repeat(65)}`, ["bad_acct"]],
    [`v=dsi1 sp=none acct=short`, ["bad_acct"]],
    [`${plain} jkt=${jkt}x`, ["bad_jkt"]],
    [`${plain} jkt=${jkt},`, ["bad_jkt"]],
    [`${plain} jkt=${Array(5).fill(jkt).join(",")}`, ["bad_jkt"]],
    [`${plain} spk=x jkt=x`, ["bad_jkt", "bad_spk"]],
    [`${plain} spk=${spk},`, ["bad_spk"]],
    [`${plain} spk=${spk.slice(1)}`, ["bad_spk"]],
    [`${plain} spk=${spk}x`, ["bad_spk"]],
    [`${plain} spk=${Array(5).fill(spk).join(",")}`, ["bad_spk"]],
    [`${plain} spk=${spk} jkt=${spk}`, ["key_in_both"]],
    [`${plain} spk=${spk},${jkt} jkt=${"k".repeat(43)},${jkt}`, ["key_in_both"]],
    [`v=dsi1 sp=none spk=${spk} jkt=${spk}`, ["key_in_both"]],
    [`${plain} x=é`, ["not_ascii"]],
    [`${plain} x=\u0000`, ["not_ascii"]],
    [`${plain} x=${"y".repeat(1024)}`, ["too_long"]],
  ])("is reported with its problems: %j", (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it("has at most 1,024 octets", () => {
    const filled = `${plain} x=`.padEnd(1024, "y");
    expect(codes(filled)).toEqual(["ok"]);
    expect(codes(`${filled}y`)).toEqual(["too_long"]);
  });

  it("tells of all mistakes at once, each in a sentence", () => {
    const parsed = parseSpRecord("v=dsi1 sp=http://a.example acct=x jkt=y spk=z");
    const problems = parsed.outcome === "invalid" ? parsed.problems : [];
    expect(problems.map((problem) => [problem.code, describeProblem(problem)])).toEqual([
      ["bad_sp", "The URL in sp must begin with https://."],
      ["bad_acct", expect.stringMatching(/22 to 64/)],
      ["bad_jkt", expect.stringMatching(/^jkt must be 1 to 4/)],
      ["bad_spk", expect.stringMatching(/^spk must be 1 to 4/)],
    ]);
  });
});

describe("an issuer", () => {
  it.each([
    "https://a.example",
    "https://a.example/",
    "https://xn--bcher-kva.example/op/~x/$:@=,",
    "https://a.b.c.d.example/a//b",
    `https://${"a.".repeat(125)}com`,
  ])("may be %s", (issuer) => {
    expect(withSp(issuer)).toEqual(["ok"]);
  });

  it.each([
    ["NONE", "begins with https"],
    ["HTTPS://a.example", "begins with https"],
    ["ftp://a.example", "begins with https"],
    ["https:/a.example", "begins with https"],
    ["http://a.example", "begin with https"],
    ["http://localhost:8080", "begin with https"],
    ["https://a.example?x=1", "query"],
    ["https://a.example/?", "query"],
    ["https://a.example/#x", "fragment"],
    ["https://a.example/%41", "percent"],
    ["https://%61.example", "percent"],
    ["https://me@a.example", "user name"],
    ["https://me:secret@a.example", "user name"],
    ["https://a.example/a|b", "not allowed"],
    ["https://a.example|b", "domain name"],
    ["https://a.example/../b", "segments"],
    ["https://a.example/b/.", "segments"],
    ["https://A.example", "lower case"],
    ["https://localhost", "domain name"],
    ["https://127.0.0.1", "domain name"],
    ["https://0x7f.0x1", "domain name"],
    ["https://[::1]", "domain name"],
    ["https://a.example.", "domain name"],
    ["https://a_b.example", "domain name"],
    ["https://-a.example", "domain name"],
    ["https://.example", "domain name"],
    [`https://${"a.".repeat(126)}aa`, "domain name"],
    ["https://", "domain name"],
    ["https:///x", "domain name"],
    ["https://a.example:8443", "port"],
    ["https://a.example:", "port number"],
    ["https://a.example:65536", "port number"],
    ["https://a.example:80a", "port number"],
    ["https://a.example:8e3", "port number"],
    ["https://a.example:0x50", "port number"],
    ["https://a.example:0443", "port number"],
  ])("must not be %s", (issuer, text) => {
    const parsed = parseSpRecord(`v=dsi1 sp=${issuer} acct=${acct}`);
    expect(parsed).toEqual({
      outcome: "invalid",
      problems: [{ code: "bad_sp", about: expect.any(String) }],
    });
    const problems = parsed.outcome === "invalid" ? parsed.problems : [];
    expect(problems.map(describeProblem)).toEqual([expect.stringContaining(text)]);
  });

  it("may have a port only if the operator allows it", () => {
    expect(withSp("https://a.example:8443/x", { allowIssuerPort: true })).toEqual(["ok"]);
    expect(withSp("https://a.example:65535", { allowIssuerPort: true })).toEqual(["ok"]);
    expect(withSp("https://a.example:8443/x", { allowLoopbackIssuer: true })).toEqual(["bad_sp"]);
  });

  it("may be at localhost in demos and tests only", () => {
    const options = { allowLoopbackIssuer: true };
    expect(withSp("https://localhost", options)).toEqual(["ok"]);
    expect(withSp("https://localhost", {})).toEqual(["bad_sp"]);
    expect(withSp("https://example", options)).toEqual(["bad_sp"]);
    expect(withSp("https://localhost:8443", { ...options, allowIssuerPort: true })).toEqual(["ok"]);
    expect(withSp("http://localhost:8080", options)).toEqual(["ok"]);
    expect(withSp("http://localhost", options)).toEqual(["bad_sp"]);
    expect(withSp("http://127.0.0.1:8080", options)).toEqual(["bad_sp"]);
    expect(withSp("http://localhost.example:8080", options)).toEqual(["bad_sp"]);
    expect(withSp("http://x@localhost:8080", options)).toEqual(["bad_sp"]);
    expect(withSp("http://sp.localhost:8080", options)).toEqual(["ok"]);
    expect(withSp("http://sp.localhost:8080")).toEqual(["bad_sp"]);
    expect(withSp("http://sp.localhost", options)).toEqual(["bad_sp"]);
    expect(withSp("http://a.b.localhost:8080", options)).toEqual(["bad_sp"]);
    expect(withSp("http://-.localhost:8080", options)).toEqual(["bad_sp"]);
    expect(withSp("http://sp.localhost.example:8080", options)).toEqual(["bad_sp"]);
  });

  it("of the service that reads is a mistake in any other spelling", () => {
    const options = { ownIssuer: sp };
    expect(withSp(sp, options)).toEqual(["ok"]);
    expect(withSp(`${sp}/`, options)).toEqual(["own_sp_path"]);
    expect(withSp(`${sp}/sign-in?x#y`, options)).toEqual(["own_sp_path"]);
    expect(withSp("http://auth.example.com", options)).toEqual(["own_sp_scheme"]);
    expect(withSp("http://auth.example.com/", options)).toEqual(["own_sp_scheme", "own_sp_path"]);
    expect(withSp("http://other.example", options)).toEqual(["bad_sp"]);
    expect(withSp("auth.example.com", options)).toEqual(["bad_sp"]);
    for (const other of [`${sp}.test`, "https://other.example.com", "https://example.com/"]) {
      expect([other, withSp(other, options)]).toEqual([other, ["ok"]]);
    }
    expect(withSp(`${sp}/`)).toEqual(["ok"]);
    const local = { ownIssuer: "http://localhost:8080", allowLoopbackIssuer: true };
    expect(withSp("http://localhost:8080/", local)).toEqual(["own_sp_path"]);
    const withPort = { ...local, allowIssuerPort: true };
    expect(withSp("https://localhost:8080", withPort)).toEqual(["own_sp_scheme"]);
    expect(withSp("http://localhost:80801", local)).toEqual(["bad_sp"]);
    expect(withSp("http://localhost:8081/", local)).toEqual(["ok"]);
  });

  it("of the service that reads is given in full, however long it is", () => {
    const own = `https://${"a".repeat(50)}.example.com`;
    const [problem] = problemsFor(`v=dsi1 sp=${own}/ acct=${acct}`, { ownIssuer: own });
    expect(problem && describeProblem(problem)).toBe(
      `sp must be exactly ${own}: remove the slash and what follows it.`,
    );
  });
});

describe("a set of TXT values", () => {
  function outcome(...values: string[]): string {
    return readSpRecordSet(values).outcome;
  }

  it("says who signs in when exactly one is a record", () => {
    expect(readSpRecordSet(["v=spf1 -all", plain])).toEqual({
      outcome: "one",
      record: { sp, acct, jkt: [], spk: [] },
      found: [
        { value: "v=spf1 -all", problems: [expect.objectContaining({ code: "not_ours" })] },
        { value: plain, problems: [] },
      ],
    });
  });

  it("says nothing when none is a record", () => {
    expect(outcome()).toBe("none");
    expect(outcome("v=spf1 -all", "hello")).toBe("none");
  });

  it("is ambiguous with two records, even equal or invalid ones", () => {
    expect(outcome(plain, plain)).toBe("ambiguous");
    expect(outcome(plain, "v=dsi1")).toBe("ambiguous");
    const { found } = readSpRecordSet([plain, "v=dsi1 sp=none"]);
    expect(found.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
      ["not_alone"],
      ["not_alone"],
    ]);
  });

  it.each([`;${plain}`, `“${plain}”`, `V${plain.slice(1)}`, `"${plain}`, plain.toUpperCase()])(
    "is invalid with a look-alike alone, and ambiguous with one beside a record: %j",
    (alike) => {
      expect(outcome(alike)).toBe("invalid");
      expect(outcome(alike, "v=spf1 -all", "v=dsi2 x")).toBe("invalid");
      expect(outcome(alike, plain)).toBe("ambiguous");
      const { found } = readSpRecordSet([alike, plain]);
      expect(found.map(({ problems }) => problems.at(-1)?.code)).toEqual([
        "not_alone",
        "not_alone",
      ]);
    },
  );

  it("does not count a challenge, and says so", () => {
    const challenge = `v=dsi1-chal sp=${sp} chal=${acct}`;
    expect(outcome(challenge)).toBe("none");
    expect(outcome(challenge, plain)).toBe("one");
    expect(outcome(challenge, "v=dsi2")).toBe("unsupported");
    expect(readSpRecordSet([challenge]).found[0]?.problems).toEqual([{ code: "is_challenge" }]);
  });

  it("is invalid when its one record is", () => {
    expect(outcome("v=dsi1", "v=dsi2")).toBe("invalid");
  });

  it("is unsupported only when no record of this version is there", () => {
    expect(outcome("v=dsi2 a=b", "hello")).toBe("unsupported");
    expect(outcome("v=dsi2 a=b", plain)).toBe("one");
  });

  it("tells a value with too much before it from another record", () => {
    const far = `_domain-signin TXT ${plain}`;
    const [wrong, other] = readSpRecordSet([far, "hello"]).found;
    expect(wrong?.problems.map(describeProblem)).toEqual([expect.stringContaining("must begin")]);
    expect(other?.problems.map(describeProblem)).toEqual([
      expect.stringContaining("another record"),
    ]);
  });

  it("tells the first eight mistakes of a value that is nothing else", () => {
    const hostile = `v=dsi1${";x".repeat(500)}`;
    expect(readSpRecordSet([hostile]).found[0]?.problems).toHaveLength(8);
  });
});

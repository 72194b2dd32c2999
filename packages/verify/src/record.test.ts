// Tests of the SP record: the grammar, and sets of TXT values.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../test/support/random-seed.ts";
import { formatSpRecord, parseSpRecord, readSpRecordSet } from "./record.ts";
import { describeProblem } from "./record-problems.ts";

const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const jkt = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";
const spk = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
const withFirst = (letter: string) => (text: string) => letter + text.slice(1);
const sp = "https://auth.example.com";
const plain = `v=dsi1; sp=${sp}; acct=${acct}`;

function codes(text: string, options = {}): string[] {
  const parsed = parseSpRecord(text, options);
  if (parsed.outcome !== "invalid") return [parsed.outcome];
  return parsed.problems.map((problem) => {
    expect(describeProblem(problem)).toMatch(/^\S+( \S+){4,}\.$/);
    return problem.code;
  });
}

function withSp(value: string, options = {}): string[] {
  return codes(`v=dsi1; sp=${value}; acct=${acct}`, options);
}

describe("a record", () => {
  it("names service provider, account and keys", () => {
    expect(parseSpRecord(`${plain}; jkt=${jkt}; spk=${spk},${jkt.toLowerCase()}`)).toEqual({
      outcome: "ok",
      record: { sp, acct, jkt: [jkt], spk: [spk, jkt.toLowerCase()] },
    });
    expect(parseSpRecord(plain)).toEqual({ outcome: "ok", record: { sp, acct, jkt: [], spk: [] } });
  });

  it("with sp=none may name one all the same", () => {
    const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
    expect(parseSpRecord(`v=dsi1; sp=none; acct=${acct}`)).toEqual({
      ...{ outcome: "ok", record: { sp: "none", acct, jkt: [], spk: [] } },
    });
  });

  it("with sp=none needs no account", () => {
    expect(parseSpRecord("v=dsi1; sp=none")).toEqual({
      outcome: "ok",
      record: { sp: "none", jkt: [], spk: [] },
    });
  });

  it("lists four keys at most", () => {
    const four = ["a", "b", "c", "d"].map((letter) => letter.repeat(43)).join(",");
    expect(codes(`${plain}; spk=${four}`)).toEqual(["ok"]);
    expect(codes(`${plain}; jkt=${four}`)).toEqual(["ok"]);
  });

  it("may have its tags in any order, white space around = and ;, and a last semicolon", () => {
    expect(codes(`v = dsi1 ;\tacct\t= ${acct};sp=${sp} ; `)).toEqual(["ok"]);
    expect(codes(`${plain};`)).toEqual(["ok"]);
  });

  it("may hold tags that are not known here", () => {
    expect(codes(`${plain}; x-1=a=b,"c"`)).toEqual(["ok"]);
  });

  it("comes back as it was formatted", () => {
    const base64url = fc.stringMatching(/^[A-Za-z0-9_-]{22,64}$/);
    const thumbprint = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
    const record = fc.record({
      sp: fc.constant(sp),
      acct: base64url,
      jkt: fc.array(thumbprint.map(withFirst("j")), { maxLength: 4 }),
      spk: fc.array(thumbprint.map(withFirst("s")), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(record, (one) => {
        expect(parseSpRecord(formatSpRecord(one))).toEqual({ outcome: "ok", record: one });
      }),
    );
    expect(formatSpRecord({ sp: "none" })).toBe("v=dsi1; sp=none");
    // The owner's keys are last: an owner appends them.
    expect(formatSpRecord({ sp, acct, spk: [spk], jkt: [jkt] })).toBe(
      `${plain}; spk=${spk}; jkt=${jkt}`,
    );
  });

  it("of random text never throws", () => {
    const text = fc.string({ unit: "binary" }).map((end) => `v=dsi1; ${end}`);
    fc.assert(fc.property(fc.oneof(text, fc.string()), (one) => void parseSpRecord(one)));
  });
});

describe("a text that is not ours", () => {
  it.each(["", "v=spf1 -all", "v=dsi", "v=dsix", ` ${plain}`, `"${plain}"`, `\ufeff${plain}`])(
    "is recognized: %j",
    (text) => {
      expect(codes(text)).toEqual(["not_ours"]);
    },
  );

  it.each(["v=dsi2", "v=dsi2; sp=x", "v=dsi10", "v=dsi0"])(
    "of another version is reported: %j",
    (text) => {
      expect(codes(text)).toEqual(["unsupported"]);
    },
  );
});

describe("an invalid record", () => {
  it.each([
    [`${plain}; acct=${acct}`, ["repeated_tag"]],
    [`v=dsi1; v=dsi1; sp=none`, ["repeated_tag"]],
    [`${plain}; x=1; x=1`, ["repeated_tag"]],
    [`${plain};;`, ["malformed_tag"]],
    [`${plain}; jkt=`, ["malformed_tag"]],
    [`${plain}; jkt`, ["malformed_tag"]],
    [`${plain}; JKT=${jkt}`, ["malformed_tag"]],
    [`${plain}; a23456789-1234567=x`, ["malformed_tag"]],
    [`${plain}; x=a b`, ["malformed_tag"]],
    [`${plain} `, ["malformed_tag"]],
    [`v=dsi1 sp=${sp}; acct=${acct}`, ["malformed_version"]],
    ["v=dsi1x; sp=none", ["malformed_version"]],
    ["v=dsi1 ", ["malformed_version"]],
    ["v=dsi1", ["missing_sp", "missing_acct"]],
    [`v=dsi1; acct=${acct}`, ["missing_sp"]],
    [`v=dsi1; sp=${sp}`, ["missing_acct"]],
    [`v=dsi1; sp=${sp}; acct=${acct.slice(1)}`, ["bad_acct"]],
    [`v=dsi1; sp=${sp}; acct=${"a".repeat(65)}`, ["bad_acct"]],
    [`v=dsi1; sp=none; acct=short`, ["bad_acct"]],
    [`${plain}; jkt=${jkt}x`, ["bad_jkt"]],
    [`${plain}; jkt=${jkt},`, ["bad_jkt"]],
    [`${plain}; jkt=${Array(5).fill(jkt).join(",")}`, ["bad_jkt"]],
    [`${plain}; spk=x; jkt=x`, ["bad_jkt", "bad_spk"]],
    [`${plain}; spk=${spk},`, ["bad_spk"]],
    [`${plain}; spk=${spk.slice(1)}`, ["bad_spk"]],
    [`${plain}; spk=${spk}x`, ["bad_spk"]],
    [`${plain}; spk=${Array(5).fill(spk).join(",")}`, ["bad_spk"]],
    [`${plain}; spk=${spk}; jkt=${spk}`, ["key_in_both"]],
    [`${plain}; spk=${spk},${jkt}; jkt=${"k".repeat(43)},${jkt}`, ["key_in_both"]],
    [`v=dsi1; sp=none; spk=${spk}; jkt=${spk}`, ["key_in_both"]],
    [`${plain}; x=é`, ["not_ascii"]],
    [`${plain}; x=\u0000`, ["not_ascii"]],
    [`${plain}; x=${"y".repeat(1024)}`, ["too_long"]],
  ])("is reported with its problems: %j", (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it("has at most 1,024 octets", () => {
    const filled = `${plain}; x=`.padEnd(1024, "y");
    expect(codes(filled)).toEqual(["ok"]);
    expect(codes(`${filled}y`)).toEqual(["too_long"]);
  });

  it("tells of all mistakes at once, each in a sentence", () => {
    const parsed = parseSpRecord("v=dsi1; sp=http://a.example; acct=x; jkt=y; spk=z");
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
    ["https://a.example\\b", "domain name"],
    ["https://a.example/a\\b", "not allowed"],
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
    const parsed = parseSpRecord(`v=dsi1; sp=${issuer}; acct=${acct}`);
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
    expect(withSp("https://localhost:8443", { ...options, allowIssuerPort: true })).toEqual(["ok"]);
    expect(withSp("http://localhost:8080", options)).toEqual(["ok"]);
    expect(withSp("http://localhost", options)).toEqual(["bad_sp"]);
    expect(withSp("http://127.0.0.1:8080", options)).toEqual(["bad_sp"]);
    expect(withSp("http://localhost.example:8080", options)).toEqual(["bad_sp"]);
    expect(withSp("http://x@localhost:8080", options)).toEqual(["bad_sp"]);
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
    const { found } = readSpRecordSet([plain, "v=dsi1; sp=none"]);
    expect(found.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
      ["not_alone"],
      ["not_alone"],
    ]);
  });

  it("is invalid when its one record is", () => {
    expect(outcome("v=dsi1", "v=dsi2")).toBe("invalid");
  });

  it("is unsupported only when no record of this version is there", () => {
    expect(outcome("v=dsi2; a=b", "hello")).toBe("unsupported");
    expect(outcome("v=dsi2; a=b", plain)).toBe("one");
  });

  it("tells a value that only begins wrong from another record", () => {
    const [quoted, other] = readSpRecordSet([`"${plain}"`, "hello"]).found;
    expect(quoted?.problems.map(describeProblem)).toEqual([expect.stringContaining("must begin")]);
    expect(other?.problems.map(describeProblem)).toEqual([
      expect.stringContaining("another record"),
    ]);
  });

  it("tells the first eight mistakes of a value that is nothing else", () => {
    const hostile = `v=dsi1${";".repeat(1000)}`;
    expect(readSpRecordSet([hostile]).found[0]?.problems).toHaveLength(8);
  });
});

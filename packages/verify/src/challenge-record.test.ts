// Tests of the challenge record.

import { describe, expect, it } from "vitest";
import {
  challengeProblems,
  formatChallengeRecord,
  parseChallengeRecord,
} from "./challenge-record.ts";
import { describeProblem } from "./record-problems.ts";

const sp = "https://auth.example.com";
const chal = "m3Zk0bq2vS1nF9o7b0uHqg";
const text = `v=dsi1-chal sp=${sp} chal=${chal}`;

function codes(value: string): string[] {
  return challengeProblems(value, { sp, chal }).map((problem) => {
    expect(describeProblem(problem)).toMatch(/^\S+( \S+){4,}\.$/);
    return problem.code;
  });
}

describe("a challenge record", () => {
  it("comes back as it was formatted", () => {
    expect(formatChallengeRecord({ sp, chal })).toBe(text);
    expect(parseChallengeRecord(text)).toEqual({ outcome: "ok", record: { sp, chal } });
  });

  it("is read however a panel keeps it", () => {
    expect(codes(`"${text.replaceAll(" ", "\\; ")};"`)).toEqual([]);
    expect(codes(` ${text.replaceAll(" ", ";")} `)).toEqual([]);
  });

  it("answers only the challenge of this service that it repeats", () => {
    expect(codes(text)).toEqual([]);
    expect(codes(text.replace("auth.", "evil."))).toEqual(["other_sp"]);
    expect(codes(text.replace("m3Zk", "M3Zk"))).toEqual(["other_chal"]);
  });

  it.each([
    ["hello", ["not_ours"]],
    ["v=dsi2-chal chal=x", ["unsupported_version"]],
    [`v=dsi1 sp=${sp} chal=${chal}`, ["is_sp_record"]],
    [`"v=dsi1"`, ["is_sp_record"]],
    [`;${text}`, ["before_version"]],
    [`“${text}”`, ["curly_quotes"]],
    ["v=dsi1-challenge", ["malformed_version"]],
    ["v=dsi1-chal", ["missing_sp", "missing_chal"]],
    [`v=dsi1-chal sp=none chal=${chal}`, ["bad_sp"]],
    [`v=dsi1-chal sp=${sp} chal=short`, ["bad_chal"]],
    [`v=dsi1-chal sp=${sp} chal=${"a".repeat(65)}`, ["bad_chal"]],
    [`${text} chal=${chal}`, ["repeated_tag"]],
    [`v=dsi1-chal sp=${sp} acct=${chal}`, ["missing_chal"]],
  ])("is reported with its problems: %j", (value, expected) => {
    expect(codes(value)).toEqual(expected);
  });
});

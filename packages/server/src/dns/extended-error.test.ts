// Tests of Extended DNS Errors, and of what they make of an answer (RFC 8914).

import {
  type DnsMessage,
  decodeMessage,
  encodeMessage,
  rcode,
} from "domain-signin-verify/dns/message";
import { describe, expect, test } from "vitest";
import { extendedErrorOf } from "./extended-error.ts";
import { answerOf } from "./resolver.ts";

/** A message with these errors, as it is read from the wire. */
function message(code: number, ...errors: readonly (readonly number[])[]): DnsMessage {
  const options = errors.map((data) => ({ code: 15, data: Uint8Array.from(data) }));
  const edns = { udpSize: 1232, version: 0, dnssecOk: true, options };
  const flags = { truncated: false, recursionDesired: true, recursionAvailable: true };
  return decodeMessage(
    encodeMessage({
      ...{ id: 1, isResponse: true, opcode: 0, authoritative: false, rcode: code, ...flags, edns },
      ...{ questions: [{ name: "x.test", type: 16, class: 1 }], answers: [], authorities: [] },
      ...{ authenticData: false, checkingDisabled: false, additionals: [] },
    }),
  );
}

/** What an answer with an error counts as. */
function said(code: number, ...errors: readonly number[]): string {
  const read = message(code, ...errors.map((error) => [error >> 8, error & 255]));
  const answer = answerOf({ outcome: "message", message: read });
  return "reason" in answer && answer.outcome === "failed" ? answer.reason : answer.outcome;
}

/** Each error with what SERVFAIL, NXDOMAIN, an answer and REFUSED count as. */
const plain = ["servfail", "nxdomain", "answer", "refused"];
const bogus = ["bogus", "nxdomain", "answer", "refused"];
const blocked = ["blocked", "blocked", "blocked", "blocked"];
const stale = ["stale", "stale", "stale", "stale"];
const noAuthority = ["no_authority", "nxdomain", "answer", "refused"];
const unsupported = ["unsupported_dnssec", "nxdomain", "answer", "refused"];

describe("each error of the registry", () => {
  test.each<[readonly number[], readonly string[]]>([
    [[0, 5, 13, 14, 20, 21, 26, 28, 29, 30, 31, 32, 33, 49152, 65535], plain],
    [[6, 7, 8, 9, 10, 11, 12, 25], bogus],
    [[4, 15, 16, 17, 18], blocked],
    [[3, 19], stale],
    [[22, 23, 24], noAuthority],
    [[1, 2, 27], unsupported],
  ])("%j", (codes, expected) => {
    const rcodes = [rcode.servFail, rcode.nxDomain, rcode.noError, rcode.refused];
    for (const code of codes) expect(rcodes.map((one) => said(one, code))).toEqual(expected);
  });

  test("has its name, and one that is not assigned has none", () => {
    const named = (code: number) => extendedErrorOf(message(2, [0, code]))?.name;
    expect([0, 6, 18, 22, 30, 32].map(named)).toEqual([
      ...["Other Error", "DNSSEC Bogus", "Prohibited", "No Reachable Authority"],
      ...["Invalid Query Type", "Over Quota"],
    ]);
    expect(named(33)).toBe("Unassigned");
  });
});

test("of several errors the one that says most counts, in any order", () => {
  for (const codes of [
    [22, 3],
    [3, 22],
    [0, 22, 3],
  ]) {
    expect(said(rcode.noError, ...codes)).toBe("stale");
  }
  expect([said(2, 22, 6), said(2, 6, 22), said(2, 6, 15)]).toEqual(["bogus", "bogus", "blocked"]);
});

test("the text beside an error is left out, and an option that is too short says nothing", () => {
  const text = [..."\u001b[31mvisit evil.example"].map((character) => character.charCodeAt(0));
  expect(extendedErrorOf(message(2, [0, 22, ...text]))).toEqual({
    ...{ code: 22, name: "No Reachable Authority", kind: "no_authority" },
  });
  expect(extendedErrorOf(message(2, [22], []))).toBeUndefined();
});

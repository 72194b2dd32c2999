// The checker itself: it finds one planted violation per rule, and none in histories that are right.

import { expect, test } from "vitest";
import { check } from "./checker.ts";
import { knownAt, type Operation, operationOf } from "./history.ts";

let time = 0;

/** An operation that begins after all before it have ended. */
function did(
  verb: Operation["verb"],
  input: string,
  outcome: Operation["outcome"],
  more: Partial<Operation> = {},
): Operation {
  time += 10;
  const span = { started: time, ended: time + 5 };
  return { who: "a", node: "1", grant: "g", verb, input, outcome, status: 0, ...span, ...more };
}

function later(seconds: number): void {
  time += seconds * 1000;
}

const redeemed = (input: string, successor: string) => did("redeem", input, "ok", { successor });
const rotated = (input: string, successor: string) => did("rotate", input, "ok", { successor });
const rules = (...operations: Operation[]) => check(operations).map(({ rule }) => rule);

test("a life with races, retries, lost answers and a revocation has no violation", () => {
  const winner = redeemed("code", "r1");
  const during = { started: winner.started - 1, ended: winner.ended + 1 };
  const history = [
    winner,
    did("redeem", "code", "fail", during),
    did("redeem", "code", "unknown", { ...during, node: "2" }),
    did("rotate", "r1", "unknown"),
    rotated("r1", "r2"),
    rotated("r1", "r2"),
    rotated("r2", "r3"),
    did("revoke", "r3", "ok"),
    did("rotate", "r3", "fail"),
    did("revoke", "r3", "ok"),
  ];
  expect(check(history)).toEqual([]);
});

test("grants are judged apart, and nothing is asked of one that nobody answered for", () => {
  const other = { grant: "h" };
  const history = [
    redeemed("code", "r1"),
    did("redeem", "other code", "ok", { ...other, successor: "s1" }),
    did("redeem", "third code", "unknown", { grant: "i", ended: Number.POSITIVE_INFINITY }),
    did("revoke", "s1", "ok", other),
    rotated("r1", "r2"),
    did("rotate", "s1", "fail", other),
  ];
  expect(check(history)).toEqual([]);
});

test("a code that is redeemed on two nodes is found, one after the other or at once", () => {
  const first = redeemed("code", "r1");
  const second = did("redeem", "code", "ok", { successor: "r1", node: "2" });
  expect(rules(first, second)).toEqual(["at most one redemption"]);
  expect(rules(first, { ...first, who: "b" })).toEqual(["at most one redemption"]);
});

test("a refresh token with two successors is found, and so are two with one successor", () => {
  const rule = ["one successor per generation"];
  expect(rules(redeemed("code", "r1"), rotated("r1", "r2"), rotated("r1", "x2"))).toEqual(rule);
  expect(rules(redeemed("code", "r1"), rotated("r1", "r2"), rotated("r2", "r2"))).toContain(
    rule[0],
  );
});

test("an acknowledged redemption that is forgotten is found by its refused refresh token", () => {
  const rule = ["nothing acknowledged is lost"];
  expect(rules(redeemed("code", "r1"), did("rotate", "r1", "fail"))).toEqual(rule);
  expect(rules(did("redeem", "code", "fail"))).toEqual(rule);
});

test("an acknowledged rotation that is forgotten is found, and so is a retry that is refused", () => {
  const before = () => [redeemed("code", "r1"), rotated("r1", "r2")];
  const rule = ["nothing acknowledged is lost"];
  expect(rules(...before(), did("rotate", "r2", "fail"))).toEqual(rule);
  expect(rules(...before(), did("rotate", "r1", "fail"))).toEqual(rule);
  // A second use of the code within 30 seconds is no excuse: it revokes nothing.
  const redeemedTwice = [redeemed("code", "r1"), did("redeem", "code", "fail")];
  expect(rules(...redeemedTwice, did("rotate", "r1", "fail"))).toEqual(rule);
});

test("a refusal with a possible reason is no loss: a replay, or a revocation nobody answered", () => {
  const before = () => [redeemed("code", "r1"), rotated("r1", "r2"), rotated("r2", "r3")];
  expect(rules(...before(), did("rotate", "r1", "fail"), did("rotate", "r3", "fail"))).toEqual([]);
  expect(rules(...before(), did("revoke", "r3", "unknown"), did("rotate", "r3", "fail"))).toEqual(
    [],
  );
  const replayed = [...before(), did("redeem", "code", "fail"), did("rotate", "r3", "fail")];
  expect(rules(...replayed)).toEqual([]);
  const replayedLate = [redeemed("code", "r1")];
  later(31);
  replayedLate.push(did("redeem", "code", "fail"), did("rotate", "r1", "fail"));
  expect(rules(...replayedLate)).toEqual([]);
  const late = [redeemed("code", "r1"), rotated("r1", "r2")];
  later(31);
  expect(rules(...late, did("rotate", "r1", "fail"), did("rotate", "r2", "fail"))).toEqual([]);
});

test("a refresh token that works after its successor was used is found, on any node", () => {
  const again = (node: string) => did("rotate", "r1", "ok", { successor: "r2", node });
  const before = [redeemed("code", "r1"), rotated("r1", "r2"), rotated("r2", "r3")];
  expect(rules(...before, again("2"))).toEqual(["nothing rotated works again"]);
});

test("a refresh token that works after its retry window is found", () => {
  const before = [redeemed("code", "r1"), rotated("r1", "r2")];
  later(29);
  expect(rules(...before, rotated("r1", "r2"))).toEqual([]);
  later(3);
  expect(rules(...before, rotated("r1", "r2"))).toEqual(["nothing rotated works again"]);
});

test("a revoked grant that works again is found, whatever revoked it", () => {
  const rule = "nothing revoked works again";
  const before = () => [redeemed("code", "r1"), rotated("r1", "r2"), rotated("r2", "r3")];
  expect(rules(...before(), did("revoke", "r3", "ok"), rotated("r3", "r4"))).toEqual([rule]);
  expect(rules(did("revoke", "r1", "ok"), redeemed("code", "r1"))).toEqual([rule]);
  expect(rules(...before(), did("rotate", "r1", "fail"), rotated("r3", "r4"))).toEqual([rule]);
  expect(rules(...before(), did("redeem", "code", "fail"), rotated("r3", "r4"))).toEqual([rule]);
  const replayed = [redeemed("code", "r1")];
  later(32);
  expect(rules(...replayed, did("redeem", "code", "fail"), rotated("r1", "r2"))).toEqual([rule]);
});

test("an answer is a success, a refusal, or nothing to rely on", () => {
  const request = { who: "a", node: "1", grant: "g", verb: "rotate", input: "r1" } as const;
  const read = (status: number, body: string) =>
    operationOf(request, { status, body }, { started: 1, ended: 2 });
  expect(read(200, '{"refresh_token":"r2"}')).toMatchObject({ outcome: "ok", successor: "r2" });
  expect(read(400, '{"error":"invalid_grant"}').outcome).toBe("fail");
  for (const status of [0, 429, 500, 503]) expect(read(status, "<html>").outcome).toBe("unknown");
  expect(read(400, '{"error":"invalid_client"}').outcome).toBe("unknown");
  expect(() => read(200, "{}")).toThrow("without refresh token");
});

test("what was under way at a moment is unknown then, and what came later is not there", () => {
  const history = [redeemed("code", "r1"), rotated("r1", "r2"), rotated("r2", "r3")];
  const [, underWay] = history;
  const begun = (underWay?.started ?? 0) + 1;
  expect(knownAt(history, { acknowledged: begun, begun })).toEqual([
    history[0],
    { ...underWay, outcome: "unknown" },
  ]);
});

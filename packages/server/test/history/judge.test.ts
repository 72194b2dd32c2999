// The judge of late retries: it finds one planted fault of each kind, and none in histories that are right.

import { expect, test } from "vitest";
import { operationOf } from "./history.ts";
import type { LateOperation } from "./late/app.ts";
import { countsOf, judge, NOTHING } from "./late/judge.ts";

let time = 0;

/** A request that begins after all before it have ended. The body names the successor. */
function did(
  verb: "redeem" | "rotate",
  input: string,
  answer: 200 | 400 | 503 | 500 | 0,
  successor = "",
): LateOperation {
  time += 10;
  const bodies = {
    200: JSON.stringify({ refresh_token: successor }),
    400: JSON.stringify({ error: "invalid_grant" }),
  };
  const body = answer === 200 || answer === 400 ? bodies[answer] : "";
  const request = { who: "an app", node: "1", grant: "g", verb, input };
  const span = { started: time, ended: time + 5 };
  const operation = operationOf(request, { status: answer, body }, span);
  return { ...operation, kind: "public", agedS: 0, wasCommitted: false, body };
}

const counts = (...operations: LateOperation[]) =>
  countsOf(judge({ operations, unfinished: [] }, []));

test("retries after 503 and after no answer, however late, are no fault", () => {
  const history = [
    did("redeem", "code", 503),
    did("redeem", "code", 200, "r1"),
    did("rotate", "r1", 503),
    did("rotate", "r1", 0),
    did("rotate", "r1", 200, "r2"),
    did("rotate", "r2", 200, "r3"),
  ];
  expect(counts(...history)).toEqual(NOTHING);
  const witnessed = [did("rotate", "r3", 200, "r4"), did("rotate", "r2", 400)];
  expect(countsOf(judge({ operations: history, unfinished: [] }, witnessed))).toEqual(NOTHING);
});

test("an app that is logged out after a 503 is found", () => {
  const history = [
    did("redeem", "code", 200, "r1"),
    did("rotate", "r1", 503),
    did("rotate", "r1", 400),
  ];
  expect(counts(...history)).toEqual({ ...NOTHING, loggedOut: 1 });
});

test("a code that is refused after a 503 is lost", () => {
  const history = [did("redeem", "code", 503), did("redeem", "code", 400)];
  expect(counts(...history)).toEqual({ ...NOTHING, codesLost: 1 });
});

test("what was acknowledged and is refused by a witness is lost, and so is a code that is refused at once", () => {
  const load = { operations: [did("redeem", "code", 200, "r1")], unfinished: [] };
  const witnessed = [did("rotate", "r1", 400)];
  expect(countsOf(judge(load, witnessed))).toEqual({ ...NOTHING, lost: 1 });
  expect(counts(did("redeem", "code", 400))).toEqual({ ...NOTHING, lost: 1 });
});

test("a code that is redeemed twice is valid twice, and so is a token whose successor was used", () => {
  const redeemed = () => did("redeem", "code", 200, "r1");
  expect(counts(redeemed(), redeemed())).toEqual({ ...NOTHING, validTwice: 1 });
  const rotated = () => did("rotate", "r1", 200, "r2");
  const history = [redeemed(), rotated(), did("rotate", "r2", 200, "r3"), rotated()];
  expect(counts(...history)).toEqual({ ...NOTHING, validTwice: 1 });
});

test("an answer that is neither an outcome nor 503 is found, and so is a life without an end", () => {
  const failed = did("rotate", "r1", 500);
  expect(counts(failed)).toEqual({ ...NOTHING, otherAnswers: 1 });
  const judged = judge({ operations: [], unfinished: ["g"] }, []);
  expect(countsOf(judged)).toEqual({ ...NOTHING, unfinished: 1 });
});

// What becomes of a change whose answer was lost, by turns of the answers of a database.

import { expect, test, vi } from "vitest";
import { UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import type { SqlEngine } from "./engine.ts";
import { type Sql, sqlOf } from "./rows.ts";
import { withKnownOutcome } from "./unknown-outcome.ts";

const lost = new UnknownOutcomeError("the answer was lost");
const down = new UnavailableError("no connection is free");

/** Runs a change that gets these answers one after the other; afterwards the last one again and again. */
async function run(changes: readonly (string | null | Error)[], confirmed: string | null = null) {
  const engine = { execute: async () => [] } as unknown as SqlEngine;
  const asked = { changes: 0, confirms: 0 };
  const next = async () => {
    const answer = changes[Math.min(asked.changes++, changes.length - 1)] ?? null;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const confirm = async () => {
    asked.confirms++;
    return confirmed;
  };
  const result = await withKnownOutcome(sqlOf(engine), next, confirm).catch((cause) => cause);
  return { result, ...asked };
}

test("an answer, or a failure that certainly had no effect, is passed on at once", async () => {
  expect(await run(["row"])).toMatchObject({ result: "row", changes: 1, confirms: 0 });
  expect(await run([null])).toMatchObject({ result: null, changes: 1, confirms: 0 });
  expect(await run([down])).toMatchObject({ result: down, changes: 1, confirms: 0 });
});

test("after a lost answer the change is made again, or its row is looked for", async () => {
  expect(await run([lost, "row"])).toMatchObject({ result: "row", changes: 2, confirms: 0 });
  expect(await run([lost, null], "own")).toMatchObject({ result: "own", changes: 2, confirms: 1 });
});

test("a row that is not there is no refusal: the lost answer is what is reported, at once", async () => {
  expect(await run([lost, null])).toMatchObject({ result: lost, changes: 2, confirms: 1 });
});

test("connections that are cut one after the other are tried until there is an answer", async () => {
  const again = new UnknownOutcomeError("this answer was lost too");
  expect(await run([lost, down, again, "row"])).toMatchObject({ result: "row", changes: 4 });
});

test("a failure of another kind ends it at once", async () => {
  const broken = new Error("a statement that is wrong");
  expect(await run([lost, broken])).toMatchObject({ result: broken, changes: 2 });
});

test("it ends within a second, with the first failure: the outcome of the first attempt is not known", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const started = performance.now();
    const engine = { execute: async () => [] } as unknown as SqlEngine;
    let changes = 0;
    const fail = async () => {
      if (changes++ === 0) throw lost;
      vi.advanceTimersByTime(300);
      throw down;
    };
    await expect(withKnownOutcome(sqlOf(engine), fail, async () => null)).rejects.toBe(lost);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(changes).toBe(4);
  } finally {
    vi.useRealTimers();
  }
});

test("each further attempt has only the time that is left, and some", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const limits: (number | undefined)[] = [];
    const execute: SqlEngine["execute"] = async (_, __, options) => {
      limits.push(options?.withinMs);
      vi.advanceTimersByTime(799.5);
      throw limits.length === 1 ? lost : down;
    };
    const engine = { execute } as unknown as SqlEngine;
    const change = (sql: Sql) => sql.first<string>("UPDATE");
    await expect(withKnownOutcome(sqlOf(engine), change, change)).rejects.toBe(lost);
    expect(limits).toEqual([undefined, 800]);
  } finally {
    vi.useRealTimers();
  }
});

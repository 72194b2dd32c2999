// What a failure within a transaction on PostgreSQL means: nothing is committed, unless the commit itself was sent.

import { expect, test } from "vitest";
import { UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import { commitOn } from "./postgres-commit.ts";
import { UndoneError } from "./postgres-connection.ts";
import { write, writeWhen } from "./rows.ts";

const joined = [writeWhen("first", 1), write("second", 2)];

/** A connection that notes its statements; each is answered by what the test says, otherwise with one row. */
function noted(answers: Readonly<Record<string, Error | readonly []>>, isCutByFailure = false) {
  const ran: string[] = [];
  let usable = true;
  const connection = {
    async run({ text }: { readonly text: string }) {
      ran.push(text);
      const answer = answers[text] ?? [{ one: 1 }];
      if (!(answer instanceof Error)) return answer;
      if (isCutByFailure) usable = false;
      throw answer;
    },
    cut() {
      usable = false;
      ran.push("cut");
    },
    isUsable: () => usable,
    isDirect: async () => true,
  };
  const named = (text: string) => ({ text });
  return { ran, committed: commitOn(connection, { joined, named, deadline: 1000 }) };
}

test("writes that all took effect are committed", async () => {
  const { ran, committed } = noted({});
  expect(await committed).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  expect(ran).toEqual(["BEGIN", "first", "second", "COMMIT"]);
});

test("a write that is marked `when` and returns no row ends the transaction", async () => {
  const { ran, committed } = noted({ first: [] });
  expect(await committed).toBeNull();
  expect(ran).toEqual(["BEGIN", "first", "ROLLBACK"]);
});

test("an answer that is lost before the commit is no unknown outcome", async () => {
  const { ran, committed } = noted({ second: new UnknownOutcomeError("lost") }, true);
  const failure = await committed.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnavailableError);
  expect(failure).not.toBeInstanceOf(UnknownOutcomeError);
  // The server ends the transaction with the connection.
  expect(ran).toEqual(["BEGIN", "first", "second"]);
});

test("the outcome is unknown if the answer to the commit is lost", async () => {
  const { committed } = noted({ COMMIT: new UnknownOutcomeError("lost") });
  await expect(committed).rejects.toBeInstanceOf(UnknownOutcomeError);
});

test("a write that the server has undone ends the transaction, and can be run again", async () => {
  const { ran, committed } = noted({ second: new UndoneError("deadlock") });
  await expect(committed).rejects.toBeInstanceOf(UndoneError);
  expect(ran).toEqual(["BEGIN", "first", "second", "ROLLBACK"]);
});

test("a connection whose transaction cannot be ended is never used again", async () => {
  const gone = new UnknownOutcomeError("lost");
  const { ran, committed } = noted({ first: new Error("no such table"), ROLLBACK: gone });
  await expect(committed).rejects.toThrow("no such table");
  expect(ran).toEqual(["BEGIN", "first", "ROLLBACK", "cut"]);
});

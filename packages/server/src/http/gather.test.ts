// Tests of tasks that run together at the end of a turn of the event loop.

import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { gatherTasks } from "./gather.ts";

test("tasks of one turn run together, before anything that they begin goes on", async () => {
  const gather = gatherTasks();
  const ran: string[] = [];
  const steps = async (name: string) => {
    ran.push(`${name}1`);
    await null;
    ran.push(`${name}2`);
  };
  gather(() => void steps("a"));
  gather(() => void steps("b"));
  expect(ran).toEqual([]);
  await turn();
  expect(ran).toEqual(["a1", "b1", "a2", "b2"]);
});

test("a task that another one adds runs in the next turn", async () => {
  const gather = gatherTasks();
  const ran: string[] = [];
  gather(() => {
    ran.push("first");
    gather(() => ran.push("second"));
  });
  await turn();
  expect(ran).toEqual(["first"]);
  await turn();
  expect(ran).toEqual(["first", "second"]);
});

// Tests of waiting for a promise that a signal can end.

import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { unlessAborted } from "./within.ts";

const forever = new Promise<never>(() => {});

it("gives what the promise gives, and its error, and leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  await expect(unlessAborted(signal, Promise.resolve(1))).resolves.toBe(1);
  await expect(unlessAborted(signal, Promise.reject(new Error("a")))).rejects.toThrow("a");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("rejects with the signal's reason if the signal is aborted first, or was before", async () => {
  const controller = new AbortController();
  const pending = unlessAborted(controller.signal, forever);
  controller.abort(new Error("b"));
  await expect(pending).rejects.toThrow("b");
  await expect(unlessAborted(controller.signal, forever)).rejects.toThrow("b");
  await expect(unlessAborted(controller.signal, Promise.resolve(1))).rejects.toThrow("b");
});

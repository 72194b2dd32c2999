// Tests of adding a client to a busy service.

import { expect, test } from "vitest";
import { addClient } from "./add-client.ts";

const registration = { name: "App", redirect_uris: ["http://localhost/cb"] };
const busy = Object.assign(new Error("the database is busy"), { name: "UnavailableError" });
const added = { client_id: "dsid_1", client_secret: "s" };

/** A registry that rejects with these errors, one after another, and then adds the client. */
function registry(...errors: Error[]) {
  const pauses: number[] = [];
  const left = [...errors];
  const add = async () => {
    const error = left.shift();
    if (error) throw error;
    return added;
  };
  const run = () =>
    addClient({ add } as unknown as Parameters<typeof addClient>[0], registration, async (ms) =>
      pauses.push(ms),
    );
  return { run, pauses };
}

test("a client that the busy service did not add is added again after a pause", async () => {
  const { run, pauses } = registry(busy, busy);
  expect(await run()).toEqual(added);
  expect(pauses).toEqual([2000, 2000]);
});

test("a service that stays busy is given up with its own error", async () => {
  await expect(registry(...Array.from({ length: 100 }, () => busy)).run()).rejects.toBe(busy);
});

test("any other error is not tried again", async () => {
  const { run, pauses } = registry(new Error("not a redirect URI"));
  await expect(run()).rejects.toThrow("not a redirect URI");
  expect(pauses).toEqual([]);
});

// What every engine promises about the identity of a database, and about the counter of its mark.

import { expect, test } from "vitest";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { NOW, someId } from "../../support/store-rows.ts";

onEveryEngine(({ store, stores }) => {
  test("20 callers give a database one id, and its counter is 0", async () => {
    expect(await store.installation.readInstallation()).toBeNull();
    const claimed = await race(stores, 20, (store) =>
      store.installation.claimInstallation(someId()),
    );
    const [first] = claimed;
    expect(first).toEqual({
      databaseId: expect.any(String),
      counter: 0,
      restoredAt: null,
    });
    for (const one of claimed) expect(one).toEqual(first);
    expect(await store.installation.readInstallation()).toEqual(first);
  });

  test("the counter does not move until one of 20 callers has started it", async () => {
    await store.installation.claimInstallation(someId());
    expect(await store.installation.moveCounter()).toBeNull();
    const started = await race(stores, 20, (store) => store.installation.startCounter());
    const won = started.filter((one) => one !== null);
    expect(won.map(({ counter }) => counter)).toEqual([1]);
  });

  test("of 100 moves at once each gets another count, and none is lost", async () => {
    const { counter } = await store.installation.claimInstallation(someId());
    const moved = await race(stores, 100, (store) => store.installation.moveCounter());
    const counts = moved.map((one) => one?.counter ?? 0).sort((one, other) => one - other);
    expect(counts).toEqual(Array.from({ length: 100 }, (_, index) => counter + index + 1));
  });

  test("accepting a database moves its counter past that of the mark, and never back", async () => {
    const { counter } = await store.installation.claimInstallation(someId());
    const ahead = await store.installation.acceptCounter(counter + 1000);
    expect(ahead.counter).toBe(counter + 1001);
    expect((await store.installation.acceptCounter(3)).counter).toBe(counter + 1002);
    expect(ahead.restoredAt).toBeNull();
    const restored = await store.installation.recordRestore({ counter: counter + 5000, now: NOW });
    expect(restored).toEqual({ ...ahead, counter: counter + 5001, restoredAt: NOW });
  });
});

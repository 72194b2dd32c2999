// What every engine promises about the history of accounts.

import { expect, test } from "vitest";
import type { HistoryEntry } from "../../../src/store/history-entries.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { NOW, someId } from "../../support/store-rows.ts";

onEveryEngine(({ store, stores }) => {
  const idAt = (at: number) => (at * 1000).toString(16).padStart(12, "0") + someId();
  const signedIn = (accountId: string, at: number): HistoryEntry => ({
    ...{ id: idAt(at), accountId, at, kind: "signed_in" },
    detail: { client_id: "an app, 'quoted' and \"quoted\"", amr: "dns" },
  });

  test("entries come back as they were, newest first, of one account only", async () => {
    const accountId = someId();
    const first = signedIn(accountId, NOW);
    const second: HistoryEntry = {
      ...{ id: idAt(NOW + 5), accountId, at: NOW + 5 },
      ...{ kind: "record_changed", detail: { names_account: false } },
    };
    const third = signedIn(accountId, NOW + 9);
    await store.histories.recordHistory([first, second, signedIn(someId(), NOW + 6)]);
    await store.histories.recordHistory([third]);
    expect(await store.histories.historyOf(accountId, { since: 0, limit: 10 })).toEqual([
      third,
      second,
      first,
    ]);
  });

  test("a list ends at its time and at its limit", async () => {
    const accountId = someId();
    const entries = [0, 1, 2, 3].map((second) => signedIn(accountId, NOW + second));
    await store.histories.recordHistory(entries);
    const [, second, third, fourth] = entries;
    expect(await store.histories.historyOf(accountId, { since: NOW + 2, limit: 10 })).toEqual([
      fourth,
      third,
    ]);
    expect(await store.histories.historyOf(accountId, { since: NOW + 1, limit: 3 })).toEqual([
      fourth,
      third,
      second,
    ]);
    expect(await store.histories.historyOf(accountId, { since: 0, limit: 1 })).toEqual([fourth]);
    expect(await store.histories.historyOf(someId(), { since: 0, limit: 10 })).toEqual([]);
  });

  test("a list continues before an entry, also one that was removed in the meantime", async () => {
    const accountId = someId();
    const entries = [0, 1, 2, 3].map((second) => signedIn(accountId, NOW + second));
    const [first, second, third, fourth] = entries as [
      HistoryEntry,
      HistoryEntry,
      HistoryEntry,
      HistoryEntry,
    ];
    await store.histories.recordHistory([first, second, fourth]);
    const older = (before: string, limit = 10) =>
      store.histories.historyOf(accountId, { since: NOW, limit, before });
    expect(await older(fourth.id)).toEqual([second, first]);
    expect(await older(third.id, 1)).toEqual([second]);
    expect(await older(first.id)).toEqual([]);
  });

  test("what the owner has to know of at once is the newest five of its kinds, since a time", async () => {
    const accountId = someId();
    const at = (second: number) => ({ id: idAt(NOW + second), accountId, at: NOW + second });
    const entries: readonly HistoryEntry[] = [
      { ...at(0), kind: "new_browser", detail: {} },
      { ...at(1), kind: "passkey_added", detail: { name: "a 'name'" } },
      signedIn(accountId, NOW + 2),
      { ...at(3), kind: "session_reused", detail: {} },
      { ...at(4), kind: "set_up_reused", detail: {} },
      { ...at(5), kind: "new_browser", detail: {} },
      { ...at(6), kind: "passkey_added", detail: { name: "another" } },
    ];
    await store.histories.recordHistory(entries);
    await store.histories.recordHistory([
      { ...at(7), id: someId(), accountId: someId(), kind: "new_browser", detail: {} },
    ]);
    const [, first, , second, third, fourth, fifth] = entries;
    expect(await store.histories.noticesOf(accountId, 0)).toEqual([
      fifth,
      fourth,
      third,
      second,
      first,
    ]);
    expect(await store.histories.noticesOf(accountId, NOW + 5)).toEqual([fifth, fourth]);
    expect(await store.histories.noticesOf(accountId, NOW + 7)).toEqual([]);
  });

  test("many events of one kind do not hide those of another kind", async () => {
    const accountId = someId();
    const entry = (at: number) => ({ id: `${at}-${someId()}`, at, accountId });
    const detail = { name: "Firefox" };
    const added: HistoryEntry = { ...entry(NOW), kind: "passkey_added", detail };
    const browsers = Array.from(
      { length: 9 },
      (_, index): HistoryEntry => ({ ...entry(NOW + 1 + index), kind: "new_browser", detail: {} }),
    );
    await store.histories.recordHistory([added, ...browsers]);
    const newest = browsers.slice(-4).reverse();
    expect(await store.histories.noticesOf(accountId, 0)).toEqual([...newest, added]);
  });

  test("all entries of one account are deleted, from all sides at once", async () => {
    const [accountId, other] = [someId(), someId()];
    const kept = signedIn(other, NOW);
    await store.histories.recordHistory([
      signedIn(accountId, NOW),
      signedIn(accountId, NOW + 1),
      kept,
    ]);
    await race(stores, 10, (node) => node.histories.deleteHistory(accountId));
    expect(await store.histories.historyOf(accountId, { since: 0, limit: 10 })).toEqual([]);
    expect(await store.histories.historyOf(other, { since: 0, limit: 10 })).toEqual([kept]);
  });

  test("an entry that 20 callers write is one entry, and no entries are no statement", async () => {
    const accountId = someId();
    const entry = signedIn(accountId, NOW);
    await race(stores, 20, (store) => store.histories.recordHistory([entry]));
    await store.histories.recordHistory([]);
    expect(await store.histories.historyOf(accountId, { since: 0, limit: 10 })).toEqual([entry]);
  });
});

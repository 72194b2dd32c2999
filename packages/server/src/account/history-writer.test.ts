// Tests of how history is written: in the background, several entries at once, and never too many.

import { beforeEach, expect, test } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { HistoryEntry } from "../store/history-entries.ts";
import type { Aggregates } from "../store/store.ts";
import { type Events, jsonEvents } from "../telemetry/events.ts";
import { createHistory } from "./history-writer.ts";

const NOW = 1_800_000_000;
const about = { accountId: "sub_1", domain: "alice.test" };

/** The statements: the entries of each. */
let written: HistoryEntry[][];
let failures: unknown[];
let passedOn: string[];
let outage: Error | null;
/** The accounts of any domain. */
let accounts: { id: string; asleepSince: number | null }[];
beforeEach(() => {
  [written, failures, passedOn, outage, accounts] = [[], [], [], null, []];
});

function makeHistory(milliseconds = () => NOW * 1000) {
  const events: Events = {
    ...jsonEvents({ write: (line) => void passedOn.push(JSON.parse(line).msg) }),
    failed: ({ path, cause }) => void failures.push([path, cause]),
  };
  return createHistory({
    events,
    ...{ clock: clockFrom(milliseconds), random: systemRandom },
    accounts: { accountsOf: async () => accounts } as unknown as Aggregates["accounts"],
    histories: {
      async recordHistory(entries) {
        if (outage !== null) throw outage;
        if (entries.length > 0) written.push([...entries]);
      },
      historyOf: async () => [],
      noticesOf: async () => [],
      deleteHistory: async () => {},
    },
  });
}

test("entries of one millisecond have ids in their order, and follow a clock that is set back", async () => {
  let now = NOW * 1000;
  const { events, settled } = makeHistory(() => now);
  for (let count = 0; count < 20; count++) events.browserAdded(about);
  now -= 60_000;
  events.browserAdded(about);
  await settled();
  const ids = written.flat().map(({ id }) => id);
  const last = ids.pop() ?? "";
  expect(ids).toHaveLength(20);
  expect(ids.toSorted()).toEqual(ids);
  expect(last < (ids[0] ?? "")).toBe(true);
});

test("each event about an account is passed on, and is one entry with its kind and detail", async () => {
  const { events, settled } = makeHistory();
  const clientId = "dsid_1";
  events.enrolled({ ...about, assurance: "secure" });
  events.signedIn({ ...about, clientId, amr: "dns" });
  events.browserAdded(about);
  events.recoveryCodeUsed(about);
  events.appAllowed({ accountId: "sub_1", clientId, scope: "openid email" });
  events.recordLost({ ...about, since: NOW - 1 });
  events.recordFound(about);
  events.ended(about);
  events.stopped();
  expect(written).toEqual([]);
  await settled();
  const head = { id: expect.stringMatching(/^[0-9a-f]{32}$/), accountId: "sub_1", at: NOW };
  expect(written).toEqual([
    [
      { ...head, kind: "account_created", detail: {} },
      { ...head, kind: "signed_in", detail: { client_id: clientId, amr: "dns" } },
      { ...head, kind: "new_browser", detail: {} },
      { ...head, kind: "recovery_code_used", detail: {} },
      { ...head, kind: "app_allowed", detail: { client_id: clientId, scope: "openid email" } },
      {
        ...{ ...head, id: expect.stringMatching(/^[0-9a-f]{12}-asleep$/), at: NOW - 1 },
        ...{ kind: "record_changed", detail: { names_account: false } },
      },
      { ...head, kind: "record_changed", detail: { names_account: true } },
      { ...head, kind: "account_ended", detail: { by: "record" } },
    ],
  ]);
  expect(new Set(written.flat().map(({ id }) => id)).size).toBe(8);
  expect(passedOn).toEqual([
    ...["enrolled", "signed in", "browser added", "recovery code used", "app allowed"],
    ...["record lost", "record found", "ended", "stopped"],
  ]);
});

test("many entries are few statements, and those after the last are written too", async () => {
  const { events, settled } = makeHistory();
  for (let count = 0; count < 250; count++) events.browserAdded(about);
  await settled();
  expect(written.map((entries) => entries.length)).toEqual([100, 100, 50]);
  events.browserAdded(about);
  await settled();
  expect(written).toHaveLength(4);
  await settled();
  expect(written).toHaveLength(4);
});

test("who waits for what was added does not wait for what others go on adding", async () => {
  const { events, caughtUp, settled } = makeHistory();
  let isWaiting = true;
  const others = (async () => {
    while (isWaiting) {
      events.browserAdded({ ...about, accountId: "another" });
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  events.browserAdded(about);
  await caughtUp();
  expect(written.flat().some(({ accountId }) => accountId === about.accountId)).toBe(true);
  isWaiting = false;
  await others;
  await settled();
  await caughtUp();
});

test("an outage is reported, loses the entries of its time, and ends", async () => {
  const { events, settled } = makeHistory();
  outage = new Error("the database does not answer");
  events.browserAdded(about);
  await settled();
  expect(failures).toEqual([["history", outage]]);
  outage = null;
  events.recordLost({ ...about, since: NOW - 1 });
  await settled();
  expect(written.flat().map(({ kind }) => kind)).toEqual(["record_changed"]);
});

test("while the database does not answer, at most 2,000 entries wait", async () => {
  const { events, settled } = makeHistory();
  for (let count = 0; count < 2001; count++) events.browserAdded(about);
  const words = "2000 history entries are already queued; an entry was dropped: new_browser";
  expect(failures).toEqual([["history", new Error(words)]]);
  await settled();
  expect(written.flat()).toHaveLength(2000);
});

test("an account that sleeps because another became the live one has that in its history, once", async () => {
  const { events, settled } = makeHistory();
  accounts = [
    { id: "sub_1", asleepSince: null },
    { id: "sub_2", asleepSince: NOW - 7 },
  ];
  events.enrolled({ ...about, assurance: "secure" });
  await settled();
  events.recordFound(about);
  events.recordLost({ accountId: "sub_2", domain: about.domain, since: NOW - 7 });
  await settled();
  const slept = written.flat().filter(({ accountId }) => accountId === "sub_2");
  expect(slept).toHaveLength(3);
  expect(new Set(slept.map((entry) => JSON.stringify(entry))).size).toBe(1);
  expect(slept[0]).toMatchObject({ at: NOW - 7, detail: { names_account: false } });
});

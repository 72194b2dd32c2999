// A room of stored rows: who gives way, what a walk learns, and that the database holds no address.

import { expect, test, vi } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import { sha256 } from "../lib/random.ts";
import { createStoredRoom, type UnprovedRow } from "./stored-room.ts";

const FLOOD = "192.0.2.1";
const HOME = "198.51.100.1";

/** A database of rows, and rooms over it. */
function databaseOf() {
  const rows = new Map<string, UnprovedRow>();
  let seconds = 1_800_000_000;
  let ids = 0;
  const onFailure = vi.fn();
  const node = (capacity = 10) => {
    const room = createStoredRoom({
      ...{ capacity, onFailure },
      clock: clockFrom(() => seconds * 1000),
      mac: (label, at) => sha256(`${label} ${at}`),
      rowsAfter: async (after, limit) =>
        [...rows.values()]
          .filter(({ id }) => id > after)
          .sort((one, other) => (one.id < other.id ? -1 : 1))
          .slice(0, limit),
      drop: async (id) => void rows.delete(id),
    });
    /** The id of the stored row. */
    const begin = (address: string): string => {
      const id = `${String(++ids).padStart(4, "0")} ${address}`;
      const row = { id, causedBy: room.networksFor(address), octets: 1 };
      room.enter(row);
      rows.set(id, row);
      return id;
    };
    return { ...room, begin };
  };
  const of = (address: string) => [...rows.keys()].filter((id) => id.endsWith(address)).length;
  return {
    ...{ rows, node, of, onFailure },
    pass(more: number): void {
      seconds += more;
    },
  };
}

const pause = async () => {};

test("a flood makes room for others, and a stranger's row is stored", () => {
  const { node, of } = databaseOf();
  const { begin } = node();
  for (let n = 0; n < 50; n++) begin(FLOOD);
  for (let n = 0; n < 4; n++) begin(HOME);
  for (let n = 0; n < 50; n++) begin(FLOOD);
  expect(of(HOME)).toBe(4);
  expect(of(FLOOD)).toBe(6);
});

test("at the flooded address itself, a browser that has come back keeps its row", () => {
  const { rows, node } = databaseOf();
  const { begin, touch } = node();
  const own = begin(FLOOD) ?? "";
  touch(own);
  for (let n = 0; n < 50; n++) begin(FLOOD);
  expect(rows.has(own)).toBe(true);
});

test("what is proved takes no room any more", () => {
  const { node, of } = databaseOf();
  const { begin, leave } = node();
  for (let n = 0; n < 30; n++) leave(begin(FLOOD) ?? "");
  expect(of(FLOOD)).toBe(30);
});

test("a walk learns of the rows of another node, and of those that are gone", async () => {
  const { rows, node, of } = databaseOf();
  const [one, other] = [node(), node()];
  for (let n = 0; n < 8; n++) one.begin(FLOOD);
  for (let n = 0; n < 8; n++) other.begin(HOME);
  await other.walk(pause);
  expect([of(FLOOD), of(HOME)]).toEqual([5, 5]);
  rows.clear();
  await other.walk(pause);
  for (let n = 0; n < 10; n++) other.begin(HOME);
  expect(of(HOME)).toBe(10);
});

test("after a restart, a walk knows whose the rows are", async () => {
  const { node, of } = databaseOf();
  const before = node();
  for (let n = 0; n < 9; n++) before.begin(FLOOD);
  before.begin(HOME);
  const after = node();
  await after.walk(pause);
  for (let n = 0; n < 5; n++) after.begin("203.0.113.1");
  expect(of(HOME)).toBe(1);
  expect(of("203.0.113.1")).toBe(5);
});

test("a walk over many rows pauses between its steps", async () => {
  const { rows, node } = databaseOf();
  for (let n = 0; n < 2500; n++) rows.set(`${n}`, { id: `${n}`, causedBy: null, octets: 1 });
  const pauses = vi.fn(async () => {});
  await node(10_000).walk(pauses);
  expect(pauses).toHaveBeenCalledTimes(2);
  expect(rows.size).toBe(2500);
});

test("a row names neither its address nor a network, and another day's row none that can be compared", () => {
  const { rows, node, pass } = databaseOf();
  const { begin } = node();
  const first = begin(HOME) ?? "";
  pass(86_400);
  const second = begin(HOME) ?? "";
  const [one, two] = [rows.get(first)?.causedBy, rows.get(second)?.causedBy];
  expect(one).not.toContain("198.51");
  expect(one?.split(" ")).toHaveLength(3);
  expect(two).not.toBe(one);
});

test("a database that is away keeps nobody from signing in", async () => {
  const { onFailure } = databaseOf();
  const room = createStoredRoom({
    ...{
      capacity: 1,
      onFailure,
      clock: clockFrom(() => 0),
      mac: sha256,
      rowsAfter: async () => [],
    },
    drop: async () => {
      throw new Error("away");
    },
  });
  const row = (id: string) => ({ id, causedBy: room.networksFor(HOME), octets: 1 });
  for (const id of ["a", "b"]) room.enter(row(id));
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledOnce());
});

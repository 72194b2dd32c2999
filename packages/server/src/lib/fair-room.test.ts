// A fair room: who gives way, who is refused, who comes next, and what a decision costs.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFairRoom, type Holding, type Place } from "./fair-room.ts";

function createClock(ms = 0) {
  let now = ms;
  return {
    monotonic: () => now,
    pass(more: number): void {
      now += more;
    },
  };
}

/** A room whose holdings have names; those that gave way are in `evicted`. */
function roomOf(capacity: number, { weightOf }: { weightOf?: (key: string) => number } = {}) {
  const clock = createClock();
  const evicted: string[] = [];
  const room = createFairRoom<Holding & { name: string }>({ capacity, clock, weightOf });
  const enter = (name: string, keys: readonly string[], { group = "", size = 1 } = {}) =>
    room.enter({ name, keys, group, size, evict: () => void evicted.push(name) });
  const order = () => {
    const names: string[] = [];
    for (let next = room.next(); next !== null; next = room.next()) names.push(next.name);
    return names;
  };
  return { room, clock, evicted, enter, order };
}

describe("a full room", () => {
  test("takes from the largest user, and a newcomer gets a place", () => {
    const { enter, evicted } = roomOf(4);
    for (const name of ["a", "b", "c", "d"]) enter(name, ["flood", name]);
    enter("e", ["honest", "e"]);
    expect(evicted).toHaveLength(1);
  });

  test("refuses nobody who holds nothing, also where all others hold less than the newcomer would", () => {
    const { enter, evicted, room } = roomOf(20);
    for (let n = 0; n < 20; n++) enter(`bot ${n}`, [`bot ${n}`]);
    enter("large", ["home"], { size: 3 });
    expect(evicted).toHaveLength(3);
    expect(evicted).not.toContain("large");
    expect(room.held()).toBe(20);
    const heavy = roomOf(4, { weightOf: (key) => (key === "new" ? 1 : 32) });
    for (const name of ["a", "b", "c", "d"]) heavy.enter(name, [name]);
    heavy.enter("newcomer", ["new"]);
    expect(heavy.evicted).not.toContain("newcomer");
  });

  test("has room for one that is larger than all of it, by itself", () => {
    const { enter, evicted, room } = roomOf(2);
    enter("a", ["one"]);
    enter("b", ["two"], { size: 3 }).touch();
    expect([evicted, room.held()]).toEqual([["a"], 3]);
    enter("c", ["one"]);
    expect([evicted, room.held()]).toEqual([["a", "b"], 1]);
  });

  test("inside the largest network, an address with few holdings takes from one with many", () => {
    const { enter, evicted } = roomOf(4);
    for (const name of ["a", "b", "c", "d"]) enter(name, ["network", "flood"]);
    enter("e", ["network", "honest"]);
    expect(evicted).toEqual(["a"]);
  });

  test("many addresses of one network are one user", () => {
    const { enter, evicted } = roomOf(100);
    for (let n = 0; n < 95; n++) enter(`flood ${n}`, ["network", `address ${n}`]);
    for (let n = 0; n < 45; n++) enter(`honest ${n}`, [`home ${n}`]);
    expect(evicted.every((name) => name.startsWith("flood"))).toBe(true);
  });

  test("a user's weight is how much more it may hold", () => {
    const { enter, evicted } = roomOf(4, { weightOf: (key) => (key === "carrier" ? 4 : 1) });
    for (const name of ["a", "b"]) enter(name, ["carrier", name]);
    for (const name of ["c", "d"]) enter(name, ["other", name]);
    enter("e", ["carrier", "e"]);
    expect(evicted).toHaveLength(1);
    expect(["c", "d"]).toContain(evicted[0]);
  });

  test("takes from nobody whose weight was learnt after the holdings", () => {
    let weight = 1;
    const { enter, evicted } = roomOf(30, { weightOf: (key) => (key === "carrier" ? weight : 1) });
    for (let n = 0; n < 20; n++) enter(`carrier ${n}`, ["carrier", `address ${n}`]);
    weight = 32;
    for (let n = 0; n < 30; n++) enter(`flood ${n}`, ["flood", `address ${n}`]);
    enter("carrier again", ["carrier", "address 1"]);
    expect(evicted.filter((name) => name.startsWith("carrier"))).toEqual([]);
  });

  test("of holdings of one user, one without a further request gives way, the oldest first", () => {
    const { enter, evicted, clock } = roomOf(3);
    enter("kept", ["one"]).touch();
    clock.pass(61_000);
    enter("old", ["one"]);
    clock.pass(61_000);
    enter("young", ["one"]);
    enter("more", ["one"]);
    enter("again", ["one"]);
    expect(evicted).toEqual(["old", "kept"]);
  });

  test("of equally large users, one whose browser came back stays", () => {
    for (let times = 0; times < 50; times++) {
      const { enter, evicted } = roomOf(8);
      enter("kept", ["honest"]).touch();
      for (let n = 0; n < 7; n++) enter(`bot ${n}`, [`bot ${n}`]);
      enter("newcomer", ["new"]);
      expect(evicted).not.toContain("kept");
    }
  });

  test("of equally large users, those of the largest group give way", () => {
    let honest = 0;
    for (let times = 0; times < 50; times++) {
      const { enter, evicted } = roomOf(40);
      for (let n = 0; n < 38; n++) enter(`bot ${n}`, [`bot ${n}`], { group: "botnet" });
      enter("honest", ["home"], { group: "elsewhere" });
      enter("other", ["office"], { group: "third" });
      enter("newcomer", ["new"], { group: "fourth" });
      honest += evicted.filter((name) => name === "honest" || name === "other").length;
    }
    expect(honest).toBe(0);
  });
});

test("users take turns, and the users below each do", () => {
  const { enter, order } = roomOf(100);
  for (const name of ["a1", "a2", "a3"]) enter(name, ["a", "one"]);
  enter("a4", ["a", "two"]);
  enter("b1", ["b", "one"]);
  expect(order()).toEqual(["a1", "b1", "a4", "a2", "a3"]);
});

test("a user with a weight has as many turns", () => {
  const { enter, order } = roomOf(100, { weightOf: (key) => (key === "a" ? 2 : 1) });
  for (const name of ["a1", "a2", "a3"]) enter(name, ["a", "one"]);
  for (const name of ["b1", "b2"]) enter(name, ["b", "one"]);
  expect(order()).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

test("what has left once is not taken away, and leaves no second time", () => {
  const { enter, room, evicted } = roomOf(2);
  const first = enter("a", ["one"]);
  first.leave();
  first.leave();
  first.touch();
  expect(room.held()).toBe(0);
  enter("b", ["one"]);
  enter("c", ["one"]);
  expect(evicted).toEqual([]);
});

test("the largest users are named by the narrowest network that is to blame", () => {
  let largest = (): readonly string[] => [];
  const budget = {
    show(room: { largest(): readonly string[] }) {
      largest = room.largest;
    },
    evicted() {},
    refused() {},
  };
  const room = createFairRoom({ capacity: 100, clock: createClock(), budget });
  const enter = (...keys: string[]) => room.enter({ keys, size: 1, evict() {} });
  for (let n = 0; n < 9; n++) enter("2001:db8::/32", "2001:db8:1::/48", `2001:db8:1:${n}::/64`);
  enter("192.0.2.0/24", "192.0.2.1");
  expect(largest()).toEqual(["2001:db8:1::/48", "192.0.2.1"]);
});

test("keys that change with every request are merged, and a quiet user keeps its place beside them", () => {
  const { enter, evicted, room } = roomOf(20_000);
  for (let n = 0; n < 60_000; n++) enter(`flood ${n}`, ["2001:db8::/32", `${n}::/48`, `${n}::/64`]);
  enter("honest", ["192.0.2.0/24", "192.0.2.1"]);
  for (let n = 0; n < 60_000; n++)
    enter(`more ${n}`, ["2001:db8::/32", `m${n}::/48`, `m${n}::/64`]);
  expect(room.held()).toBe(20_000);
  expect(evicted).not.toContain("honest");
});

test("with more networks than are remembered, a newcomer is not refused", () => {
  const { enter, evicted } = roomOf(8000);
  for (let n = 0; n < 20_000; n++) enter(`bot ${n}`, [`bot ${n}`]);
  const home = enter("honest", ["home"]);
  home.touch();
  for (let n = 0; n < 2000; n++) enter(`late ${n}`, [`late ${n}`]);
  expect(evicted.length).toBe(20_000 + 1 + 2000 - 8000);
});

const operation = fc.record({
  network: fc.integer({ min: 0, max: 4 }),
  address: fc.integer({ min: 0, max: 3 }),
  size: fc.integer({ min: 1, max: 5 }),
  kind: fc.constantFrom("enter", "enter", "enter", "touch", "leave", "next"),
  of: fc.nat({ max: 50 }),
});

test("whatever is done, the room holds what it says, and only somebody who is not smaller gives way", () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), fc.integer(), (operations, seed) => {
      const held = new Map<Holding, { network: string; place: Place | null }>();
      let random = Math.abs(seed) % 997;
      let newcomer = { network: "", size: 0 };
      const room = createFairRoom({
        capacity: 20,
        clock: createClock(),
        random() {
          random = (random * 31 + 7) % 997;
          return random / 997;
        },
      });
      const sizeOf = (network: string) =>
        [...held].reduce((sum, [{ size }, one]) => sum + (one.network === network ? size : 0), 0);
      for (const { kind, network: n, address, size, of } of operations) {
        const network = `n${n}`;
        const chosen = [...held][of % Math.max(1, held.size)];
        if (kind === "touch") chosen?.[1].place?.touch();
        else if (kind === "leave" && chosen) {
          chosen[1].place?.leave();
          held.delete(chosen[0]);
        } else if (kind === "next") {
          const next = room.next();
          if (next === null) expect(held.size).toBe(0);
          else expect(held.delete(next)).toBe(true);
        } else if (kind === "enter") {
          const holding: Holding = {
            keys: [network, `${network} ${address}`],
            size,
            evict() {
              const victim = held.get(holding)?.network ?? "";
              const before = sizeOf(newcomer.network);
              // Who holds nothing is always admitted.
              if (victim !== newcomer.network && before > 0) {
                expect(sizeOf(victim)).toBeGreaterThanOrEqual(before + newcomer.size);
              }
              held.delete(holding);
            },
          };
          newcomer = { network, size };
          held.set(holding, { network, place: room.enter(holding) });
        }
        const sum = [...held.keys()].reduce((total, one) => total + one.size, 0);
        expect(room.held()).toBe(sum);
        expect(sum).toBeLessThanOrEqual(20);
      }
    }),
  );
});

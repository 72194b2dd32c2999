// Tests of what is remembered of looks, and for how long.

import { beforeEach, describe, expect, it } from "vitest";
import { LOOK_CACHED, LOOK_NOW, turns } from "../../test/support/looks-for.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { createLookCache, type Freshness } from "./look-cache.ts";

type Look = { checkedAt: number; serial: number };

let time: number;
let asked: number;
let cache: ReturnType<typeof createLookCache<Look>>;

beforeEach(() => {
  time = 1000;
  asked = 0;
  cache = createLookCache<Look>(() => time, 2, turns);
});

async function look(freshness: Freshness, name = "a", keepSeconds: number | null = 60) {
  const ask = async () => ({ look: { checkedAt: time, serial: ++asked }, keepSeconds });
  return (await cache.look(name, { freshness, from: SERVICE }, ask)).serial;
}

describe("a look", () => {
  it("is remembered as long as it may be", async () => {
    expect(await look("cached")).toBe(1);
    time += 59;
    expect(await look("cached")).toBe(1);
    time += 1;
    expect(await look("cached")).toBe(2);
  });

  it("is recent for three seconds, however long it may be remembered", async () => {
    expect(await look("recent", "a", 0)).toBe(1);
    time += 3;
    expect(await look("recent")).toBe(1);
    time += 1;
    expect(await look("recent")).toBe(2);
    time += 4;
    expect(await look("recent")).toBe(3);
    expect(await look("cached", "b", 0)).toBe(4);
    expect(await look("cached", "b", 0)).toBe(5);
  });

  it("is made again for who asks now, and remembered instead of the old", async () => {
    expect(await look("cached")).toBe(1);
    expect(await look("now")).toBe(2);
    expect(await look("cached")).toBe(2);
  });

  it("that is remembered counts only if it is enough, and a new one always", async () => {
    const ask = async () => ({ look: { checkedAt: time, serial: ++asked }, keepSeconds: 60 });
    const serialOf = async (isEnough: (remembered: Look) => boolean) =>
      (await cache.look("a", LOOK_CACHED, ask, isEnough)).serial;
    expect(await serialOf(() => false)).toBe(1);
    expect(await serialOf(({ serial }) => serial === 1)).toBe(1);
    expect(await serialOf(({ serial }) => serial > 1)).toBe(2);
    expect(await look("cached")).toBe(2);
  });

  it("of the future is made again: the clock was set back", async () => {
    expect(await look("cached")).toBe(1);
    time -= 10;
    expect(await look("recent")).toBe(2);
    time -= 10;
    expect(await look("cached")).toBe(3);
    expect(await look("cached")).toBe(3);
  });

  it("that failed is not remembered", async () => {
    expect(await look("cached", "a", null)).toBe(1);
    expect(await look("recent", "a", null)).toBe(2);
    expect(await look("cached")).toBe(3);
  });

  it("that failed takes nothing away from an earlier one", async () => {
    expect(await look("cached")).toBe(1);
    expect(await look("now", "a", null)).toBe(2);
    expect(await look("cached")).toBe(1);
  });

  it("is shared by all who ask for the name meanwhile, and by none afterwards", async () => {
    const all = (["now", "recent", "cached"] as const).map((freshness) => look(freshness));
    expect(await Promise.all([...all, look("now", "b")])).toEqual([1, 1, 1, 2]);
    expect(await look("now")).toBe(3);
  });

  it("that throws is told to all who share it, and the next asks again", async () => {
    const ask = () => Promise.reject(new Error("broken"));
    const both = [cache.look("a", LOOK_NOW, ask), cache.look("a", LOOK_NOW, ask)];
    for (const one of both) await expect(one).rejects.toThrow("broken");
    expect(await look("cached")).toBe(1);
  });

  it("gives way to others when there are too many", async () => {
    await look("cached", "a");
    await look("cached", "b");
    await look("cached", "c");
    expect(await look("cached", "c")).toBe(3);
    expect(await look("cached", "b")).toBe(2);
    expect(await look("cached", "a")).toBe(4);
  });
});

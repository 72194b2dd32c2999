// Tests of what is remembered of zones, and for how long.

import { beforeEach, expect, it } from "vitest";
import { createZoneCache, type ZoneCache } from "./zone-cache.ts";

let time: number;
let cache: ZoneCache<{ freshUntil: number }>;

beforeEach(() => {
  time = 1000;
  cache = createZoneCache({ now: () => time, maxZones: 2 });
});

it("a zone is remembered until its time ends", () => {
  const entry = { freshUntil: 1010 };
  cache.keep("a", entry);
  time = 1009;
  expect(cache.get("a")).toBe(entry);
  time = 1010;
  expect(cache.get("a")).toBeUndefined();
  time = 1000;
  expect(cache.get("a")).toBeUndefined();
});

it("a zone whose time has ended already takes away what was there", () => {
  cache.keep("a", { freshUntil: 1010 });
  cache.keep("a", { freshUntil: 1000 });
  expect(cache.get("a")).toBeUndefined();
});

it("the zone that was not used for longest gives way to another", () => {
  for (const zone of ["a", "b"]) cache.keep(zone, { freshUntil: 2000 });
  cache.get("a");
  cache.keep("c", { freshUntil: 2000 });
  expect(["a", "b", "c"].filter((zone) => cache.get(zone))).toEqual(["a", "c"]);
});

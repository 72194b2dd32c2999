// The DNS zones of the demo, from the root down. Many tests use them too.

/** `shop.market.test` is two labels below the zone that delegates to it, `carol.test` is unsigned. */
export const DEMO_ZONES = [
  { name: "", algorithm: 13, signed: true },
  { name: "test", algorithm: 15, signed: true },
  { name: "alice.test", algorithm: 13, signed: true },
  { name: "bob.test", algorithm: 15, signed: true },
  { name: "carol.test", algorithm: 13, signed: false },
  { name: "shop.market.test", algorithm: 13, signed: true },
] as const;

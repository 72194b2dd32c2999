// The events of the time: part of the table of events.

import { type EventsOf, event } from "./event-spec.ts";

export const TIME_EVENTS = {
  /**
   * The clock is wrong, and the service answers nothing that depends on it: it is "behind" the newest time that is proven,
   * or "contradicted" by the signatures of the DNS root.
   */
  clockUncertain: event<{ verdict: string; reason: string }>("error", {
    counter: {
      name: "domain_signin_clock_uncertain_total",
      help: "How often the clock was found behind the newest proven time, or contradicted by the DNS root.",
      labels: ["verdict"],
      zeros: ["behind", "contradicted"],
    },
  }),
  /** The newest signature of the DNS root is old, but the clock has been right so far: the service goes on. */
  witnessOld: event<{ reason: string }>("error", {
    counter: {
      name: "domain_signin_witness_old_total",
      help: "How often the newest signature of the DNS root was older than it can be, at a node that goes on.",
    },
  }),
  /** No resolver has shown a signature of the DNS root since the start: nothing confirms the clock. */
  clockUnwitnessed: event("warn", {
    shown: () => ({
      hint: "the resolvers must pass on the signatures of DNSSEC, see Time in the docs",
    }),
  }),
  /** The signatures of the DNS root agree with the clock. */
  clockCertain: event("info"),
  /** The clock was read; `floorLag` is by how many seconds the newest time that is proven is behind it. */
  timeJudged: event<{ verdict: string; floorLag: number }>("none", {
    gauge: {
      name: "domain_signin_time_floor_lag_seconds",
      help: "By how much the newest proven time is behind the clock. Nothing is deleted before it.",
      of: "floorLag",
    },
  }),
  /** The DNS root was looked at; `unknownKeys` of its key-signing keys are no trust anchors. */
  rootSeen: event<{ unknownKeys: number }>("none", {
    gauge: {
      name: "domain_signin_root_keys_unknown",
      help: "Key-signing keys that the DNS root lists and that are no trust anchors: above 0, update the anchors.",
      of: "unknownKeys",
    },
  }),
  /** The DNS root lists keys that are no trust anchors. It will sign with them in some weeks. */
  rootKeyUnknown: event<{ keyTags: readonly number[] }>("warn", {
    shown: ({ keyTags }) => ({ keyTags, hint: "update domain-signin, or trust_anchors" }),
  }),
  /** The clock of this machine is `seconds` ahead of that of the database (negative: behind), which is used. */
  clockSkewed: event<{ seconds: number }>("error", {
    counter: {
      name: "domain_signin_clock_skewed_total",
      help: "How often the clock of this machine was found to differ from that of the database.",
    },
  }),
};

export type TimeEvents = EventsOf<typeof TIME_EVENTS>;

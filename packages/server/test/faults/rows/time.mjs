// Faults in what the time is worth: a clock that jumps revives, deletes and ends nothing.

const src = (name) => `packages/server/src/${name}`;
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;
const CERTAINTY = src("time/certainty.test.ts");
const CLOCK = flow("clock");
const SKEW = flow("clock-skew");

export const TIME_FAULTS = [
  {
    file: src("time/certainty.ts"),
    guard: "a clock that is behind is noticed",
    find: "if (ahead < -TOLERANCE_S) return",
    replace: "if (ahead < -TOLERANCE_S * 1e9) return",
    test: CERTAINTY,
  },
  {
    file: src("time/certainty.ts"),
    guard: "the certain time never goes back",
    find: "return certain(now, Math.max(now, seconds));",
    replace: "return certain(now, now);",
    test: CERTAINTY,
  },
  {
    file: src("time/certainty.ts"),
    guard: "a clock far ahead is certain only if the DNS root agrees",
    find: '(standing === "right" || isRootValid)',
    replace: "(isRootValid || true)",
    test: CERTAINTY,
  },
  {
    file: src("time/certainty.ts"),
    guard: "another jump starts the 24 hours again",
    find: "!wasAhead || Math.abs(ahead - aheadBefore) > MAX_AHEAD_S",
    replace: "!wasAhead",
    test: CERTAINTY,
  },
  {
    file: src("time/running-time.ts"),
    guard: "a clock that is set is read at the next request",
    find: "> MAX_DRIFT_MS,",
    replace: "> 1e15,",
    test: CLOCK,
  },
  {
    file: src("http/pipeline.ts"),
    guard: "nothing that depends on the time is answered while the clock is behind",
    find: "if (settling !== null) await settling;",
    replace: "settling?.catch(() => {});",
    test: CLOCK,
    title: "revives neither a replaced refresh token nor an expired code",
  },
  {
    file: src("service.ts"),
    guard: "nothing is deleted while the clock is far ahead",
    find: "if (time.isCertain()) await task(pause);",
    replace: "await task(pause);",
    test: CLOCK,
    title: "deletes nothing, and what it seems to have ended works afterwards",
  },
  {
    file: src("service.ts"),
    guard: "rows stay for a day after they could be deleted",
    find: "all.clock.seconds() - REMOVED_AFTER_S",
    replace: "all.clock.seconds() - 0 * REMOVED_AFTER_S",
    test: CLOCK,
    title: "what has really expired is deleted a day later",
  },
  {
    file: src("service.ts"),
    guard: "no key is made by a clock that is far ahead",
    find: "mayRotate: time.isCertain()",
    replace: "mayRotate: true",
    test: CLOCK,
    title: "a clock that is a year ahead",
  },
  {
    file: src("service.ts"),
    guard: "with PostgreSQL, its time counts",
    find: "(overrides.clock ? overrides.databaseClock : engine.now) ?? null",
    replace: "(overrides.clock ? null : engine.now) ?? null",
    test: SKEW,
  },
  {
    file: src("lib/lifetime.ts"),
    guard: "what began in the future is over",
    find: "if (since > now + CLOCK_TOLERANCE_S) return true;",
    replace: "",
    test: CLOCK,
    title: "leaves nothing that is valid for 40 days",
  },
  {
    file: src("lib/lifetime.ts"),
    guard: "what is over only by a jump is not refused",
    find: "if (end <= now - clock.slack(since)) return true;",
    replace: "if (end <= now) return true;",
    test: CLOCK,
    title: "takes no retry for theft",
  },
  {
    file: src("store/grants.ts"),
    guard: "a look of the future does not count as a look",
    find: "AND control_checked_at > ?6 AND control_checked_at <= ?1 + ${CLOCK_TOLERANCE_S}",
    replace: "AND control_checked_at > ?6",
    test: "packages/server/test/conformance/store/misdated.test.ts",
    title: "PostgreSQL a refresh token whose lookup has a future time",
  },
  {
    file: src("store/high-water.ts"),
    guard: "of several nodes, one moves the certain time on",
    find: "AND seconds = ?4 AND ran_s = ?5 AND ran_at = ?6",
    replace: "AND ?4 >= 0 AND ?5 >= 0 AND ?6 >= 0",
    test: "packages/server/test/conformance/store/high-water.test.ts",
    title: "PostgreSQL of 20 callers that read the same row",
  },
  {
    file: src("http/health.ts"),
    guard: "a node that cannot write is not ready",
    find: "await deps.time.check();",
    replace: "",
    test: flow("readiness"),
    title: "a full disk makes the node unready",
  },
  {
    file: src("dns/validator.ts"),
    guard: "two resolvers vouch for the time",
    find: "valid >= Math.min(2, validators.length)",
    replace: "valid >= 1",
    test: src("dns/root-valid.test.ts"),
  },
];

// Faults in how the time is judged: a clock that jumps must not revive, delete or end anything.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const TIME_FAULTS = [
  ...inFile(src("time/certainty"), testOf("time/certainty"), {
    "a clock that is behind is noticed": {
      find: "if (ahead < -TOLERANCE_S) return",
      replace: "if (ahead < -TOLERANCE_S * 1e9) return",
    },
    "the certain time never goes back": {
      find: "return certain(now, Math.max(now, seconds));",
      replace: "return certain(now, now);",
    },
    "a clock far ahead is certain only if the DNS root agrees": {
      find: '(standing === "right" || isRootValid)',
      replace: "(isRootValid || true)",
    },
    "another jump starts the 24 hours again": {
      find: "!wasAhead || Math.abs(ahead - aheadBefore) > MAX_AHEAD_S",
      replace: "!wasAhead",
    },
  }),
  ...inFile(src("time/running-time"), flow("clock"), {
    "a clock that is set is read at the next request": {
      find: "> MAX_DRIFT_MS,",
      replace: "> 1e15,",
    },
  }),
  ...inFile(src("http/pipeline"), flow("clock"), {
    "nothing that depends on the time is answered while the clock is behind": {
      find: "if (settling !== null) await settling;",
      replace: "settling?.catch(() => {});",
      title: "revives neither a replaced refresh token nor an expired code",
    },
  }),
  ...inFile(src("service"), flow("clock"), {
    "nothing is deleted while the clock is far ahead": {
      find: "if (time.isCertain()) await task(pause);",
      replace: "await task(pause);",
      title: "deletes nothing, and what it seems to have ended works afterwards",
    },
    "rows stay for a day after they could be deleted": {
      find: "all.clock.seconds() - REMOVED_AFTER_S",
      replace: "all.clock.seconds() - 0 * REMOVED_AFTER_S",
      title: "what has really expired is deleted a day later",
    },
    "no key is made by a clock that is far ahead": {
      find: "mayRotate: time.isCertain()",
      replace: "mayRotate: true",
      title: "a clock that is a year ahead",
    },
    "with PostgreSQL, its time counts": {
      find: "(overrides.clock ? overrides.databaseClock : engine.now) ?? null",
      replace: "(overrides.clock ? null : engine.now) ?? null",
      test: flow("clock-skew"),
    },
  }),
  ...inFile(src("lib/lifetime"), flow("clock"), {
    "what began in the future is over": {
      find: 'if (isMisdated(since, now)) return "over";',
      title: "leaves nothing that is valid for 40 days",
    },
    "what is over only by a jump is not refused": {
      find: 'return end <= now - clock.slack(since) ? "over" : "uncertain";',
      replace: 'return "over";',
      title: "takes no retry for theft",
    },
  }),
  ...inFile(src("store/grant-changes"), conformance("misdated"), {
    "a look of the future does not count as a look": {
      find: "    AND control_checked_at <= given.now + ${CLOCK_TOLERANCE_S}\n",
      title: "PostgreSQL a refresh token whose lookup has a future time",
    },
  }),
  ...inFile(src("store/high-water"), conformance("high-water"), {
    "of several nodes, one moves the certain time on": {
      find: "AND seconds = ?4 AND ran_s = ?5 AND ran_at = ?6",
      replace: "AND ?4 >= 0 AND ?5 >= 0 AND ?6 >= 0",
      title: "PostgreSQL of 20 callers that read the same row",
    },
  }),
  ...inFile(src("http/health"), flow("readiness"), {
    "a node that cannot write is not ready": {
      find: "await deps.time.check();",
      title: "a full disk makes the node unready",
    },
  }),
  ...inFile(src("dns/validator"), testOf("dns/root-valid"), {
    "two resolvers vouch for the time": {
      find: "valid >= Math.min(2, validators.length)",
      replace: "valid >= 1",
    },
  }),
  ...inFile(src("time/authority"), testOf("time/authority"), {
    "what a node has read counts although other nodes were faster": {
      find: "if (!isStored && tries < MAX_TRIES) continue;",
      replace: "if (!isStored) continue;",
    },
    "a suspend while the row is written is noticed": {
      find: "tries <= 2 && isDue()",
      replace: "tries <= 1 && isDue()",
    },
  }),
  ...inFile(src("interaction/session"), flow("clock"), {
    "a session that may have ended keeps nobody from signing in": {
      find: 'return state === "over" ? standing : "uncertain";',
      replace: "return standing;",
      title: "keeps nobody from signing in again, and is not signed out",
    },
  }),
  ...inFile(src("oauth/authorize"), flow("clock"), {
    "an app does not hear that nobody is signed in while the time is not certain": {
      find: "if (session === undefined && browser.uncertain.length > 0) {",
      replace: "if (session === null) {",
      title: "keeps nobody from signing in again, and is not signed out",
    },
  }),
  ...inFile(src("oauth/logout"), flow("clock"), {
    "a session that may have ended can be ended": {
      find: "[...live, ...resting, ...uncertain]",
      replace: "[...live, ...resting]",
      title: "can be ended",
    },
  }),
  ...inFile(src("oauth/refresh-token-grant"), flow("clock"), {
    "a retry of a rotation that a wrong clock dated is no theft": {
      find: "if (isMisdated(since, clock.seconds())) {\n    throw",
      replace: "if (clock.seconds() < 0) {\n    throw",
      title: "takes no retry for theft of a token that was replaced in that minute",
    },
  }),
  ...inFile(src("oauth/authorization-code-grant"), flow("clock"), {
    "a double submit of a code that a wrong clock dated is no theft": {
      find: "(isUndated || !isOver(",
      replace: "((isUndated && clock.seconds() < 0) || !isOver(",
      title: "takes no double submit of a code for theft",
    },
  }),
  ...inFile(src("interaction/passkey-challenge"), flow("domain-passkey"), {
    "a challenge that a wrong clock dated is not fresh": {
      find: "&& age >= -CLOCK_TOLERANCE_S",
      title: "for a challenge of a clock that was ahead",
    },
  }),
];

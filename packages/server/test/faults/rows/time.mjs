// Faults in how the time is judged: a clock that jumps must not revive, delete or end anything.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const TIME_FAULTS = [
  ...inFile(src("time/time-verdict"), testOf("time/time-verdict"), {
    "a clock that is behind is noticed": {
      find: "if (now < passed - BEHIND_S) {",
      replace: "if (now < passed - BEHIND_S * 1e9) {",
    },
    "a clock before the newest signature of the root is contradicted": {
      find: "if (now < inception - WITNESS_SKEW_S) return",
      replace: "if (now < 0) return",
      title: "a clock 301 s before it",
    },
    "an old signature contradicts the clock at a start": {
      find: "if (isOld && certainSince === null) return",
      replace: "if (isOld && certainSince === 0) return",
      title: "an older one at a start",
    },
    "an old signature does not take down a node that has been right": {
      find: "isOld && certainSince === null",
      replace: "isOld",
      title: "an older one at a node that was certain",
    },
    "what was signed before a jump does not confirm it": {
      find: "if (!witness?.isFresh || hasJumped) {",
      replace: "if (!witness || hasJumped) {",
      title: "one from before the last jump",
    },
    "a certain time is the floor only after an hour": {
      find: "ran - since >= CERTAIN_FLOOR_S ?",
      replace: "ran - since >= 0 ?",
      title: "does not follow a clock that is",
    },
    "what the root has contradicted stays so without it": {
      find: 'if (jumps.some(({ isRefuted }) => isRefuted)) return found("contradicted");\n    ',
      title: "stays so for other nodes and starts",
    },
    "what the root has agreed with is contradicted no more": {
      find: "waiting: marked(false) }",
      replace: "waiting: jumps }",
      title: "until it agrees or the clock is right",
    },
    "a clock that is faster than the running time does not drive the floor ahead": {
      find: "Math.min(passed, now)",
      replace: "passed",
      title: "adds up to nothing",
    },
    "the clock of another root may be wrong for longer before anything is deleted": {
      find: "if (hasPublicRoot) return MARGIN_S;\n",
      replace: "return MARGIN_S;\n",
      title: "the margin of another root",
    },
    "a slight step back heals by itself": {
      find: "isSlight ? lowest : passed",
      replace: "passed",
      test: testOf("time/step-back"),
      title: "heals by itself",
    },
    "what the root allows was not refuted": {
      find: "left > OLD_S ? rest : rest.map",
      replace: "left > 0 ? rest : rest.map",
      title: "until it agrees or the clock is right",
    },
    "while the clock is behind there is no new jump at each look": {
      find: "if (by >= -JUMP_S || jumps.length === 0) return jumps;",
      replace: "if (by >= -JUMP_S) return jumps;",
      test: testOf("time/root-looks"),
      title: "is asked hourly while the clock is behind",
    },
    "after a long jump was believed nothing is deleted": {
      find: "by > QUIET_FROM_S ?",
      replace: "by > QUIET_FROM_S * 1e9 ?",
      title: "nothing is deleted for seven days",
    },
  }),
  ...inFile(src("time/running-time"), testOf("time/authority"), {
    "windows of the process end in a suspend too": {
      find: "return asleep - monotonic > LEAST_SUSPEND_MS ? asleep : monotonic;",
      replace: "return monotonic;",
      title: "that the boot clock counts is no jump",
    },
    "the running time goes on where another node or start ended": {
      find: "ranBeforeMs = Math.max(ranBeforeMs, stored * 1000 - passedAt(reading));",
      title: "the running time is one sum",
    },
    "a process that is older than the database adds nothing": {
      find: "let ranBeforeMs = Number.NEGATIVE_INFINITY;",
      replace: "let ranBeforeMs = 0;",
      title: "a process that is older than the database",
    },
    "a boot clock that leaps alone counts for nothing": {
      find: "const asleep = Math.min(...elapsed);",
      replace: "const [asleep = 0] = elapsed;",
      title: "a boot clock that leaps",
    },
  }),
  ...inFile(src("time/authority"), testOf("time/authority"), {
    "a jump that another node has found ends the certainty of this one": {
      find: "if (hasForeignJump(row) || running.hasSlept(reading)) witness",
      replace: "if (running.hasSlept(reading)) witness",
      title: "because another node was first",
    },
    "after a long suspend the root is asked before the clock is used": {
      find: "hasForeignJump(row) || running.hasSlept(reading)",
      replace: "hasForeignJump(row)",
      title: "with a clock that is 40 days ahead at the wake",
    },
    "before the root was seen again nothing ends": {
      find: '(state.verdict === "certain" || witness.newest() === null) &&',
      title: "with a clock that is 40 days ahead at the wake",
    },
    "while the signatures are old nothing ends": {
      find: "!state.isAlarming && !state.isSkewed",
      replace: "!state.isHeld && !state.isSkewed",
      title: "old signatures and a slight step back",
    },
    "a slight step back does not end the certainty of a node": {
      file: src("time/time-verdict"),
      find: "return isSlight ? { ...judged, certainSince } : judged;",
      replace: "return judged;",
      title: "old signatures and a slight step back",
    },
    "the suspend of a node whose clock is wrong counts as far as that of the database": {
      file: src("time/running-time"),
      find: ", to.timeMs - from.timeMs]",
      replace: "]",
      title: "takes no other node of the database down",
    },
    "a request waits for a look that began after the jump": {
      find: "tries <= 2 && witness",
      replace: "tries <= 1 && witness",
      test: testOf("time/root-looks"),
      title: "by a look that began after it",
    },
    "after a jump of days was believed nothing ends": {
      find: " &&\n      state.floor.ran >= state.floor.quietUntil",
      title: "after a long jump was believed",
    },
  }),
  ...inFile(src("time/running-time"), flow("clock"), {
    "a clock that is set is read at the next request": {
      find: "> MAX_DRIFT_MS,",
      replace: "> 1e15,",
    },
  }),
  ...inFile(src("time/authority"), flow("clock"), {
    "a clock that jumped is not used before the root was asked about it": {
      find: "tries <= 2 && witness.isUnasked()",
      replace: "tries <= 0 && witness.isUnasked()",
      title: "is contradicted by the DNS root within seconds",
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
    "rows of people stay for seven days after they could be deleted": {
      find: "clean(LASTING_TABLES, fixed(time.cleanUpTime()), pause)",
      replace: "clean(LASTING_TABLES, fixed(time.cleanUpTime(0)), pause)",
      title: "what has really expired is deleted seven days later",
    },
    "with PostgreSQL, its time counts": {
      find: "(overrides.clock ? overrides.databaseClock : engine.now) ?? null",
      replace: "(overrides.clock ? null : engine.now) ?? null",
      test: flow("clock-skew"),
    },
  }),
  ...inFile(src("service"), flow("root-in-service"), {
    "the clock that is judged does not tell the year of a signature": {
      find: "about: () => time.clock.floor()",
      replace: "about: (overrides.clock ?? systemClock).seconds",
      title: "a machine that says 2100",
    },
  }),
  ...inFile(src("lib/lifetime"), flow("clock"), {
    "what began in the future is over": {
      find: "return isMisdated(since, now) || end <= now;",
      replace: "return end <= now;",
      title: "leaves nothing that is valid for 40 days",
    },
    "what is over only by a jump is not refused": {
      find: 'return isSure ? "over" : "uncertain";',
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
  ...inFile(src("store/floor"), conformance("floor"), {
    "of several nodes, one moves the floor on": {
      find: "AND seconds = ?5 AND ran_s = ?6",
      replace: "AND ?5 >= 0 AND ?6 >= 0",
      title: "PostgreSQL of 20 callers that read the same row",
    },
  }),
  ...inFile(src("cli/clock-command"), flow("clock-command"), {
    "a clock that the root has contradicted is not accepted": {
      find: "isRefuted && options.force !== true",
      replace: "isRefuted && options.force === null",
      title: "names all that proves the time",
    },
  }),
  ...inFile(src("cli/command-database"), flow("clock-command"), {
    "no command is dated by a clock that the root has contradicted": {
      find: "if (judged.isHeld) throw",
      replace: 'if (judged.verdict === "behind") throw',
      title: "names all that proves the time",
    },
  }),
  ...inFile(src("store/clean-up"), conformance("clean-up"), {
    "a walk ends when nothing may end any more": {
      find: "if (at === null) break;",
      replace: "if (at === null) return removed + 1;",
      title: "a walk ends with the step",
    },
    "what strangers store goes by the running time, whatever the clock says": {
      find: "(made_ran + expires_at - created_at <= ${ran(0)}",
      replace: "(made_ran + expires_at - created_at <= ${ran(0)} AND expires_at <= ${at(0)}",
      title: "whatever the clock says",
    },
    "what a node of an earlier version stored has no running time": {
      find: "OR (made_ran IS NULL AND expires_at <= ${at(0)}))\n      AND (used_code",
      replace: "OR (made_ran IS NULL AND expires_at <= ${ran(0)}))\n      AND (used_code",
      title: "by a node of an earlier version",
    },
  }),
  ...inFile(src("keys/keyring"), flow("clock"), {
    "no key is made by a clock that is far ahead": {
      find: "isSuccessorDue(ring, now) && isSuccessorDue(ring, proven)",
      replace: "isSuccessorDue(ring, now)",
      title: "a clock that is a year ahead",
    },
  }),
  ...inFile(src("keys/keyring"), testOf("keys/rotation"), {
    "no key is made or removed by a clock that only has jumped": {
      find: "const proven = Math.min(now, clock.floor());",
      replace: "const proven = now;",
      title: "by a clock that only has jumped",
    },
  }),
  ...inFile(src("account/account-walk"), flow("account-walk"), {
    "an account ends by the floor": {
      find: "clock.floor() - MAX_ASLEEP_S",
      replace: "clock.seconds() - MAX_ASLEEP_S",
      title: "of which only a clock that jumped says",
    },
    "a walk ends no account from when nothing may end": {
      find: "if (!mayEnd() || failures.length > 0) return;",
      replace: "if (failures.length > 0) return;",
      title: "ends no more from when nothing may end",
    },
    "a jump that is believed during a walk ends no account": {
      find: "Math.min(asleepBefore, longAgo())",
      replace: "longAgo()",
      title: "only by a jump that is believed during the walk",
    },
  }),
  ...inFile(src("account/account-walk"), testOf("account/account-walk"), {
    "no account ends by a look that was under way when the time became uncertain": {
      find: "    if (!mayEnd()) return false;\n",
      title: "if nothing may end any more",
    },
    "zones that do not answer hold up no other account": {
      find: "const LOOKS_AT_ONCE = 20;",
      replace: "const LOOKS_AT_ONCE = 1;",
      title: "hold up no other account",
    },
    "no more than twenty looks are under way": {
      find: "looks.size === LOOKS_AT_ONCE",
      replace: "looks.size === 2 * LOOKS_AT_ONCE",
      title: "hold up no other account",
    },
    "the walk asks at most fifty questions a second": {
      find: "        rate.begin([]);\n",
      title: "no second has more than 50 questions",
    },
    "a look for which there was no room is made soon": {
      find: 'if (result.failure === "busy") await',
      replace: 'if (result.failure === "stale") await',
      title: "had no room",
    },
    "no look goes on after the walk": {
      find: "    await Promise.all(looks);\n",
      title: "called off",
    },
  }),
  ...inFile(src("account/control"), flow("account-walk"), {
    "a loss is confirmed by the floor": {
      find: "putToSleep(accountId, now, clock.floor())",
      replace: "putToSleep(accountId, now, now)",
      title: "of which only a clock that jumped says",
    },
  }),
  ...inFile(src("http/health"), flow("clock"), {
    "keys of the root that are no anchors are in /readyz": {
      find: "...(keys.length > 0 && { unknown_root_keys: keys }),\n",
      title: "keys of the DNS root that are no trust anchors are named",
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
  ...inFile(src("sessions/browser-sessions"), flow("clock"), {
    "a session that may have ended keeps nobody from signing in": {
      find: 'return state === "over" ? standing : "uncertain";',
      replace: "return standing;",
      title: "keeps nobody from signing in again, and is not signed out",
    },
  }),
  ...inFile(src("oauth/authorize"), flow("clock"), {
    "an app does not hear that nobody is signed in while the time is not certain": {
      find: "if (session === undefined && uncertain.length > 0) {",
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
      find: "if (isMisdated(since, clock.seconds())) {\n      throw",
      replace: "if (clock.seconds() < 0) {\n      throw",
      title: "takes no retry for theft of a token that was replaced in that minute",
    },
  }),
  ...inFile(src("oauth/authorization-code-grant"), flow("clock"), {
    "a double submit of a code that a wrong clock dated is no theft": {
      find: "(isUndated || !isSurelyOver(",
      replace: "((isUndated && clock.seconds() < 0) || !isSurelyOver(",
      title: "takes no double submit of a code for theft",
    },
  }),
  ...inFile(src("passkeys/challenge"), flow("domain-passkey"), {
    "a challenge that a wrong clock dated is not fresh": {
      find: "&& age >= -CLOCK_TOLERANCE_S",
      title: "for a challenge of a clock that was ahead",
    },
  }),
  ...inFile(src("http/health"), flow("readiness"), {
    "a node that cannot write is not ready": {
      find: "await time.check();",
      title: "a full disk makes the node unready",
    },
  }),
];

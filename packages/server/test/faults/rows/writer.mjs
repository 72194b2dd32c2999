// Faults in how writes are grouped.

import { conformance, inFile, src, testOf } from "../row-helpers.mjs";

/** The thread runs the build, in which no fault is planted. */
const BATCH = testOf("database/sqlite-batch");

export const WRITER_FAULTS = [
  ...inFile(src("database/sqlite-batch"), BATCH, {
    "a write is acknowledged after its commit": {
      find: '      database.exec("COMMIT");\n',
      title: "is one transaction, and each gets its own rows",
    },
    "a bad statement fails nobody else of its group": {
      find: "if (isConstraintFailure(cause)) return { failure: messageOf(cause) };",
      replace: "if (isConstraintFailure(cause)) return [];",
      title: "with one that violates a constraint keeps the others",
    },
    "after a failed commit each statement is run by itself": {
      find: "    return batch.map(runAlone);",
      replace: "    return batch.map(() => []);",
      title: "with one that does not fit on the disk keeps the others",
    },
    "a write that a lock has failed leaves nothing in progress": {
      find: '    database.exec("BEGIN IMMEDIATE");\n    try {\n      const outcomes',
      replace:
        '    if (batch.length === 1) return batch.map(run);\n    database.exec("BEGIN IMMEDIATE");\n    try {\n      const outcomes',
      title: "commits what comes after a write that a lock has failed",
      test: conformance("sqlite"),
    },
  }),
  ...inFile(src("database/write-queue"), testOf("database/write-queue"), {
    "tokens go before pages": {
      find: "const inOrder = [first, urgent, others];",
      replace: "const inOrder = [first, others, urgent];",
      title: "goes by urgency",
    },
    "so many writes may wait": {
      find: "urgent.length + others.length >= WRITE_LIMITS.waiting",
      replace: "others.length >= WRITE_LIMITS.waiting",
      title: "at once, when too many wait",
    },
  }),
  ...inFile(src("database/sqlite-groups"), testOf("database/sqlite-groups"), {
    "two changes of one row in a group run one after the other": {
      find: "known !== undefined && !known.keys.has(keyOf(write))",
      replace: "known !== undefined",
      title: "with one key run one after the other",
    },
    "a write never gets the shared values of another one": {
      find: " && isAlike(known.group, write)",
      title: "share a statement only if they share the values",
    },
    "a write that fails fails no other one of its group": {
      find: "if (alone.length > 0) await run(alone, written).catch((error) => fail(alone, error, written));",
      title: "do not fail because of one of them",
    },
    "each write of a group gets its own row": {
      find: "written.set(write, rows.get(keyOf(write)) ?? []);",
      replace: "written.set(write, rows.get(keyOf(write)) ?? [...rows.values()][0] ?? []);",
      title: "each gets its own row or none",
    },
  }),
  ...inFile(src("database/grouped"), testOf("database/grouped"), {
    "a statement with other parameters is not grouped": {
      find: '    if (text.includes("?")) refuse("it has a parameter of its own");\n',
      title: "is refused with a parameter of its own",
    },
    "each request gets the rows of its own key": {
      find: "resolve(rows.get(key) ?? [])",
      replace: "resolve([...rows.values()].flat())",
      title: "that come together are one statement, and each gets its own rows",
    },
    "a limit for one key is none for many": {
      find: "|LIMIT|",
      replace: "|",
      title: "is refused with a limit",
    },
  }),
  ...inFile(src("database/sqlite-groups"), testOf("database/sqlite-groups"), {
    "what a first flush has written stands if a second one fails": {
      find: ".catch((error) => fail(alone, error, written))",
      title: "stand if they were written before",
    },
  }),
  ...inFile(src("database/engine"), conformance("drivers"), {
    "no half of a surrogate pair gets into the database": {
      find: "return toUSVString(value);",
      replace: "return value;",
      title: "half of a surrogate pair is stored as a replacement character",
    },
  }),
  ...inFile(src("database/write-queue"), testOf("database/write-queue"), {
    "a drain waits for each flush that runs": {
      find: "    if (running > 0) return;\n",
      title: "what arrives during one begins another, and what arrives during both waits",
    },
  }),
  ...inFile(src("database/grouped"), conformance("postgres-groups"), {
    "a group on PostgreSQL waits for no row": {
      find: "FOR NO KEY UPDATE SKIP LOCKED",
      replace: "FOR NO KEY UPDATE",
      title: "do not wait for a row that another transaction has locked",
    },
  }),
  ...inFile(src("database/sqlite-batch"), testOf("database/sqlite-batch"), {
    "half an array is undone": {
      find: "database.exec(UNDO_JOINED);\n          return null;",
      replace: 'database.exec("RELEASE joined");\n          return null;',
      title: "that stop in the middle leave nothing",
    },
    "an array that a constraint refuses is undone": {
      find: "if (isConstraintFailure(cause)) database.exec(UNDO_JOINED);",
      replace: 'if (isConstraintFailure(cause)) database.exec("RELEASE joined");',
      title: "that stop in the middle leave nothing",
    },
  }),
  ...inFile(src("database/postgres-commit"), conformance("commit"), {
    "half an array is not committed on PostgreSQL": {
      find: 'await connection.run({ text: "ROLLBACK" }, deadline);\n      return null;',
      replace: 'await connection.run({ text: "COMMIT" }, deadline);\n      return null;',
      title: "none takes effect if one marked",
    },
  }),
  ...inFile(src("database/postgres-groups"), conformance("postgres-groups"), {
    "of two changes of one row on PostgreSQL one wins": {
      find: "group.get(keyOf(write)) === write ? rows.get(keyOf(write)) : undefined",
      replace: "rows.get(keyOf(write))",
      title: "for one row change it one after the other, and one of them wins",
    },
    "a row that a group on PostgreSQL leaves out is changed by itself": {
      find: "if (own !== undefined) return own;",
      replace: "if (own !== undefined || group.has(keyOf(write))) return own ?? [];",
      title: "do not wait for a row that another transaction has locked",
    },
    "on PostgreSQL a bad value fails nobody else of its group": {
      find: "  return !(cause instanceof UnavailableError || cause instanceof TypeError);",
      replace: "  return false;",
      title: "do not fail because of one of them",
    },
    "a group on PostgreSQL whose outcome is unknown is not run again as if it had failed": {
      find: "      if (!hadNoEffect(cause)) throw cause;\n",
      title: "have an unknown outcome, all of them, if their connection is cut",
    },
    "a group on PostgreSQL whose rows cannot be read is not run again": {
      find: " || cause instanceof TypeError)",
      replace: ")",
      title: "are not run again if their rows cannot be read: they have taken effect",
    },
  }),
  ...inFile(src("database/postgres"), conformance("postgres-groups"), {
    "an engine on PostgreSQL is closed after its writes": {
      find: "      await writes.drain();\n",
      title: "all have their outcome before the engine is closed",
    },
  }),
  ...inFile(src("database/postgres-groups"), conformance("postgres-groups"), {
    "one contended row holds one connection": {
      find: "lines.run(line, task, patience)",
      replace: "task()",
      title: "wait for one locked row hold one connection",
    },
  }),
  ...inFile(src("database/postgres-groups"), testOf("database/postgres-groups"), {
    "what waits behind a write without an answer is not run too": {
      find: "  return new NotBegunError(`another write of the same row failed: ${error.message}`);",
      replace: "  return null;",
    },
    "a write that was never sent fails nobody behind it": {
      find: " || error instanceof NotBegunError) return null;",
      replace: ") return null;",
    },
  }),
  ...inFile(src("lib/lines"), testOf("database/postgres-groups"), {
    "a write whose turn does not come in its time is refused meanwhile": {
      find: "        line.waiting.delete(waiter);\n        reject(lateError(",
      replace: "        void (lateError(",
    },
  }),
  ...inFile(src("database/waits"), conformance("postgres-slowness"), {
    "a write that was refused because its time was over is not sent with its group": {
      find: "        if (timer.left <= 0) return false;\n",
      title: "is left out of the group that waits for a connection",
    },
  }),
  ...inFile(src("database/postgres-liveness"), conformance("postgres-slowness"), {
    "what was sent waits for its outcome for 20 s": {
      find: "const GIVEN_UP_AFTER = 200;",
      replace: "const GIVEN_UP_AFTER = 100;",
      title: "is answered late, with success",
    },
    "nothing is sent into a silence": {
      find: "      if (outage === null) return null;\n      if (closed",
      replace: "      if (outage === null || outage.isSilence) return null;\n      if (closed",
    },
    "connections that may be dead are replaced after an outage": {
      find: "      renew();\n",
      title: "that stay silent after the server's return are replaced",
    },
  }),
  ...inFile(src("database/postgres-pool"), conformance("postgres-slowness"), {
    "while the server refuses connections, not every statement tries for one": {
      find: "    if (waiters.size > 0) renewMain();\n",
      title: "few connections are tried for",
    },
  }),
  ...inFile(src("database/postgres"), conformance("postgres-slowness"), {
    "a person is not kept waiting for a read that was sent into a silence": {
      find: "if (liveness.outage() !== null) reject(",
      replace: "if (liveness.outage() === null) reject(",
      title: "although the read was sent into the silence",
    },
  }),
  ...inFile(src("database/waits"), conformance("postgres-starts"), {
    "a start asks again if its answer is lost": {
      find: "      if (!(cause instanceof UnknownOutcomeError)) throw cause;\n",
      replace: "      throw cause;\n",
      title: "wait for a server that is silent",
    },
  }),
  ...inFile(src("database/postgres-pool"), conformance("postgres-spare"), {
    "a server that allows no more connections is not asked by every statement": {
      find: "() => {\n        pausedUntil = performance.now() + PAUSE_MS;",
      replace: "() => {\n        pausedUntil = 0 * PAUSE_MS;",
      title: "is not asked for it by every statement",
    },
    "the spare connection is lent if the server allows no other": {
      find: "return (needsSpare ? spare : main).pool;",
      replace: "return (needsSpare ? main : main).pool;",
      title: "it is lent where the server allows no other",
    },
    "what comes over TLS counts as a sign of life": {
      find: "stream instanceof Socket ? stream.bytesRead : 0;",
      replace: "stream.constructor === Socket ? stream.bytesRead : 0;",
      title: "a server that falls silent is waited for",
      test: conformance("postgres-tls"),
    },
    "a task whose own new connection is refused gets one that others release": {
      find: "const isAlone = () => main.ready.size + spare.ready.size === 0;",
      replace: "const isAlone = () => spare.ready.size === 0;",
      title: "waits for one that another task has",
    },
  }),
  ...inFile(src("database/write-queue"), testOf("database/write-queue"), {
    "a mark goes before everything that waits": {
      find: "if (isFirst) return first;",
      replace: "if (isFirst) return others;",
      title: "also where too many other writes wait",
    },
    "a write that waits for too long is refused in its time": {
      find: "    now++;\n    refuseLate();\n",
      replace: "    now++;\n",
      title: "after two seconds at the token endpoint and ten for a person",
    },
    "what a lock gives back all the time is refused in its time": {
      find: "    // It will be handed over again at once, and no step finds it waiting.\n    refuseLate();\n",
      title: "is refused when its time is over, if it is handed over and given back all the time",
    },
    "a write whose outcome was said to be unknown is not run again": {
      find: "if (!waiting.isGivenUp) waiting.lane.unshift(waiting);",
      replace: "waiting.lane.unshift(waiting);",
      title: "is never run again once the caller was told that nobody knows",
    },
  }),
  ...inFile(src("lib/own-time"), testOf("lib/own-time"), {
    "an answer that came while the process was stopped counts": {
      find: "else setImmediate(count);",
      replace: "else count();",
      title: "an answer that arrived while the process was stopped counts",
    },
  }),
  ...inFile(src("database/sqlite-lock"), conformance("writer-thread"), {
    "the process that holds the write lock is named": {
      find: "Number(first) <= WRITE_LOCK_OCTET && Number(last) >= WRITE_LOCK_OCTET",
      replace: "first === last && Number(last) > WRITE_LOCK_OCTET",
      title: "delays a write, and the engine names the process",
    },
  }),
];

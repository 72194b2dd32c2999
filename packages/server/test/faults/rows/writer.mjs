// Faults in how writes are grouped, and in the thread that writes to a SQLite file.

const store = (name) => `packages/server/src/store/${name}.ts`;
const WRITER = "packages/server/test/conformance/store/writer-thread.test.ts";
const QUEUE = store("write-queue.test");

export const WRITER_FAULTS = [
  {
    file: store("sqlite-batch"),
    guard: "a write is acknowledged after its commit",
    find: '      database.exec("COMMIT");\n',
    replace: "",
    test: WRITER,
    title: "of writes at the same moment each gets its own rows",
  },
  {
    file: store("sqlite-batch"),
    guard: "a bad statement fails nobody else of its group",
    find: "if (isConstraintFailure(cause)) return { failure: messageOf(cause) };",
    replace: "if (isConstraintFailure(cause)) return [];",
    test: WRITER,
    title: "of writes at the same moment each gets its own rows",
  },
  {
    file: store("sqlite-batch"),
    guard: "after a failed commit each statement is run by itself",
    find: "    return batch.map(runAlone);",
    replace: "    return batch.map(() => []);",
    test: store("sqlite-batch.test"),
    title: "with one that does not fit on the disk keeps the others",
  },
  {
    file: store("sqlite-batch"),
    guard: "a write that a lock has failed leaves nothing in progress",
    find: '    database.exec("BEGIN IMMEDIATE");\n    try {\n      const outcomes',
    replace:
      '    run({ sql: "BEGIN IMMEDIATE", parameters: [] });\n    try {\n      const outcomes',
    test: "packages/server/test/conformance/store/sqlite.test.ts",
    title: "commits what comes after a write that a lock has failed",
  },
  {
    file: store("write-queue"),
    guard: "tokens go before pages",
    find: "for (const lane of [urgent, others])",
    replace: "for (const lane of [others, urgent])",
    test: QUEUE,
    title: "goes by urgency",
  },
  {
    file: store("write-queue"),
    guard: "so many writes may wait",
    find: "urgent.length + others.length >= WRITE_LIMITS.waiting",
    replace: "others.length >= WRITE_LIMITS.waiting",
    test: QUEUE,
    title: "at once, when too many wait",
  },
  {
    file: store("sqlite-thread"),
    guard: "nobody waits for a thread that hangs",
    find: "    isSilent = true;\n",
    replace: "",
    test: WRITER,
    title: "everything that waits is refused within a second",
  },
  {
    file: store("sqlite-thread"),
    guard: "a thread that died is replaced",
    find: "      isAlive = false;\n",
    replace: "",
    test: WRITER,
    title: "the outcome of what it had is unknown",
  },
  {
    file: store("sqlite"),
    guard: "a service writes in a thread",
    find: "isFile && withThread ? writeInThread(path)",
    replace: "isFile && !withThread ? writeInThread(path)",
    test: WRITER,
    title: "one thread writes",
  },
];

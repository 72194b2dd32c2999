// Faults in how writes are grouped.

const store = (name) => `packages/server/src/store/${name}.ts`;
const QUEUE = store("write-queue.test");
/** The thread runs the build, in which no fault is planted. */
const BATCH = store("sqlite-batch.test");
const GROUPS = store("sqlite-groups.test");

export const WRITER_FAULTS = [
  {
    file: store("sqlite-batch"),
    guard: "a write is acknowledged after its commit",
    find: '      database.exec("COMMIT");\n',
    replace: "",
    test: BATCH,
    title: "is one transaction, and each gets its own rows",
  },
  {
    file: store("sqlite-batch"),
    guard: "a bad statement fails nobody else of its group",
    find: "if (isConstraintFailure(cause)) return { failure: messageOf(cause) };",
    replace: "if (isConstraintFailure(cause)) return [];",
    test: BATCH,
    title: "with one that violates a constraint keeps the others",
  },
  {
    file: store("sqlite-batch"),
    guard: "after a failed commit each statement is run by itself",
    find: "    return batch.map(runAlone);",
    replace: "    return batch.map(() => []);",
    test: BATCH,
    title: "with one that does not fit on the disk keeps the others",
  },
  {
    file: store("sqlite-batch"),
    guard: "a write that a lock has failed leaves nothing in progress",
    find: '    database.exec("BEGIN IMMEDIATE");\n    try {\n      const outcomes',
    replace:
      '    if (batch.length === 1) return batch.map(run);\n    database.exec("BEGIN IMMEDIATE");\n    try {\n      const outcomes',
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
    file: store("sqlite-groups"),
    guard: "two changes of one row in a group run one after the other",
    find: "found !== undefined && !found.keys.has(key)",
    replace: "found !== undefined",
    test: GROUPS,
    title: "with one key run one after the other",
  },
  {
    file: store("sqlite-groups"),
    guard: "a write that fails fails no other one of its group",
    find: "if (alone.length > 0) await run(alone, written).catch((error) => fail(alone, error, written));",
    replace: "",
    test: GROUPS,
    title: "do not fail because of one of them",
  },
  {
    file: store("sqlite-groups"),
    guard: "each write of a group gets its own row",
    find: "return row === undefined ? [] : [row];",
    replace: "return [row ?? [...rows.values()][0]].filter((one) => one !== undefined);",
    test: GROUPS,
    title: "each gets its own row or none",
  },
  {
    file: store("given"),
    guard: "a statement with other parameters is not grouped",
    find: ' || rest.includes("?")',
    replace: "",
    test: store("given.test"),
    title: "has no such form with another parameter",
  },
  {
    file: store("sqlite-reads"),
    guard: "each request gets the rows of its own key",
    find: "resolve(byKey.get(key) ?? [])",
    replace: "resolve([...byKey.values()].flat())",
    test: store("sqlite-reads.test"),
    title: "that come together are one statement, and each gets its own rows",
  },
  {
    file: store("json-rows"),
    guard: "a limit for one key is none for many",
    find: "|LIMIT|",
    replace: "|",
    test: store("json-rows.test"),
    title: "a statement with a limit stays as it is",
  },
  {
    file: store("sqlite-groups"),
    guard: "what a first flush has written stands if a second one fails",
    find: ".catch((error) => fail(alone, error, written))",
    replace: "",
    test: GROUPS,
    title: "stand if they were written before",
  },
  {
    file: store("engine"),
    guard: "no half of a surrogate pair gets into the database",
    find: "return toUSVString(value);",
    replace: "return value;",
    test: "packages/server/test/conformance/store/drivers.test.ts",
    title: "half of a surrogate pair is stored as a replacement character",
  },
];

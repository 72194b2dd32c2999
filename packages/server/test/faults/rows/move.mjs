// Faults in the move to PostgreSQL, found by interruptions and by planted differences.

const server = (path) => `packages/server/src/${path}.ts`;
const MOVE = "packages/server/test/flows/move.test.ts";
const INTERRUPTED = "packages/server/test/flows/interrupted-move.test.ts";
const PROGRESS = "packages/server/test/conformance/store/move-progress.test.ts";

export const MOVE_FAULTS = [
  {
    file: server("store/move-progress"),
    guard: "of callers that copy the same rows one does",
    find: "WHERE table_name = ?1 AND last_key IS NOT DISTINCT FROM ?2",
    replace: "WHERE table_name = ?1 AND (last_key = ?2 OR true)",
    test: PROGRESS,
    title: "of many callers that copy the same rows",
  },
  {
    file: server("store/move-progress"),
    guard: "rows are copied only by the caller that notes them",
    find: " WHERE EXISTS (SELECT 1 FROM claimed)\n",
    replace: " WHERE true ON CONFLICT DO NOTHING\n",
    test: PROGRESS,
    title: "of many callers that copy the same rows",
  },
  {
    file: server("store/move-progress"),
    guard: "rows of the source are not cleared",
    find: "table_name = ?1 AND last_key IS NULL)`",
    replace: "table_name = ?1)`",
    test: PROGRESS,
    title: "what a new database notes about itself",
  },
  {
    file: server("store/open"),
    guard: "a target with an unfinished move is not served",
    find: "      await requireNoMove(engine);\n",
    replace: "",
    test: MOVE,
    title: "a row that no service wrote",
  },
  {
    file: server("store/open"),
    guard: "a source that was moved is not served",
    find: "    await requireNotMoved(engine);\n",
    replace: "",
    test: MOVE,
    title: "after the move the source is not served",
  },
  {
    file: server("store/sqlite"),
    guard: "a source in use is not moved",
    find: '    database.exec("PRAGMA journal_mode = DELETE");\n',
    replace: "",
    test: MOVE,
    title: "a source in use",
  },
  {
    file: server("store/sqlite"),
    guard: "the source cannot be changed during the move",
    find: '    database.exec("PRAGMA locking_mode = EXCLUSIVE");\n',
    replace: "",
    test: MOVE,
    title: "nobody can change the source",
  },
  {
    file: server("backup/move"),
    guard: "the target is refused until the source is",
    find: "  await moved.setMovedTo(targetName);\n  await progress.finish();\n",
    replace: "  await progress.finish();\n  await moved.setMovedTo(targetName);\n",
    test: INTERRUPTED,
    title: "at each of its last statements",
  },
  {
    file: server("backup/move"),
    guard: "an unfinished move of another database is not continued",
    find: "(await progress.unfinishedSource()) !== id",
    replace: "(await progress.unfinishedSource()) === null",
    test: INTERRUPTED,
    title: "a target with the unfinished move of another database",
  },
  {
    file: server("backup/move"),
    guard: "a target that is not empty is refused",
    find: "if (filled !== null) throw",
    replace: 'if (filled === "") throw',
    test: MOVE,
    title: "a target that is not empty",
  },
  {
    file: server("backup/move"),
    guard: "the checksum is of all columns",
    find: "JSON.stringify(row)",
    replace: "JSON.stringify(row.slice(0, 3))",
    test: INTERRUPTED,
    title: "nothing becomes an empty text",
  },
  {
    file: server("backup/move"),
    guard: "both are compared",
    find: "if (compared.some(isDifferent))",
    replace: "if (compared.length === 0)",
    test: INTERRUPTED,
    title: "a row of the source is changed",
  },
  {
    file: server("store/table-rows"),
    guard: "a row without a key is not passed over",
    find: "if (found.length > 0) throw",
    replace: "if (found.length > 1) throw",
    test: MOVE,
    title: "a row that no service wrote",
  },
];

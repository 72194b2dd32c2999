// Faults in the move to PostgreSQL, found by interruptions and by planted differences.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const MOVE_FAULTS = [
  ...inFile(src("database/moved"), conformance("move-progress"), {
    "of callers that copy the same rows one does": {
      find: "WHERE table_name = ?1 AND last_key IS NOT DISTINCT FROM ?2",
      replace: "WHERE table_name = ?1 AND (last_key = ?2 OR true)",
      title: "of many callers that copy the same rows",
    },
    "rows are copied only by the caller that notes them": {
      find: " WHERE EXISTS (SELECT 1 FROM claimed)\n",
      replace: " WHERE true ON CONFLICT DO NOTHING\n",
      title: "of many callers that copy the same rows",
    },
    "rows of the source are not cleared": {
      find: "table_name = ?1 AND last_key IS NULL)`",
      replace: "table_name = ?1)`",
      title: "the rows of a new database are cleared once",
    },
  }),
  ...inFile(src("database/open"), flow("move"), {
    "a target with an unfinished move is not served": {
      find: "        await requireNoMove(patient);\n",
      title: "a row that no service wrote",
    },
    "a source that was moved is not served": {
      find: "    await requireNotMoved(engine);\n",
      title: "after the move the source is not served",
    },
  }),
  ...inFile(src("database/sqlite"), flow("move"), {
    "a source in use is not moved": {
      find: "if (alone) excludeOthers(database, path);",
      replace: 'if (alone) waitBlocking(database, "serving");',
      title: "a source in use",
    },
    "the source cannot be changed during the move": {
      find: '    database.exec("PRAGMA locking_mode = EXCLUSIVE");\n',
      title: "nobody can change the source",
    },
  }),
  ...inFile(src("backup/move"), "packages/server/test/slow/interrupted-move.test.ts", {
    "the target is refused until the source is": {
      find: "  await moved.setMovedTo(targetName);\n  await progress.finish();\n",
      replace: "  await progress.finish();\n  await moved.setMovedTo(targetName);\n",
      only: "at each of its last statements",
    },
    "an unfinished move of another database is not continued": {
      find: "(await progress.unfinishedSource()) !== id",
      replace: "(await progress.unfinishedSource()) === null",
      only: "a target with the unfinished move of another database",
    },
    "a target that is not empty is refused": {
      find: "if (filled !== null) throw",
      replace: 'if (filled === "") throw',
      title: "a target that is not empty",
      test: flow("move"),
    },
    "the checksum is of all columns": {
      find: "JSON.stringify(row)",
      replace: "JSON.stringify(row.slice(0, 3))",
      only: "nothing becomes an empty text",
    },
    "both are compared": {
      find: "if (compared.some(isDifferent))",
      replace: "if (compared.length === 0)",
      only: "a row of the source is changed",
    },
  }),
  ...inFile(src("database/table-rows"), flow("move"), {
    "a row without a key is not passed over": {
      find: "if (found.length > 0) throw",
      replace: "if (found.length > 1) throw",
      title: "a row that no service wrote",
    },
    "reading a large file does not use up the time limits of the target": {
      find: "    await nextTurn();\n",
      title: "between two batches",
      test: testOf("database/table-rows"),
    },
  }),
];

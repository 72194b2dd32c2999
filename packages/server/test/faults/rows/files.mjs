// Faults in the files of a SQLite database: a file that is gone, its copies, and a restore that revives nothing.

import { conformance, flow, inFile, src } from "../row-helpers.mjs";

export const FILE_FAULTS = [
  ...inFile(src("database/sqlite"), flow("one-service"), {
    "a file that is gone is not served": {
      find: "found = present === opened ? null",
      replace: "found = present !== undefined ? null",
      only: "a service whose file is deleted",
    },
  }),
  ...inFile(src("backup/files"), flow("restore-command"), {
    "nothing is restored beside a left-over log": {
      find: "for (const companion of companionsOf(path)) {",
      replace: "for (const companion of companionsOf(`${path}-none`)) {",
    },
    "the kept database finds its log": {
      find: "const kept = name + companion.slice(path.length);",
      replace: "const kept = `${name}.log${companion.slice(path.length)}`;",
    },
  }),
  ...inFile(src("backup/restore"), flow("restore-command"), {
    "the former database is kept": {
      find: "await keepFormer(path, kept);",
      replace: "await keepFormer(`${path}-none`, kept);",
    },
  }),
  ...inFile(src("backup/files"), flow("restore-command"), {
    "only its owner reads a backup": {
      find: 'await open(path, "wx", 0o600);',
      replace: 'await open(path, "wx", 0o644);',
    },
  }),
  ...inFile(src("backup/restored"), flow("restore-command"), {
    "the last step of a restore ends what it would revive": {
      find: "for (const table of REVIVED_TABLES) ended[table] = await endAll(table, now, store);",
      replace: "for (const table of REVIVED_TABLES) ended[table] = 0 * now;",
    },
  }),
  ...inFile(src("database/invariants"), conformance("invariants"), {
    "verify finds grants without an account": { find: '  grants: "account_id",\n' },
  }),
];

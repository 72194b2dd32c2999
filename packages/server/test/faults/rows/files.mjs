// Faults in the files of a SQLite database: its lock, its copies, and a restore that revives nothing.

const src = (name) => `packages/server/src/${name}`;
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;
const BACKUP = "packages/server/test/slow/backup-command.test.ts";
const SERVICE = flow("one-service");
const RESTORE = flow("backup-and-restore");

export const FILE_FAULTS = [
  {
    file: src("store/guard.ts"),
    guard: "a SQLite file has one service at a time",
    find: 'database.exec("BEGIN EXCLUSIVE");',
    replace: 'database.exec("BEGIN");',
    test: SERVICE,
    title: "a second serve on one file is refused",
  },
  {
    file: src("store/sqlite.ts"),
    guard: "a file that is gone is not served",
    find: "found = present === opened ? null",
    replace: "found = present !== undefined ? null",
    test: SERVICE,
    title: "a service whose file is deleted",
  },
  {
    file: src("store/open.ts"),
    guard: "a malformed database is not served",
    find: "if (found === undefined) return;",
    replace: "if (found !== 0) return;",
    test: SERVICE,
    title: "a copy beside the log of another state",
  },
  {
    file: src("backup/restore.ts"),
    guard: "nothing is restored beside a left-over log",
    find: "const [companion] = companionsOf(path);",
    replace: "const [companion] = companionsOf(`${path}-none`);",
    test: BACKUP,
    title: "refuses a log that a killed process left",
  },
  {
    file: src("backup/restore.ts"),
    guard: "the former database is kept",
    find: "const previous = await keepPrevious(path, now);",
    replace: "const previous = await keepPrevious(`${path}-none`, now);",
    test: BACKUP,
    title: "puts the backup in the place of the database, which is kept",
  },
  {
    file: src("backup/files.ts"),
    guard: "only its owner reads a backup",
    find: 'await open(path, "wx", 0o600);',
    replace: 'await open(path, "wx", 0o644);',
    test: BACKUP,
    title: "under a writer that never pauses",
  },
  {
    file: src("cli/restore.ts"),
    guard: "the last step of a restore ends what it would revive",
    find: "finishRestore({",
    replace:
      "(async (deps) => ({ ...(await deps.keepMark && {}), ended: {}, undetermined: [] }))({",
    test: RESTORE,
  },
  {
    file: src("store/invariants.ts"),
    guard: "verify finds grants without an account",
    find: '  grants: "account_id",\n',
    replace: "",
    test: "packages/server/test/conformance/store/invariants.test.ts",
  },
];

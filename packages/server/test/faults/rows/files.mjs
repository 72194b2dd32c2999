// Faults in the files of a SQLite database: a file that is gone, its copies, and a restore that revives nothing.

const src = (name) => `packages/server/src/${name}`;
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;
const RESTORE = flow("restore-command");

export const FILE_FAULTS = [
  {
    file: src("store/sqlite.ts"),
    guard: "a file that is gone is not served",
    find: "found = present === opened ? null",
    replace: "found = present !== undefined ? null",
    test: flow("one-service"),
    only: "a service whose file is deleted",
  },
  {
    file: src("backup/former.ts"),
    guard: "nothing is restored beside a left-over log",
    find: "for (const companion of companionsOf(path)) {",
    replace: "for (const companion of companionsOf(`${path}-none`)) {",
    test: RESTORE,
  },
  {
    file: src("backup/former.ts"),
    guard: "the kept database finds its log",
    find: "const kept = name + companion.slice(path.length);",
    replace: "const kept = `${name}.log${companion.slice(path.length)}`;",
    test: RESTORE,
  },
  {
    file: src("backup/restore.ts"),
    guard: "the former database is kept",
    find: "await keepFormer(path, kept);",
    replace: "await keepFormer(`${path}-none`, kept);",
    test: RESTORE,
  },
  {
    file: src("backup/files.ts"),
    guard: "only its owner reads a backup",
    find: 'await open(path, "wx", 0o600);',
    replace: 'await open(path, "wx", 0o644);',
    test: RESTORE,
  },
  {
    file: src("backup/restored.ts"),
    guard: "the last step of a restore ends what it would revive",
    find: "for (const table of REVIVED_TABLES) ended[table] = await endAll(table, now, store);",
    replace: "for (const table of REVIVED_TABLES) ended[table] = 0 * now;",
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

// Faults in what recognizes a restored backup, and in what it must not revive.

const src = (name) => `packages/server/src/${name}.ts`;
const flow = "packages/server/test/flows/restored.test.ts";
const store = "packages/server/test/conformance/store/restored.test.ts";
const marked = "packages/server/src/backup/marked-store.test.ts";

export const BACKUP_FAULTS = [
  {
    file: src("backup/mark-check"),
    guard: "a database behind its mark is not served",
    find: "if (own.counter >= mark.counter) return null;",
    replace: "if (own.counter > 0) return null;",
    test: marked,
    title: "a database behind its mark is refused",
  },
  {
    file: src("backup/mark-check"),
    guard: "a mark of another database is refused",
    find: "  if (own !== null && own.databaseId !== mark.databaseId) {",
    replace: "  if (own === undefined) {",
    test: marked,
    title: "a mark of another database is refused",
  },
  {
    file: src("backup/mark-check"),
    guard: "an empty database does not take the place of that of the mark",
    find: "if (mark !== null && isEmpty && !isMade) throw",
    replace: "if (mark === undefined) throw",
    test: marked,
    title: "an empty database is refused",
  },
  {
    file: src("backup/mark-keeper"),
    guard: "the counter stays 0 until there is a mark file",
    find: "    await write(installation);\n    return store.startCounter();",
    replace:
      "    const started = await store.startCounter();\n    await write(installation);\n    return started;",
    test: marked,
    title: "a folder that cannot be written does not start the counter",
  },
  {
    file: src("backup/mark-keeper"),
    guard: "a change waits for a write that began after it",
    find: "      next ??= running.then(() => {",
    replace: "      if (next === null) return running;\n      next ??= running.then(() => {",
    test: marked,
    title: "a change waits for a write that began after it",
  },
  {
    file: src("backup/marked-store"),
    guard: "a command changes nothing in a database behind its mark",
    find: 'if (problem !== null && databaseKind(database) === "file") throw problem;',
    replace: "if (problem === undefined) throw problem;",
    test: marked,
    title: "a command changes nothing in a database behind its mark",
  },
  {
    file: src("backup/marked-store"),
    guard: "PostgreSQL keeps a mark that it is behind for `restored`",
    find: "isKept = problem === null;",
    replace: "isKept = true;",
    test: marked,
    title: "PostgreSQL is served behind its mark",
  },
  {
    file: src("keys/end-again"),
    guard: "an ended key that was current has a successor",
    find: "} else if (isEnded(currentOf(ring, now))) {",
    replace: "} else if (ring.length === 0) {",
    test: store,
    title: "a key that was ended after the backup is ended again",
  },
  {
    file: src("store/endings"),
    guard: "a client whose secret was ended does not become public",
    find: "WHEN secret_hash = ?2 THEN ?3 ELSE secret_hash END",
    replace: "WHEN secret_hash = ?2 THEN NULLIF(?3, ?3) ELSE secret_hash END",
    test: store,
    title: "an ended secret authenticates nobody again",
  },
  {
    file: src("store/revived"),
    guard: "an interaction of a fast clock is ended by the time of the restore",
    find: "(CASE WHEN created_at < ${now} THEN created_at ELSE ${now} END)",
    replace: "(CASE WHEN created_at < ${now} THEN created_at ELSE created_at END)",
    test: store,
    title: "no sign-in in progress goes on",
  },
  {
    file: src("store/passkeys"),
    guard: "an unconfirmed passkey is not used",
    find: "AND NOT ${IS_UNCONFIRMED} AND (counter",
    replace: "AND (counter",
    test: store,
    title: "a passkey of the backup is unconfirmed",
  },
  {
    file: src("sign-in/use-passkey"),
    guard: "an unconfirmed passkey signs in only if the record lists it",
    find: 'if (!look.jkt.includes(passkey.thumbprint)) return { outcome: "unconfirmed" };',
    replace: "",
    test: flow,
    title: "that was removed since signs nobody in",
  },
  {
    file: src("sign-in/set-up"),
    guard: "a set-up that began before the restore counts no more",
    find: "startedAt <= (restoredAt ?? -1)",
    replace: "startedAt < 0",
    test: flow,
    title: "does not make the account again that has ended since",
  },
  {
    file: src("sign-in/hand-on"),
    guard: "the link of a set-up from before the restore shows no record",
    find: "const isVoid = startedAt <= ((await deps.restoredAt()) ?? -1);",
    replace: "const isVoid = false;",
    test: flow,
    title: "is no longer handed on",
  },
];

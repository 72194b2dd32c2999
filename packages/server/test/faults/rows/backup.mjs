// Faults in what recognizes a restored backup, and in what it must not revive.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const BACKUP_FAULTS = [
  ...inFile(src("backup/mark-keeper"), testOf("backup/mark-keeper"), {
    "a database behind its mark is not served": {
      find: "if (own.counter >= mark.counter) return null;",
      replace: "if (own.counter > 0) return null;",
      title: "a database behind its mark is refused",
    },
    "a mark of another database is refused": {
      find: "  if (own !== null && own.databaseId !== mark.databaseId) {",
      replace: "  if (own === undefined) {",
      title: "a mark of another database is refused",
    },
    "an empty database does not take the place of that of the mark": {
      find: "if (mark !== null && isEmpty && !isMade) throw",
      replace: "if (mark === undefined) throw",
      title: "an empty database is refused",
    },
  }),
  ...inFile(src("backup/mark-keeper"), testOf("backup/mark-keeper"), {
    "the counter stays 0 until there is a mark file": {
      find: "    await write(installation);\n    return store.installation.startCounter();",
      replace:
        "    const started = await store.installation.startCounter();\n    await write(installation);\n    return started;",
      title: "a folder that cannot be written does not start the counter",
    },
    "a change waits for a write that began after it": {
      find: "    next ??= running.then(() => {",
      replace: "    if (next === null) return running;\n    next ??= running.then(() => {",
      title: "a change waits for a write that began after it",
    },
  }),
  ...inFile(src("backup/mark-keeper"), testOf("backup/mark-keeper"), {
    "a command changes nothing in a database behind its mark": {
      find: 'if (problem !== null && databaseKind(database) === "file") throw problem;',
      replace: "if (problem === undefined) throw problem;",
      title: "a command changes nothing in a database behind its mark",
    },
    "PostgreSQL keeps a mark that it is behind for `restored`": {
      find: "isKept = problem === null;",
      replace: "isKept = true;",
      title: "PostgreSQL is served behind its mark",
    },
  }),
  ...inFile(src("keys/end-again"), conformance("restored"), {
    "an ended key that was current has a successor": {
      find: "if (!isEnded(isStatement ? promotedOf(ring) : currentOf(ring, now))) return;",
      replace: "if (!isStatement || !isEnded(promotedOf(ring))) return;",
      title: "a key that was ended after the backup is ended again",
    },
  }),
  ...inFile(src("store/clients"), conformance("restored"), {
    "a client whose secret was ended does not become public": {
      find: "WHEN secret_hash = ?2 THEN ?3 ELSE secret_hash END",
      replace: "WHEN secret_hash = ?2 THEN NULLIF(?3, ?3) ELSE secret_hash END",
      title: "an ended secret authenticates nobody again",
    },
  }),
  ...inFile(src("store/revived"), conformance("restored"), {
    "an interaction of a fast clock is ended by the time of the restore": {
      find: "(CASE WHEN created_at < ${now} THEN created_at ELSE ${now} END)",
      replace: "(CASE WHEN created_at < ${now} THEN created_at ELSE created_at END)",
      title: "no sign-in in progress goes on",
    },
  }),
  ...inFile(src("store/passkeys"), conformance("restored"), {
    "an unconfirmed passkey is not used": {
      find: "AND NOT ${IS_UNCONFIRMED} AND (counter",
      replace: "AND (counter",
      title: "a passkey of the backup is unconfirmed",
    },
  }),
  ...inFile(src("sign-in/use-passkey"), flow("restored"), {
    "an unconfirmed passkey signs in only if the record lists it": {
      find: 'if (!look.jkt.includes(passkey.thumbprint)) return { outcome: "unconfirmed" };',
      title: "that was removed since signs nobody in",
    },
  }),
  ...inFile(src("lib/lifetime"), flow("restored"), {
    "a set-up that began before the restore counts no more": {
      find: "(startedAt <= restoredAt ||",
      replace: "(startedAt < 0 ||",
      title: "does not make the account again that has ended since",
    },
    "nor does one that a wrong clock dated": {
      find: "|| isMisdated(startedAt, now));",
      replace: "|| now < 0);",
      title: "does not either if a clock dated it that was ahead",
    },
  }),
  ...inFile(src("cli/restore-command"), flow("restore-command"), {
    "a restore is not dated before what the backup holds": {
      find: "Math.max(systemClock.milliseconds(), seconds * 1000)",
      replace: "Math.max(systemClock.milliseconds(), seconds)",
      title: "confirms no passkey of the backup on a machine whose clock is behind",
    },
  }),
  ...inFile(src("sign-in/set-up/hand-on"), flow("restored"), {
    "the link of a set-up from before the restore shows no record": {
      find: "const isVoid = await setUps.isVoid(startedAt);",
      replace: "const isVoid = false;",
      title: "is no longer handed on",
    },
  }),
];

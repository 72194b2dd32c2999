// Faults in how the outcome of a lost answer is found out, and in how keys and client secrets are ended.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const ENDING_FAULTS = [
  ...inFile(src("database/unknown-outcome"), conformance("unknown-outcomes"), {
    "a change whose answer was lost is found out": {
      find: "return await resolve(cause);",
      replace: "throw cause;",
      title: "had committed when its connection was cut",
    },
    "what cannot be found out is no refusal": {
      find: "if (row === null) throw failure;",
      replace: "if (row === null) return row as never;",
      title: "another request has followed since",
    },
  }),
  ...inFile(src("store/grant-changes"), conformance("unknown-outcomes"), {
    "the change of another caller is not taken for one's own": {
      find: "WHERE id = ?1 AND attempt = ?2 AND revoked_at IS NULL",
      replace: "WHERE id = ?1 AND ?2 <> '' AND revoked_at IS NULL",
      title: "of 30 callers whose first answers are all lost",
    },
    "a change that may not be replicated is not acknowledged": {
      find: "UPDATE grants SET attempt = attempt WHERE id = ?1 AND attempt = ?2 AND revoked_at IS NULL\n  RETURNING id, ${returned}`;",
      replace:
        "SELECT id, ${returned} FROM grants WHERE id = ?1 AND attempt = ?2 AND revoked_at IS NULL`;",
      title: "that it may not be replicated",
    },
    "a grant that was revoked meanwhile is not answered": {
      find: "AND attempt = ?2 AND revoked_at IS NULL",
      replace: "AND attempt = ?2",
      title: "whose grant has been revoked since",
    },
  }),
  ...inFile(src("database/postgres-connection"), conformance("unknown-outcomes"), {
    "the end of a session is an unknown outcome": {
      find: "if (/^(08|57P)/.test(code)) return new UnknownOutcomeError(message);",
      title: "rolled back when its session was ended",
    },
  }),
  ...inFile(src("store/clients"), conformance("endings"), {
    "a former secret ends without the current one, and once": {
      find: "WHERE id = ?1 AND former_secret_hash = ?2 RETURNING id",
      replace: "WHERE id = ?1 AND ?2 <> '' RETURNING id",
      title: "of 20 endings of one former secret",
    },
  }),
  ...inFile(src("clients/client-registry"), testOf("clients/client-registry"), {
    "a secret that ends by a rotation is recorded": {
      find: "[row.formerSecretHash, overlap === 0 ? from : null], now",
      replace: "[row.formerSecretHash], now",
      title: "leaves nothing of the previous one without an overlap",
    },
    "a secret that was ended does not depend on a clock": {
      find: "overlap === 0 ? null : now + overlap;",
      replace: "now + overlap;",
      title: "leaves nothing of the previous one without an overlap",
    },
  }),
  ...inFile(src("store/keys"), conformance("endings"), {
    "a key that has ended was current at no moment without a successor": {
      find: "        AND successor.current_from <= keys.current_from)",
      replace: ")",
      title: "none does before its end is recorded and it has a successor",
    },
    "no key ends without a record": {
      find: "    AND EXISTS (\n      SELECT 1 FROM ended_keys\n",
      replace: "    AND 0 = (\n      SELECT 0 * count(*) FROM ended_keys\n",
      title: "none does before its end is recorded and it has a successor",
    },
  }),
  ...inFile(src("keys/key-changes"), conformance("endings"), {
    "the successor of an ended key is current by every clock": {
      find: "await keys.changeCurrentFrom(successor, currentFrom);",
      replace: "await keys.changeCurrentFrom(successor, now);",
      title: "is replaced by its next key",
    },
    "the last id of a MAC key is not used a second time": {
      find: 'if (purpose === "grant-token" && id >= LAST_MAC_KEY_ID) return "ids_used_up";',
      title: "the last id of a MAC key",
    },
  }),
  ...inFile(src("keys/key-changes"), conformance("endings"), {
    "a revoked statement key is recorded as ended": {
      find: "await keys.recordEndedKey(key, now);\n        if (!(await keys.removeKey(key))) continue;",
      replace: "if (!(await keys.removeKey(key))) continue;",
      title: "recorded as ended, once",
    },
  }),
  ...inFile(src("clients/client-registry"), flow("client-secrets"), {
    "the secrets of a removed client have ended": {
      find: "if (row !== null) await recordEnded(id, [row.secretHash, row.formerSecretHash], now);",
      title: "the secrets of a client that was removed have ended",
    },
  }),
];

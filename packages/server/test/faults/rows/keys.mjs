// Faults in how keys are kept, found and rotated.

import { conformance, inFile, src, testOf } from "../row-helpers.mjs";

export const KEY_FAULTS = [
  ...inFile(src("keys/keyring"), testOf("keys/keyring"), {
    "unknown key ids make the ring read the store once a second at most": {
      find: "if (reading !== null || !isSoon)",
      replace: "if (reading !== null || isSoon || !isSoon)",
      title: "at most once a second",
    },
    "a key that cannot be read is not taken for unknown": {
      find: 'if (failure !== null) throw new UnavailableError("the keys cannot be read", failure);',
      title: "not taken for unknown",
    },
    "a racing start with another secret adds no key of its own": {
      find: `    // Before the next purpose: a concurrent start with a different secret fails here and adds no keys.
    await read();
  }`,
      replace: "  }\n  await read();",
      title: "loses the race",
    },
  }),
  ...inFile(src("keys/seal"), testOf("keys/keyring"), {
    "a sealed key is bound to its name": {
      find: "decipher.setAAD(Buffer.from(label)).setAuthTag(",
      replace: "decipher.setAAD(Buffer.from(label.slice(0, 0))).setAuthTag(",
    },
    "each sealing has a nonce of its own": {
      find: "const nonce = random(NONCE_BYTES);",
      replace: "const nonce = Buffer.alloc(NONCE_BYTES, random(NONCE_BYTES).length);",
    },
  }),
  ...inFile(src("keys/stored-keys"), testOf("keys/rotation"), {
    "keys of another secret end the start": {
      find: "    throw new OperatorError(\n      `the secret does not open",
      replace:
        "    if (seal.hasPrevious === undefined) throw new OperatorError(\n      `the secret does not open",
      title: "is refused in words for the operator",
      test: testOf("keys/keyring"),
    },
  }),
  ...inFile(src("keys/key-changes"), testOf("keys/rotation"), {
    "no id of a MAC key is used a second time": {
      find: "newest.id >= LAST_MAC_KEY_ID",
      replace: "newest.id >= 2 * LAST_MAC_KEY_ID",
    },
    "there is one next key at a time": {
      find: 'if (next !== undefined && next.currentFrom > now) return { outcome: "has_next" } as const;',
    },
  }),
  ...inFile(src("keys/key-lives"), testOf("keys/rotation"), {
    "a key is published before it signs": {
      find: "return now + PUBLISHED_BEFORE_S;",
      replace: "return now;",
    },
    "a key is published until the last that it signed has ended": {
      find: "successor.currentFrom + PUBLISHED_AFTER_S;",
      replace: "successor.currentFrom;",
    },
  }),
  ...inFile(src("keys/jws"), testOf("keys/jws"), {
    "a signature that takes a millisecond is not made on the main thread": {
      find: 'key.alg === "RS256"',
      replace: 'key.alg === ""',
      title: "signs on the thread pool only for RSA",
    },
  }),
  ...inFile(src("keys/signing-key"), testOf("keys/jws"), {
    "no private member of a key is published": {
      find: "return { ...members, kid:",
      replace: 'return { ...members, ...(alg === "ES256" && { d: "" }), kid:',
    },
  }),
  ...inFile(src("keys/keyring"), testOf("keys/rotation"), {
    "a statement key that is not current never signs": {
      find: "return key !== undefined && spk.includes(key.kid) ? key : null;",
      replace: 'return ringOf("provider-statement").find(({ kid }) => spk.includes(kid)) ?? null;',
    },
    "records list the standby": {
      find: "return ring.filter(({ id }) => id >= current)",
      replace: "return ring.filter(({ id }) => id === current)",
      test: testOf("keys/keyring"),
    },
  }),
  ...inFile(src("keys/key-changes"), testOf("keys/rotation"), {
    "a rotation that is repeated ends no key that records list": {
      find: 'if (isSoon) return { outcome: "too_soon" } as const;',
    },
  }),
  ...inFile(src("keys/key-lives"), testOf("keys/rotation"), {
    "a retired key does not come back where the clock is behind a rotation": {
      find: "return currentOf(keys, STANDBY - 1);",
      replace: "return currentOf(keys, Math.floor(Date.now() / 1000) - 1e9);",
      title: "whose clock is behind the rotation",
    },
  }),
  ...inFile(src("store/remembered"), conformance("accepted-answers"), {
    "a kid is no pattern": {
      find: "replace(record_spk, ?1, '')",
      replace: "CASE WHEN record_spk LIKE '%' || ?1 || '%' THEN '' ELSE record_spk END",
    },
  }),
  ...inFile(src("keys/key-changes"), testOf("keys/rotation"), {
    "a revoked key gives way to the standby": {
      find: "if (key === promotedOf(ring)) {",
      replace: "if (key === null) {",
    },
  }),
  ...inFile(src("store/keys"), conformance("keys"), {
    "one of many promotes the standby": {
      find: "AND sealed = ?3 AND current_from = ?4",
      replace: "AND sealed = ?3 AND ?4 >= 0",
    },
    "no later key is removed with the id of a revoked one": {
      find: "AND id = ?2 AND sealed = ?3 AND",
      replace: "AND id = ?2 AND ?3 <> '' AND",
    },
  }),
];

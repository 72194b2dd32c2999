// Faults in how keys are kept, found and rotated.

const src = (name) => `packages/server/src/keys/${name}`;
const testOf = (name) => src(`${name}.test.ts`);

export const KEY_FAULTS = [
  {
    file: src("keyring.ts"),
    guard: "unknown key ids make the ring read the store once a second at most",
    find: "if (reading !== null || !isSoon)",
    replace: "if (reading !== null || isSoon || !isSoon)",
    test: testOf("keyring"),
    title: "at most once a second",
  },
  {
    file: src("keyring.ts"),
    guard: "a key that cannot be read is not taken for unknown",
    find: 'if (failure !== null) throw new UnavailableError("the keys cannot be read", failure);',
    replace: "",
    test: testOf("keyring"),
    title: "not taken for unknown",
  },
  {
    file: src("keyring.ts"),
    guard: "a racing start with another secret adds no key of its own",
    find: `    // Before the next purpose: a concurrent start with a different secret fails here and adds no keys.
    await read();
  }`,
    replace: "  }\n  await read();",
    test: testOf("keyring"),
    title: "loses the race",
  },
  {
    file: src("seal.ts"),
    guard: "a sealed key is bound to its name",
    find: "decipher.setAAD(Buffer.from(label)).setAuthTag(",
    replace: "decipher.setAAD(Buffer.from(label.slice(0, 0))).setAuthTag(",
    test: testOf("keyring"),
  },
  {
    file: src("seal.ts"),
    guard: "each sealing has a nonce of its own",
    find: "const nonce = random(NONCE_BYTES);",
    replace: "const nonce = Buffer.alloc(NONCE_BYTES, random(NONCE_BYTES).length);",
    test: testOf("keyring"),
  },
  {
    file: src("stored-keys.ts"),
    guard: "keys of another secret end the start",
    find: "    throw new OperatorError(\n      `the secret does not open",
    replace:
      "    if (seal.hasPrevious === undefined) throw new OperatorError(\n      `the secret does not open",
    test: testOf("keyring"),
    title: "is refused in words for the operator",
  },
  {
    file: src("stored-keys.ts"),
    guard: "no id of a MAC key is used a second time",
    find: "newest.id >= LAST_MAC_KEY_ID",
    replace: "newest.id >= 2 * LAST_MAC_KEY_ID",
    test: testOf("rotation"),
  },
  {
    file: src("stored-keys.ts"),
    guard: "there is one next key at a time",
    find: 'if (next !== undefined && next.currentFrom > now) return { outcome: "has_next" } as const;',
    replace: "",
    test: testOf("rotation"),
  },
  {
    file: src("key-lives.ts"),
    guard: "a key is published before it signs",
    find: "return now + PUBLISHED_BEFORE_S;",
    replace: "return now;",
    test: testOf("rotation"),
  },
  {
    file: src("key-lives.ts"),
    guard: "a key is published until the last that it signed has ended",
    find: "successor.currentFrom + PUBLISHED_AFTER_S;",
    replace: "successor.currentFrom;",
    test: testOf("rotation"),
  },
  {
    file: src("signing-key.ts"),
    guard: "no private member of a key is published",
    find: "return { ...members, kid:",
    replace: 'return { ...members, ...(alg === "ES256" && { d: "" }), kid:',
    test: testOf("jws"),
  },
  {
    file: src("keyring.ts"),
    guard: "a statement key that is not current never signs",
    find: "return key !== undefined && spk.includes(key.kid) ? key : null;",
    replace: 'return ringOf("provider-statement").find(({ kid }) => spk.includes(kid)) ?? null;',
    test: testOf("rotation"),
  },
  {
    file: src("keyring.ts"),
    guard: "records list the standby",
    find: "return ring.filter(({ id }) => id >= current)",
    replace: "return ring.filter(({ id }) => id === current)",
    test: testOf("keyring"),
  },
  {
    file: src("statement-keys.ts"),
    guard: "a rotation that is repeated ends no key that records list",
    find: 'if (isSoon) return { outcome: "too_soon" } as const;',
    replace: "",
    test: testOf("rotation"),
  },
  {
    file: src("key-lives.ts"),
    guard: "a retired key does not come back where the clock is behind a rotation",
    find: "return currentOf(keys, STANDBY - 1);",
    replace: "return currentOf(keys, Math.floor(Date.now() / 1000) - 1e9);",
    test: testOf("rotation"),
    title: "whose clock is behind the rotation",
  },
  {
    file: "packages/server/src/store/accepted-answers.ts",
    guard: "a kid is no pattern",
    find: "replace(record_spk, ?1, '')",
    replace: "CASE WHEN record_spk LIKE '%' || ?1 || '%' THEN '' ELSE record_spk END",
    test: "packages/server/test/conformance/store/accepted-answers.test.ts",
  },
  {
    file: src("statement-keys.ts"),
    guard: "a revoked key gives way to the standby",
    find: "if (key === promotedOf(ring)) {",
    replace: "if (key === null) {",
    test: testOf("rotation"),
  },
  {
    file: "packages/server/src/store/keys.ts",
    guard: "one of many promotes the standby",
    find: "AND sealed = ?3 AND current_from = ?4",
    replace: "AND sealed = ?3 AND ?4 >= 0",
    test: "packages/server/test/conformance/store/keys.test.ts",
  },
  {
    file: "packages/server/src/store/keys.ts",
    guard: "no later key is removed with the id of a revoked one",
    find: "AND id = ?2 AND sealed = ?3 AND",
    replace: "AND id = ?2 AND ?3 <> '' AND",
    test: "packages/server/test/conformance/store/keys.test.ts",
  },
];

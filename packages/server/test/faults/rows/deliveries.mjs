// Faults in who may have an answer again that was not delivered, and in who is taken for a thief.

const src = (name) => `packages/server/src/oauth/${name}`;
const testOf = (name) => src(`${name}.test.ts`);

export const DELIVERY_FAULTS = [
  {
    file: src("refresh-token-grant.ts"),
    guard: "a retry passes every condition of a rotation but the generation",
    find: 'return { ...found, is: mayRefresh ? repetition : "control_unchecked" };',
    replace: "return { ...found, is: repetition };",
    test: testOf("late-retry"),
    title: "waits for DNS as a rotation does",
  },
  {
    file: src("refresh-token-grant.ts"),
    guard: "only a client that authenticates may repeat a refresh at any time",
    find: 'if (isProven) return "retried";',
    replace: 'return "retried";',
    test: testOf("late-retry"),
    title: "whose refresh was answered is taken for a thief after 30 seconds",
  },
  {
    file: src("refresh-token-grant.ts"),
    guard: "a client whose answer was not delivered gets it",
    find: 'if (grant.undelivered === grant.generation) return "undelivered";\n',
    replace: "",
    test: testOf("late-retry"),
    title: "that did not get its answer gets it once",
  },
  {
    file: src("refresh-token-grant.ts"),
    guard: "a grant whose mark is not written yet is not revoked",
    find: "if (grants.hasUnwrittenMark(id)) throw",
    replace: "if (id === null) throw",
    test: testOf("late-retry"),
    title: "whose mark is not written yet gets 503",
  },
  {
    file: src("refresh-token-grant.ts"),
    guard: "a row is read once more before it is revoked",
    find: "generation === grant.generation - 1 && !wasReplayed",
    replace: "generation === grant.generation - 1 && wasReplayed",
    test: testOf("late-retry"),
    title: "whose mark is written between the rotation and the verdict",
  },
  {
    file: src("authorization-code-grant.ts"),
    guard: "a code whose answer was not delivered is answered within its ten minutes alone",
    find: 'if (isMarked && isExpired()) throw refuse("expired");\n',
    replace: "",
    test: testOf("late-retry"),
    title: "whose answer was not delivered is refused after its end",
  },
  {
    file: src("authorization-code-grant.ts"),
    guard: "a code that was answered once more revokes nothing",
    find: "if (grant.redeliveredAt !== null) throw",
    replace: "if (grant.redeliveredAt === undefined) throw",
    test: testOf("late-retry"),
    title: "whose answer was not delivered gets the same answer once",
  },
  {
    file: "packages/server/src/store/grant-changes.ts",
    guard: "a mark is good for one delivery of a refresh token",
    find: "UPDATE grants SET undelivered = NULL, redelivered_at = ${at}, attempt = given.new_attempt\n  FROM ${given(TOKEN)}",
    replace:
      "UPDATE grants SET redelivered_at = ${at}, attempt = given.new_attempt\n  FROM ${given(TOKEN)}",
    test: "packages/server/test/conformance/store/undelivered.test.ts",
    title: "with a mark is given to one of 30 callers",
  },
  {
    file: "packages/server/src/store/undelivered.ts",
    guard: "a mark is for a change of the request itself, or for a retry that came in time",
    find: "    AND (attempt = given.own_attempt OR COALESCE(redelivered_at, rotated_at) >= given.since)\n",
    replace: "",
    test: "packages/server/test/conformance/store/undelivered.test.ts",
    title: "is given again each time that it was marked again",
  },
  {
    file: "packages/server/src/store/undelivered.ts",
    guard: "a change that is not known cannot happen after its mark",
    find: "if (isUnknown) {",
    replace: "if (isUnknown && isCode === null) {",
    test: "packages/server/test/conformance/store/undelivered.test.ts",
    title: "of a change that is not known is settled by the mark",
  },
  {
    file: "packages/server/src/http/node-adaptor.ts",
    guard: "a client that hangs up makes no retry free",
    find: "closedAt !== null && closedAt - at > LATE_MS",
    replace: "closedAt !== null",
    test: "packages/server/src/http/node-adaptor.test.ts",
    title: "is delivered if the client hung up earlier",
  },
  {
    file: src("delivery.ts"),
    guard: "the change of a request whose answer failed is marked",
    find: "if (isCode ? error instanceof NotBegunError : isProven) return;",
    replace: "return;",
    test: testOf("delivery"),
    title: "the change that a request made",
  },
];

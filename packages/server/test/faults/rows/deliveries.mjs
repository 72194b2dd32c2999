// Faults in who may have an answer again that was not delivered, and in who is taken for a thief.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const DELIVERY_FAULTS = [
  ...inFile(src("oauth/refresh-token-grant"), testOf("oauth/late-retry"), {
    "a retry passes every condition of a rotation but the generation": {
      find: 'return state(mayRefresh ? repetition : "control_unchecked");',
      replace: "return state(repetition);",
      title: "waits for DNS as a rotation does",
    },
    "only a client that authenticates may repeat a refresh at any time": {
      find: 'if (isProven) return "retried";',
      replace: 'return "retried";',
      title: "whose refresh was answered is taken for a thief after 30 seconds",
    },
    "a client whose answer was not delivered gets it": {
      find: 'if (grant.undelivered === grant.generation) return "undelivered";\n',
      title: "that did not get its answer gets it once",
    },
    "a grant whose mark is not written yet is not revoked": {
      find: "if (grants.hasUnwrittenMark(id))",
      replace: "if (id === null)",
      title: "whose mark is not written yet gets 503",
    },
    "a row is read once more before it is revoked": {
      find: "generation === grant.generation - 1 && !wasReplayed",
      replace: "generation === grant.generation - 1 && wasReplayed",
      title: "whose mark is written between the rotation and the verdict",
    },
  }),
  ...inFile(src("oauth/authorization-code-grant"), testOf("oauth/late-retry"), {
    "a code whose answer was not delivered is answered within its ten minutes alone": {
      find: 'if (isMarked && isExpired()) throw refuse("expired");\n',
      title: "whose answer was not delivered is refused after its end",
    },
    "a code that was answered once more revokes nothing": {
      find: "if (grant.redeliveredAt !== null) return answered",
      replace: "if (grant.redeliveredAt === undefined) return answered",
      title: "whose answer was not delivered gets the same answer once",
    },
    "a code whose mark is not written yet is not lost": {
      find: "if (hasUnwrittenMark) throw",
      replace: "if (id === null) throw",
      title: "whose mark is not written yet after its first answer",
    },
    "a mark that is written while the grant is read loses no code": {
      find: "const hasUnwrittenMark = grants.hasUnwrittenMark(id);\n      const current = await grants.readGrant(id);\n",
      replace:
        "const current = await grants.readGrant(id);\n      const hasUnwrittenMark = grants.hasUnwrittenMark(id);\n",
      title: "whose mark is not written yet after its first answer",
    },
  }),
  ...inFile(src("oauth/delivery"), testOf("oauth/late-retry"), {
    "a request that waits for a mark is owed no further one": {
      find: "MarkOwedError, UncertainTimeError];",
      replace: "UncertainTimeError];",
      title: "that is sent while a mark is owed is owed no further mark",
    },
  }),
  ...inFile(src("store/grant-changes"), conformance("undelivered"), {
    "a mark is good for one delivery of a refresh token": {
      find: "...TOKEN,\n      set: redeliver,",
      replace: "...TOKEN,\n      set: redeliver.replace(/^undelivered = NULL, /, ''),",
      title: "with a mark is given to one of 30 callers",
    },
  }),
  ...inFile(src("store/undelivered"), conformance("undelivered"), {
    "a mark is for a change of the request itself, or for a retry that came in time": {
      find: "\n    AND (attempt = given.own_attempt OR COALESCE(redelivered_at, rotated_at) >= given.since)",
      title: "is given again each time that it was marked again",
    },
    "a change that is not known cannot happen after its mark": {
      find: "if (isUnknown) {",
      replace: "if (isUnknown && isCode === null) {",
      title: "of a change that is not known is settled by the mark",
    },
  }),
  ...inFile(src("oauth/delivery"), testOf("oauth/delivery"), {
    "a client that hangs up makes no retry free": {
      find: "if (begunAt !== null && leftAt - begunAt > LATE_MS) mark();",
      replace: "if (leftAt > LATE_MS) mark();",
      title: "before the change had begun",
    },
    "many requests for one grant make no retry free": {
      find: "= [ContendedError, ",
      replace: "= [",
      title: "gains no mark by many requests for its grant",
      test: testOf("oauth/late-retry"),
    },
  }),
  ...inFile(src("oauth/client-authentication"), conformance("assertions"), {
    "a replay that was not counted does not make an assertion valid again": {
      find: "if (!(error instanceof NotBegunError)) grants.forgetAssertion(assertion);",
      replace: "grants.forgetAssertion({ ...assertion, use: 1 });",
      title: "one whose request failed on our side can be presented again",
    },
  }),
  ...inFile(src("store/undelivered"), conformance("assertions"), {
    "only the use that failed is forgotten": {
      find: "WHERE name = ?1 AND count = ?2",
      replace: "WHERE name = ?1 AND count >= ?2 - ?2",
      title: "the use of another request counts on",
    },
  }),
  ...inFile(src("store/debts"), testOf("store/debts"), {
    "one token owes little, however often it is sent": {
      find: "if (isKnown || owed.length === MAX_OF_KEY) return;",
      replace: "if (owed.length < 0) return;",
      title: "a thousand failures with one token owe little",
    },
  }),
  ...inFile(src("oauth/delivery"), testOf("oauth/delivery"), {
    "the change of a request whose answer failed is marked": {
      find: "if (isCode ? begunAt === null : isProven && retryWindow > 0) return;",
      replace: "return;",
      title: "the change that a request made",
    },
  }),
  ...inFile(src("service"), flow("stop-marks"), {
    "a stop marks what it could not answer": { find: "      await settled(engine, answered);\n" },
  }),
  ...inFile(src("store/undelivered"), conformance("undelivered"), {
    "requests with one token that changed nothing owe one mark": {
      find: "debts.owe(id, () => write(mark), same)",
      replace: "debts.owe(id, () => write(mark))",
      title: "owe one mark together",
    },
  }),
  ...inFile(src("database/write-queue"), testOf("database/write-queue"), {
    "readiness counts the oldest write, also in a group": {
      find: "Math.min(...batch.map(({ sinceStep }) => sinceStep))",
      replace: "batch[0]?.sinceStep ?? now",
      title: "the oldest write counts",
    },
  }),
];

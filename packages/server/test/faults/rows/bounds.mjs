// Faults in the bounds of what one owner, one account or one session can have.

import { conformance, flow, inFile, src } from "../row-helpers.mjs";

export const BOUND_FAULTS = [
  ...inFile(src("store/accounts"), conformance("bounds"), {
    "an owner has no more accounts than the limit": {
      find: "owned.owned_domain = ?6) < ?7",
      replace: "owned.owned_domain = ?6) < ?7 + 1",
      title: "beyond the limit are refused and leave nothing behind",
    },
    "concurrent enrolments of one owner do not count the same rows": {
      find: "owned.owned_domain = ?6), 0) + 1",
      replace: "owned.owned_domain = ?6 AND 1 = 0), 0) + ABS(RANDOM()) * 1000000",
      title: "are never more than the limit",
    },
    "an enrolment that lost the race for a number is tried again": {
      find: "if (!cause.message.includes(NUMBER_INDEX)) attempts++;",
      replace: "attempts++;",
      title: "PostgreSQL the accounts of the names of one owner are all made while there is room",
    },
    "an account that exists signs in at an external SP although its owner has no room": {
      find: "`(${IS_KNOWN} OR ${HAS_ROOM})`",
      replace: "HAS_ROOM",
      title: "those that exist still work",
    },
  }),
  ...inFile(src("store/due-accounts"), conformance("bounds"), {
    "accounts of an earlier version are counted": {
      find: "owned_domain = COALESCE(owned_domain, ?4)",
      replace: "owned_domain = COALESCE(owned_domain, owned_domain, NULLIF(?4, ?4))",
      title: "of an earlier version are counted",
    },
  }),
  ...inFile(src("store/enrolments"), conformance("bounds"), {
    "a refused enrolment leaves nothing behind": {
      find: "writeWhen(FINISHED, accountId",
      replace: "write(FINISHED, accountId",
      title: "leave nothing behind",
    },
  }),
  ...inFile(src("store/clean-up"), conformance("bounds"), {
    "an account that has ended stays as long as its data is kept": {
      find: '["grants", "sessions", "interactions", "consents", "history"]',
      replace: '["sessions", "interactions", "consents", "history"]',
      title: "that have ended count for 90 days",
    },
    "what an unfinished set-up stored is removed": {
      find: "made_at <= ${at(-SET_UP_KEPT_S)} AND",
      replace: "made_at < 0 AND made_at <= ${at(-SET_UP_KEPT_S)} AND",
      title: "what a set-up stored that was never finished",
    },
    "the history of an account is bounded": {
      find: "history.id <= surplus.last_id",
      replace: "history.id < surplus.account_id AND 1 = 0",
      title: "the history of an account keeps its newest",
    },
    "clients of a session that ended long ago are removed": {
      find: "AND sessions.ended_at <= ${at(-LOGOUT_DELIVERY_WINDOW_S)}))`,\n  },\n  attempts",
      replace: "AND sessions.ended_at <= ${at(-400 * 86_400)}))`,\n  },\n  attempts",
      title: "the clients of a session go",
    },
    "a registration that is in use is kept": {
      find: "AND (used_at IS NULL OR used_at <=",
      replace: "AND (used_at IS NULL OR made_at <=",
      title: "of ours goes after a day without use",
      test: conformance("external-sps"),
    },
  }),
  ...inFile(src("store/grants"), conformance("bounds"), {
    "a further grant of a client ends the oldest": {
      find: "of_account > ${GRANTS_OF_ACCOUNT} OR of_client > ${GRANTS_OF_CLIENT})",
      replace: "of_account > ${GRANTS_OF_ACCOUNT})",
      title: "of one client that can be used are at most 20",
    },
    "a further grant of an account ends the oldest": {
      find: "${isExceeded(GRANTS_OF_ACCOUNT)} OR ",
      title: "of all clients are at most 200",
    },
    "the grant that was just issued is not the one that ends": {
      find: '"CASE WHEN id = ?3 THEN 0 ELSE 1 END, created_at DESC, id DESC"',
      replace: '"created_at DESC, id DESC"',
      title: "of one client that can be used are at most 20",
    },
  }),
  ...inFile(src("oauth/authorization-response"), flow("bounds"), {
    "surplus grants end before the code is sent": {
      find: "  if (hasSurplus) await grants.endSurplus({ grantId, accountId, now: clock.seconds() });\n",
      title: "a 21st grant of an app ends the oldest",
    },
  }),
  ...inFile(src("store/logouts"), flow("bounds"), {
    "no app signs in that would not be told of the end of the session": {
      find: "writeWhen(IS_NOTED, sid, clientId)",
      replace: "write(IS_NOTED, sid, clientId)",
      title: "a session that signed in to 100 apps",
    },
  }),
  ...inFile(src("store/consents"), conformance("bounds"), {
    "the consents of an account are bounded": {
      find: "write(FORGET_SURPLUS, accountId)",
      replace: 'write(FORGET_SURPLUS, "")',
      title: "the consents of an account are at most",
    },
  }),
  ...inFile(src("store/logouts"), conformance("bounds"), {
    "a session has no more clients to notify than it may": {
      find: "noted.sid = ?1) < ${CLIENTS_OF_SESSION}",
      replace: "noted.sid = ?1) <= ${CLIENTS_OF_SESSION}",
      title: "a session signs in to at most 100 clients",
    },
  }),
  ...inFile(src("store/passkeys"), conformance("bounds"), {
    "the passkeys of an account are bounded": {
      find: 'AND ${ACCOUNT_IS_LIVE} AND ${hasRoom("?2")}',
      replace: "AND ${ACCOUNT_IS_LIVE}",
      title: "an account has at most 50 passkeys",
    },
  }),
  ...inFile(src("store/known-browsers"), conformance("bounds"), {
    "an account forgets the browser that was used longest ago": {
      find: "if (stored >= KNOWN_BROWSERS_OF_ACCOUNT) await run(",
      replace: "if (stored >= SESSION_ROWS_OF_ACCOUNT) await run(",
      title: "are at most 100",
    },
    "the rows of an account's sessions are bounded": {
      find: "  if (stored >= SESSION_ROWS_OF_ACCOUNT) await run(REMOVE_SURPLUS, accountId, secretHash);\n",
      title: "have at most 1,000 rows",
    },
  }),
  ...inFile(src("store/sp-clients"), conformance("external-sps"), {
    "the SPs of one registrable domain get 20 registrations": {
      find: "owned.owned_domain = ?1) < ${REGISTRATIONS_PER_DOMAIN}",
      replace: "owned.owned_domain = ?1) < ${REGISTRATIONS}",
      title: "is refused for the 21st SP",
    },
    "all SPs together get 10,000 registrations": {
      find: "other.source = 'registered') < ${REGISTRATIONS}",
      replace: "other.source = 'registered') < 2 * ${REGISTRATIONS}",
      title: "is refused for any new SP beyond 10,000",
    },
  }),
  ...inFile(src("federation/sp-client"), flow("bounds"), {
    "nothing is sent to an SP for which there is no room": {
      find: "if (row === null && !(await spClients.hasRoomForSp(sp)))",
      replace: 'if (row === null && sp === "")',
      title: "an external SP at whose domain there are 20 registrations",
    },
  }),
  ...inFile(src("store/remembered"), conformance("bounds"), {
    "a signed zone has a bounded number of names noted": {
      find: "owned.owned_domain = ?3) < ${SECURE_DOMAINS_PER_OWNER}",
      replace: "owned.owned_domain = ?3) < 2 * ${SECURE_DOMAINS_PER_OWNER}",
      title: "a signed zone has at most 1,000 names noted",
    },
    "a signed domain with an account is noted in any case": {
      find: "    OR EXISTS (${HAS_ACCOUNT})\n",
      title: "a signed zone has at most 1,000 names noted",
    },
  }),
  ...inFile(src("sign-in/set-up/finish-set-up"), flow("bounds"), {
    "a set-up without room says so": {
      find: 'if (why === "full") throw new PageError(403, "tooManyAccounts", open.request);',
      replace: 'if (why === "full") return onConflict();',
      title: "a set-up beyond the accounts of a registrable domain",
    },
  }),
  ...inFile(src("sign-in/external"), flow("bounds"), {
    "a first sign-in at an external SP without room says so": {
      find: 'if (account === "full") throw new PageError(403, "tooManyAccounts", request);',
      replace:
        'if (account === "full") throw new PageError(503, "temporarilyUnavailable", request);',
      title: "so does the first sign-in with an account at an external SP",
    },
  }),
  ...inFile(src("sign-in/new-passkey"), flow("bounds"), {
    "a passkey for which there is no room is refused with a message": {
      find: 'if (added === "full") return showPage(open, accountId, "full");',
      replace: 'if (added === "full") return showPage(open, accountId, "failed");',
      title: "the 51st passkey is refused",
    },
  }),
];

// Faults in the statements of the store, found by races of many callers, and in how databases are opened.

import { conformance, inFile, src, testOf } from "../row-helpers.mjs";

export const STORE_FAULTS = [
  ...inFile(src("store/grant-changes"), conformance("grants"), {
    "a code is redeemed once": {
      find: "generation = 0 AND revoked_at IS NULL AND code_expires_at",
      replace: "revoked_at IS NULL AND code_expires_at",
      title: "PostgreSQL redeeming a code of 100 callers one gets the row",
    },
    "a refresh token has one successor": {
      find: "generation = given.presented AND generation > 0\n",
      replace: "generation > 0\n",
      title: "PostgreSQL rotating a refresh token of 50 callers",
    },
    "no rotation comes after a revocation": {
      find: "client AND revoked_at IS NULL AND refresh_expires_at > given.now",
      replace: "client AND refresh_expires_at > given.now",
      title: "PostgreSQL revoking a grant among rotations",
    },
  }),
  ...inFile(src("store/grants"), conformance("grants"), {
    "a grant is revoked once": {
      find: "revoked_at = ?1 WHERE id = ?2 AND revoked_at IS NULL RETURNING id",
      replace: "revoked_at = ?1 WHERE id = ?2 RETURNING id",
      title: "PostgreSQL revoking a grant of 50 callers",
    },
  }),
  ...inFile(src("store/issue"), conformance("grants"), {
    "a grant is issued once": {
      find: "  ON CONFLICT (id) DO NOTHING\n",
      replace: "  ON CONFLICT (id) DO UPDATE SET nonce = excluded.nonce\n",
      title: "a second time changes nothing",
    },
  }),
  ...inFile(src("store/issue"), conformance("issue"), {
    "what is stored with a grant is that of the call that made it": {
      find: "return writeWhen(ISSUE, ...request, ...times, ...shown);",
      replace: "return { ...writeWhen(ISSUE, ...request, ...times, ...shown), when: false };",
      title: "PostgreSQL of many calls with one id, on all nodes",
    },
    "to ask why no grant was issued stores nothing": {
      find: "await returnsRow(HAS_ROOM_FOR_CLIENT, notified.sid, notified.clientId);",
      replace: "(await engine.commit(writeSessionClient(notified))) !== null;",
      title: "nothing is stored of a grant that is refused",
    },
  }),
  ...inFile(src("store/grants"), conformance("issue"), {
    "a session that ended at the moment of the commit is found after it": {
      find: 'CASE WHEN ${isWithoutSession("?2")} THEN 1',
      replace: 'CASE WHEN ${isWithoutSession("?2")} THEN 0',
      title: "PostgreSQL when the session is signed out",
    },
  }),
  ...inFile(src("store/grant-changes"), conformance("grants"), {
    "a code is worth something only while its account is live": {
      find: "${SAME_REQUEST}\n    AND ${OF_A_LIVE_ACCOUNT}`,\n    }),\n    rotate",
      replace: "${SAME_REQUEST}`,\n    }),\n    rotate",
      title: "PostgreSQL redeeming a code",
    },
  }),
  ...inFile(src("store/code-sets"), conformance("recovery-codes"), {
    "a recovery code is used once": {
      find: "recovery_codes.used_at IS NULL AND ${IS_CURRENT}",
      replace: "${IS_CURRENT}",
      title: "PostgreSQL a code and the authentication that uses it up stay together",
    },
    "a recovery code is used although a crash came before its mark": {
      find: "AND used_in.used_code = recovery_codes.code_hash)`;",
      replace: "AND used_in.used_code = recovery_codes.used_at)`;",
      title: "SQLite file a code and the authentication that uses it up stay together",
    },
  }),
  ...inFile(src("database/migrations"), conformance("recovery-codes"), {
    "of two interactions with one recovery code one is authenticated": {
      find: "CREATE UNIQUE INDEX one_authentication_per_code",
      replace: "CREATE INDEX one_authentication_per_code",
      title: "PostgreSQL a code and the authentication that uses it up are one statement",
    },
  }),
  ...inFile(src("store/clean-up"), conformance("recovery-codes"), {
    "what a crash left of a used recovery code is not cleaned up": {
      find: "AND recovery_codes.used_at IS NULL))`,",
      replace: "AND recovery_codes.used_at IS NULL) OR 1 = 1)`,",
      title: "SQLite file a code and the authentication that uses it up stay together",
    },
  }),
  ...inFile(src("store/accounts"), conformance("accounts"), {
    "a domain has one live account": {
      find: "    await run(SLEEP_OTHERS, ...values);\n",
      title: "PostgreSQL enrolling puts the domain's other account to sleep",
    },
    "an account that has ended is not woken by an enrolment": {
      find: "  accounts.ended_at IS NULL AND (accounts.asleep_since IS NULL\n",
      replace: "  (accounts.asleep_since IS NULL\n",
      title: "PostgreSQL enrolling an account that has ended is not made or woken again",
    },
  }),
  ...inFile(src("store/accounts"), conformance("newer-looks"), {
    "an older look does not put the account of a newer one to sleep": {
      find: "    AND NOT ${isLater(`${NAMED_AT} + 1`)} AND",
      replace: "    AND",
      title: "is refused after it",
    },
    "an older look does not wake what a newer one put to sleep": {
      find: '${isLater("COALESCE(accounts.lost_confirmed_at, accounts.asleep_since)")}',
      replace: "1 = 0",
      title: "does not wake it",
    },
    "two looks within a day do not confirm that an account is lost": {
      find: "(asleep_since <= ?3 AND lost_confirmed_at IS NULL)",
      replace: "(?3 > 0 AND lost_confirmed_at IS NULL)",
      test: conformance("lost-accounts"),
    },
  }),
  ...inFile(src("store/remembered"), conformance("accepted-answers"), {
    "what an earlier look accepted replaces nothing": {
      find: "record_checked_at < ?5\n",
      replace: "record_checked_at <> ?5\n",
    },
    "the signature of a look of the future is replaced by no older one": {
      find: "(record_inception <= ?3 OR record_expiration <= ?5)",
      replace: "(record_inception <= ?3 OR record_expiration > ?5)",
      title: "keeps its signature against older ones",
    },
  }),
  ...inFile(src("store/remembered"), conformance("remembered"), {
    "what was accepted with a signature that has expired is compared with nothing": {
      find: "expiration !== null && expiration > now",
      replace: "expiration !== null",
    },
    "an expired signature of one account does not hide the valid one of another": {
      find: "THEN 0 ELSE 1 END,",
      replace: "THEN 0 ELSE 0 END,",
    },
    "an account that ended is not remembered": { find: " AND each.ended_at IS NULL" },
  }),
  ...inFile(src("store/due-accounts"), conformance("account-ends"), {
    "an account ends or wakes, never both": {
      find: "WHERE id = ?2 AND asleep_since <= ?3 AND lost_confirmed_at IS NOT NULL AND ended_at IS NULL",
      replace: "WHERE id = ?2 AND ended_at IS NULL AND ?3 > 0",
      title: "PostgreSQL an account ends never while it is live",
    },
  }),
  ...inFile(src("store/due-accounts"), conformance("due-accounts"), {
    "of several nodes one looks at an account": {
      find: "WHERE id = ?2 AND walk_due_at = ?3 AND ended_at IS NULL RETURNING id",
      replace: "WHERE id = ?2 AND ?3 >= 0 AND ended_at IS NULL RETURNING id",
      title: "is claimed by one of 20 nodes",
    },
    "nobody looks at an account that has ended since it was read": {
      find: "AND walk_due_at = ?3 AND ended_at IS NULL",
      replace: "AND walk_due_at = ?3",
      title: "is claimed by one of 20 nodes",
    },
    "a look does not postpone the look that confirms a loss": {
      find: "AND asleep_since IS NOT DISTINCT FROM ?5\n",
      replace: "AND COALESCE(?5, 0) >= 0\n",
      title: "unless the account was put to sleep or woken after the claim",
    },
    "a look does not undo what a later look has noted": {
      find: "WHERE id = ?3 AND walk_due_at = ?4",
      replace: "WHERE id = ?3 AND ?4 >= 0",
      title: "unless the account was put to sleep or woken after the claim",
    },
    "what a clock that was ahead has dated is looked at": {
      find: "walk_due_at > ?2",
      replace: "walk_due_at > ?2 + 99999999",
      title: "only a clock that was ahead",
    },
  }),
  ...inFile(src("store/accounts"), conformance("due-accounts"), {
    "an account that falls asleep is due a day later": {
      find: "CASE WHEN ${IS_FIRST_LOOK} THEN ${LOST_CONFIRMED_AFTER_S}",
      replace: "CASE WHEN ${IS_FIRST_LOOK} THEN ${WALK_INTERVAL_S}",
      title: "a day after it fell asleep",
    },
    "an account that another one puts to sleep is due a day later": {
      find: "walk_due_at = ${inSeconds(LOST_CONFIRMED_AFTER_S)}",
      replace: "walk_due_at = ${inSeconds(WALK_INTERVAL_S)}",
      title: "a day after another account",
    },
  }),
  ...inFile(src("store/enrolments"), conformance("accounts"), {
    "a set-up whose account has ended leaves nothing behind": {
      find: "finish_hash = ?3 AND ${ACCOUNT_IS_LIVE}\n",
      replace: "finish_hash = ?3\n",
      title: "whose account has ended is refused",
    },
  }),
  ...inFile(src("store/sign-ins"), conformance("interactions"), {
    "a set-up that was finished waits a day for the person": {
      find: "WHEN method = 'dns-setup' AND expires_at < ?17",
      replace: "WHEN method = 'none' AND expires_at < ?17",
      title: "of a set-up stays open for a day",
    },
  }),
  ...inFile(src("store/sessions"), conformance("sessions"), {
    "a secret that was sent is not replaced as a lost one": {
      find: "AND account_id = ?3 AND presented_at IS NULL AND ended_at IS NULL",
      replace: "AND account_id = ?3 AND ended_at IS NULL",
      title: "whose first secret was never sent",
    },
  }),
  ...inFile(src("store/enrolments"), conformance("accounts"), {
    "a set-up is finished by one interaction": {
      find: "AND finish_hash = ?3 AND",
      replace: "AND ?3 <> '' AND",
      title: "PostgreSQL finishing a set-up is for one interaction",
    },
  }),
  ...inFile(src("store/interactions"), conformance("interactions"), {
    "an answer to the consent page counts once": {
      find: "`${column} IS NOT DISTINCT FROM ?${4 + columns.length + index}`,",
      replace:
        "`(${column} IS NOT DISTINCT FROM ?${4 + columns.length + index} OR '${column}' = 'decision')`,",
      title: "PostgreSQL an interaction of 50 answers one counts",
    },
    "of those who move an external sign-in on from one place one does": {
      find: 'AND ${former.join(" AND ")} RETURNING',
      replace: "AND (${former.join(\" AND \")} OR method = 'external') RETURNING",
      title: "PostgreSQL a sign-in at an external SP of 30 who move it on",
      test: conformance("external-sps"),
    },
  }),
  ...inFile(src("store/sign-ins"), conformance("interactions"), {
    "somebody is authenticated once": {
      find: "method = ${method} AND account_id IS NULL AND",
      replace: "method = ${method} AND",
      title: "PostgreSQL an interaction of 50 authentications one counts",
    },
  }),
  ...inFile(src("store/sp-clients"), conformance("external-sps"), {
    "of those who replace one registration one does": {
      find: "WHERE issuer = ?5 AND source = ?6 AND client_id = ?7 RETURNING issuer",
      replace: "WHERE issuer = ?5 AND source = ?6 AND ?7 <> '' RETURNING issuer",
      title: "PostgreSQL a registration with an SP of 30 that replace the same one",
    },
  }),
  ...inFile(src("store/clients"), conformance("clients-and-keys"), {
    "of those who change one secret one does": {
      find: "WHERE id = ?3 AND secret_hash = ?4 RETURNING id",
      replace: "WHERE id = ?3 AND ?4 <> '' RETURNING id",
      title: "PostgreSQL of 20 new secrets for one client one wins",
    },
  }),
  ...inFile(src("store/keys"), conformance("keys"), {
    "of nodes that seal a key anew one does": {
      find: "WHERE purpose = ?2 AND id = ?3 AND sealed = ?4 RETURNING id",
      replace: "WHERE purpose = ?2 AND id = ?3 AND ?4 <> '' RETURNING id",
      title: "PostgreSQL of 20 nodes that seal a key anew one does",
    },
  }),
  ...inFile(src("store/attempts"), conformance("clients-and-keys"), {
    "each attempt is counted, of how many at once ever": {
      find: "THEN attempts.count + 1 ELSE 1 END",
      replace: "THEN attempts.count + 0 ELSE 1 END",
      title: "PostgreSQL of 100 attempts under one name",
    },
  }),
  ...inFile(src("store/sessions"), conformance("sessions"), {
    "a session that ended has ended for a secret that was added meanwhile": {
      find: "(SELECT MIN(ended_at) FROM sessions AS any_of WHERE any_of.sid = sessions.sid) AS ended_at",
      replace: "sessions.ended_at AS ended_at",
      test: testOf("sessions/browser-sessions"),
    },
    "only the first time that a secret is sent counts": {
      find: "WHERE secret_hash = ?2 AND presented_at IS NULL",
      replace: "WHERE secret_hash = ?2",
      title: "PostgreSQL a session keeps its sid and its former secret",
    },
  }),
  ...inFile(src("store/session-start"), conformance("sessions"), {
    "a session that ended is not continued": {
      find: "AND former.account_id = ${account} AND former.ended_at IS NULL",
      replace: "AND former.account_id = ${account}",
      title: "PostgreSQL a session is not continued with a secret",
    },
    "a replaced secret continues no session": {
      find: 'after: notIdle })}\n     AND ${isRecent(`COALESCE(${replacedAt("former")}, ${now})`, { now, after: notReplaced })})',
      replace: "after: notIdle })} AND ${notReplaced} > 0)",
      title: "PostgreSQL a session is not continued with a secret",
    },
  }),
  ...inFile(src("store/clean-up"), conformance("clean-up"), {
    "a revoked grant stays while an interaction could issue it again": {
      find: "AND created_at <= ${at(-MIN_GRANT_AGE_S)}\n",
      replace: "AND created_at <= ${at(0)}\n",
      title: "a revoked grant stays",
    },
  }),
  ...inFile(src("database/sqlite-library"), conformance("sqlite"), {
    "a commit is flushed to the disk": {
      find: 'database.exec("PRAGMA synchronous = FULL");',
      replace: 'database.exec("PRAGMA synchronous = NORMAL");',
      title: "a database file",
    },
  }),
  ...inFile(src("database/sqlite-library"), testOf("database/sqlite-library"), {
    "libsql is not loaded where Node has SQLite": {
      find: "ofNode(load) ?? libsql(load)",
      replace: "libsql(load) ?? ofNode(load)",
      title: "libsql is loaded only where Node has no",
    },
    "a library that is missing is no database that cannot be reached": {
      find: "  if (cause instanceof OperatorError) return cause;\n",
      replace: "",
      title: "a libsql that cannot be loaded",
    },
  }),
  ...inFile(src("database/sqlite"), conformance("sqlite"), {
    "a database file is its owner's alone": {
      find: 'openSync(path, "a", 0o600)',
      replace: 'openSync(path, "a", 0o644)',
      title: "is its owner's alone from its first moment",
    },
  }),
  ...inFile(src("database/postgres-connection"), conformance("postgres"), {
    "a warning that a commit was not replicated is a failure": {
      find: 'if (notice.code === "01000") warning =',
      replace: 'if (notice.code === "99999") warning =',
      title: "the warning 01000 is an outage",
      test: conformance("postgres-outages"),
    },
    "the locks of a node that is gone are free in time": {
      find: "Math.ceil(deadline / 2)",
      replace: "deadline * 60",
      title: "the locks of a node that was gone",
      test: conformance("postgres-outages"),
    },
    "a transaction that the server has ended is begun again": {
      find: "(40P01|40001|25P03)",
      replace: "(40P01|40001)",
      title: "a transaction that the server has ended",
      test: conformance("postgres-outages"),
    },
    "a database that does not wait for its disk is refused": {
      find: 'if (settings?.synchronous_commit === "off") {',
      replace: 'if (settings?.synchronous_commit === "never") {',
      title: "synchronous_commit = off is refused",
    },
    "a standby is not asked": {
      find: 'if (settings.read_only !== "off")',
      replace: 'if (settings.read_only === "")',
      title: "a server that only reads",
    },
    "statements run as read committed, whatever the operator's default": {
      find: "'default_transaction_isolation', 'read committed', false",
      replace: "'default_transaction_deferrable', 'off', false",
      title: "the operator's default isolation",
    },
    "a connection past its deadline is not used again": {
      find: "        cut();\n        reject(new UnknownOutcomeError(`the database gave",
      replace: "        reject(new UnknownOutcomeError(`the database gave",
      title: "a statement past its deadline",
      test: conformance("postgres-outages"),
    },
  }),
  ...inFile(src("database/postgres"), conformance("postgres-outages"), {
    "only a statement that is certain to have had no effect is run again": {
      find: "retry(PAUSES, UndoneError, ",
      replace: "retry(PAUSES, UnavailableError, ",
      title: "a connection that ends before the answer",
    },
    "of migrations at once one works": {
      find: "        await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);\n",
      title: "PostgreSQL the schema is made once",
      test: conformance("drivers"),
    },
    "text is compared by its octets": {
      find: "await run(comparedByBytes(statement));",
      replace: "await run(statement);",
      title: "every text is compared by its octets",
      test: conformance("postgres"),
    },
  }),
];

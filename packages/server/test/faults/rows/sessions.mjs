// Faults in sessions: whose they are, when they end, and what is withdrawn while a request is in flight.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const SESSION_FAULTS = [
  ...inFile(src("store/sessions"), conformance("notices"), {
    "what happens after a page was made is told by the next one": {
      find: "CASE WHEN notices_to > ?1 THEN CAST(?1 AS BIGINT) ELSE NULL END",
      replace: "CASE WHEN notices_to < 0 THEN CAST(?1 AS BIGINT) ELSE NULL END",
    },
  }),
  ...inFile(src("sessions/browser-sessions"), testOf("sessions/browser-sessions"), {
    "prompt=login lets no session count": {
      find: 'request.prompt.has("login") || maxAge === 0;',
      replace: "maxAge === 0;",
    },
    "max_age=0 lets no session count, not even that of this second": {
      find: " || maxAge === 0;",
      replace: ";",
    },
    "max_age lets no older authentication count": {
      find: "(now - session.authTime <= maxAge && session.authTime <= now + CLOCK_TOLERANCE_S)",
      replace: "true",
    },
    "a session of an external account does not count where nobody else can be meant": {
      find: "(mayFederate || account.sp === OWN_SP)",
      replace: "true",
    },
    "the store holds only a hash of a session's secret": {
      find: "    secretHash: sha256(secret),",
      replace: "    secretHash: secret,",
    },
    "a secret is refused a minute after its successor was sent": {
      find: "...(replacedAt === null",
      replace: "...(replacedAt !== 0",
    },
    "the use of a replaced secret ends the session": {
      find: 'if (standing === "reused") await',
      replace: 'if (standing === "expired") await',
    },
    "a session ends when it is not used": {
      find: '{ since: lastUsedAt, end: lastUsedAt + idleS, standing: "expired" },',
    },
    "a session ends 180 days after its authentication": {
      find: '{ since: issuedAt, end: expiresAt, standing: "expired" },',
    },
    "an account that sleeps is not signed in": {
      find: 'return account.asleepSince === null ? "live" : "resting";',
      replace: 'return "live";',
    },
  }),
  ...inFile(src("oauth/authorization-response"), flow("withdrawn-access"), {
    "a copied session gets no code once it is refused": {
      find: 'if (progress.method === "session" && !(await',
      replace: 'if (progress.method === "external" && !(await',
    },
  }),
  ...inFile(src("interaction/flow"), flow("withdrawn-access"), {
    "a browser that is forgotten during a sign-in by DNS starts no session": {
      find: "if (inKnownBrowser && !(await",
      replace: "if (more === null && !(await",
    },
  }),
  ...inFile(src("account/account-access"), flow("withdrawn-access"), {
    "a session that is started during a sign-out everywhere ends with it": {
      find: "const late = await sessions.endSessionsOf(accountId, { reason, now });",
      replace: "const late = [];",
    },
  }),
  ...inFile(src("store/interactions"), flow("withdrawn-access"), {
    "a consent that the decision refuses is not remembered": {
      find: "writeWhen(change.text, id, now, expiresAt, ...values)",
      replace: "write(change.text, id, now, expiresAt, ...values)",
    },
  }),
  ...inFile(src("interaction/requirements"), flow("withdrawn-access"), {
    "no step of a sign-in whose session has ended": {
      find: "if (isAuthenticated(interaction) && pending.session.isOver === 1)",
      replace: "if (interaction === null)",
    },
  }),
  ...inFile(src("oauth/consent"), flow("withdrawn-access"), {
    "a change of the account has no consent": {
      find: "if (clientId === accountUri(issuer)) throw",
      replace: 'if (clientId === "") throw',
    },
  }),
  ...inFile(src("account-page/changes"), flow("change-passkeys"), {
    "removing a passkey first ends the other changes that were authenticated for": {
      find: "    await accountChanges.endOtherChanges(id, accountId);\n    const { passkey }",
      replace: "    const { passkey }",
      title: "after an error at any statement",
    },
    "removing a passkey ends what was authenticated for during the removal": {
      find: "    await accountChanges.endOtherChanges(id, accountId);\n    await flow.change",
      replace: "    await flow.change",
      title: "just before the removal",
    },
    "a removal that failed half-way is repeated, though the passkey is gone": {
      find: "if (passkey !== undefined &&",
      replace:
        'if (passkey === undefined) throw new PageError(400, "expired", open.request);\n    if (passkey !== undefined &&',
      title: "after an error at any statement",
    },
  }),
  ...inFile(src("store/known-browsers"), conformance("known-browsers"), {
    "a browser that only another account knows needs a recovery code": {
      find: "WHERE secret_hash = ?1 AND account_id = ?2 AND issued_at > ?3",
      replace: "WHERE secret_hash = ?1 AND ?2 = ?2 AND issued_at > ?3",
      title: "PostgreSQL a browser is known for 400 days",
    },
  }),
  ...inFile(src("store/sessions"), conformance("sessions"), {
    "a session is ended only by its own account": {
      find: "WHERE sid = ?3 AND account_id = ?4 AND ended_at IS NULL",
      replace: "WHERE sid = ?3 AND ?4 <> '' AND ended_at IS NULL",
      title: "PostgreSQL a session ends with all its secrets",
    },
  }),
  ...inFile(src("service"), flow("session-lifetimes"), {
    "sessions last as long as the operator set": {
      find: "createStore(instrument(engine), { ...config, statementTime })",
      replace: "createStore(instrument(engine))",
    },
  }),
  ...inFile(src("assemble"), flow("session-lifetimes"), {
    "a service refuses an idle time that is longer than the absolute one": {
      find: "    sessionDaysMistake(config) ??\n",
    },
  }),
  ...inFile(src("store/clean-up"), conformance("session-lifetimes"), {
    "a session that ended elsewhere stays until its apps were notified": {
      find: " AND ended_at <= ${at(-LOGOUT_DELIVERY_WINDOW_S)}",
      title: "PostgreSQL a session that was ended elsewhere",
    },
  }),
  ...inFile(src("store/session-start"), conformance("session-lifetimes"), {
    "an authentication does not continue an idle session": {
      find: "[formerHash, now - idleS,",
      replace: "[formerHash, 0,",
      title: "PostgreSQL with",
    },
  }),
  ...inFile(src("pages/sign-out"), flow("sign-out-offers"), {
    "the link to sign out everywhere names the domain, where several are signed in": {
      find: 'href="${account}#sign-out-title"',
      replace: 'href="/account#sign-out-title"',
    },
  }),
  ...inFile(src("pages/template"), testOf("pages/template"), {
    "a page shows nothing of the request for which it was rendered": {
      find: "templateOf(Object.keys(values), markedWith)",
      replace: "templateOf(Object.keys(values), () => markedWith(values))",
    },
    "a page that is rendered once escapes texts": {
      find: "escapeToBuffer(value, buffer);",
      replace: "buffer[0] = value;",
    },
  }),
  ...inFile(src("pages/logout"), flow("sign-out-offers"), {
    "the page that an app asks to sign out offers to sign out everywhere": {
      find: "${everywhereLinks(context, domains)}",
    },
  }),
  ...inFile(src("oauth/logout"), testOf("oauth/logout"), {
    "the page for an app without a session says that others are signed in": {
      find: "others: sessions.length < all.length",
      replace: "others: sessions.length > all.length",
    },
  }),
  ...inFile(src("sessions/unseen-news"), flow("news"), {
    "news are complete when they count as shown": { find: "  await history.caughtUp();\n" },
  }),
  ...inFile(src("store/clean-up"), conformance("clean-up"), {
    "a secret that was stored at the moment of a sign-out stays ended": {
      find: "AND (ended_at IS NULL OR NOT EXISTS (",
      replace: "AND (ended_at IS NOT NULL OR NOT EXISTS (",
    },
  }),
  ...inFile(src("oauth/authorization-response"), flow("delete-account"), {
    "an account that has ended gets no code": {
      find: "account === null || account.endedAt !== null",
      replace: "account === null",
    },
  }),
  ...inFile(src("account/account-access"), flow("delete-account"), {
    "the end of an account ends its sign-ins that wait for a consent": {
      find: "  await interactions.endInteractionsOf({ accountId, clientId: null, keptId, now });\n",
    },
  }),
  ...inFile(src("cli/accounts-command"), flow("accounts-command"), {
    "the end of an account by its operator ends its sign-ins too": {
      find: "await access.endAccount(accountId, endedAt)",
      replace: "await store.accountAdmin.endAccountNow({ accountId, now: endedAt })",
    },
  }),
  ...inFile(src("store/accounts"), conformance("account-access"), {
    "of many accounts of a domain, the one that is awake is found": {
      find: "ORDER BY CASE WHEN asleep_since IS NULL THEN 0 ELSE 1 END, created_at DESC, id LIMIT 20",
      replace: "ORDER BY created_at, id LIMIT 20",
    },
  }),
];

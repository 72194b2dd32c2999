// Faults at the endpoints for clients that only whole flows show: replays, revocations, the way to the database.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const TOKEN_FAULTS = [
  ...inFile(src("oauth/grant-token"), flow("statements"), {
    "a token's MAC is checked before the database is asked": {
      find: "if (!timingSafeEqual(octets.subarray(bodyEnd), mac)) return null;",
      replace: "if (!timingSafeEqual(mac, mac)) return null;",
      title: "a token with a wrong MAC costs no statement",
    },
  }),
  ...inFile(src("oauth/authorization-code-grant"), flow("tokens"), {
    "a code that comes a second time ends its grant": {
      find: "  await grants.revokeGrant({ id, now });\n",
      title: "a code that was redeemed is refused, and its tokens are revoked",
    },
    "a stranger who brings a code ends nothing": {
      find: 'if (grant.clientId !== clientId) throw refuse("issued to another client");',
      replace: 'if (grant.clientId !== clientId) return { is: "replayed", grant };',
      title: "a wrong verifier, redirect_uri or client changes nothing",
    },
    "a double submit is one within 30 seconds": {
      find: "const DOUBLE_SUBMIT_WINDOW_S = 30;",
      replace: "const DOUBLE_SUBMIT_WINDOW_S = 100;",
      title: "a double submit with the right verifier within 30 seconds",
    },
    "a client that has authenticated is taken for no thief of its own code": {
      find: "isProven || codeChallenge !== null",
      replace: "codeChallenge !== null",
      title: "a double submit with the right client secret within 30 seconds",
    },
  }),
  ...inFile(src("oauth/refresh-token-grant"), flow("tokens"), {
    "a refresh token that was replaced before ends its grant": {
      find: "  await grants.revokeGrant({ id, now });\n",
      title: "a refresh token whose successor was used is theft",
    },
    "a stranger who brings a refresh token ends nothing": {
      find: 'if (grant.clientId !== clientId) throw refuse("issued to another client");',
      replace: 'if (grant.clientId !== clientId) return state("replayed");',
      title: "a stranger with another client's refresh token",
    },
    "the window of a retry does not slide": {
      find: 'isSurelyOver({ since, end: since + retryWindow + 1 }, clock) ? null : "retried"',
      replace: '"retried"',
      title: "the window does not slide",
    },
    "no wider scope than was granted": {
      find: "if (named.length === 0 || !named.every((scope) => granted.includes(scope))) {",
      replace: "if (named.length === 0) {",
      title: "a wider one is invalid_request",
    },
  }),
  ...inFile(src("oauth/token"), flow("tokens"), {
    "a token is revoked only by its own client": {
      find: "if (current?.grant.clientId === clientId) {",
      replace: "if (current !== null) {",
      title: "only for its own client",
    },
  }),
  ...inFile(src("store/grants"), flow("tokens"), {
    "the access token of a revoked grant is refused": {
      find: "where: `grants.revoked_at IS NULL AND",
      replace: "where: `",
      title: "its tokens are revoked",
    },
    "the access token of an account that sleeps is refused": {
      find: "grants.revoked_at IS NULL AND ${ACCOUNT_IS_LIVE}`",
      replace: "grants.revoked_at IS NULL`",
      test: flow("sale"),
    },
  }),
  ...inFile(src("oauth/client-authentication"), conformance("assertions"), {
    "a client's assertion is used once": {
      find: 'if (!isFirst) throw refuseAssertion("jti was already used");',
    },
  }),
  ...inFile(src("clients/redirect-target"), flow("bad-authorization-requests"), {
    "no redirect to a URI that the client did not register": {
      find: "  if (!isAmong(registered, uri, type)) return null;\n",
    },
  }),
  ...inFile(src("oauth/authorization-response"), flow("sign-in"), {
    "a person who refused gets no code": {
      find: 'if (progress.decision === "deny") {',
      replace: 'if (progress.decision === "") {',
      title: "who does not allow it goes back with access_denied",
    },
    "no code for an account that the record no longer names": {
      find: 'if (result === "lost") throw notNamed(request, "recordLost");',
      replace: 'if (result === "lost") throw new Error("lost");',
      test: flow("code-evidence"),
    },
  }),
  ...inFile(src("oauth/statements"), testOf("oauth/provider-statement"), {
    "no statement is made where the zone is not signed": { find: " || dnssec === undefined" },
    "a statement is bound to a request": { find: " || (cch ?? nonce) === undefined" },
    "we speak only for accounts of ours": { find: "sp !== issuer || " },
    "a statement names the account": {
      find: "v: 1, domain, acct, ...request",
      replace: "v: 1, domain, ...request",
    },
  }),
  ...inFile(src("oauth/statements"), testOf("oauth/validation-data"), {
    "no proof is sent without the chain that it needs": {
      find: "dnssec === undefined || dnssec.not_after <= clock.seconds()",
      replace: "dnssec === undefined",
    },
    "one statement for each code": { find: "if (evidence.statement_for) return null;" },
  }),
  ...inFile(src("oauth/authorization-code-grant"), testOf("oauth/authorization-code-grant"), {
    "only a service that authenticated gets a statement for its app": {
      find: "isProven && evidence ? proofsForApp",
      replace: "evidence ? proofsForApp",
    },
    "the ID token of a code that an earlier version issued names its session": {
      find: "return { ...owner, sid: kept?.sid, claims: kept?.claims };",
      replace: "return { ...owner, claims: kept?.claims };",
      title: "issued by a node of an earlier version",
    },
  }),
  ...inFile(src("oauth/logout"), flow("logout"), {
    "an app signs nobody out without asking but by an ID token of that session": {
      find: "sessions.filter(({ session }) => session.sid === hint?.sid)",
      replace: "sessions.filter(() => hint !== null)",
      title: "with an ID token of an earlier session",
    },
    "an ID token of one person signs no other out": {
      find: "all.filter(({ account }) => subjectOf(client, account) === hint.sub);",
      replace: "all;",
      title: "of an account that is not signed in in this browser",
    },
    "an ID token of one app is no other's": {
      find: "if (audience !== undefined && audience !== client.client_id) {",
      replace: 'if (audience === "") {',
      title: "the hint of another app",
    },
    "a sign-out that nobody decided on leads to no app that anybody could have made": {
      find: "if (hint !== null && !(client && isSelfRegistered(client))) return leave(request, []);",
      replace: "if (target !== null) return leave(request, []);",
      title: "who is not signed in gets a link to the app",
    },
  }),
  ...inFile(src("clients/redirect-target"), testOf("clients/redirect-target"), {
    "no registered redirect URI looks like a pattern": {
      find: 'if (uri.includes("*")) return "contains a wildcard',
      replace: 'if (uri === "*") return "contains a wildcard',
      title: "ambiguous",
    },
    "no registered redirect URI has a parameter that the response adds": {
      find: "RESPONSE_PARAMETERS[kind].find((added) => searchParams.has(added));",
      replace: "RESPONSE_PARAMETERS[kind].find((added) => searchParams.has(`${added}*`));",
      title: "ambiguous",
    },
  }),
  ...inFile(src("clients/client-registry"), testOf("clients/client-registry"), {
    "a client that was registered before stays manageable": {
      find: "readRegistration({ ...former, ...changes }, former);",
      replace: "readRegistration({ ...former, ...changes });",
      title: "could be registered before",
    },
  }),
  ...inFile(src("clients/redirect-target"), flow("logout"), {
    "a sign-out leads only to a registered address": {
      find: "isAmong(registered, uri, type) ? ({ uri, state } as LogoutTarget) : null;",
      replace: "registered !== null && type !== null ? ({ uri, state } as LogoutTarget) : null;",
      title: "an unregistered return address",
    },
  }),
  ...inFile(src("store/logouts"), conformance("logouts"), {
    "one node makes each attempt to notify an app of a sign-out": {
      find: 'AND claims = ?5 AND told_at IS NULL AND ${isDue("?4")}',
      replace: "AND ?5 >= 0 AND told_at IS NULL AND ?4 > 0",
      title: "PostgreSQL of 20 nodes one claims",
    },
    "a former end is not notified after the session has signed in again": {
      find: "AND claims = ?5 AND told_at IS NULL",
      replace: "AND ?5 >= 0 AND told_at IS NULL",
      title:
        "PostgreSQL a session that goes on when its record returns is not notified of the former end",
    },
    "an app is notified of each end of a session": {
      find: "SET told_at = NULL, host = ?3",
      replace: "SET host = ?3",
      title: "after the record has returned",
      test: flow("back-channel-logout"),
    },
    "an attempt of a former end does not count for the next one": {
      find: '"sid = ?2 AND client_id = ?3 AND claims = ?4"',
      replace: '"sid = ?2 AND client_id = ?3 AND ?4 >= 0"',
      title:
        "PostgreSQL a session that goes on when its record returns is notified of its next end, whatever",
    },
    "a flood of one app's logouts does not delay others at its host": {
      find: "PARTITION BY client_id ORDER BY due_at, sid) AS turn",
      replace: "PARTITION BY host ORDER BY due_at, sid) AS turn",
      title: "SQLite in memory a flood of ended sessions of one client leaves turns",
    },
    "a host with many apps does not delay other hosts": {
      find: "WHERE host_turn <= ?3",
      replace: "WHERE ?3 > 0",
      title: "SQLite in memory a flood of ended sessions of many clients at one host",
    },
    "new logouts do not go before further attempts that were due earlier": {
      find: "CASE WHEN next_at > ended_at THEN next_at ELSE ended_at END AS due_at",
      replace: "next_at AS due_at",
      title: "SQLite in memory a flood of ended sessions does not go before",
    },
    "of too many logouts of one app, the newest are kept": {
      find: "ORDER BY ended_at DESC, sid) AS place",
      replace: "ORDER BY ended_at, sid) AS place",
      title: "PostgreSQL a flood of ended sessions is bounded",
    },
  }),
  ...inFile(src("oauth/back-channel-logout"), testOf("oauth/back-channel-logout"), {
    "a host gets its share of tokens, also if many apps move to it": {
      find: "client !== undefined && logoutHost(client) !== due.host",
      replace: "client !== undefined && logoutHost(client) === null",
      title: "an app that has moved to another host",
    },
  }),
  ...inFile(src("clients/redirect-target"), flow("clients"), {
    "no client makes us send requests to the origin of another": {
      find: 'return origins.includes(originOf(uri)) ? null : "must have the same origin as a redirect_uri";',
      replace: "return origins.length >= 0 ? null : uri;",
      title: "with mistakes tells each",
    },
  }),
  ...inFile(src("oauth/authorization-response"), flow("back-channel-logout"), {
    "an app that gets a code is told of the end of its session": {
      find: 'notified: uri === "" ? null',
      replace: 'notified: uri !== "none" ? null',
      title: "once, by a logout token",
    },
  }),
];

// Faults in the history of accounts, and in what an operator takes away from browsers and apps.

const server = (name) => `packages/server/src/${name}.ts`;
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;
const ACCESS = "packages/server/test/conformance/store/account-access.test.ts";
const HISTORY = flow("history");
const ACCOUNTS = flow("accounts-command");
const GRANTS = flow("grants-command");
const CHANGES = flow("operator-changes");

const REVOCATION = flow("revocation");

export const OPERATOR_FAULTS = [
  {
    file: "packages/server/src/store/postgres-sessions.ts",
    guard: "a pooler that shares sessions is recognized, whichever of its idle sessions it takes",
    find: "const MAX_TRANSACTIONS = 5;",
    replace: "const MAX_TRANSACTIONS = 1;",
    test: "packages/server/src/store/postgres-sessions.test.ts",
  },
  {
    file: "packages/server/src/store/postgres-sessions.ts",
    guard: "the connections of the check are closed",
    find: "for (const probe of opened) probe.close();",
    replace: "opened.length = 0;",
    test: "packages/server/src/store/postgres-sessions.test.ts",
  },
  {
    file: "packages/server/src/cli/password-warning.ts",
    guard: "a password on the command line is warned of, wherever it is in the URL",
    find: 'password !== "" || (searchParams',
    replace: 'password !== "" && (searchParams',
    test: "packages/server/src/cli/password-warning.test.ts",
  },
  {
    file: server("oauth/authorization-response"),
    guard: "a code whose access is revoked while it is issued does not leave",
    find: "if (withdrawn !== null) {",
    replace: "if (withdrawn === undefined) {",
    test: REVOCATION,
    title: "a sign-in that the person allowed before",
  },
  {
    file: server("oauth/authorization-response"),
    guard: "the consent that made a request silent is still given when its code leaves",
    find: "const isRevoked = mustConsent &&",
    replace: "const isRevoked = !mustConsent &&",
    test: REVOCATION,
    title: "a silent request gets an error",
  },
  {
    file: server("oauth/authorization-response"),
    guard: "a session that ends while a code is issued gets none",
    find: "    if (sessionEnded)",
    replace: "    if (sessionEnded && isRevoked)",
    test: REVOCATION,
    title: "a silent request whose session ends",
  },
  {
    file: server("interaction/account-access"),
    guard: "the grants are revoked after what they are issued for is marked",
    find: "const of = { accountId, clientId, now: clock.seconds() };",
    replace:
      "const of = { accountId, clientId, now: clock.seconds() };\n  await grants.revokeGrantsOf(of);\n  grants = { ...grants, revokeGrantsOf: async () => 0 };",
    test: REVOCATION,
    title: "issued before the revocation completes",
  },
  {
    file: server("interaction/account-access"),
    guard: "a sign-in that is authenticated gives no code after a revocation",
    find: "const wasSigningIn = await interactions.endInteractionsOf(of);",
    replace: "const wasSigningIn = false;",
    test: GRANTS,
    title: "gives no code after the revocation",
  },
  {
    file: server("interaction/account-access"),
    guard: "a revoked app has to ask for consent again",
    find: "const wasAllowed = await consents.forgetConsents(of);",
    replace: "const wasAllowed = false;",
    test: GRANTS,
    title: "asks for consent again",
  },
  {
    file: server("interaction/account-access"),
    guard: "a known browser is forgotten by a sign-out everywhere",
    find: "await sessions.forgetBrowsersOf(accountId, by);",
    replace: "",
    test: "packages/server/test/flows/sessions.test.ts",
    title: "after signing out everywhere no browser is known",
  },
  {
    file: server("store/grants"),
    guard: "a revocation of one app leaves the others",
    find: 'revokeOf("AND client_id = ?3")',
    replace: 'revokeOf("AND ?3 <> account_id")',
    test: ACCESS,
    title: "PostgreSQL the grants of an account of one app are revoked",
  },
  {
    file: server("store/accounts"),
    guard: "an operator ends an account once",
    find: "UPDATE accounts SET ended_at = ?1 WHERE id = ?2 AND ended_at IS NULL RETURNING id",
    replace: "UPDATE accounts SET ended_at = ?1 WHERE id = ?2 RETURNING id",
    test: ACCESS,
    title: "PostgreSQL an account that an operator ends ends once",
  },
  {
    file: server("cli/account-argument"),
    guard: "of several accounts of a domain none is guessed at",
    find: "if (account !== undefined && others.length === 0) return",
    replace: "if (account !== undefined && others.length >= 0) return",
    test: ACCOUNTS,
    title: "a domain with two accounts is not guessed at",
  },
  {
    file: server("cli/account-argument"),
    guard: "a URL is no name of a domain",
    find: "if (/[/?#]/.test(name)) {",
    replace: 'if (name === "?") {',
    test: ACCOUNTS,
    title: "in the name",
  },
  {
    file: server("cli/accounts"),
    guard: "an account ends only if the operator confirms",
    find: "if (typed !== null) return typed.trim().toLowerCase() === domain;",
    replace: "if (typed !== null) return true;",
    test: ACCOUNTS,
    title: "ends for good when the operator confirms",
  },
  {
    file: server("cli/grants"),
    guard: "a change by a command is in the log",
    find: '          await context.audit({ command: "grants revoke", accountId, domain, clientId });\n',
    replace: "",
    test: CHANGES,
    title: "grants revoke",
  },
  {
    file: server("cli/migrate"),
    guard: "what changes nothing is not logged as a change",
    find: "if (changed) await context.audit",
    replace: "if (changed || schema > 0) await context.audit",
    test: CHANGES,
    title: "what changes nothing is not logged",
  },
  {
    file: server("interaction/history"),
    guard: "no request waits for the history",
    find: "Promise<void> {\n    await afterResponse();\n",
    replace: "Promise<void> {\n",
    test: "packages/server/src/interaction/history.test.ts",
    title: "many entries are few statements",
  },
  {
    file: server("interaction/history"),
    guard: "a history that cannot be written stops nobody",
    find: ".catch(failed);",
    replace: ";",
    test: HISTORY,
    title: "a database that refuses the history",
  },
  {
    file: server("oauth/consent"),
    guard: "only an app that was allowed is in the history",
    find: '} else if (decision === "allow" && accountId !== null) {',
    replace: "} else if (accountId !== null) {",
    test: HISTORY,
    title: "a denied consent is no app that was allowed",
  },
];

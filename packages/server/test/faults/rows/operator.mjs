// Faults in the history of accounts, and in what an operator takes away from browsers and apps.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const OPERATOR_FAULTS = [
  ...inFile(src("database/postgres-sessions"), testOf("database/postgres-sessions"), {
    "a pooler that shares sessions is recognized, whichever of its idle sessions it takes": {
      find: "const MAX_TRANSACTIONS = 5;",
      replace: "const MAX_TRANSACTIONS = 1;",
    },
    "the connections of the check are closed": {
      find: "for (const probe of opened) probe.close();",
      replace: "opened.length = 0;",
    },
  }),
  ...inFile(src("cli/password-warning"), testOf("cli/password-warning"), {
    "a password on the command line is warned of, wherever it is in the URL": {
      find: 'password !== "" || (searchParams',
      replace: 'password !== "" && (searchParams',
    },
  }),
  ...inFile(src("oauth/authorization-response"), flow("revocation"), {
    "a code whose access is revoked while it is issued does not leave": {
      find: "if (withdrawn !== null) {",
      replace: "if (withdrawn === undefined) {",
      title: "a sign-in that the person allowed before",
    },
    "the consent that made a request silent is still given when its code leaves": {
      find: "const isRevoked = mustConsent &&",
      replace: "const isRevoked = !mustConsent &&",
      title: "a silent request gets an error",
    },
    "a session that ends while a code is issued gets none": {
      find: "const isGone = sessionEnded || isRevoked;",
      replace: "const isGone = isRevoked;",
      title: "a silent request whose session ends",
    },
  }),
  ...inFile(src("account/account-access"), flow("grants-command"), {
    "the grants are revoked after what they are issued for is marked": {
      find: `const wasSigningIn = await interactions.endInteractionsOf(access);
    const wasAllowed = await consents.forgetConsents(access);
    const revoked = await grants.revokeGrantsOf(access);`,
      replace: `const revoked = await grants.revokeGrantsOf(access);
    const wasSigningIn = await interactions.endInteractionsOf(access);
    const wasAllowed = await consents.forgetConsents(access);`,
      title: "issued before the revocation completes",
      test: flow("revocation"),
    },
    "a sign-in that is authenticated gives no code after a revocation": {
      find: "const wasSigningIn = await interactions.endInteractionsOf(access);",
      replace: "const wasSigningIn = false;",
      title: "gives no code after the revocation",
    },
    "a revoked app has to ask for consent again": {
      find: "const wasAllowed = await consents.forgetConsents(access);",
      replace: "const wasAllowed = false;",
      title: "asks for consent again",
    },
    "a known browser is forgotten by a sign-out everywhere": {
      find: "await sessions.forgetBrowsersOf(accountId, reason);",
      title: "after signing out everywhere no browser is known",
      test: flow("sessions"),
    },
  }),
  ...inFile(src("store/grants"), conformance("account-access"), {
    "a revocation of one app leaves the others": {
      find: 'revokeOf("AND client_id = ?3")',
      replace: 'revokeOf("AND ?3 <> account_id")',
      title: "PostgreSQL the grants of an account of one app are revoked",
    },
  }),
  ...inFile(src("store/accounts"), conformance("account-access"), {
    "an operator ends an account once": {
      find: "UPDATE accounts SET ended_at = ?1 WHERE id = ?2 AND ended_at IS NULL RETURNING id",
      replace: "UPDATE accounts SET ended_at = ?1 WHERE id = ?2 RETURNING id",
      title: "PostgreSQL an account that an operator ends ends once",
    },
  }),
  ...inFile(src("cli/account-records"), flow("accounts-command"), {
    "of several accounts of a domain none is guessed at": {
      find: "if (account !== undefined && others.length === 0) return",
      replace: "if (account !== undefined && others.length >= 0) return",
      title: "a domain with two accounts is not guessed at",
    },
    "a URL is no name of a domain": {
      find: "if (/[/?#]/.test(name)) {",
      replace: 'if (name === "?") {',
      title: "in the name",
    },
  }),
  ...inFile(src("cli/accounts-command"), flow("accounts-command"), {
    "an account ends only if the operator confirms": {
      find: "if (typed !== null) return typed.trim().toLowerCase() === domain;",
      replace: "if (typed !== null) return true;",
      title: "ends for good when the operator confirms",
    },
  }),
  ...inFile(src("cli/grants-command"), flow("operator-changes"), {
    "a change by a command is in the log": {
      find: '        await audit({ command: "grants revoke", accountId, domain, clientId });\n',
      title: "grants revoke",
    },
  }),
  ...inFile(src("cli/migrate-command"), flow("operator-changes"), {
    "what changes nothing is not logged as a change": {
      find: "if (changed) await context.audit",
      replace: "if (changed || schema > 0) await context.audit",
      title: "what changes nothing is not logged",
    },
  }),
  ...inFile(src("account/history-writer"), testOf("account/history-writer"), {
    "no request waits for the history": {
      find: "Promise<void> {\n    await afterResponse();\n",
      replace: "Promise<void> {\n",
      title: "many entries are few statements",
    },
    "a history that cannot be written stops nobody": {
      find: ".catch(failed);",
      replace: ";",
      title: "a database that refuses the history",
      test: flow("history"),
    },
  }),
  ...inFile(src("oauth/consent"), flow("history"), {
    "only an app that was allowed is in the history": {
      find: '} else if (decision === "allow" && accountId !== null) {',
      replace: "} else if (accountId !== null) {",
      title: "a denied consent is no app that was allowed",
    },
  }),
];

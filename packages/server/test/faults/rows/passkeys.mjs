// Faults in passkeys: whose they are, and how often a challenge counts.

import { conformance, flow, inFile, src } from "../row-helpers.mjs";

export const PASSKEY_FAULTS = [
  ...inFile(src("sign-in/owner-statement"), flow("federation/owner-proof"), {
    "the statement names the service that sent the user for its app": {
      find: "svc: svc ?? issuer,",
      replace: "svc: issuer,",
    },
  }),
  ...inFile(src("oauth/authorization-request"), flow("federation/owner-proof"), {
    "an app that insists on an owner proof gets none from a session at the service provider": {
      find: 'statementFor && isOwnerProofRequired ? "required" : client.owner_proof',
      replace: "isOwnerProofRequired ? client.owner_proof : client.owner_proof",
    },
  }),
  ...inFile(src("passkeys/challenge"), flow("domain-passkey"), {
    "a challenge of the page that asks for a domain is valid for five minutes": {
      find: "age < CEREMONY_LIFETIME_S",
      replace: "age < CEREMONY_LIFETIME_S * 1e6",
    },
    "it is for one authorization request": {
      find: "${sha256(query)} ${browser}",
      replace: "${browser}",
    },
    "it is for the browser that opened the page": {
      find: "return `${sha256(query)} ${browser}`;",
      replace: "return sha256(query + (browser && query));",
    },
  }),
  ...inFile(src("keys/cookie-seal"), flow("domain-passkey"), {
    "it was made here": {
      find: "return timingSafeEqual(own, mac) ? content : null;",
      replace: "return timingSafeEqual(own, own) ? content : null;",
    },
  }),
  ...inFile(src("sign-in/domain-passkey"), flow("domain-passkey"), {
    "it signs in once": {
      find: "if (begun !== null) return begun;",
      replace: "if (begun !== undefined) return begun ?? askAgain(context, account);",
    },
    "a challenge that starts no session counts once too": {
      find: "return (await deps.attempts.countAttempt(attempt)).count === 1;",
      replace: "return (await deps.attempts.countAttempt(attempt)).count > 0;",
      title: "insists on an owner proof",
    },
  }),
  ...inFile(src("store/passkeys"), flow("domain-passkey"), {
    "a challenge that led to nothing signs nobody in once the record is back": {
      find: "(SELECT count(*) FROM attempts WHERE name = ?4 AND expires_at > ?2) AS",
      replace: "(SELECT count(*) FROM attempts WHERE name = ?4 AND expires_at > ?2 AND 1 = 0) AS",
      title: "also when the record is back",
    },
  }),
  ...inFile(src("store/session-start"), conformance("one-authentication"), {
    "a challenge starts one session": {
      find: "DO NOTHING\n  RETURNING sid",
      replace: "DO UPDATE SET started_by = NULL\n  RETURNING sid",
    },
  }),
  ...inFile(src("sign-in/domain-passkey"), flow("domain-passkey"), {
    "it is no owner proof, for which a client that insists on one asks again": {
      find: 'request.ownerProof !== "required"',
      replace: 'request.ownerProof !== "none"',
    },
  }),
  ...inFile(src("store/interactions"), flow("passkeys"), {
    "a passkey signs in only to its own account": {
      find: "interactions.account_id IS NULL AND passkeys.account_id = accounts.id",
      replace: "interactions.account_id IS NULL AND accounts.id IS NOT NULL",
      title: "with a passkey of another domain",
    },
  }),
  ...inFile(src("store/sign-ins"), flow("passkeys"), {
    "only the statement that is asked for signs in": {
      find: "(passkey_statement = ${statement} AND passkey_expires_at > ${now})",
      replace: "(${statement} <> '' AND passkey_expires_at > ${now})",
      test: conformance("passkeys"),
    },
  }),
  ...inFile(src("sign-in/use-passkey"), flow("passkeys"), {
    "the record must name the account when its passkey signs in": {
      find: 'look.outcome !== "own" || !namesAccount(look, assertion.account)',
      replace: 'look.outcome !== "own"',
      title: "after a sale",
    },
  }),
  ...inFile(src("sign-in/passkey"), flow("owner-proof"), {
    "the record must list the key of an owner proof": {
      find: "const { proofs } = await deps.federation.checkProofs({ owner_proof }, context, svc);",
      replace: "const proofs = { owner_proof, context: undefined, svc };",
      title: "a passkey that the record does not list",
    },
  }),
  ...inFile(src("sign-in/dns-challenge"), flow("passkeys"), {
    "a known browser is not enough for an account with a passkey": {
      find: "!hasPasskey &&",
      title: "a recovery code is needed too",
    },
  }),
  ...inFile(src("sign-in/domain"), flow("passkeys"), {
    "an account with a passkey is asked for it": {
      find: "if (hasPasskey) {",
      replace: 'if (account.id === "") {',
      title: "a domain with a passkey signs in with it",
    },
  }),
  ...inFile(src("store/passkeys"), conformance("passkeys"), {
    "a counter only rises": {
      find: "AND (counter < ?1 OR (counter = 0 AND ?1 = 0))",
      replace: "AND ?1 = ?1",
    },
    "a passkey of a sleeping account is not used": {
      find: "    AND account_id IN (SELECT id FROM accounts WHERE ${ACCOUNT_IS_LIVE}) RETURNING",
      replace: "    RETURNING",
    },
  }),
  ...inFile(src("store/sign-ins"), conformance("passkeys"), {
    "a challenge lasts five minutes": {
      find: "AND passkey_expires_at > ${now})",
      replace: "AND passkey_expires_at > 0)",
    },
  }),
  ...inFile(src("sign-in/account-change"), flow("new-passkey"), {
    "a session adds no passkey": {
      find: 'const isOwn = method !== "session" && method !== "external";',
      replace: "const isOwn = true;",
    },
    "an authentication for an app adds no passkey": {
      find: "if (!isAuthenticated(interaction) || !isForThis) throw",
      replace: "if (!isAuthenticated(interaction)) throw",
    },
  }),
  ...inFile(src("sign-in/new-passkey"), flow("recovery"), {
    "an authentication adds one passkey": {
      find: "passkeys.addPasskey(passkey, interaction.id)",
      replace: "passkeys.addPasskey(passkey, interaction.id && null)",
      title: "adds one passkey, also if four tabs post at once",
    },
    "an authentication adds no second passkey after the first was removed": {
      find: 'isAdded(open) ? "refused" : await passkeys',
      replace: 'accountId === "" ? "refused" : await passkeys',
      title: "by adding a passkey",
      test: flow("account-changes"),
    },
    "a page says that the passkey was added after a crash, too": {
      find: "if (added === null) return showPage(open, accountId);",
      replace: "if (added !== undefined) return showPage(open, accountId);",
      title: "after a passkey was added leaves the page that says so",
    },
  }),
  ...inFile(src("database/migrations"), conformance("passkeys"), {
    "an interaction adds one passkey": {
      find: "CREATE UNIQUE INDEX one_passkey_per_interaction",
      replace: "CREATE INDEX one_passkey_per_interaction",
      title: "of 30 that one interaction adds",
    },
  }),
  ...inFile(src("sign-in/set-up/dns-setup"), flow("set-up-passkey"), {
    "a set-up with a passkey is finished by it alone": {
      find: 'return { action: named.passkey === undefined ? "finish" : "ask for passkey", setUp: named };',
      replace: 'return { action: "finish", setUp: named };',
      title: "one DNS edit",
    },
  }),
  ...inFile(src("sign-in/set-up/dns-setup"), flow("set-up-passkey"), {
    "the record is shown only after the person has answered about a passkey": {
      find: "if (own !== undefined && !isPasskeyAnswered(own))",
      replace: "if (own === null)",
      title: "is not shown before the person has answered",
    },
  }),
  ...inFile(src("sign-in/set-up/set-up-passkey"), flow("set-up-passkey"), {
    "a registration that comes twice does not change the record": {
      find: "if (passkey.credentialId === own.passkey?.credentialId) return goOn();",
      title: "of somebody else's interaction is refused",
    },
    "an answer about a passkey that comes late does not change the record": {
      find: "return goOn(isPasskeyAnswered(own) ? [] : ",
      replace:
        "return goOn(isPasskeyAnswered(own) ? await setUps.begin(http, { interactionId: id, domain, client: '' }) : ",
      title: "has no key if the person wants no passkey",
    },
    "a registration for a set-up is of its own interaction": {
      find: "sha256(`set-up passkey ${interaction.id} ${interaction.browserHash}`)",
      replace: "sha256(`set-up passkey ${interaction === null}`)",
      title: "of somebody else's interaction is refused",
    },
    "a set-up takes no passkey that an account has": {
      find: "if ((await passkeys.findPasskey(passkey.credentialId)) !== null) {",
      replace: 'if (passkey.credentialId === "") {',
      title: "of a passkey that another account has",
    },
  }),
  ...inFile(src("sign-in/set-up/set-up"), flow("set-up-passkey"), {
    "a passkey begins the set-up anew: a copy of the cookie from before finishes nothing": {
      find: "    { domain, spk, userHandle, client, acct: formerAcct }: SetUp,\n    passkey: MadePasskey,\n  ): Promise<readonly string[] | null> {\n    const content = { ...newContent(domain, { isSecure: spk.length > 0 }), userHandle, passkey };",
      replace:
        "    { domain, spk, userHandle, client, acct: formerAcct, seed }: SetUp,\n    passkey: MadePasskey,\n  ): Promise<readonly string[] | null> {\n    const content = { ...newContent(domain, { isSecure: spk.length > 0 }), seed, userHandle, passkey };",
      title: "from before the passkey was made",
    },
  }),
  ...inFile(src("account-page/changes"), flow("change-passkeys"), {
    "an authentication removes only the passkey that it was made for": {
      find: "all.find(({ thumbprint }) => thumbprint === about)",
      replace: "all[0]",
    },
  }),
  ...inFile(src("sign-in/account-change"), flow("change-passkeys"), {
    "the record after a change does not list the removed key": {
      find: "listed.filter((key) => key !== removed)",
      replace: "listed",
    },
  }),
  ...inFile(src("sign-in/passkey-signals"), flow("passkey-signals"), {
    "no browser is told of a passkey that the database merely does not know": {
      find: "    if (!(await removedPasskeys.wasRemoved(credentialId))) return undefined;\n",
      title: "of a set-up that is not finished",
    },
    "the page of a removal names only the passkey that was removed": {
      find: "await removedPasskeys.removedOf(accountId, removed)",
      replace: "[removed]",
      title: "a passkey that was removed",
    },
    "after a restore, no browser is told which passkeys an account has": {
      find: "const isComplete = all.every(({ unconfirmed }) => unconfirmed === 0);",
      replace: "const isComplete = all.length > 0;",
      title: "not after a restore",
    },
    "a browser is told of all passkeys of an account or of none": {
      find: "const isShort = fitting(credentialIds).length === credentialIds.length;",
      replace: "const isShort = credentialIds.length > 0;",
      title: "too long for a page",
    },
  }),
  ...inFile(src("store/removed-passkeys"), conformance("passkeys"), {
    "a passkey whose row is there counts as not removed": {
      find: "credential_id = ?1 AND ${IS_GONE}`",
      replace: "credential_id = ?1`",
      title: "is not known while its row is there",
    },
    "the passkey of a set-up that is being finished counts as not removed": {
      find: "FROM passkeys LEFT JOIN accounts",
      replace: "FROM passkeys JOIN accounts",
      title: "is not known while its row is there",
    },
    "an account leaves a bounded number of notes of passkeys": {
      find: ") < ${REMOVED_OF_ACCOUNT}",
      replace: ") >= 0",
      title: "the first hundred of its account",
    },
  }),
  ...inFile(src("store/accounts"), conformance("passkeys"), {
    "the passkeys of an account that ends are noted": {
      find: "  await sql.run(NOTE_ALL_REMOVED, now, accountId);\n",
      title: "is known once its account has ended",
    },
  }),
  ...inFile(src("store/code-sets"), conformance("recovery-codes"), {
    "of two renewals of the recovery codes one counts": {
      find: "(code_set IS NOT DISTINCT FROM ?3 OR code_set = ?1)",
      replace: "(code_set IS NOT DISTINCT FROM ?3 OR 1 = 1)",
    },
  }),
  ...inFile(src("account-page/changes"), flow("new-codes"), {
    "recovery codes that were saved are not shown again": {
      find: "    if (isMade) return toAccount(domain);\n    const codes",
      replace: "    const codes",
    },
  }),
  ...inFile(src("account-page/changes"), flow("delete-account"), {
    "the owner types the domain before the account is deleted": {
      find: 'if (!names(await formField(http, "domain", request), domain)) return askToDelete(open, true);',
    },
  }),
  ...inFile(src("oauth/authorization-response"), flow("owner-proof"), {
    "a client that insists on an owner proof gets no code without one": {
      find: 'if (client.owner_proof === "required" && !(isProven && passedOn.owner_proof)) {',
      replace: 'if (client.owner_proof === "required" && !isProven) {',
      title: "lets nobody through by DNS alone",
    },
  }),
  ...inFile(src("sessions/browser-sessions"), flow("owner-proof"), {
    "a session is no owner proof": {
      find: ' || request.ownerProof === "required") return [];',
      replace: ") return [];",
      title: "gets no code by a session",
    },
  }),
];

// Faults in a person's sign-in: to whom an interaction and a session belong, and what proves an account.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const SIGN_IN_FAULTS = [
  ...inFile(src("sessions/continue-proof"), flow("continue-at-once"), {
    "a page that offers a session counts in its own browser": {
      find: "`${browser} ${sha256(query)}`",
      replace: "sha256(query)",
      title: "a proof for another request, another browser",
    },
    "a page that offers a session counts for its own request": {
      find: "isFresh: age <= FRESH_S",
      replace: "isFresh: age <= LIFETIME_S",
      title: "a page that is eleven minutes old",
    },
    "two clicks on one page are one grant": {
      find: "continuedGrantSeal.mac(proof,",
      replace: "continuedGrantSeal.mac(proof + Math.random(),",
      title: "two clicks at once, from two tabs",
    },
  }),
  ...inFile(src("sign-in/domain"), flow("continue-at-once"), {
    "a session goes on by a page that offered it": {
      find: " && session.sid === continued.sid",
      title: "a proof for another request, another browser",
    },
  }),
  ...inFile(src("store/sessions"), flow("continue-at-once"), {
    "a code needs a session that has not ended at that moment": {
      find: "writeWhen(IS_USABLE, secretHash, sid, accountId, authTime, now)",
      replace: "write(IS_USABLE, secretHash, sid, accountId, authTime, now)",
      title: "the session is ended elsewhere",
    },
  }),
  ...inFile(src("interaction/flow"), flow("sessions"), {
    "a browser with a former secret comes back first": {
      find: "!isByItself(http) && !hasFormerSecret",
      replace: "!isByItself(http)",
      title: "a copied session is refused a minute after",
    },
  }),
  ...inFile(src("sign-in/challenge-cookie"), flow("challenge-cookie"), {
    "the cookie of a challenge counts for its request or change alone": {
      find: " && purposes.includes(one.purpose)",
      title: "a challenge is refused for",
    },
    "and in the interactions that show it": {
      find: "one.interactions.includes(interactionId) && ",
      title: "a challenge is refused in another interaction",
    },
    "a challenge from before a restore is refused": {
      find: " || isBeforeRestore(since, restored, clock.seconds())",
      test: flow("restored"),
      title: "signs nobody in, and its page says why",
    },
    "a challenge that somebody has used is not shown again": {
      find: "same !== undefined && !(await isUsed(same.chal))",
      replace: "same !== undefined",
      title: "the second is told",
    },
  }),
  ...inFile(src("sign-in/dns-challenge"), flow("challenge-cookie"), {
    "whoever comes second with a challenge is told": {
      find: "if (await deps.interactions.isChallengeUsed(usedChallenge)) return finishedElsewhere(challenge);",
      title: "the second is told",
    },
  }),
  ...inFile(src("store/sign-ins"), conformance("one-authentication"), {
    "a challenge is used up by the session that the authentication starts": {
      find: "challengeHash: usedChallenge,",
      replace: "challengeHash: null,",
      title: "with one DNS challenge",
    },
  }),
  ...inFile(src("interaction/flow"), conformance("one-authentication"), {
    "a row that goes while its owner proves it is made again": {
      find: "return again === null ? null : commit(signIn, beside);",
      replace: "return again === null ? null : null;",
      title: "the proof wins",
    },
  }),
  ...inFile(src("store/interactions"), conformance("interactions"), {
    "a row that is open, or of another browser, is not begun again": {
      find: "AND interactions.expires_at <= excluded.created_at",
      title: "is not begun again",
    },
    "nor for another browser": {
      find: "AND interactions.browser_hash = excluded.browser_hash ",
      title: "is not begun again",
    },
  }),
  ...inFile(src("store/sign-ins"), conformance("one-authentication"), {
    "what was proved for a challenge does not count for a set-up": {
      find: "AND method = ${method} AND",
      replace: "AND ${method} <> '' AND",
      title: "PostgreSQL an interaction that is switched to a set-up while its challenge succeeds",
    },
  }),
  ...inFile(src("oauth/error-channels"), flow("hand-on"), {
    "a link that hands a set-up on stands in no log": {
      find: 'path.startsWith("/set-up/") ? "/set-up/:link" : path',
      replace: 'path.startsWith("/set-up//") ? "/set-up/:link" : path',
    },
  }),
  ...inFile(src("store/session-start"), flow("news"), {
    "a sign-in in a new browser is told in the others": {
      find: "AND EXISTS (SELECT 1 FROM sessions AS own WHERE own.secret_hash = ?3 AND own.device_id = ?4)",
      replace: "AND ?3 = ?4",
    },
  }),
  ...inFile(src("store/session-start"), conformance("notices"), {
    "of sign-ins in new browsers at once the later one is told in the earlier": {
      find: "UPDATE accounts SET acct = acct\n  WHERE id = ?1",
      replace: "UPDATE accounts SET acct = acct\n  WHERE id = '' AND id = ?1",
      title: "PostgreSQL two new browsers at once",
    },
  }),
  ...inFile(src("store/sign-ins"), conformance("one-authentication"), {
    "an authentication that comes too late starts no session": {
      find: "writeWhen(AUTHENTICATE",
      replace: "write(AUTHENTICATE",
      title: "of 20 in a new browser",
    },
  }),
  ...inFile(src("store/session-start"), conformance("one-authentication"), {
    "a challenge that has started a session records nothing else": {
      find: "writeWhen(START",
      replace: "write(START",
      title: "with one DNS challenge",
    },
  }),
  ...inFile(src("store/interactions"), conformance("one-authentication"), {
    "a passkey that must not be used signs nobody in": {
      find: "[useWrite(use)]",
      replace: "[{ ...useWrite(use), when: false }]",
      title: "that is removed, or whose account sleeps",
    },
  }),
  ...inFile(src("store/session-start"), conformance("one-authentication"), {
    "a passkey that must not be used starts no session": {
      find: "[useWrite(use)]",
      replace: "[{ ...useWrite(use), when: false }]",
      title: "that is removed, or whose account sleeps",
    },
  }),
  ...inFile(src("store/sign-ins"), conformance("one-authentication"), {
    "an authentication continues the session of its browser, in the interaction too": {
      find: "sid = COALESCE(${formerSid(FORMER)}, ?6)",
      replace: "sid = COALESCE(CASE WHEN ?6 = '' THEN ${formerSid(FORMER)} END, ?6)",
    },
  }),
  ...inFile(src("interaction/next-step"), testOf("interaction/next-step"), {
    "news of another browser are shown before a sign-in goes on": {
      find: 'if (progress.newsFrom !== null) return "news";',
    },
  }),
  ...inFile(src("store/sign-ins"), conformance("notices"), {
    "an authentication has the news of its browser": {
      find: "news_from = ${formerNotices(FORMER)}",
      replace: "news_from = CASE WHEN ?14 < 0 THEN ${formerNotices(FORMER)} END",
    },
  }),
  ...inFile(src("store/interactions"), flow("news"), {
    "a passkey on the first page has the news of its browser": {
      find: "started.sid, started.notices_from",
      replace: "started.sid, CAST(NULL AS BIGINT)",
      title: "by a passkey on the first page",
    },
  }),
  ...inFile(src("sign-in/news"), flow("news"), {
    "news count as shown only up to the time of their page": {
      find: "return proceed(open, Number(seen));",
      replace: "return proceed(open, clock.seconds());",
      title: "keeps what the page has not shown",
    },
  }),
  ...inFile(src("interaction/interaction"), flow("sign-in"), {
    "an interaction belongs to the browser that began it": {
      find: "browser !== undefined && sha256(browser) === browserHash ? browser : null;",
      replace: 'browser ?? "";',
      title: "an interaction opens in no other browser",
    },
  }),
  ...inFile(src("interaction/requirements"), flow("sign-in"), {
    "the step after an authentication counts as the use of the new secret": {
      find: 'if (unsent !== null && codes?.of !== "set-up")',
      replace: "if (unsent === accountId)",
      test: flow("sessions"),
    },
  }),
  ...inFile(src("interaction/requirements"), flow("sign-in"), {
    "an interaction ends after its hour": {
      find: "if (isOver({ since, end }, clock)) throw",
      replace: "if (since > end) throw",
      title: "an interaction opens in no other browser",
    },
  }),
  ...inFile(src("oauth/authorize"), flow("prompt"), {
    "prompt=none does not choose among several domains": {
      find: "if (live.length > 1) {",
      replace: "if (live.length > 100) {",
    },
    "prompt=none tells a client nothing of who has not consented to it": {
      find: 'consent === "never" || consented.size > 0',
      replace: 'consent !== "always" || consented.size > 0',
    },
  }),
  ...inFile(src("oauth/statements"), flow("prompt"), {
    "an ID token of another app is no hint": { find: "        audience: client_id,\n" },
  }),
  ...inFile(src("account/control"), testOf("account/control-assurance"), {
    "an absence that is not confirmed puts no account to sleep": {
      find: 'return { judged: isAtLeast(look.assurance, minAssurance) ? "lost" : "unconfirmed", look };',
      replace: 'return { judged: "lost", look };',
    },
    "a record that is worth too little wakes no account": {
      find: 'if (!isAwake && !isAtLeast(assurance, minAssurance)) return unknown("unconfirmed");',
    },
    "what is remembered changes no account": {
      find: "(known) => namesAccount(known, account)",
      replace: "() => true",
    },
  }),
  ...inFile(src("account/control"), testOf("account/control"), {
    "a refresh is not refused before a second look has confirmed that the record is gone": {
      find: "if (lostConfirmedAt !== null) return false;",
      replace: "return false;",
    },
    "a domain that fails is not looked up again by each refresh": {
      find: "resting.set(account.id, true,",
      replace: 'resting.set("", true,',
    },
  }),
  ...inFile(src("account/account-walk"), flow("account-walk"), {
    "the look that confirms a loss comes a day after the first, not with the next walk": {
      find: "return isUnconfirmed ? LOST_CONFIRMED_AFTER_S : WALK_INTERVAL_S;",
      replace: "return isUnconfirmed ? WALK_INTERVAL_S : WALK_INTERVAL_S;",
    },
    "a zone that does not answer is asked less and less often": {
      find: "Math.max(SHORTEST_RETRY_S, dueFor)",
      replace: "SHORTEST_RETRY_S",
      title: "less and less often",
    },
    "a zone that does not answer is still asked daily": {
      find: "Math.min(LONGEST_RETRY_S, Math.max(SHORTEST_RETRY_S, dueFor))",
      replace: "Math.max(SHORTEST_RETRY_S, dueFor)",
      title: "less and less often",
    },
  }),
  ...inFile(src("interaction/next-step"), testOf("interaction/next-step"), {
    "consent is asked for where it is needed": {
      find: 'if (mustConsent && progress.decision === null) return "consent";',
    },
    "a new scope needs a new consent": {
      find: "permissions.some((permission) => !granted.has(permission))",
      replace: "granted.size === 0",
      title: "asked again for a new scope",
      test: flow("sign-in"),
    },
  }),
  ...inFile(src("sign-in/dns-challenge"), flow("recovery-codes"), {
    "a code that a set-up has kept does not let anybody in": {
      find: 'if (!isChanged || progress.step !== "dns-challenge") return',
      replace: 'if (!isChanged || progress.step === "authenticated") return',
      title: "just before recovery_hash is set",
    },
    "a page that nobody may be at finishes no challenge": {
      find: "if (isByItself(http)) return",
      replace: "if (isByItself({ query: `${http.query}.` })) return",
      test: flow("unattended-challenge"),
    },
    "an unknown browser needs a recovery code": {
      find: "!hasPasskey && (await deps.browserSessions.isKnown(http, account))",
      replace: "!hasPasskey",
      title: "the record alone does not let another browser in",
      test: flow("sign-in"),
    },
    "a recovery code must be one of the account's": {
      find: "recoveryCodes.hasRecoveryCode(accountId, hash),",
      replace: 'Promise.resolve(hash !== ""),',
      title: "the record alone does not let another browser in",
      test: flow("sign-in"),
    },
    "a recovery code is used up before it lets anybody in": {
      find: "const usedCode = challenge.interaction.progress.recoveryCode;",
      replace: "const usedCode = null;",
      title: "of two browsers that bring one recovery code at once",
    },
    "a recovery leads to a new passkey": {
      find: 'challenge.hasPasskey ? "asked" : null',
      replace: "null",
      title: "asks for a new passkey",
      test: flow("recovery"),
    },
  }),
  ...inFile(src("interaction/next-step"), flow("recovery"), {
    "a recovery gives no code before the person has answered": {
      find: 'if (progress.recovery === "asked" || progress',
      replace: 'if (progress.recovery === "asked" && progress',
      title: "gives no code before",
    },
  }),
  ...inFile(src("sign-in/new-recovery-codes"), flow("few-codes"), {
    "a recovery from before codes were renewed at a sign-in adds no passkey": {
      find: "      await accountChanges.endOtherChanges(id, accountId);\n",
      title: "once they are saved",
    },
  }),
  ...inFile(src("sign-in/passkey"), flow("recovery"), {
    "the browser's cookie lasts as long as the challenge": {
      find: "[browserCookie(http, deps).cookie, ...setCookies]",
      replace: "setCookies",
      title: "the challenge lasts a day",
    },
  }),
  ...inFile(src("sign-in/dns-challenge"), flow("sign-in"), {
    "a recovery code does not stand in for the challenge's record": {
      find: 'if (look.outcome !== "seen") return showPage',
      replace: 'if (look.outcome !== "seen" && challenge.browserIsKnown) return showPage',
      title: "a recovery code without the challenge record does not sign in",
    },
    "a challenge signs in only while the record names the account": {
      find: "if (!namesAccount(record, found)) return",
      replace: 'if (record.outcome === "bogus") return',
      title: "is no use where only one resolver has the account's record",
      test: flow("unsigned-domains"),
    },
  }),
  ...inFile(src("store/known-browsers"), conformance("known-browsers"), {
    "a browser is forgotten only by its own account": {
      find: "WHERE device_id = ?2 AND account_id = ?3",
      replace: "WHERE device_id = ?2 AND ?3 <> ''",
      title: "PostgreSQL a browser is forgotten by one of 20 calls",
    },
    "a browser whose last session was ended from elsewhere is not listed by an earlier one": {
      find: '\n    AND ${isRecent(`COALESCE(${replacedAt("sessions")}, ?3)`, { now: "?3", after: "?4" })}`;',
      replace: "\n    AND ?3 > 0 AND ?4 > 0`;",
      title: "PostgreSQL a browser is listed while it is known",
    },
  }),
  ...inFile(src("account/account-access"), flow("account"), {
    "an app's consent goes with its access": {
      find: "await consents.forgetConsents(access)",
      replace: "false",
    },
  }),
];

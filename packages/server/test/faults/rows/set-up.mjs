// Faults in the first sign-in with a domain: to whom a set-up belongs, how it ends, and its recovery codes.

import { conformance, flow, inFile, src, testOf } from "../row-helpers.mjs";

export const SET_UP_FAULTS = [
  ...inFile(src("interaction/flow"), flow("set-up-passkey"), {
    "a new account and its passkey are told once": {
      find: "if (enrolled.isNew) ",
      replace: "if (enrolled.account) ",
      title: "one tells of the new account",
    },
  }),
  ...inFile(src("store/enrolments"), conformance("accounts"), {
    "of several calls that finish a set-up one created its account": {
      find: "isNew: created.length > 0,",
      replace: "isNew: true,",
    },
  }),
  ...inFile(src("store/enrolments"), conformance("set-up-ends"), {
    "a set-up that another interaction finished signs nobody in": {
      find: "writeWhen(FINISHED",
      replace: "write(FINISHED",
      title: "of 12 interactions with one set-up",
    },
    "an account whose record another look found gone starts no session": {
      find: " AND ${ACCOUNT_IS_LIVE}\n",
      replace: "\n",
      title: "starts no session",
    },
  }),
  ...inFile(src("sign-in/set-up/finish-set-up"), flow("set-up"), {
    "the owner is told that somebody else has the cookie of the set-up": {
      find: '  await deps.sessions.noticeOthers({ accountId, sid: "", at: now });\n',
    },
  }),
  ...inFile(src("dns/new-records"), testOf("dns/new-records"), {
    "a record that names an account is looked up, though another one is wanted": {
      find: "if (account !== null && (await isReason(account))) {",
      replace: "if (account !== null && domain === null) {",
    },
  }),
  ...inFile(src("sign-in/domain"), flow("former-record"), {
    "what is asked about a domain does not tell whether it has an account": {
      find: "    return isKnown\n",
      replace: "    return isKnown || all.length > 0\n",
    },
  }),
  ...inFile(src("sign-in/set-up/dns-setup"), flow("set-up-end"), {
    "a page that nobody may be at finishes no set-up": {
      find: 'if (isByItself) return { action: "say that it is found", setUp: named };',
    },
    "a page that checks by itself begins no set-up": {
      find: "if (own === undefined && isByItself)",
      replace: "if (own === null && isByItself)",
      test: flow("several-set-ups"),
    },
  }),
  ...inFile(src("sign-in/set-up/dns-setup"), flow("set-up-end"), {
    "a page that checks by itself is not redirected when another tab has started over": {
      find: "return facts.isByItself\n          ?",
      replace: "return facts.domain === domain.repeat(2)\n          ?",
      title: "when another tab starts over",
    },
    "a page that checks by itself renews the cookie of its browser": {
      find: 'const headers = { "set-cookie": [browserCookie(http, deps).cookie] };',
      replace: 'const headers = { "set-cookie": [] };',
      title: "has checked for a day",
    },
  }),
  ...inFile(src("interaction/requirements"), flow("set-up-end"), {
    "a page that checks by itself makes no row that its browser cannot use": {
      find: 'if (isByItself(http) && cookies.read(http, "browser") === undefined) {',
      replace: "if (isByItself(http) && kept.until === 0) {",
      title: "was asleep for a day",
    },
  }),
  ...inFile(src("sign-in/set-up/hand-on"), flow("set-up-passkey"), {
    "a record is handed on only after the person has answered about a passkey": {
      find: "if (own === undefined || !isPasskeyAnswered(own)) return seeOther(back);",
      replace: "if (own === undefined || isPasskeyAnswered === undefined) return seeOther(back);",
      title: "is not handed on before that",
    },
  }),
  ...inFile(src("sign-in/set-up/dns-setup"), flow("several-set-ups"), {
    "starting over drops the set-up whose record was found": {
      find: "one.key === found || over.includes(one)",
      replace: "over.includes(one)",
      title: "starting over where the record of another tab was found",
    },
  }),
  ...inFile(src("sign-in/passkey"), flow("set-up-passkey"), {
    "starting over without the passkey drops its set-up, whose passkey would be asked for again": {
      find: "find(({ acct }) => acct === progress.acct)?.key",
      replace: "find(({ acct }) => acct === domain)?.key",
      title: "who cannot use the passkey starts over",
    },
    "a record that is gone again is waited for": {
      find: "if (failureOf(look) !== null) {",
      replace: "if (failureOf(look) !== undefined) {",
      title: "the record is gone again",
    },
  }),
  ...inFile(src("interaction/requirements"), flow("several-set-ups"), {
    "a page that checks by itself is redirected only when its record was seen": {
      find: 'if (isByItself(http)) throw new PageError(400, "expired", context.request);',
      replace: 'if (http.query === "") throw new PageError(400, "expired", context.request);',
    },
  }),
  ...inFile(src("sign-in/domain"), flow("set-up"), {
    "a set-up that somebody else finished is told at the next sign-in": {
      find: "return (await isSetUpElsewhere(context.http, account))",
      replace: "return domain === null",
    },
    "an account with a passkey is asked for it before a set-up counts as finished elsewhere": {
      find: "    if (hasPasskey) {",
      replace: "    if (hasPasskey && !(await isSetUpElsewhere(context.http, account))) {",
      title: "whose codes were never saved",
    },
    "a session that is used clears the set-up of its account": {
      find: ", ...(await setUps.clearFinished(http, [account]))",
      title: "goes by the continue-form",
    },
    "signing out clears the set-up of the account": {
      find: "const ofSetUps = await setUps.clearFinished(\n      http,\n      chosen.map(({ account }) => account),\n    );",
      replace: "const ofSetUps = [];",
      title: "goes by the sign-out-form",
    },
  }),
  ...inFile(src("sign-in/set-up/set-up"), flow("set-up"), {
    "a session that is used leaves the set-up whose codes may still be shown": {
      find: "accounts.filter(({ createdAt }) => createdAt <= from)",
      replace: "accounts.filter(({ createdAt }) => createdAt > 0)",
      title: "goes by the continue-form",
    },
  }),
  ...inFile(src("sign-in/domain"), flow("set-up"), {
    "a browser that finished its own set-up is not told that somebody else did": {
      find: "return isOfSetUp && !(await browserSessions.isKnown(http, account));",
      replace: "return isOfSetUp;",
    },
  }),
  ...inFile(src("sign-in/set-up/dns-setup"), flow("set-up"), {
    "starting over leaves no set-up behind that is over": {
      find: "const over = await setUpEnd.overIn(http, others);",
      replace: "const over = await setUpEnd.overIn(http, others.slice(others.length));",
    },
  }),
  ...inFile(src("sign-in/set-up/finish-set-up"), flow("set-up-end"), {
    "a slower request of the interaction that finished a set-up goes on": {
      find: "if (current !== null && isAuthenticated(current) && current.progress.accountId === accountId) {",
      replace: "if (current === undefined) {",
    },
  }),
  ...inFile(src("sign-in/recovery-codes"), flow("set-up-end"), {
    "only the set-up's own browser gets the session that was lost": {
      find: "if ((await finishedSetUp(open)) === undefined) return [];",
      replace: "if (open === undefined) return [];",
    },
  }),
  ...inFile(src("sign-in/domain"), flow("several-set-ups"), {
    "a visit drops no earlier set-up of the domain": {
      find: "const isFull = isFullFor(await setUps.read(http), domain);",
      replace: "const isFull = isFullFor([], domain);",
    },
  }),
  ...inFile(src("sign-in/set-up/set-up"), flow("several-set-ups"), {
    "a set-up that is resumed drops no other": {
      find: "cookieName !== name && !cleared.includes(cookieName)",
      replace: "cookieName !== name",
    },
  }),
  ...inFile(src("sign-in/set-up/dns-setup"), flow("several-set-ups"), {
    "starting over drops no other set-up for one that is over": {
      find: "client, formerAcct, cleared };",
      replace: "client, formerAcct };",
      title: "starting over drops no set-up",
    },
  }),
  ...inFile(src("sign-in/set-up/set-up"), flow("several-set-ups"), {
    "a set-up of another domain does not drop the first of a domain with several": {
      find: "return again ?? setUps[0];",
      replace: "return setUps[0] ?? again;",
    },
  }),
  ...inFile(src("sign-in/set-up/hand-on"), flow("hand-on"), {
    "a link that hands a set-up on ends with it": {
      find: "if (until <= clock.seconds() || isVoid)",
      replace: "if (isVoid)",
    },
  }),
  ...inFile(src("sign-in/set-up/hand-on"), flow("hand-on"), {
    "nobody chooses the name of the app on the page that is handed on": {
      find: "return isSelfRegistered ? { host: clientHost } : { clientId };",
      replace: "return isSelfRegistered === null ? { host: clientHost } : { clientId };",
      title: "that registered itself by the host",
    },
    "no record is shown whose key was withdrawn": {
      find: 'if (spk === null) return page(200, setUpLinkPage(pages, { ...shown, state: "outdated" }));',
      title: "of a record whose key this service has withdrawn",
    },
  }),
  ...inFile(src("sign-in/set-up/hand-on-link"), testOf("sign-in/set-up/hand-on-link"), {
    "the MAC of a link covers its text": {
      find: "`${issuer}/set-up/${start}`",
      replace: "`${issuer}/set-up/${start.length}`",
    },
    "a link is for one issuer": {
      find: "=> `${issuer}/set-up/",
      replace: "=> `/set-up/",
      title: "at another issuer",
    },
  }),
  ...inFile(src("keys/cookie-seal"), testOf("sign-in/set-up/hand-on-link"), {
    "a link has one spelling": {
      find: 'if (octets.toString("base64url") !== signed) return null;',
    },
  }),
  ...inFile(src("sign-in/new-recovery-codes"), flow("few-codes"), {
    "codes that were renewed elsewhere stay valid": {
      find: 'if (renewed === "stale") throw new PageError(400, "expired", open.request);',
    },
  }),
  ...inFile(src("sign-in/domain"), flow("news"), {
    "a session that is used without the page that offers it has its news": {
      find: "const { authTime, amr, sid, noticesFrom: newsFrom } = session;",
      replace: "const { authTime, amr, sid } = session;\n  const newsFrom = null;",
      title: "by typing the domain of a session",
    },
  }),
  ...inFile(src("sign-in/set-up/former-record"), flow("former-record"), {
    "the record of a former account is shown to people who can prove a tie to it": {
      find: "if (await browserSessions.isKnown(http, account)) return account;",
      replace: "if (http !== null) return account;",
    },
    "a recovery code restores an earlier account than the one that knows this browser": {
      find: "(formerCode === null ? null : await ownerOfCode(domain, formerCode)) ??\n      (await formerAccounts.knownToBrowser(http, domain));",
      replace:
        "(await formerAccounts.knownToBrowser(http, domain)) ??\n      (formerCode === null ? null : await ownerOfCode(domain, formerCode));",
      title: "restores the earlier one by its recovery code",
    },
  }),
  ...inFile(src("sign-in/recovery-code-entry"), flow("former-record"), {
    "attempts to enter a code of a former account are limited": {
      find: "const wait = await countAttempt(open);",
      replace: "const wait = 0 * (await countAttempt(open));",
    },
  }),
  ...inFile(src("sign-in/set-up/dns-setup"), flow("sale"), {
    "the record must be that of this set-up": {
      find: "const named = all.find(isOfRecord);",
      replace: "const named = all.find((one) => one.domain === domain);",
    },
  }),
  ...inFile(src("sign-in/recovery-code-entry"), flow("recovery-attempts"), {
    "an address that makes up browsers is counted by itself": {
      find: "max: MAX_PER_ADDRESS }",
      replace: "max: 30 * MAX_PER_ADDRESS }",
      title: "an address that makes up browsers is counted",
    },
  }),
  ...inFile(src("sign-in/recovery-code-entry"), flow("recovery-attempts"), {
    "a browser has 30 tries at recovery codes": {
      find: "const MAX_PER_BROWSER = 30;",
      replace: "const MAX_PER_BROWSER = 3000;",
      title: "after 30 tries in a browser",
    },
  }),
];

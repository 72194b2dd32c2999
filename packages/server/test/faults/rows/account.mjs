// Faults in the account page and in the changes of an account.

import { flow, inFile, src } from "../row-helpers.mjs";

export const ACCOUNT_FAULTS = [
  ...inFile(src("sign-in/new-recovery-codes"), flow("new-codes"), {
    "codes that the page did not show are not saved": {
      find: 'if (shown === "" || shown === fingerprintOf(codes)) return codes;',
      replace: 'if (shown === "" || shown !== "") return codes;',
      title: "codes that the page did not show",
    },
  }),
  ...inFile(src("sign-in/account-change"), flow("recovery"), {
    "a recovery is not enough for a change of the account": {
      find: 'if (recovery !== null) throw new PageError(403, "passkeyNeeded", request);',
      title: "is not enough for delete-account",
    },
    "a recovery from before a change of the account adds no passkey": {
      find: "  await interactions.endRecoveriesOf(of);\n",
      title: "adds none once another browser has removed a passkey",
    },
    "codes that are renewed at the sign-in of an app end the changes of the account page": {
      find: "clientId: accountUri(issuer) });",
      replace: 'clientId: "" });',
      title: "once they are saved",
      test: flow("few-codes"),
    },
    "a recovery adds a passkey within an hour": {
      find: "const RECOVERY_LIFETIME_S = 3600;",
      replace: "const RECOVERY_LIFETIME_S = 36_000;",
      title: "adds none for another browser, another site, or an hour later",
    },
  }),
  ...inFile(src("account-page/changes"), flow("account-changes"), {
    "an authentication of an app removes no passkey": {
      find: 'const { accountId, isMade } = accountChanges.authenticatedFor("remove-passkey", open);',
      replace:
        'const { accountId = "", decision } = open.interaction.progress;\n    const isMade = decision === "allow";',
      title: "an authentication of an app is refused at remove-passkey",
    },
  }),
  ...inFile(src("account-page/forms"), flow("account"), {
    "other sessions are ended only soon after an authentication": {
      find: "    if (!isFresh(own, clock.seconds())) return authenticateFirst(context);\n    if (await sessions",
      replace: "    if (await sessions",
    },
  }),
  ...inFile(src("account-page/account"), flow("account"), {
    "the account page offers no authentication that would set the domain up again": {
      find: "canEndOthers: isFresh(own, now) || canAuthenticate(own, result),",
      replace: "canEndOthers: isFresh(own, now) || !isFormer,",
      title: "without its record",
    },
  }),
  ...inFile(src("account-page/forms"), flow("account"), {
    "a form of the account page leads into no set-up": {
      find: "    if (!canAuthenticate(own, await control.check(own.account, from))) return back(own);\n",
      title: "without its record",
    },
    "a browser is forgotten only soon after an authentication": {
      find: "    if (!isFresh(own, now)) return authenticateFirst(context);\n",
      title: "needs an authentication of the last five minutes",
      test: flow("known-browsers"),
    },
  }),
  ...inFile(src("account-page/forms"), flow("change-passkeys"), {
    "a passkey is renamed only while the record names its account": {
      find: 'if ((await control.check(own.account, from)).control !== "held") return back(own);',
      title: "is not renamed",
    },
  }),
  ...inFile(src("account-page/account"), flow("change-passkeys"), {
    "only who controls the domain now sees its passkeys and its history": {
      find: 'held: result.control === "held" ? await',
      replace: 'held: result.control !== "unknown" ? await',
      title: "is not renamed",
    },
    "the keys of this service are offered to signed zones alone": {
      find: 'look.outcome === "own" && look.assurance === "secure"',
      replace: 'look.outcome === "own"',
      title: "in a zone that is not signed",
      test: flow("account-signed-zone"),
    },
    "the account page shows sign-in records alone": {
      find: 'problems.some(({ code }) => code === "not_ours")',
      replace: "problems.length < 0",
      title: "no other TXT record",
      test: flow("account-record"),
    },
  }),
  ...inFile(src("account-page/account-session"), flow("account-former"), {
    "a domain that was set up again in this browser leads to its live account": {
      find: "(session === null ? !one.isFormer : one.session.sid === session)",
      replace: "(session === null || one.session.sid === session)",
    },
  }),
  ...inFile(src("account-page/account"), flow("account"), {
    "the account page is a use of the session": {
      find: 'if (check.result.control === "held") await browserSessions.touch(own.session);\n',
      test: flow("session-lifetimes"),
    },
    "the page about a domain that is not signed in says that others are": {
      find: "const notSignedIn = all.length > 0 ? left : null;",
      replace: "const notSignedIn = all.length < 0 ? left : null;",
      title: "no page says",
    },
    "a way back from a sign-in leads to the domains that are signed in": {
      find: 'if (all.length > 0 && !isLeft) return seeOther("/account");\n',
      title: "no page says",
    },
  }),
  ...inFile(src("account-page/forms"), flow("account-former"), {
    "signing out of the present account signs out of the former ones of the domain": {
      find: "await browserSessions.end([own, ...former])",
      replace: "await browserSessions.end([own])",
    },
    "signing out everywhere signs out of the former accounts of the domain here": {
      find: "...(await browserSessions.end(former))",
    },
  }),
  ...inFile(src("pages/account-state"), flow("account-record"), {
    "the account page begins with the few codes that are left": {
      find: "proofs.recoveryCodes < FEW_CODES",
      replace: "proofs.recoveryCodes < 0",
      title: "says that few codes are left",
    },
    "an account without a passkey is not said to be in order": {
      find: "proofs.passkeys.length === 0",
      replace: "proofs.passkeys.length < 0",
      title: "says that there is no passkey",
    },
    "the record that wakes an account is open to see": {
      find: 'const isLost = better?.reason === "lost";',
      replace: "const isLost = false;",
      title: "open if it is lost",
    },
  }),
  ...inFile(src("account-page/list-parts"), flow("account-lists"), {
    "an account page has fewer entries where they are long": {
      find: "if (Buffer.byteLength(page.toString()) <= MAX_OCTETS) return page;",
      replace: "return page;",
    },
    "a part after the last entry is the first part, never an empty list": {
      find: "const from = leftOut < all.length ? leftOut : 0;",
      replace: "const from = leftOut;",
    },
  }),
];

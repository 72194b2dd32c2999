// Every page of the service, for tests of what all of them have.

import { accountPage, chooseAccountPage } from "../../src/pages/account.ts";
import { newsPage } from "../../src/pages/account-events.ts";
import { passkeyChangedPage, removePasskeyPage } from "../../src/pages/change-passkeys.ts";
import { checkPage, homePage } from "../../src/pages/check.ts";
import { consentPage } from "../../src/pages/consent.ts";
import { continuePage } from "../../src/pages/continue.ts";
import { accountDeletedPage, deleteAccountPage } from "../../src/pages/delete-account.ts";
import { dnsChallengePage } from "../../src/pages/dns-challenge.ts";
import { dnsSetupPage } from "../../src/pages/dns-setup.ts";
import { domainPage } from "../../src/pages/domain.ts";
import { earlierSetUpsPage } from "../../src/pages/earlier-set-ups.ts";
import { contextIn, ENGLISH } from "../../src/pages/languages.ts";
import { newPasskeyPage } from "../../src/pages/new-passkey.ts";
import { ownUnknownPage } from "../../src/pages/own-unknown.ts";
import { problemPage } from "../../src/pages/problem.ts";
import { recordFoundPage } from "../../src/pages/record-found.ts";
import { recoveryCodesPage } from "../../src/pages/recovery-codes.ts";
import { setUpPasskeyPage } from "../../src/pages/set-up-passkey.ts";

/** Renders each page with `x` as every value from outside. */
export async function everyPage(x: string): Promise<Record<string, string>> {
  const client = { clientName: x, clientHost: x, finalHost: x, backToApp: x };
  const context = { ...contextIn(ENGLISH), client };
  const record = { name: `${x}.alice.com`, type: "TXT" as const, value: x, ttl: 300 };
  const result = {
    summary: x,
    details: [x],
    records: [{ value: x, problems: [x] }],
    checkedAt: 1,
    servers: {
      name: x,
      answers: [
        {
          who: { kind: "resolver" as const, name: x },
          found: "other" as const,
          values: [[{ text: x, isDifferent: true }]],
          ttl: 60,
        },
        {
          who: { kind: "name_server" as const, name: x },
          found: "absent" as const,
          values: [],
          ttl: null,
        },
      ],
    },
  };
  const autoCheck = { isOn: true, other: x };
  const accepted = { userHandles: [x], credentialIds: [x] };
  const signals = { rpId: x, removed: [x], accepted };
  const rendered = {
    home: homePage(context, { issuerHost: x }),
    check: checkPage(context, { value: x, result }),
    "check-problem": checkPage(context, { value: x, notice: result }),
    domain: domainPage(context, { query: x, value: x, passkeyOptions: x, notice: result, signals }),
    "domain, of most requests": domainPage(
      { ...context, client: { clientName: x, clientHost: x, backToApp: x } },
      { query: x, value: x, passkeyOptions: x },
    ),
    continue: continuePage(context, {
      offers: [
        { domain: x, proof: x },
        { domain: x, proof: x },
      ],
      query: x,
      ended: [{ domain: x, reason: "reused" }],
    }),
    "dns-setup": dnsSetupPage(context, {
      domain: "alice.com",
      record,
      action: x,
      earlier: [{ key: x, date: x, client: x }],
      ...{ formerRecord: x, handOn: x, isKnown: true },
      resumeAction: x,
      autoCheck,
      result,
      startOverAction: x,
    }),
    "set-up-passkey": setUpPasskeyPage(context, {
      ...{ domain: "alice.com", action: x, options: { challenge: x }, problem: "failed" as const },
      ...{ isWebView: true, formerRecord: x, withoutScript: x },
      ...{ earlier: [{ key: x, date: x, client: x }], resumeAction: x },
    }),
    "record-found": recordFoundPage(context, "dns-setup", {
      ...{ domain: x, finish: { action: x, optionsAt: x }, startOverAction: x, setUp: x },
    }),
    "dns-challenge": dnsChallengePage(context, {
      domain: "alice.com",
      issuerHost: x,
      record,
      action: x,
      code: { hasPasskey: false, value: x, problem: x },
      lostAccessAction: x,
    }),
    "recovery-codes": recoveryCodesPage(context, { domain: x, codes: [x], action: x, query: x }),
    "earlier-set-ups": earlierSetUpsPage(context, {
      domain: x,
      earlier: [{ key: x, date: x, client: x }],
      ...{ resumeAction: x, dropped: { domain: x, date: x }, formerRecord: x, startOverAction: x },
    }),
    "own-unknown": ownUnknownPage(context, { domain: x, startOverAction: x }),
    consent: consentPage(context, {
      ...{ domain: x, scopes: [x, "openid"], action: x, query: x },
      resources: [
        { uri: "https://notes.example/api", name: x, scopes: [{ name: x, description: x }] },
        { uri: "https://files.example", name: null, scopes: [{ name: x, description: null }] },
        { uri: "https://mail.example", name: null, scopes: [] },
      ],
    }),
    account: accountPage(context, {
      domain: x,
      session: x,
      canEndOthers: true,
      former: [x],
      record: { state: "unknown" },
      dns: { name: x, values: [x], checkedAt: 1, better: { reason: "signed", value: x } },
      apps: [{ clientId: x, name: x, scopes: [x], since: 1, lastUsedAt: 2 }],
      ...{ moreApps: x, moreSessions: x, moreBrowsers: x, showsMoreBrowsers: true },
      sessions: [
        { sid: x, name: "firefox linux", since: 1, lastUsedAt: 2, isThis: true },
        { sid: x, name: x, since: 1, lastUsedAt: 2, isThis: false },
      ],
      browsers: [{ deviceId: x, name: x, since: 1, lastUsedAt: 2 }],
      held: {
        provider: null,
        passkeys: [{ thumbprint: x, remove: x, name: x, since: 1, lastUsedAt: null }],
        morePasskeys: x,
        addPasskey: x,
        recoveryCodes: 2,
        newCodes: x,
        deleteAccount: x,
        history: {
          since: 1,
          events: [
            { at: 2, event: "signed_in", client: x },
            { at: 2, event: "passkey_renamed", passkey: x },
          ],
          older: x,
          isOpen: true,
        },
        signals,
      },
      ended: [{ domain: x, reason: "reused" }],
      others: true,
      signIn: x,
    }),
    "account-choice": chooseAccountPage(context, {
      accounts: [
        { domain: x, path: x, isFormer: false },
        { domain: `${x}.org`, path: x, isFormer: true },
      ],
      ...{ ended: [], signIn: `/oauth/authorize?${x}` },
    }),
    news: newsPage(context, {
      news: { domain: x, events: [{ at: 2, event: "new_browser" }], until: 3 },
      ...{ action: x, query: x },
    }),
    "new-passkey": newPasskeyPage(context, {
      ...{ domain: x, action: x, query: x },
      options: { challenge: x },
      problem: "failed",
    }),
    "delete-account": deleteAccountPage(context, { domain: x, action: x, query: x, isWrong: true }),
    "account-deleted": accountDeletedPage(context, { domain: x, signals }),
    "remove-passkey": removePasskeyPage(context, {
      ...{ domain: x, name: x, isLast: true, action: x, query: x },
    }),
    "account-change": passkeyChangedPage(context, {
      domain: x,
      query: x,
      change: "removed",
      signals,
      record: { name: `${x}.alice.com`, type: "TXT", value: x, ttl: 300 },
    }),
    problem: problemPage(context, {
      title: x,
      summary: x,
      details: [x],
      errorId: x,
      client,
    }),
  };
  const entries = Object.entries(rendered).map(async ([name, html]) => [name, `${await html}`]);
  return Object.fromEntries(await Promise.all(entries));
}

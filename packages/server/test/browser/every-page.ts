// Every page of the service, and how a person comes to see it.

import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { happenedElsewhere } from "../support/news.ts";
import { everyPageAfterRestore } from "./after-restore.ts";
import { accountAsleep, everyAccountPage } from "./every-account-page.ts";
import { everyProblem } from "./every-problem.ts";
import { atStep, enter, press, publish } from "./person.ts";
import {
  askedForPasskey,
  begin,
  begunElsewhere,
  begunOften,
  begunSetUp,
  begunWithPasskey,
  challenged,
  challengedElsewhere,
  continued,
  endedSetUp,
  handedOver,
  longest,
  makePasskey,
  post,
  postCredential,
  recovered,
  setUp,
  setUpToCodes,
  unfolded,
  type Visit,
  type Way,
} from "./visit.ts";

/** A record of ours that nobody here asked for. */
const record = (acct: string) => `v=dsi1 sp=https://auth.example acct=${acct.repeat(22)}`;

/** By the name of the screenshot. */
export const everyPage: Readonly<Record<string, Way>> = {
  home: async ({ at, tab }) => {
    await tab.goto(`${at.issuer}/`);
    return tab;
  },
  check: async ({ at, tab }) => {
    await tab.goto(`${at.issuer}/check`);
    return tab;
  },
  "check-mistake": (visit) => checked(visit, `someone@${visit.domain}`),
  "check-absent": (visit) => checked(visit),
  "check-own": (visit) => {
    publishAt(visit, spName(visit), `v=dsi1 sp=${visit.at.issuer} acct=${"o".repeat(22)}`);
    return checked(visit);
  },
  "check-invalid-longest": (visit) => {
    const long = longest(visit);
    publishAt(long, spName(long), "v=dsi1 sp=https://a.example nothing");
    return checked(long);
  },

  domain: (visit) => begin(visit),
  "domain-longest": async (visit) => unfolded(await begin(longest(visit))),

  "domain-mistake": async (visit) => {
    const page = await begin(visit);
    await enter(page, `someone@${visit.domain}`);
    await page.locator("#domain-problem").waitFor();
    return unfolded(page);
  },

  "domain-passkey-refused": async (visit) => {
    const page = await begin(visit);
    await postCredential(page, "x");
    return page;
  },

  "domain-bad-record": async (visit) => {
    publishAt(visit, spName(visit), "v=dsi1 sp=https://a.example");
    publishAt(visit, spName(visit), "v=dsi1 acct=short acct=twice");
    const page = await begin(visit);
    await enter(page, visit.domain);
    await page.locator("#domain-problem").waitFor();
    return page;
  },

  passkey: async (visit) => unfolded(await askedForPasskey(visit)),
  "passkey-longest": async (visit) => unfolded(await askedForPasskey(longest(visit))),

  "passkey-problem": async (visit) => {
    const page = await askedForPasskey(visit);
    await page.evaluate("document.getElementById('passkey-form').submit()");
    await page.locator("#passkey-problem").waitFor();
    return unfolded(page);
  },

  "passkey-left": async (visit) => {
    const page = await unfolded(await askedForPasskey(visit));
    await press(page, "without-passkey-form");
    await atStep(page, "dns-challenge");
    return page;
  },

  "dns-setup": (visit) => begunSetUp(visit),

  "dns-setup-stopped": async (visit) => {
    const page = await begunSetUp(visit);
    await page.click("#servers summary");
    await page.click("#by-itself");
    await page.waitForURL((url) => url.search !== "");
    await atStep(page, "dns-setup");
    return page;
  },

  "dns-setup-other-value": async (visit) => {
    const page = await begunSetUp(visit);
    publishAt(
      visit,
      spName(visit),
      String(await page.textContent("#dns-value")).replace(/.{22}$/, "xxxx"),
    );
    publishAt(visit, spName(visit), "other".repeat(50));
    // What the servers said is remembered for three seconds.
    visit.at.advance(6);
    await press(page, "check-form");
    await page.locator(".found").waitFor();
    return unfolded(page);
  },

  "dns-setup-doubled-name": async (visit) => {
    publishAt(visit, `${spName(visit)}.${visit.domain}`, record("d"));
    return unfolded(await begunSetUp(visit));
  },

  "dns-setup-at-domain": async (visit) => {
    publishAt(visit, visit.domain, record("e"));
    return begunSetUp(visit);
  },

  "dns-setup-longest": async (visit) => {
    const long = longest(visit);
    publishAt(long, long.domain, record("f"));
    return unfolded(await begunSetUp(long));
  },

  "dns-setup-earlier": async (visit) => {
    await begunSetUp(visit);
    return begunSetUp(visit);
  },
  "set-up-passkey": begunWithPasskey,
  "set-up-passkey-longest": (visit) => begunWithPasskey(longest(visit)),
  "set-up-passkey-failed": async (visit) => {
    const page = await begunWithPasskey(visit);
    await page.goto(`${page.url()}?passkey=failed`);
    return page;
  },
  "dns-setup-passkey": async (visit) => {
    const page = await begunWithPasskey(visit);
    await makePasskey(page);
    return page;
  },
  "passkey-set-up": async (visit) => {
    const page = await begunWithPasskey(visit);
    await makePasskey(page);
    await publish(visit.at, page);
    await press(page, "check-form");
    await page.locator('body[data-step="passkey"]').waitFor();
    return page;
  },
  "dns-setup-finished": async (visit) => {
    const page = await begunSetUp(visit);
    const action = page.url();
    await setUpToCodes(visit);
    await page.context().clearCookies({ name: /^ds_session_/ });
    await page.goto(action);
    await page.locator("#start-over-form").waitFor();
    return page;
  },

  "recovery-codes": (visit) => setUpToCodes(visit),
  "recovery-codes-longest": (visit) => setUpToCodes(longest(visit)),
  "recovery-codes-lost": async (visit) => {
    const page = await setUpToCodes(visit);
    await page.context().clearCookies({ name: /^ds_setup_/ });
    await page.reload();
    return page;
  },

  consent: (visit) => setUp(visit),
  "consent-longest": async (visit) => unfolded(await setUp(longest(visit))),

  continue: (visit) => continued(visit),
  "continue-longest": async (visit) => unfolded(await continued(longest(visit))),
  "continue-several": async (visit) => {
    await setUp(longest(visit));
    return unfolded(await continued(visit));
  },
  "continue-news": async (visit) => {
    await setUp(visit);
    await happenedElsewhere(visit.at.store, visit.domain);
    return begin(visit);
  },
  news: async (visit) => {
    await setUp(visit);
    await happenedElsewhere(visit.at.store, visit.domain);
    const page = await begin(visit);
    await press(page, "other-domain-form");
    await atStep(page, "domain");
    await page.fill("#domain", visit.domain);
    await press(page, "domain-form");
    await page.locator("#news-form").waitFor();
    return unfolded(page);
  },
  "continue-other": async (visit) => {
    const page = await continued(visit);
    await press(page, "other-domain-form");
    await atStep(page, "domain");
    return page;
  },
  "continue-ended": async (visit) => {
    const page = await continued(visit);
    const [account] = await visit.at.store.accounts.accountsOf(visit.domain);
    const end = { reason: "operator", now: Math.floor(Date.now() / 1000) } as const;
    await visit.at.store.sessions.endSessionsOf(account?.id ?? "", end);
    await page.reload();
    await page.locator("#session-ended-1").waitFor();
    return page;
  },

  ...everyAccountPage,
  ...everyPageAfterRestore,

  "dns-challenge": (visit) => challenged(visit, { isKnown: true }),

  "dns-challenge-with-code": async (visit) => {
    const page = await challenged(visit);
    await page.fill("#recovery_code", "7k2xq-not-one-of-them");
    await press(page, "check-form");
    await page.locator("#recovery-problem").waitFor();
    return unfolded(page);
  },

  "dns-challenge-code-kept": async (visit) => {
    const codes = await setUpToCodes(visit);
    const code = await codes.locator("code.recovery-code").first().innerText();
    const page = await challengedElsewhere(visit);
    await page.fill("#recovery_code", code);
    await press(page, "check-form");
    await page.locator("#by-itself").waitFor({ state: "attached" });
    return page;
  },

  "dns-challenge-too-many-codes": async (visit) => {
    const page = await challenged(visit);
    const wrong = { recovery_code: "wrong" };
    await Promise.all(Array.from({ length: 30 }, () => post(page, wrong)));
    await page.fill("#recovery_code", wrong.recovery_code);
    await press(page, "check-form");
    await page.locator("#recovery-problem").waitFor();
    return page;
  },

  "dns-challenge-longest": async (visit) => unfolded(await challenged(longest(visit))),

  external: (visit) => namedElsewhere(visit),
  "external-longest": (visit) => namedElsewhere(longest(visit)),
  "external-callback": async (visit) => {
    const page = await begin(visit);
    await page.goto(`${visit.at.issuer}/federation/callback/${"h".repeat(43)}?state=none`);
    return page;
  },

  "recovery-codes-offered": async (visit) => {
    await setUp(visit);
    const { store } = visit.at;
    const accountId = (await store.accounts.accountsOf(visit.domain))[0]?.id ?? "";
    const codeHash = recoveryCodeHash("few");
    const few = { accountId, from: null, to: visit.domain, codeHashes: [codeHash] };
    await store.recoveryCodes.renewRecoveryCodes(few);
    const page = await challengedElsewhere(visit);
    await page.fill("#recovery_code", "few");
    await press(page, "check-form");
    await publish(visit.at, page);
    await press(page, "check-form");
    await page.locator("#keep-codes-form").waitFor();
    return page;
  },
  "new-passkey-recovery": (visit) => recovered(visit),
  "new-passkey-recovery-longest": (visit) => recovered(longest(visit)),
  "new-passkey-before-change": (visit) => recovered(visit, "delete-account"),
  "passkey-added-recovery": async (visit) => {
    const page = await recovered(visit);
    await makePasskey(page);
    await page.locator("#continue-form").waitFor();
    return unfolded(page);
  },
  "hand-on": handedOn,
  "hand-on-longest": async (visit) => unfolded(await handedOn(longest(visit))),
  "set-up-link": async (visit) => {
    const page = await handedOn(visit);
    await page.goto(await page.innerText("#set-up-link"));
    return unfolded(page);
  },
  "set-up-link-done": async (visit) => {
    const page = await handedOn(visit);
    const link = await page.innerText("#set-up-link");
    await page.click("#to-setup");
    await publish(visit.at, page);
    await press(page, "check-form");
    await atStep(page, "recovery-codes");
    await page.goto(link);
    return page;
  },
  "former-record": async (visit) => {
    const page = await begunSetUp(visit);
    await page.click("#start-over summary");
    await page.click("#former");
    await atStep(page, "former-record");
    return page;
  },
  "former-record-wrong-code": async (visit) => {
    const page = await begunSetUp(visit);
    await page.click("#start-over summary");
    await page.click("#former");
    await page.fill("#recovery_code", "wrong");
    await press(page, "former-record-form");
    await page.locator("#recovery-problem").waitFor();
    return page;
  },
  "dns-setup-known": knownButGone,
  "former-record-known": async (visit) => {
    const page = await knownButGone(visit);
    await page.click("#known-account a");
    await page.locator("#sign-in-again").waitFor();
    return unfolded(page);
  },

  "own-unknown-ended": (visit) => endedSetUp(visit),
  "earlier-set-ups": (visit) => begunOften(visit),
  "earlier-set-ups-longest": (visit) => begunOften(longest(visit)),
  "own-unknown": (visit) => begunElsewhere(visit),
  "own-unknown-longest": (visit) => begunElsewhere(longest(visit)),

  ...Object.fromEntries(
    Object.entries(everyProblem).map(([name, way]) => [`problem-${name}`, way]),
  ),
  "account-asleep": accountAsleep,
};

/** From the form of the front page to what the check of the domain says. */
async function checked({ at, tab, domain }: Visit, typed = domain) {
  await tab.goto(`${at.issuer}/`);
  await tab.fill("#domain", typed);
  await tab.click("#check-domain-form button");
  await tab.locator("#look, #domain-problem").waitFor();
  return unfolded(tab);
}

/** As far as the link for whoever manages the DNS. */
async function handedOn(visit: Visit) {
  const page = await begunSetUp(visit);
  await page.click("#hand-on");
  await page.locator("#set-up-link").waitFor();
  return page;
}

/** In a browser that the account knows, after its record was removed. */
async function knownButGone(visit: Visit) {
  await setUp(visit);
  for (const record of visit.at.zone.records()) {
    if (record.name === spName(visit)) visit.at.zone.remove(record);
  }
  // What the servers said is remembered for three seconds, and other tabs may let them pass at any moment.
  visit.at.advance(6);
  const page = await begunSetUp(visit);
  await page.locator("#known-account").waitFor();
  return page;
}

/** As far as an SP that cannot be found. */
function namedElsewhere(visit: Visit) {
  const sp = "https://sign-in.a-service-with-a-long-name.example.net";
  publishAt(visit, spName(visit), `v=dsi1 sp=${sp} acct=${"g".repeat(22)}`);
  return handedOver(visit);
}

function spName({ domain }: Visit): string {
  return `_domain-signin.${domain}`;
}

function publishAt({ at }: Visit, name: string, value: string): void {
  at.zone.add({ name, type: "TXT", value, ttl: 300 });
}

// The journeys of people through every page of a sign-in, as lists of actions between which a sign-in is pending.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { eventually } from "../support/eventually.ts";
import { registrationFor, usePasskey } from "../support/passkeys.ts";
import {
  authorizationUrl,
  leaveSessions,
  pkceParameters,
  recoveryCodesIn,
} from "../support/sign-in.ts";
import { accountNamedIn } from "./both-releases.ts";
import {
  type Action,
  type Do,
  type Journey,
  publish,
  REDIRECT_URI,
  untilEnough,
  type Walk,
} from "./journey.ts";
import { onDatabase } from "./on-database.ts";

const stopAt = REDIRECT_URI;

const authorize = ({ world, agent, proof, request }: Walk): Promise<Page> => {
  const client = { id: world.clientId, secret: null, redirectUri: REDIRECT_URI };
  return agent.open(authorizationUrl(world, client, { ...pkceParameters(proof), ...request }), {
    stopAt,
  });
};
const enterDomain: Do = ({ agent, domain }, page) =>
  agent.submit(page, "domain-form", { domain }, { stopAt });
const submit =
  (form: string): Do =>
  ({ agent }, page) =>
    agent.submit(page, form, {}, { stopAt });

/** Publishes the record of the page, and checks it until it was seen. */
const check: Do = async ({ world, agent }, page) => {
  publish(world.zone, page.text("dns-name"), page.text("dns-value"));
  return untilEnough(
    () => agent.submit(page, "check-form", {}, { stopAt }),
    (next) => next.stopped || next.step !== page.step,
  );
};
/** One release refuses a registration for the page of the other, and the person tries again on the page that says so. */
const makePasskey: Do = async (walk, page) => {
  const submitted = async (shown: Page) => {
    const { passkey, json } = registrationFor(shown);
    walk.passkey = passkey;
    return walk.agent.submit(shown, "passkey-form", { credential: json }, { stopAt });
  };
  const next = await submitted(page);
  return !next.stopped && next.has("passkey-problem") ? submitted(next) : next;
};
/** The previous release shows the record at once. */
const withoutPasskeyInSetUp: Do = (walk, page) =>
  page.step === "set-up-passkey"
    ? submit("without-passkey-form")(walk, page)
    : Promise.resolve(page);
const answerPasskey: Do = ({ agent, passkey }, page) => {
  if (passkey === null) throw new Error("there is no passkey");
  return usePasskey(agent, page, passkey, { stopAt });
};
/** All people of a drill have one address, whose attempts with recovery codes are limited. */
const forgetAttempts = ({ world }: Walk) => onDatabase(world.database, "DELETE FROM attempts");
const enterCode: Do = async (walk, page) => {
  await forgetAttempts(walk);
  const [recovery_code = ""] = walk.codes;
  return walk.agent.submit(page, "check-form", { recovery_code }, { stopAt });
};
const saveCodes: Do = (walk, page) => {
  walk.codes = recoveryCodesIn(page);
  if (walk.codes.length !== 10) throw new Error(`${walk.codes.length} recovery codes`);
  return walk.agent.submit(page, "recovery-codes-form", {}, { stopAt });
};
/** Up to the redirect to the last step, which a browser follows at once. */
const allow: Do = ({ agent }, page) => {
  const complete = page.url.replace(/[^/]+$/, "complete");
  return agent.submit(page, "consent-form", {}, { button: "allow", stopAt: complete });
};
const complete: Do = ({ agent }, { url }) => agent.open(url, { stopAt });

const OPEN: Action = ["opens the request", authorize];
const ENTER_DOMAIN: Action = ["enters the domain", enterDomain];
const BEGIN = [OPEN, ENTER_DOMAIN];
const END: readonly Action[] = [
  ["allows", allow],
  ["follows to the end", complete],
];
const CHECK: Action = ["publishes the record", check];
const MAKE_PASSKEY: Action = ["makes a passkey", makePasskey];
const USE_PASSKEY: Action = ["uses the passkey", answerPasskey];
const SAVE_CODES: Action = ["saves the codes", saveCodes];
const ENTER_CODE: Action = ["enters a recovery code", enterCode];
const withoutNewPasskey = submit("without-passkey-form");
const WITHOUT_PASSKEY: Action = ["goes on without a passkey", withoutNewPasskey];
const WITHOUT_PASSKEY_IN_SET_UP: Action = ["wants no passkey", withoutPasskeyInSetUp];
const START_OVER: Action = ["starts over", submit("start-over-form")];

/** Without script, the browser goes on from the page about a passkey by itself. */
async function withScript(walk: Walk): Promise<void> {
  walk.agent = createUserAgent({ hasScript: true });
}

/** One whole set-up. The form of the next action is missing on a page that is an error. */
async function enrol(walk: Walk, ...more: readonly Action[]): Promise<void> {
  let page = await authorize(walk);
  for (const [, act] of [ENTER_DOMAIN, ...more, SAVE_CODES, ...END]) {
    page = await act(walk, page);
  }
  walk.expected = { sub: await liveAccount(walk) };
}

/** The id of the account that the domain's record names now. */
export async function liveAccount({ world, domain }: Walk): Promise<string> {
  const live = "SELECT id FROM accounts WHERE domain = $1 AND asleep_since IS NULL";
  const found = await onDatabase(world.database, live, [domain]);
  if (found.length !== 1) throw new Error(`${found.length} live accounts of ${domain}`);
  return String(found[0]?.id);
}

const withoutPasskey = (walk: Walk) => enrol(walk, CHECK);
async function withPasskey(walk: Walk): Promise<void> {
  await withScript(walk);
  await enrol(walk, MAKE_PASSKEY, CHECK, USE_PASSKEY);
  walk.agent = createUserAgent();
}
const elsewhere = (walk: Walk) => {
  walk.agent = createUserAgent();
};

/** With this, two codes are left after a recovery, and ten new ones are offered. */
async function withFewCodes(walk: Walk): Promise<void> {
  await withPasskey(walk);
  const kept = walk.codes.slice(0, 3).map(recoveryCodeHash);
  const removal = "DELETE FROM recovery_codes WHERE account_id = $1 AND NOT code_hash = ANY($2)";
  await onDatabase(walk.world.database, removal, [await liveAccount(walk), kept]);
}

/** Another browser signs in with the passkey, after the first one. */
async function withNews(walk: Walk): Promise<void> {
  await withScript(walk);
  await enrol(walk, MAKE_PASSKEY, CHECK, USE_PASSKEY);
  const other = { ...walk, agent: createUserAgent() };
  let page = await authorize(other);
  for (const [, act] of [ENTER_DOMAIN, USE_PASSKEY, ...END]) {
    page = await act(other, page);
  }
  const { sub } = walk.expected as { sub: string };
  const news = "SELECT 1 FROM history WHERE account_id = $1 AND kind = 'new_browser'";
  await eventually(async () => {
    const [entry] = await onDatabase(walk.world.database, news, [sub]);
    if (entry === undefined) throw new Error("there are no news");
  });
  walk.request = { prompt: "login consent" };
}

/** The record names the account at the second service. */
async function atSp(walk: Walk): Promise<void> {
  const { world, agent } = walk;
  let page = await agent.open(`${world.sp}/account`);
  if (page.has("sign-in")) page = await agent.open(page.link("sign-in"));
  for (const act of [enterDomain, check, saveCodes]) page = await act(walk, page);
  if (page.step !== "account") throw new Error(`no account page at the SP but ${page.step}`);
}

/** Up to the redirect to the SP, which a browser follows at once. */
const enterDomainOfSp: Do = ({ world, agent, domain }, page) =>
  agent.submit(page, "domain-form", { domain }, { stopAt: `${world.issuer}/interaction/` });
const goToSp: Do = ({ world, agent }, { url }) =>
  agent.open(url, { stopAt: `${world.sp}/oauth/authorize` });
const openAtSp: Do = ({ world, agent }, { url }) =>
  agent.open(url, { stopAt: `${world.issuer}/federation/callback` });
/** Answers the pages of the SP, up to its answer. */
const answerSp: Do = async ({ world, agent }, first) => {
  const options = { stopAt: `${world.issuer}/federation/callback` };
  let page = first;
  for (let pages = 0; !page.stopped && pages < 4; pages++) {
    page = await (page.step === "consent"
      ? agent.submit(page, "consent-form", {}, { ...options, button: "allow" })
      : agent.submit(page, "continue-form", {}, options));
  }
  return page;
};
/** If the service did not redeem the code, it sends the browser to the SP once more. */
const openAnswer: Do = async (walk, { url }) => {
  const page = await walk.agent.open(url, { stopAt });
  if (!page.url.startsWith(walk.world.sp)) return page;
  return openAnswer(walk, await answerSp(walk, page));
};

const formerRecord: Do = ({ agent }, page) => agent.open(page.link("former"));
const codeForRecord: Do = async (walk, page) => {
  const fields = { recovery_code: walk.codes[0] ?? "" };
  const shown = await walk.agent.submit(page, "former-record-form", fields, { stopAt });
  if (accountNamedIn(shown.text("dns-value")) !== accountNamedIn(walk.noted))
    throw new Error("another record is shown");
  return shown;
};
/** The node has only the row to know that a code was entered. */
const seeRecordAgain: Do = async (walk, { url }) => {
  const shown = await walk.agent.open(url);
  if (accountNamedIn(shown.text("dns-value")) !== accountNamedIn(walk.noted))
    throw new Error("another record is shown");
  publish(walk.world.zone, shown.text("dns-name"), walk.noted);
  return shown;
};
async function former(walk: Walk): Promise<void> {
  await withoutPasskey(walk);
  elsewhere(walk);
  const { zone } = walk.world;
  const name = `_domain-signin.${walk.domain}`;
  walk.noted = zone.records().find((record) => record.name === name)?.value ?? "";
  publish(zone, name, null);
  walk.request = { ...walk.request, login_hint: walk.domain };
}

/** The domain's account ends: the journey makes another one. */
async function another(walk: Walk): Promise<void> {
  await withoutPasskey(walk);
  elsewhere(walk);
  walk.expected = { not: await liveAccount(walk) };
}

/** A passkey from before a restore: `pendingSignIns` has dated the restore. */
async function unconfirmed(walk: Walk): Promise<void> {
  await withPasskey(walk);
  // A record that lists the key would confirm it.
  const name = `_domain-signin.${walk.domain}`;
  const record = walk.world.zone.records().find((one) => one.name === name)?.value ?? "";
  publish(walk.world.zone, name, record.replace(/ jkt=.*$/, ""));
  const older = "UPDATE passkeys SET created_at = 1 WHERE account_id = $1";
  await onDatabase(walk.world.database, older, [await liveAccount(walk)]);
}
/**
 * Only this version has passkeys to be confirmed. A node of before signs in with one at once; at a challenge that a new
 * node began for it, it asks for a recovery code too, and then for a new passkey.
 */
const confirm: Do = async (walk, page) => {
  if (page.step !== "dns-challenge") return page;
  const { agent, world } = walk;
  publish(world.zone, page.text("dns-name"), page.text("dns-value"));
  let next = await agent.submit(page, "check-form", {}, { stopAt });
  if (next.has("recovery_code")) next = await enterCode(walk, next);
  if (next.step === "dns-challenge") next = await check(walk, next);
  return next.step === "new-passkey" ? withoutNewPasskey(walk, next) : next;
};

export const JOURNEYS: readonly Journey[] = [
  { name: "set-up without a passkey", actions: [...BEGIN, CHECK, SAVE_CODES, ...END] },
  {
    name: "set-up with a passkey",
    prepare: withScript,
    actions: [...BEGIN, MAKE_PASSKEY, CHECK, USE_PASSKEY, SAVE_CODES, ...END],
  },
  {
    name: "a passkey",
    prepare: withPasskey,
    actions: [...BEGIN, USE_PASSKEY, ...END],
  },
  {
    name: "recovery with a new passkey and new codes",
    prepare: withFewCodes,
    actions: [
      ...[...BEGIN, WITHOUT_PASSKEY, ENTER_CODE, CHECK, MAKE_PASSKEY],
      ["goes on", submit("continue-form")],
      ...[SAVE_CODES, ...END],
    ],
  },
  {
    name: "recovery without a new passkey, with the former codes",
    prepare: withFewCodes,
    actions: [
      ...[...BEGIN, WITHOUT_PASSKEY, ENTER_CODE, CHECK, WITHOUT_PASSKEY],
      ["keeps the former codes", submit("keep-codes-form")],
      ...END,
    ],
  },
  {
    name: "a challenge in a known browser",
    async prepare(walk) {
      await withoutPasskey(walk);
      leaveSessions(walk.agent, walk.world.issuer);
    },
    actions: [...BEGIN, CHECK, ...END],
  },
  {
    name: "news",
    prepare: withNews,
    actions: [...BEGIN, USE_PASSKEY, ["has seen the news", submit("news-form")], ...END],
  },
  {
    name: "another service",
    prepare: atSp,
    actions: [
      OPEN,
      ["enters the domain", enterDomainOfSp],
      ["is sent to the SP", goToSp],
      ["comes to the SP", openAtSp],
      ["signs in at the SP", answerSp],
      ["brings the answer", openAnswer],
      ...END,
    ],
  },
  {
    name: "start over from a set-up",
    prepare: withScript,
    actions: [
      ...BEGIN,
      MAKE_PASSKEY,
      START_OVER,
      WITHOUT_PASSKEY_IN_SET_UP,
      CHECK,
      SAVE_CODES,
      ...END,
    ],
  },
  {
    name: "start over from the passkey of a set-up",
    prepare: withScript,
    actions: [
      ...[...BEGIN, MAKE_PASSKEY, CHECK, START_OVER],
      ...[WITHOUT_PASSKEY_IN_SET_UP, CHECK, SAVE_CODES, ...END],
    ],
  },
  {
    name: "start over from a challenge",
    prepare: another,
    actions: [
      ...[...BEGIN, ENTER_CODE],
      ["has lost access", submit("lost-access-form")],
      ...[CHECK, SAVE_CODES, ...END],
    ],
  },
  {
    name: "the record of a former account",
    prepare: former,
    mustBeForgotten: true,
    actions: [
      ...BEGIN,
      ["asks for the former record", formerRecord],
      ["enters a recovery code", codeForRecord],
      ["publishes the former record", seeRecordAgain],
      ["begins again", authorize],
      ...[ENTER_DOMAIN, ENTER_CODE, CHECK, ...END],
    ],
  },
  {
    name: "a passkey to be confirmed",
    prepare: unconfirmed,
    actions: [...BEGIN, USE_PASSKEY, ["confirms it", confirm], ...END],
  },
];

/** The row of a new node holds the hash of such a request, and the browser the rest. */
export const LONG_REQUEST: Journey = {
  name: "a long request",
  async prepare(walk) {
    walk.request = { ...walk.request, state: "s".repeat(2048) };
  },
  actions: [...BEGIN, CHECK, SAVE_CODES, ...END],
};

// Tests of how a sign-in proceeds: every transition, from every progress.

import { describe, expect, test } from "vitest";
import { authenticatedProgress } from "../../test/support/store-rows.ts";
import type { Progress } from "../store/interaction-row.ts";
import * as transitions from "./progress.ts";
import {
  authenticatedBy,
  challengeFor,
  codesSaved,
  decided,
  externalChanged,
  externalOf,
  newsSeen,
  passkeyOf,
  passkeySkipped,
  passkeyUnconfirmed,
  recordGone,
  recordSeen,
  recoveryAnswered,
  recoveryCodeEntered,
  SET_UP,
  startedOver,
  statementOffered,
  type Transition,
} from "./progress.ts";

const NOW = 1_800_000_000;
const ceremony = { statement: "first", expiresAt: NOW + 300 };
const next = { statement: "next", expiresAt: NOW + 400 };
const unconfirmed = { credentialId: "other", expiresAt: NOW + 900 };

/** What distinguishes a progress from others of its step: a new member of the union does not compile without a row. */
type Kind<P extends Progress = Progress> = P extends { owner: infer O extends string }
  ? `${P["step"]} of ${O}`
  : P["step"];

const setUpPasskey = { step: "passkey", owner: "set-up", acct: "acct", formerCode: null } as const;
const authenticated = authenticatedProgress({ accountId: "sub", sid: "sid" });

const STATES = {
  "dns-setup": {
    "a set-up": SET_UP,
    "a set-up with a former code": { ...SET_UP, formerCode: "former" },
  },
  "passkey of set-up": {
    "a set-up's passkey": { ...setUpPasskey, ceremony: null },
    "a set-up's statement": { ...setUpPasskey, ceremony, formerCode: "former" },
  },
  "passkey of account": {
    "an account's passkey": passkeyOf("acct"),
    "an account's statement": { ...passkeyOf("acct"), ceremony },
    "an old statement": { ...passkeyOf("acct"), ceremony: { ...ceremony, expiresAt: NOW } },
  },
  "dns-challenge": {
    "a challenge": challengeFor("acct", "chal"),
    "a challenge with a code": { ...challengeFor("acct", "chal"), recoveryCode: "code" },
    "a confirmation": { ...challengeFor("acct", "chal"), unconfirmed },
  },
  external: {
    "an SP": externalOf("acct", "from"),
    "an SP, later": externalOf("acct", "later"),
  },
  authenticated: {
    "the end": authenticated,
    asked: { ...authenticated, recovery: "asked" },
    added: { ...authenticated, recovery: "added" },
    done: { ...authenticated, recovery: "done" },
    "codes of a set-up": { ...authenticated, method: "dns-setup", codes: { of: "set-up" } },
    "offered codes": { ...authenticated, codes: { of: "offer", replaces: "set" } },
    news: { ...authenticated, newsFrom: 0 },
    allowed: { ...authenticated, decision: "allow" },
    denied: { ...authenticated, decision: "deny" },
    "all at once": {
      ...{ ...authenticated, recovery: "asked", codes: { of: "offer", replaces: null } },
      newsFrom: NOW,
    },
  },
} as const satisfies Readonly<Record<Kind, Readonly<Record<string, Progress>>>>;

type State = { [K in keyof typeof STATES]: keyof (typeof STATES)[K] }[keyof typeof STATES];

const states = Object.assign({}, ...Object.values(STATES)) as Readonly<Record<State, Progress>>;

/** The changes of the states to which the transition applies. From all the others it leads nowhere. */
interface Row {
  readonly of: keyof typeof transitions;
  readonly transition: Transition;
  readonly applies: Readonly<Partial<Record<State, Progress>>>;
}

/** The states, each with these changes. */
function changed(names: readonly State[], changes: object): Row["applies"] {
  const of = (name: State) => ({ ...states[name], ...changes }) as Progress;
  return Object.fromEntries(names.map((name) => [name, of(name)]));
}

/** The states, each of which leads to the same. */
function all(names: readonly State[], to: Progress): Row["applies"] {
  return Object.fromEntries(names.map((name) => [name, to]));
}

const PROVING = [
  ...["dns-setup", "passkey of set-up", "passkey of account"],
  ...["dns-challenge", "external"],
].flatMap((kind) => Object.keys(STATES[kind as keyof typeof STATES])) as State[];
const AUTHENTICATED = Object.keys(STATES.authenticated) as State[];
const CHALLENGES = ["a challenge", "a challenge with a code", "a confirmation"] as const;
const UNDECIDED = AUTHENTICATED.filter((name) => name !== "allowed" && name !== "denied");

const confirmation = { challenge: "new", credentialId: "which" };
const challengeEnd = NOW + 86_400;
const confirmed = (statement: string, now = NOW) =>
  passkeyUnconfirmed(statement, confirmation, { now, expiresAt: challengeEnd });
const toConfirm: Progress = {
  ...{ step: "dns-challenge", acct: "acct", challenge: "new", recoveryCode: null },
  unconfirmed: { credentialId: "which", expiresAt: challengeEnd },
};
const newChallenge: Progress = {
  ...{ step: "dns-challenge", acct: "acct", challenge: "new", recoveryCode: null },
  unconfirmed: null,
};
const seen = { step: "passkey", owner: "set-up", acct: "seen", ceremony: null } as const;

const ROWS: Readonly<Record<string, Row>> = {
  "starting over": {
    ...{ of: "startedOver", transition: startedOver },
    applies: all(PROVING, { step: "dns-setup", formerCode: null }),
  },
  "a record that was seen": {
    ...{ of: "recordSeen", transition: recordSeen("seen") },
    applies: {
      "a set-up": { ...seen, formerCode: null },
      "a set-up with a former code": { ...seen, formerCode: "former" },
      "a set-up's passkey": { ...seen, formerCode: null },
      "a set-up's statement": { ...seen, formerCode: "former" },
    },
  },
  "the same record again": {
    ...{ of: "recordSeen", transition: recordSeen("acct") },
    applies: {
      "a set-up": { ...setUpPasskey, ceremony: null },
      "a set-up with a former code": { ...setUpPasskey, ceremony: null, formerCode: "former" },
      ...changed(["a set-up's passkey", "a set-up's statement"], {}),
    },
  },
  "a record that is gone again": {
    ...{ of: "recordGone", transition: recordGone },
    applies: {
      "a set-up's passkey": SET_UP,
      "a set-up's statement": { ...SET_UP, formerCode: "former" },
    },
  },
  "the first statement": {
    ...{ of: "statementOffered", transition: statementOffered(null, next) },
    applies: changed(["a set-up's passkey", "an account's passkey"], { ceremony: next }),
  },
  "another statement": {
    ...{ of: "statementOffered", transition: statementOffered(ceremony, next) },
    applies: changed(["a set-up's statement", "an account's statement", "an old statement"], {
      ceremony: next,
    }),
  },
  "a statement instead of another one": {
    ...{ of: "statementOffered", transition: statementOffered(next, ceremony) },
    applies: {},
  },
  "no passkey": {
    ...{ of: "passkeySkipped", transition: passkeySkipped("new") },
    applies: all(
      ["an account's passkey", "an account's statement", "an old statement"],
      newChallenge,
    ),
  },
  "a passkey to be confirmed": {
    ...{ of: "passkeyUnconfirmed", transition: confirmed("first") },
    applies: all(["an account's statement"], toConfirm),
  },
  "a passkey to be confirmed, a second before the end": {
    ...{ of: "passkeyUnconfirmed", transition: confirmed("first", NOW + 299) },
    applies: all(["an account's statement"], toConfirm),
  },
  "a passkey to be confirmed, too late": {
    ...{ of: "passkeyUnconfirmed", transition: confirmed("first", NOW + 300) },
    applies: {},
  },
  "a passkey to be confirmed that signed something else": {
    ...{ of: "passkeyUnconfirmed", transition: confirmed("another") },
    applies: {},
  },
  "a recovery code": {
    ...{ of: "recoveryCodeEntered", transition: recoveryCodeEntered("hash") },
    applies: {
      ...changed(CHALLENGES, { recoveryCode: "hash" }),
      ...changed(["a set-up", "a set-up with a former code"], { formerCode: "hash" }),
      ...changed(["a set-up's passkey", "a set-up's statement"], { formerCode: "hash" }),
    },
  },
  "another state at the SP": {
    ...{ of: "externalChanged", transition: externalChanged("from", "to") },
    applies: changed(["an SP"], { state: "to" }),
  },
  "a passkey that was added": {
    ...{ of: "recoveryAnswered", transition: recoveryAnswered("added") },
    applies: changed(["asked", "all at once"], { recovery: "added" }),
  },
  "going on after a recovery": {
    ...{ of: "recoveryAnswered", transition: recoveryAnswered("done") },
    applies: changed(["asked", "added", "all at once"], { recovery: "done" }),
  },
  "saved codes": {
    ...{ of: "codesSaved", transition: codesSaved },
    applies: changed(["codes of a set-up", "offered codes", "all at once"], { codes: null }),
  },
  "news that were seen": {
    ...{ of: "newsSeen", transition: newsSeen },
    applies: changed(["news", "all at once"], { newsFrom: null }),
  },
  "a yes": {
    ...{ of: "decided", transition: decided("allow") },
    applies: changed(UNDECIDED, { decision: "allow" }),
  },
  "a no": {
    ...{ of: "decided", transition: decided("deny") },
    applies: changed(UNDECIDED, { decision: "deny" }),
  },
};

describe.each(Object.entries(ROWS))("%s", (_, { transition, applies }) => {
  test.each(Object.entries(states))("from: %s", (name, progress) => {
    const before = structuredClone(progress);
    expect(transition(progress)).toEqual(applies[name as State] ?? null);
    expect(progress).toEqual(before);
  });
});

test("no transition is missing in the table", () => {
  const beginnings = ["SET_UP", "passkeyOf", "challengeFor", "externalOf", "authenticatedBy"];
  const tested = new Set([...Object.values(ROWS).map(({ of }) => of), ...beginnings]);
  expect([...tested].sort()).toEqual(Object.keys(transitions).sort());
});

test("a sign-in begins with nothing but what its method needs", () => {
  expect(SET_UP).toEqual({ step: "dns-setup", formerCode: null });
  expect(passkeyOf("a")).toEqual({ step: "passkey", owner: "account", acct: "a", ceremony: null });
  expect(challengeFor("a", "c")).toEqual({
    ...{ step: "dns-challenge", acct: "a", challenge: "c" },
    ...{ recoveryCode: null, unconfirmed: null },
  });
  expect(externalOf("a", "s")).toEqual({ step: "external", acct: "a", state: "s" });
  const of = { accountId: "sub", authTime: NOW, amr: "dns", sid: "sid" };
  const proof = { ...of, controlCheckedAt: NOW };
  expect(authenticatedBy("session", proof, 5)).toEqual({
    ...{ step: "authenticated", method: "session", ...proof, newsFrom: 5 },
    ...{ proofs: null, usedCode: null },
    ...{ recovery: null, codes: null, decision: null },
  });
});

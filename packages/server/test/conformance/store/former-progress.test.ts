// What every engine promises while nodes of the previous version run: both versions understand the rows of the other.

import { describe, expect, test } from "vitest";
import {
  challengeFor,
  codesSaved,
  decided,
  externalChanged,
  externalOf,
  newsSeen,
  passkeyOf,
  passkeySkipped,
  passkeyUnconfirmed,
  recordSeen,
  recoveryAnswered,
  recoveryCodeEntered,
  SET_UP,
  startedOver,
  statementOffered,
  type Transition,
} from "../../../src/interaction/progress.ts";
import type { Authenticated, Method, Progress } from "../../../src/store/interaction-row.ts";
import {
  FORMER,
  type Former,
  type FormerStatement,
  formerStatements,
} from "../../support/former-statements.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  begunInteraction,
  NOW,
  recordSignIn,
  someId,
} from "../../support/store-rows.ts";

const DAY_END = NOW + 86_400;
const ceremony = { statement: "first", expiresAt: NOW + 300 };
const next = { statement: "next", expiresAt: NOW + 300 };
const unconfirmed = { credentialId: "ID", expiresAt: DAY_END };
const proof = { accountId: "sub", authTime: NOW, amr: "dns", controlCheckedAt: NOW, sid: "sid" };
const setUpPasskey = { step: "passkey", owner: "set-up", acct: "acct", formerCode: null } as const;

const authenticated = (changes: Partial<Authenticated> = {}) =>
  authenticatedProgress({ ...proof, proofs: '{"owner_proof":{}}', ...changes });

/** What the former version has written, how it is read, and one change that is made of it. */
const FORMER_ROWS: Readonly<
  Record<
    string,
    {
      readonly written: (by: Former) => readonly FormerStatement[];
      readonly is: Progress;
      readonly transition: Transition;
      readonly becomes: Progress;
    }
  >
> = {
  "a set-up": {
    written: (by) => [by.begin("dns-setup")],
    is: SET_UP,
    transition: recordSeen("seen"),
    becomes: { ...setUpPasskey, acct: "seen", ceremony: null },
  },
  "a set-up with a former code": {
    written: (by) => [by.begin("dns-setup"), by.keepCode],
    is: { ...SET_UP, formerCode: "hash" },
    transition: startedOver,
    becomes: SET_UP,
  },
  "a set-up whose record was seen": {
    written: (by) => [by.begin("dns-setup"), by.keepCode, by.askForPasskey],
    is: { ...setUpPasskey, ceremony: null, formerCode: "hash" },
    transition: statementOffered(null, ceremony),
    becomes: { ...setUpPasskey, ceremony, formerCode: "hash" },
  },
  "a set-up whose passkey is asked for": {
    written: (by) => [by.begin("dns-setup"), by.askForPasskey, by.offer(null, "first")],
    is: { ...setUpPasskey, ceremony },
    transition: startedOver,
    becomes: SET_UP,
  },
  "a passkey": {
    written: (by) => [by.begin("passkey", { acct: "acct" })],
    is: passkeyOf("acct"),
    transition: statementOffered(null, ceremony),
    becomes: { ...passkeyOf("acct"), ceremony },
  },
  "a passkey that is asked for": {
    written: (by) => [by.begin("passkey", { acct: "acct" }), by.offer(null, "first")],
    is: { ...passkeyOf("acct"), ceremony },
    transition: passkeyUnconfirmed(
      "first",
      { challenge: "chal", credentialId: "ID" },
      { now: NOW, expiresAt: DAY_END },
    ),
    becomes: { ...challengeFor("acct", "chal"), unconfirmed },
  },
  "a challenge instead of a passkey": {
    written: (by) => [
      ...[by.begin("passkey", { acct: "acct" }), by.offer(null, "first")],
      by.switchToChallenge,
    ],
    is: challengeFor("acct", "chal"),
    transition: recoveryCodeEntered("code"),
    becomes: { ...challengeFor("acct", "chal"), recoveryCode: "code" },
  },
  "a passkey that is to be confirmed": {
    written: (by) => [
      ...[by.begin("passkey", { acct: "acct" }), by.offer(null, "first")],
      by.switchToConfirmation("first"),
    ],
    is: { ...challengeFor("acct", "chal"), unconfirmed },
    transition: recoveryCodeEntered("code"),
    becomes: { ...challengeFor("acct", "chal"), unconfirmed, recoveryCode: "code" },
  },
  "a challenge with a code": {
    written: (by) => [by.begin("dns-challenge", { acct: "acct", challenge: "chal" }), by.keepCode],
    is: { ...challengeFor("acct", "chal"), recoveryCode: "hash" },
    transition: startedOver,
    becomes: SET_UP,
  },
  "a challenge that became a set-up": {
    written: (by) => [
      ...[by.begin("dns-challenge", { acct: "acct", challenge: "chal" }), by.keepCode],
      by.switchToSetUp,
    ],
    is: SET_UP,
    transition: recordSeen("seen"),
    becomes: { ...setUpPasskey, acct: "seen", ceremony: null },
  },
  "a sign-in at an SP": {
    written: (by) => [
      by.begin("external", { acct: "acct", external: "a" }),
      by.changeExternal("a", "b"),
    ],
    is: externalOf("acct", "b"),
    transition: externalChanged("b", "c"),
    becomes: externalOf("acct", "c"),
  },
  "a session, whose row keeps acct": {
    written: (by) => [by.beginAuthenticated("session", 5)],
    is: authenticated({ method: "session", proofs: null, newsFrom: 5 }),
    transition: newsSeen,
    becomes: authenticated({ method: "session", proofs: null }),
  },
  "the end of a sign-in at an SP, whose row keeps its state": {
    written: (by) => [
      by.begin("external", { acct: "acct", external: "a" }),
      by.authenticate("external"),
    ],
    is: authenticated({ method: "external" }),
    transition: decided("allow"),
    becomes: authenticated({ method: "external", decision: "allow" }),
  },
  "the end of a sign-in by a passkey, whose row keeps the statement": {
    written: (by) => [
      ...[by.begin("passkey", { acct: "acct" }), by.offer(null, "first")],
      by.authenticate("passkey", { statement: "first" }),
    ],
    is: authenticated({ method: "passkey" }),
    transition: decided("deny"),
    becomes: authenticated({ method: "passkey", decision: "deny" }),
  },
  "a set-up that was finished": {
    written: (by) => [by.begin("dns-setup"), by.authenticate("dns-setup")],
    is: authenticated({ method: "dns-setup", codes: { of: "set-up" } }),
    transition: codesSaved,
    becomes: authenticated({ method: "dns-setup" }),
  },
  "a set-up whose codes were saved": {
    written: (by) => [by.begin("dns-setup"), by.authenticate("dns-setup"), by.saveCodes],
    is: authenticated({ method: "dns-setup" }),
    transition: decided("allow"),
    becomes: authenticated({ method: "dns-setup", decision: "allow" }),
  },
  "codes that are offered for those of a set-up": {
    written: (by) => [
      by.begin("dns-challenge", { acct: "acct", challenge: "chal" }),
      by.authenticate("dns-challenge", { offered: "", recovery: "asked" }),
    ],
    is: authenticated({ codes: { of: "offer", replaces: null }, recovery: "asked" }),
    transition: recoveryAnswered("done"),
    becomes: authenticated({ codes: { of: "offer", replaces: null }, recovery: "done" }),
  },
  "codes that are offered for a set, after a recovery": {
    written: (by) => [
      by.begin("dns-challenge", { acct: "acct", challenge: "chal" }),
      by.authenticate("dns-challenge", { offered: "set", recovery: "asked" }),
      by.answerRecovery("added"),
    ],
    is: authenticated({ codes: { of: "offer", replaces: "set" }, recovery: "added" }),
    transition: codesSaved,
    becomes: authenticated({ recovery: "added" }),
  },
  "offered codes that were saved, and an answer": {
    written: (by) => [
      by.begin("dns-challenge", { acct: "acct", challenge: "chal" }),
      by.authenticate("dns-challenge", { offered: "set", recovery: "asked" }),
      ...[by.answerRecovery("done"), by.saveCodes, by.decide],
    ],
    is: authenticated({ recovery: "done", decision: "allow" }),
    transition: (progress) => progress,
    becomes: authenticated({ recovery: "done", decision: "allow" }),
  },
};

onEveryEngine(({ store, engine }) => {
  /** Whether the statement of the former version has changed a row. */
  async function run([name, ...values]: FormerStatement): Promise<boolean> {
    const rows = await engine.execute(FORMER[name], values);
    return name === "BEGIN" || rows.length === 1;
  }
  async function write(statements: readonly FormerStatement[]) {
    for (const one of statements) expect([one[0], await run(one)]).toEqual([one[0], true]);
  }
  const progressOf = async (id: string) => (await store.interactions.readInteraction(id))?.progress;

  describe("a row of the previous version", () => {
    test.each(Object.entries(FORMER_ROWS))(
      "%s: is understood, and goes on",
      async (_, { written, is, transition, becomes }) => {
        const id = someId();
        await write(written(formerStatements(id)));
        expect(await progressOf(id)).toEqual(is);
        const changed = await changeProgress(store, id, transition, NOW);
        expect(changed?.progress).toEqual(becomes);
        expect(await progressOf(id)).toEqual(becomes);
      },
    );

    test("that nobody is authenticated in can be authenticated", async () => {
      for (const [name, { written, is }] of Object.entries(FORMER_ROWS)) {
        if (is.step === "authenticated") continue;
        const id = someId();
        await write(written(formerStatements(id)));
        const interaction = await store.interactions.readInteraction(id);
        if (interaction === null) throw new Error("the row is gone");
        const done = await recordSignIn(store, { ...interaction, progress: is }, proof, NOW);
        expect([name, done?.progress]).toMatchObject([name, { step: "authenticated", ...proof }]);
      }
    });
  });

  /** A row of this version at this progress. */
  async function at(progress: Progress): Promise<string> {
    if (progress.step === "authenticated") {
      return (await begunInteraction(store, { progress })).id;
    }
    const begun = await begunInteraction(store, { progress: SET_UP });
    if ((await store.interactions.advance(begun, progress, { now: NOW })) === null)
      throw new Error("refused");
    return begun.id;
  }

  const statement = { ...passkeyOf("acct"), ceremony };
  const done = authenticatedProgress(proof);
  const external = externalOf("acct", "a");
  const challenge = challengeFor("acct", "chal");

  describe("a row of this version is understood by the previous one", () => {
    test.each<[string, Progress, (by: Former) => FormerStatement, Progress | null]>([
      ["starts over", challenge, (by) => by.switchToSetUp, SET_UP],
      ["starts over at an SP", external, (by) => by.switchToSetUp, SET_UP],
      ["starts over in a set-up", SET_UP, (by) => by.switchToSetUp, SET_UP],
      ["starts over too late", done, (by) => by.switchToSetUp, null],
      ["asks for a passkey", SET_UP, (by) => by.askForPasskey, { ...setUpPasskey, ceremony: null }],
      ["asks for none at a challenge", challenge, (by) => by.askForPasskey, null],
      ["offers a statement", passkeyOf("acct"), (by) => by.offer(null, "first"), statement],
      [
        "offers another statement",
        statement,
        (by) => by.offer("first", "next"),
        { ...passkeyOf("acct"), ceremony: next },
      ],
      ["offers none over another one", statement, (by) => by.offer(null, "next"), null],
      [
        "offers a statement in a set-up",
        { ...setUpPasskey, ceremony },
        (by) => by.offer("first", "next"),
        { ...setUpPasskey, ceremony: next },
      ],
      ["offers none before the record was seen", SET_UP, (by) => by.offer(null, "next"), null],
      ["goes on without the passkey", statement, (by) => by.switchToChallenge, challenge],
      [
        "does not do so in a set-up",
        { ...setUpPasskey, ceremony },
        (by) => by.switchToChallenge,
        null,
      ],
      [
        "has a passkey confirmed",
        statement,
        (by) => by.switchToConfirmation("first"),
        { ...challenge, unconfirmed },
      ],
      ["has none confirmed by another", statement, (by) => by.switchToConfirmation("next"), null],
      ["keeps a code", challenge, (by) => by.keepCode, { ...challenge, recoveryCode: "hash" }],
      ["keeps one in a set-up", SET_UP, (by) => by.keepCode, { ...SET_UP, formerCode: "hash" }],
      ["keeps none at a passkey", statement, (by) => by.keepCode, null],
      ["changes the state", external, (by) => by.changeExternal("a", "b"), externalOf("acct", "b")],
      ["changes no other state", external, (by) => by.changeExternal("b", "c"), null],
      ["decides", done, (by) => by.decide, { ...done, decision: "allow" }],
      ["decides nothing too early", challenge, (by) => by.decide, null],
      ["passes news", { ...done, newsFrom: 5 }, (by) => by.passNews, done],
      ["passes none twice", done, (by) => by.passNews, null],
      ["saves no codes where there are none", done, (by) => by.saveCodes, null],
      ["answers no recovery where there is none", done, (by) => by.answerRecovery("done"), null],
    ])("that %s", async (_, progress, statementOf, expected) => {
      const id = await at(progress);
      const before = await progressOf(id);
      expect(await run(statementOf(formerStatements(id)))).toBe(expected !== null);
      expect(await progressOf(id)).toEqual(expected ?? before);
    });

    test.each<[Progress, Method, string?]>([
      [SET_UP, "dns-setup"],
      [{ ...setUpPasskey, ceremony }, "dns-setup", "first"],
      [statement, "passkey", "first"],
      [challenge, "dns-challenge"],
      [{ ...challenge, unconfirmed }, "dns-challenge", "to be confirmed: ID"],
      [external, "external"],
    ])("that authenticates the owner once, by what it was asked for: %o", async (...of) => {
      const [progress, method, signed] = of;
      const id = await at(progress);
      const authenticate = (by: Method, statement?: string) =>
        run(formerStatements(id).authenticate(by, { statement }));
      expect(await authenticate("session", signed)).toBe(false);
      expect(await authenticate(method, "another")).toBe(false);
      expect(await authenticate(method, signed)).toBe(true);
      expect(await progressOf(id)).toMatchObject({ step: "authenticated", method, ...proof });
      expect(await authenticate(method, signed)).toBe(false);
    });

    test("that answers after a change of this version, once", async () => {
      const open = await begunInteraction(store);
      const offered = { ...proof, codesOfferedFrom: "set", recovery: "asked" } as const;
      await recordSignIn(store, open, offered, NOW);
      const by = formerStatements(open.id);
      const change = async (transition: Transition) =>
        (await changeProgress(store, open.id, transition, NOW)) !== null;
      expect(await change(recoveryAnswered("added"))).toBe(true);
      expect(await run(by.answerRecovery("added"))).toBe(false);
      expect(await run(by.answerRecovery("done"))).toBe(true);
      expect(await change(recoveryAnswered("done"))).toBe(false);
      expect(await change(codesSaved)).toBe(true);
      expect(await run(by.saveCodes)).toBe(false);
      expect(await change(decided("deny"))).toBe(true);
      expect(await run(by.decide)).toBe(false);
      expect(await progressOf(open.id)).toMatchObject({ recovery: "done", decision: "deny" });
    });
  });

  describe("a change that the previous version made between the reading and the change", () => {
    test.each<[string, Progress, (by: Former) => FormerStatement, Progress]>([
      ["of the method", challenge, (by) => by.switchToSetUp, { ...challenge, recoveryCode: "c" }],
      ["of the code", challenge, (by) => by.keepCode, { ...challenge, recoveryCode: "c" }],
      ["of the acct", SET_UP, (by) => by.askForPasskey, { ...SET_UP, formerCode: "c" }],
      ["of the first statement", passkeyOf("acct"), (by) => by.offer(null, "next"), statement],
      ["of the statement", statement, (by) => by.offer("first", "next"), passkeyOf("acct")],
      ["to a challenge", statement, (by) => by.switchToChallenge, passkeyOf("acct")],
      ["to a confirmation", statement, (by) => by.switchToConfirmation("first"), passkeyOf("acct")],
      ["of the state", external, (by) => by.changeExternal("a", "b"), externalOf("acct", "c")],
      ["to the end", challenge, (by) => by.authenticate("dns-challenge"), SET_UP],
      ["of the answer", { ...done, newsFrom: 5 }, (by) => by.decide, { ...done, newsFrom: null }],
      [
        "of the news",
        { ...done, newsFrom: 5 },
        (by) => by.passNews,
        { ...done, newsFrom: 5, decision: "deny" },
      ],
    ])("%s is not undone", async (_, progress, statementOf, to) => {
      const id = await at(progress);
      const stale = await store.interactions.readInteraction(id);
      if (stale === null) throw new Error("the row is gone");
      expect(await run(statementOf(formerStatements(id)))).toBe(true);
      const changed = await store.interactions.readInteraction(id);
      expect(await store.interactions.advance(stale, to, { now: NOW })).toBeNull();
      expect(await store.interactions.readInteraction(id)).toEqual(changed);
    });

    test("of saved codes and of a recovery is not undone", async () => {
      for (const change of ["saveCodes", "answerRecovery"] as const) {
        const open = await begunInteraction(store);
        const offered = { ...proof, codesOfferedFrom: "set", recovery: "asked" } as const;
        const stale = (await recordSignIn(store, open, offered, NOW)) ?? open;
        const by = formerStatements(open.id);
        const changing = change === "saveCodes" ? by.saveCodes : by.answerRecovery("done");
        expect(await run(changing)).toBe(true);
        const changed = await store.interactions.readInteraction(open.id);
        const to = decided("allow")(stale.progress) ?? SET_UP;
        expect(await store.interactions.advance(stale, to, { now: NOW })).toBeNull();
        expect(await store.interactions.readInteraction(open.id)).toEqual(changed);
        expect(await changeProgress(store, open.id, passkeySkipped("new"), NOW)).toBeNull();
      }
    });
  });
});

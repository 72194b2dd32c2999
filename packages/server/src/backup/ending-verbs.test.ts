// Each verb of the store: whether it ends something, and that the mark moves exactly if it has.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import {
  begunInteraction,
  issuedGrant,
  liveAccount,
  NOW,
  recordSignIn,
  someClient,
  someEnrolment,
  somePasskey,
  someProof,
  someSession,
} from "../../test/support/store-rows.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { KeyRow } from "../store/keys.ts";
import { LOST_CONFIRMED_AFTER_S } from "../store/shared-values.ts";
import type { Store } from "../store/store.ts";
import { isEnding, markedStore } from "./mark-keeper.ts";

interface Case {
  /** Makes what the verb ends, and returns the call that ends it. */
  readonly prepare: (store: Store) => Promise<() => Promise<unknown>>;
  /** The call is made a second time, when there is nothing left to end: whether that moves the mark too. */
  readonly again?: "moves";
}

const KEY = { purpose: "es256", id: 1, sealed: "sealed", currentFrom: 0, madeAt: NOW };

async function withKeys(store: Store, ...keys: readonly KeyRow[]): Promise<void> {
  for (const key of keys) await store.keys.addKey(key);
}

async function withSession(store: Store) {
  const { id: accountId } = await liveAccount(store);
  const { sid } = await store.sessions.startSession(someSession(accountId));
  return { accountId, sid };
}

async function withClient(store: Store, changes: Parameters<typeof someClient>[0] = {}) {
  const client = someClient({ secretHash: "old", ...changes });
  await store.registrations.addClient(client);
  return client.id;
}

const ENDING: Readonly<Record<string, Case>> = {
  "grants.revokeGrant": {
    async prepare(store) {
      const { id } = await issuedGrant(store);
      return () => store.grants.revokeGrant({ id, now: NOW });
    },
  },
  "grants.revokeGrantsOf": {
    async prepare(store) {
      const { accountId } = await issuedGrant(store);
      return () => store.grants.revokeGrantsOf({ accountId, clientId: null, now: NOW });
    },
    again: "moves",
  },
  "consents.forgetConsents": {
    async prepare(store) {
      const { id: accountId } = await liveAccount(store);
      const consent = { accountId, clientId: "client", scopes: ["profile"], now: NOW };
      await store.consents.rememberConsent(consent);
      return () => store.consents.forgetConsents({ accountId, clientId: null });
    },
  },
  "registrations.removeClient": {
    async prepare(store) {
      const id = await withClient(store);
      return () => store.registrations.removeClient(id, NOW);
    },
  },
  "registrations.rotateClientSecret": {
    async prepare(store) {
      const id = await withClient(store);
      const change = { from: "old", to: "new", formerExpiresAt: NOW };
      return () => store.registrations.rotateClientSecret(id, change);
    },
  },
  "registrations.endFormerSecret": {
    async prepare(store) {
      const id = await withClient(store);
      const change = { from: "old", to: "new", formerExpiresAt: NOW };
      await store.registrations.rotateClientSecret(id, change);
      return () => store.registrations.endFormerSecret(id, "old");
    },
  },
  "sessions.endSession": {
    async prepare(store) {
      const session = await withSession(store);
      return () => store.sessions.endSession(session, "signed_out", NOW);
    },
  },
  "sessions.endReusedSession": {
    async prepare(store) {
      const session = await withSession(store);
      return () => store.sessions.endReusedSession(session, NOW);
    },
  },
  "sessions.endSessionsOf": {
    async prepare(store) {
      const { accountId } = await withSession(store);
      return () => store.sessions.endSessionsOf(accountId, { reason: "operator", now: NOW });
    },
    again: "moves",
  },
  "sessions.forgetBrowser": {
    async prepare(store) {
      const { accountId, sid } = await withSession(store);
      return () => store.sessions.forgetBrowser({ deviceId: sid, accountId, now: NOW });
    },
  },
  "sessions.forgetBrowsersOf": {
    async prepare(store) {
      const { accountId } = await withSession(store);
      return () => store.sessions.forgetBrowsersOf(accountId, "operator");
    },
    again: "moves",
  },
  "accountWalk.endAccount": {
    async prepare(store) {
      const { id: accountId } = await liveAccount(store);
      await store.accounts.putToSleep(accountId, NOW + 1);
      const now = NOW + 1 + LOST_CONFIRMED_AFTER_S;
      expect(await store.accounts.putToSleep(accountId, now)).toBe("confirmed");
      return () => store.accountWalk.endAccount({ accountId, asleepBefore: now, now });
    },
  },
  "accountAdmin.endAccountNow": {
    async prepare(store) {
      const { id: accountId } = await liveAccount(store);
      return () => store.accountAdmin.endAccountNow({ accountId, now: NOW });
    },
  },
  "keys.addKey": { prepare: async (store) => () => store.keys.addKey(KEY) },
  "keys.changeCurrentFrom": {
    async prepare(store) {
      await withKeys(store, KEY);
      return () => store.keys.changeCurrentFrom(KEY, NOW);
    },
  },
  "keys.removeKey": {
    async prepare(store) {
      await withKeys(store, KEY);
      return () => store.keys.removeKey(KEY);
    },
  },
  "keys.removeEndedKey": {
    async prepare(store) {
      await withKeys(store, KEY, { ...KEY, id: 2 });
      await store.keys.recordEndedKey(KEY, NOW);
      return () => store.keys.removeEndedKey(KEY);
    },
  },
  "enrolments.enrol": {
    async prepare(store) {
      const enrolment = someEnrolment();
      return () => store.enrolments.enrol({ enrolment, recoveryCodeHashes: ["code"], now: NOW });
    },
    again: "moves",
  },
  "passkeys.addPasskey": {
    async prepare(store) {
      const passkey = somePasskey((await liveAccount(store)).id);
      return () => store.passkeys.addPasskey(passkey);
    },
  },
  "passkeys.removePasskey": {
    async prepare(store) {
      const passkey = somePasskey((await liveAccount(store)).id);
      await store.passkeys.addPasskey(passkey);
      return () => store.passkeys.removePasskey(passkey, NOW);
    },
  },
  "recoveryCodes.renewRecoveryCodes": {
    async prepare(store) {
      const { id: accountId } = await liveAccount(store);
      let sets = 0;
      return () =>
        store.recoveryCodes.renewRecoveryCodes({
          ...{ accountId, from: null, to: `set ${++sets}`, codeHashes: ["code"] },
        });
    },
  },
  "interactions.authenticate": {
    async prepare(store) {
      const { id: accountId } = await liveAccount(store, { codes: ["code"] });
      const interaction = await begunInteraction(store);
      const proof = someProof({ accountId });
      return () => recordSignIn(store, interaction, { ...proof, usedCode: "code" }, NOW);
    },
  },
};

/** The verbs that end nothing that an older copy of the database could revive, or that only a restore calls. */
const OTHERS: Readonly<Record<string, string>> = {
  grants: `closeMarks endSurplus forgetAssertion grantsOf hasTooManyMarks hasUnwrittenMark issueGrant issueWith markUndelivered
    marksWritten oldestMarkMs readBasis readGrant readLiveGrant recordControl redeemCode redeliverCode
    redeliverRefreshToken rotateRefreshToken`,
  accounts:
    "accountsOf accountsToSignIn adoptAccount findAccount putToSleep readAccount wakeAccount",
  accountWalk: "claimWalk dueAccounts noteWalked",
  accountAdmin: "everyAccountOf listAccounts",
  acceptedAnswers: "domainsListing domainsNotListing noteAccepted",
  enrolments: "confirmCodes hasEndedAccount writeConfirmed",
  recoveryCodes: "countRecoveryCodesOf hasRecoveryCode recoveryCodeSet",
  consents: "readConsent rememberConsent requireConsent writeConsent",
  sessions: `clearNotices countBrowsersOf countSessionsOf findSessions isWithoutSession knownBrowsersOf
    knowsBrowser noticeOthers presentSession replaceLostSecret sessionsOf sidStartedBy startSession
    requireSession touchSession writePresented writeTouch`,
  interactions: `advance beginAgain beginInteraction beginStarted dropUnproved endInteractionsOf endRecoveriesOf
    expireInteraction isChallengeUsed readInteraction readPending unprovedAfter`,
  registrations: `addClient endSecretAgain endedSecrets findClient findResource listClients
    listResources recordEndedSecret removeUnusedClient unusedAfter updateClient useClient`,
  keys: "endKeyAgain endedKeys readKeys recordEndedKey removeRetiredKeys resealKey",
  attempts: "countAttempt useOnce",
  evidences: "dropEvidence evidenceAfter keepEvidence readEvidence",
  histories: "deleteHistory historyOf noticesOf recordHistory",
  passkeys: `confirmPasskey findPasskey findPasskeyAndAccount hasPasskey passkeyAddedIn passkeysOf renamePasskey
    usePasskey`,
  removedPasskeys: "removedOf wasRemoved",
  logouts: `claimLogout dropLogouts dueLogouts finishLogout moveLogout noteSessionClient postponeLogout`,
  secureDomains: "findSecureDomain noteSecure noteUnsigned releaseSecureDomain unsignedSince",
  remembered: "rememberedOf",
  spClients: `addSpClient findSpClients hasRoomForSp listSpClients noteSpClientUse putSpClient removeSpClient
    replaceSpClient`,
  signInCounts: "addSignIns readSignIns",
  cleanUp: "removeEnded",
  installation: `acceptCounter claimFact claimInstallation moveCounter readInstallation recordRestore startCounter`,
  revived: "endRevived",
};

const folder = mkdtempSync(join(tmpdir(), "domain-signin-mark-"));
afterAll(() => rmSync(folder, { recursive: true }));
const store = fixture(openMemoryStore, "test");

test("each verb of the store is one that ends something, or is known to end nothing", () => {
  const { engine, ping, slowness, close, ...aggregates } = store;
  const verbs = Object.entries(aggregates).flatMap(([aggregate, members]) =>
    Object.entries(members).map(([name, verb]: [string, unknown]) => ({
      ...{ name: `${aggregate}.${name}`, isVerb: typeof verb === "function" },
      isEnding: isEnding(verb),
    })),
  );
  const ending = verbs.filter((verb) => verb.isEnding).map(({ name }) => name);
  const others = verbs.filter((verb) => verb.isVerb && !verb.isEnding).map(({ name }) => name);
  expect(ending.sort()).toEqual(Object.keys(ENDING).sort());
  const known = Object.entries(OTHERS).flatMap(([aggregate, names]) =>
    names.split(/\s+/).map((name) => `${aggregate}.${name}`),
  );
  expect(others.sort()).toEqual(known.sort());
});

/** The store with a mark of its own. */
async function startedWith(mark: string): Promise<Store> {
  const marked = markedStore(
    { database: "sqlite:/nowhere/domain-signin.db", mark: join(folder, mark) },
    {
      ...{ store, clock: clockFrom(() => NOW * 1000), random: systemRandom },
      events: { markNotWritten: ({ cause }) => expect.unreachable(String(cause)) },
    },
  );
  await marked.start();
  return marked.store;
}

describe("the mark moves", () => {
  const counter = async () => (await store.installation.readInstallation())?.counter ?? 0;

  test.each(Object.entries(ENDING))(
    "once %s has ended something",
    async (name, { prepare, again }) => {
      const end = await prepare(await startedWith(name));
      const before = await counter();
      await end();
      expect(await counter()).toBe(before + 1);
      await end();
      expect(await counter()).toBe(before + (again === "moves" ? 2 : 1));
    },
  );
});

test("a sign-in that uses up no recovery code moves no mark", async () => {
  const own = await startedWith("sign-in");
  const interaction = await begunInteraction(own);
  const before = await store.installation.readInstallation();
  const proof = someProof();
  expect(await recordSignIn(own, interaction, proof, NOW)).not.toBeNull();
  expect(await store.installation.readInstallation()).toEqual(before);
});

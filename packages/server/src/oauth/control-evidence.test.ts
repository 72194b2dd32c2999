// Tests of evidence: which lookup result counts when a code is issued, and what is stored.

import { readSpRecordSet } from "domain-signin-verify/record";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import { LOOK_CACHED } from "../../test/support/looks-for.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { ROOMS } from "../../test/support/rooms.ts";
import { ownRecord, someLook } from "../../test/support/some-look.ts";
import { createControl } from "../account/control.ts";
import type { Assurance } from "../dns/assurance.ts";
import { foundTexts } from "../dns/found-text.ts";
import type { SpRecordLook, SpRecordOutcome, SpRecords } from "../dns/sp-record.ts";
import { systemClock } from "../lib/clock.ts";
import type { Account } from "../store/accounts.ts";
import { jsonEvents } from "../telemetry/events.ts";
import { evidenceOf, evidenceRow, readEvidence } from "./control-evidence.ts";

const NOW = 1_900_000_000;
const SIGNED_IN = NOW - 100;
const ACCT = "m3Zk0bq2vS1nF9o7b0uHqg";
const RECORD = `v=dsi1 sp=https://auth.example.com acct=${ACCT}`;

const account: Account = {
  ...{ id: "sub_1", domain: "alice.test", sp: "", acct: ACCT, createdAt: NOW - 9000 },
  ...{ asleepSince: null, lostConfirmedAt: null, endedAt: null, walkedAt: null },
};
const own = ownRecord(ACCT);
const store = fixture(openMemoryStore);
const others: readonly SpRecordOutcome[] = [
  { ...own, acct: "bbbbbbbbbbbbbbbbbbbbbb" },
  { outcome: "external", sp: "https://sp.example.net", acct: ACCT, jkt: [], spk: [] },
  { outcome: "alias_invalid", target: "web.example.net" },
  { outcome: "not_permitted", reason: "unsigned" },
  ...(["absent", "disabled", "invalid", "ambiguous", "unsupported"] as const).map((outcome) => ({
    outcome,
  })),
];
const failures: readonly SpRecordOutcome[] = [
  { outcome: "indeterminate", reason: "timeout" },
  { outcome: "bogus", cause: "validation_failed", reason: "a signature that is none" },
];

const lookOf = <Outcome extends SpRecordOutcome>(
  outcome: Outcome,
  more: Partial<SpRecordLook> = {},
) =>
  someLook(outcome, { checkedAt: NOW - 30, records: [{ value: RECORD, problems: [] }], ...more });

/** What is remembered, and what a new look finds. */
function recordsOf(looks: { cached?: SpRecordLook; now?: Promise<SpRecordLook> | SpRecordLook }) {
  const spRecords: Pick<SpRecords, "look"> = {
    async look(domain, { freshness }, isEnough = () => true) {
      expect([domain, freshness]).toEqual(["alice.test", "cached"]);
      if (looks.cached && isEnough(looks.cached)) return looks.cached;
      if (looks.now === undefined) throw new Error("nobody should ask anew");
      return looks.now;
    },
  };
  return spRecords;
}

afterEach(() => void vi.useRealTimers());

describe("the look when a code is issued", () => {
  const issue = async (
    looks: Parameters<typeof recordsOf>[0],
    minAssurance: Assurance = "single",
  ) => {
    const parts = { ...store, spRecords: recordsOf(looks), minAssurance };
    const events = jsonEvents({ write: () => {} });
    const control = createControl({ ...parts, clock: systemClock, events });
    const { judged: result } = await control.lookUp(account, LOOK_CACHED);
    return typeof result === "string" && result !== "lost" ? null : result;
  };

  test("that names the account is the remembered one, however old", async () => {
    const cached = lookOf(own, { checkedAt: SIGNED_IN - 200 });
    expect(await issue({ cached })).toBe(cached);
  });

  test.each(failures)("that fails is none: $outcome", async (failure) => {
    expect(await issue({ now: lookOf(failure) })).toBeNull();
  });

  test.each(others)("that remembers something else is made again: $outcome", async (other) => {
    const now = lookOf(own);
    expect(await issue({ cached: lookOf(other), now })).toBe(now);
    expect(await issue({ cached: lookOf(other), now: lookOf(other) })).toBe("lost");
    const failed = lookOf({ outcome: "bogus", cause: "validation_failed", reason: "" });
    expect(await issue({ cached: lookOf(other), now: failed })).toBeNull();
  });

  test.each([
    ["single", "single", "lost"],
    ["single", "corroborated", null],
    ["corroborated", "corroborated", "lost"],
    ["single", "secure", null],
    ["corroborated", "secure", null],
    ["secure", "secure", "lost"],
  ] as const)(
    "that says the record is gone, worth %s where %s is wanted: %s",
    async (assurance, wanted, expected) => {
      const gone = lookOf({ outcome: "absent" }, { assurance });
      expect(await issue({ cached: gone, now: gone }, wanted)).toBe(expected);
    },
  );

  test("goes on after a stop of the process: the answer that has arrived meanwhile counts", async () => {
    // After a stop, every timer that became due fires before the answer is read.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let answer = (_: SpRecordLook) => {};
    const issued = issue({ now: new Promise<SpRecordLook>((resolve) => (answer = resolve)) });
    await vi.advanceTimersByTimeAsync(60_000);
    answer(lookOf(own));
    expect(await issued).toMatchObject({ outcome: "own", acct: ACCT });
  });

  test("is given up after 2 seconds", async () => {
    vi.useFakeTimers();
    const issued = issue({ now: new Promise<never>(() => {}) });
    await vi.advanceTimersByTimeAsync(1999);
    expect(await Promise.race([issued, "waiting"])).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1);
    // What has arrived by then is read first.
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.race([issued, "waiting"])).toBeNull();
  });
});

const signIn = {
  ...{ account, issuer: "https://auth.example.com", controlCheckedAt: SIGNED_IN, nonce: null },
  redirectUri: "https://app.example.org/callback?a=b",
};

describe("evidence", () => {
  const head = {
    ...{ v: 2, domain: "alice.test", domain_since: NOW - 9000, acct: ACCT },
    ...{ sp: "https://auth.example.com", redirect_uri: "https://app.example.org/callback?a=b" },
    nonce: null,
  };

  test("tells what the look found, among whatever else stands there", () => {
    const records = foundTexts(readSpRecordSet(["hello", RECORD]).found);
    expect(evidenceOf(lookOf(own, { records }), signIn)).toEqual({
      ...head,
      dns: { status: "corroborated", record: RECORD, checked_at: NOW - 30, resolvers: 3 },
    });
    expect(evidenceOf(lookOf(own, { records: records.slice(1) }), signIn).dns).toEqual({
      ...{ status: "corroborated", checked_at: NOW - 30, resolvers: 3 },
    });
  });

  test("of a signed zone holds the chain and its times", () => {
    const proof = { chain: Uint8Array.of(0, 255, 254), notBefore: NOW - 50, notAfter: NOW + 50 };
    const evidence = evidenceOf(lookOf(own, { assurance: "secure", proof }), signIn);
    expect(evidence.dns.status).toBe("secure");
    expect(evidence.dnssec).toEqual({ chain: "AP_-", not_before: NOW - 50, not_after: NOW + 50 });
  });

  test("without a look tells when the sign-in saw the record, and claims no more", () => {
    const dns = { status: "unknown", checked_at: SIGNED_IN };
    expect(evidenceOf(null, signIn)).toEqual({ ...head, dns });
  });

  test("is kept until 15 minutes after the end of the code, the first of two", async () => {
    const evidence = evidenceOf(lookOf(own), signIn);
    const enter = vi.fn((_: object) => true);
    const room = { ...ROOMS.keptEvidence, enter };
    const keep = (now: number, kept: typeof evidence) =>
      store.evidences.keepEvidence(evidenceRow(http, { grantId: "g", now }, kept, room));
    const http = httpRequest(new Request("https://auth.example.com/"));
    await keep(NOW, evidence);
    await keep(NOW + 100, evidenceOf(null, signIn));
    expect(await readEvidence(store.evidences, "g", NOW + 1499)).toEqual(evidence);
    expect(await readEvidence(store.evidences, "g", NOW + 1500)).toBeNull();
    const octets = 400 + JSON.stringify(evidence).length;
    expect(enter.mock.calls[0]?.[0]).toMatchObject({ id: "g", octets });
    expect(await readEvidence(store.evidences, "h", NOW)).toBeNull();
    await store.evidences.keepEvidence({
      grantId: "l",
      expiresAt: NOW + 9,
      body: '{"v":1,"earlier":true}',
    });
    expect(await readEvidence(store.evidences, "l", NOW)).toBeNull();
  });
});

test("the SP of an account at another one is named, and a record that was not seen is not", () => {
  const sp = "https://sp.example.net";
  const look = lookOf({ outcome: "external", sp, acct: ACCT, jkt: [], spk: [] }, { records: [] });
  const evidence = evidenceOf(look, { ...signIn, account: { ...account, sp } });
  expect(evidence.sp).toBe(sp);
  expect(evidence.dns).not.toHaveProperty("record");
  expect(evidenceOf(null, signIn).sp).toBe(signIn.issuer);
});

test("for which app a service wants a statement is kept, and the provider's keys that the record lists", () => {
  const statementFor = { aud: "app", redirect_uri: "u", nonce: "n" };
  const asked = { ...signIn, statementFor };
  const spk = ["k".repeat(43)];
  const proof = { chain: Uint8Array.of(0), notBefore: NOW - 50, notAfter: NOW + 50 };
  const look = lookOf({ ...own, spk }, { proof });
  expect(evidenceOf(look, asked)).toMatchObject({ statement_for: statementFor, spk });
  // Without a chain, no key of a record proves anything.
  expect(evidenceOf(lookOf({ ...own, spk }), asked)).not.toHaveProperty("spk");
  const unseen = evidenceOf(null, asked);
  expect(unseen).toMatchObject({ statement_for: statementFor });
  expect(unseen).not.toHaveProperty("spk");
  expect(evidenceOf(look, signIn)).not.toHaveProperty("statement_for");
});

test("the proofs that an SP sent along are kept as they were checked", () => {
  const passedOn = { provider_proof: { statement: "a.b.c", key: { kty: "EC" } } };
  expect(evidenceOf(null, { ...signIn, passedOn })).toMatchObject(passedOn);
  expect(evidenceOf(null, { ...signIn, passedOn: null })).not.toHaveProperty("provider_proof");
});

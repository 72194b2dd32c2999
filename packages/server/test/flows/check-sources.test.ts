// `domain-signin check` shows what each resolver says about a record, and what a sign-in would change.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import { createZoneRecords } from "domain-signin-demo/zones/zone-records";
import { rcode } from "domain-signin-verify/dns/message";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/database/open.ts";
import { createStore } from "../../src/store/store.ts";
import { command } from "../support/command.ts";
import {
  type LyingResolver,
  says,
  startLyingResolver,
  textOf,
} from "../support/lying-resolvers.ts";
import { SERVED } from "../support/serve.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ISSUER = "http://localhost:9";
const ACCT = "a".repeat(22);
const OWN = `v=dsi1 sp=${ISSUER} acct=${ACCT}`;
const HOUR = 3600;
const DAY = 24 * HOUR;

const records = createZoneRecords(["alice.test", "bob.test", "carol.test"]);
const now = () => Math.floor(Date.now() / 1000);
const zones = createSignedZones({ zones: DEMO_ZONES, records: records.records, now });
const folder = temporaryFolder();
let resolvers: LyingResolver[] = [];
beforeAll(async () => {
  resolvers = await Promise.all([1, 2, 3].map(() => startLyingResolver(zones)));
});
afterEach(() => {
  for (const resolver of resolvers) resolver.lie();
  zones.misbehave(null);
  for (const record of records.records()) records.remove(record);
});
afterAll(() => {
  for (const resolver of resolvers) resolver.close();
});

function publish(domain: string, value = OWN): void {
  records.add({ name: `_domain-signin.${domain}`, type: "TXT", value, ttl: 60 });
}

async function check(domain: string, ...options: string[]) {
  const servers = resolvers.map(({ text }) => text).join(",");
  const args = ["check", domain, "--issuer", ISSUER, "--dns-servers", servers, ...options];
  const env = { ...SERVED, DOMAIN_SIGNIN_TRUST_ANCHORS: zones.trustAnchors.join(",") };
  return command(args, { folder: folder.path, env });
}

async function checkJson(domain: string, ...options: string[]) {
  const { stdout } = await check(domain, "--json", ...options);
  return JSON.parse(stdout);
}

test("the keys that can sign proofs for apps are shown, and why there are none", async () => {
  const [provider, owner] = ["p".repeat(43), "o".repeat(43)];
  publish("alice.test", `${OWN} spk=${provider} jkt=${owner}`);
  expect((await checkJson("alice.test")).keys).toEqual({ spk: [provider], jkt: [owner] });
  const { stdout } = await check("alice.test");
  expect(stdout).toContain(`\n  provider proofs: by ${provider}\n  owner proofs: by ${owner}\n`);
  publish("bob.test");
  const bare = await check("bob.test");
  expect(bare.stdout).toContain("  provider proofs: none, spk is missing\n");
  expect(bare.stdout).toContain("  owner proofs: none, jkt is missing\n");
  publish("carol.test", `${OWN} spk=${provider}`);
  const unsigned = await check("carol.test");
  expect(unsigned.stdout).toContain("  no provider or owner proofs: the zone is not signed\n");
});

test("a key that the record lists for both is a mistake, in words", async () => {
  publish("alice.test", `${OWN} spk=${"k".repeat(43)} jkt=${"k".repeat(43)}`);
  const { stdout, status } = await check("alice.test");
  expect(status).toBe(1);
  expect(stdout).toContain("jkt lists the owner's keys, spk the provider's");
  expect((await checkJson("alice.test")).outcome).toBe("invalid");
});

describe("all three resolvers are shown, in the order of the setting", () => {
  const each = (source: object) => resolvers.map(({ text }) => ({ resolver: text, ...source }));

  test("for a record in a signed zone, with the period of its signature", async () => {
    publish("alice.test");
    const checked = await checkJson("alice.test");
    const { sources, checked_at } = checked;
    expect(checked).toMatchObject({ outcome: "own", assurance: "secure", accounts: null });
    expect(sources).toMatchObject(each({ security: "secure", outcome: "own", acct: ACCT }));
    for (const { inception, expiration, age } of sources) {
      // Signed an hour before, for fourteen days.
      expect(inception).toBeGreaterThan(checked_at - HOUR - 60);
      expect(age).toBe(checked_at - inception);
      expect(expiration - inception).toBe(14 * DAY + HOUR);
    }
    const { stdout, status } = await check("alice.test");
    expect(status).toBe(0);
    for (const { text } of resolvers) {
      expect(stdout).toMatch(
        new RegExp(`resolver ${text} says own, secure: signed .* 60 minutes ago`),
      );
    }
  });

  test("for a record in an unsigned zone", async () => {
    publish("carol.test");
    const unsigned = { inception: null, expiration: null, age: null };
    const expected = each({ security: "insecure", outcome: "own", ...unsigned });
    expect((await checkJson("carol.test")).sources).toMatchObject(expected);
  });

  test("for a proven absence", async () => {
    const checked = await checkJson("alice.test");
    expect(checked).toMatchObject({ outcome: "absent", assurance: "secure" });
    expect(checked.sources).toMatchObject(each({ security: "secure", outcome: "absent" }));
  });

  test("for a zone whose signatures are not valid, with the cause", async () => {
    publish("alice.test");
    zones.misbehave({ how: "expired", zone: "alice.test" });
    const checked = await checkJson("alice.test");
    expect(checked).toMatchObject({ outcome: "bogus", cause: "validation_failed" });
    const { sources } = checked;
    expect(sources).toMatchObject(each({ security: "bogus", cause: "validation_failed" }));
    expect(sources[0].reason).toMatch(/^expired: /);
  });

  test("for a wildcard, which is no record", async () => {
    records.add({ name: "*.alice.test", type: "TXT", value: "v=spf1 -all", ttl: 60 });
    const checked = await checkJson("alice.test");
    expect(checked).toMatchObject({ outcome: "absent", assurance: "secure" });
    expect(checked.sources).toMatchObject(each({ security: "secure", outcome: "absent" }));
  });

  test("for resolvers that contradict each other, one of which blocks the name", async () => {
    const [one, other, blocking] = resolvers;
    publish("carol.test");
    other?.lie(says("_domain-signin.carol.test"));
    const options = [{ code: 15, data: Uint8Array.of(0, 15) }];
    blocking?.lie((query, answer) => ({
      ...{ ...answer, rcode: rcode.refused, answers: [], authorities: [] },
      edns: query.edns && { ...query.edns, options },
    }));
    const checked = await checkJson("carol.test");
    expect(checked).toMatchObject({ outcome: "unavailable", reason: "contradictory" });
    expect(checked.verdict).toBe("DNS servers disagree about carol.test.");
    expect(checked.sources).toMatchObject([
      { resolver: one?.text, security: "insecure", outcome: "own" },
      { resolver: other?.text, security: "insecure", outcome: "absent" },
      {
        ...{ resolver: blocking?.text, security: "indeterminate", outcome: "unavailable" },
        ...{ reason: "blocked", extended_error: { code: 15, name: "Blocked" } },
      },
    ]);
    const { stdout } = await check("carol.test");
    expect(stdout).toContain(
      `resolver ${blocking?.text} says unavailable, indeterminate: blocked, EDE 15 Blocked`,
    );
  });

  test("also those that the answer did not need, and one that is silent", async () => {
    publish("alice.test");
    resolvers[2]?.silence(true);
    const { sources, outcome } = await checkJson("alice.test");
    resolvers[2]?.silence(false);
    expect(outcome).toBe("own");
    expect(sources[2]).toMatchObject({ security: "indeterminate", outcome: "unavailable" });
  });
});

test("what a sign-in would do with the account of the domain is told, and not done", async () => {
  const database = folder.database("accounts.db");
  const { engine, ready } = openDatabase(database);
  const store = createStore(engine);
  await ready();
  const { accounts } = store;
  const named = { domain: "alice.test", sp: "", acct: ACCT };
  const account = await accounts.adoptAccount({ id: "one", now: now(), ...named });
  if (typeof account === "string") throw new Error("no account");
  const changes = async () => (await checkJson("alice.test", "--database", database)).accounts;
  const row = { sp: null, acct: ACCT, asleep: false };
  expect(await changes()).toEqual([{ ...row, would: "sleep", because: "not_named" }]);
  publish("alice.test");
  expect(await changes()).toEqual([{ ...row, would: "nothing", because: "named" }]);
  await accounts.putToSleep(account.id, now());
  expect(await changes()).toEqual([{ ...row, asleep: true, would: "wake", because: "named" }]);
  resolvers[0]?.lie(says("_domain-signin.alice.test", textOf("_domain-signin.alice.test", "x")));
  for (const resolver of resolvers.slice(1)) resolver.silence(true);
  const failed = { ...row, asleep: true, would: "nothing" };
  expect(await changes()).toEqual([{ ...failed, because: "validation_failed" }]);
  for (const resolver of resolvers) resolver.silence(false);
  const { stdout } = await check("alice.test", "--database", database);
  expect(stdout).toContain(`account ${ACCT} is asleep; effect of a sign-in:`);
  expect((await accounts.readAccount("one"))?.asleepSince).not.toBeNull();
  await store.close();
});

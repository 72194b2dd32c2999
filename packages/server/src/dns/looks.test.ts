// Tests of what resolvers that misbehave come to: a look at the record, one for a challenge, a diagnosis.

import { createZoneRecords } from "domain-signin-demo/zones/zone-records";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { BEHAVIOURS, type Misbehaviour, startHostileDns } from "../../test/support/hostile-dns.ts";
import { LOOK_NOW } from "../../test/support/looks-for.ts";
import { passingTime, passRest } from "../../test/support/moving-time.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { createLooks } from "./looks.ts";

const issuer = "https://auth.example.com";
const acct = "a".repeat(22);
const chal = "c".repeat(22);
const domain = "alice.test";
const now = 1_900_000_000;

afterEach(() => void vi.useRealTimers());

const zone = createZoneRecords([domain]);
const published = (label: string, value: string) =>
  zone.add({ name: `${label}.${domain}`, type: "TXT", value, ttl: 300 });
published("_domain-signin", `v=dsi1 sp=${issuer} acct=${acct}`);
published("_domain-signin-challenge", `v=dsi1-chal sp=${issuer} chal=${chal}`);

type Looks = ReturnType<typeof createLooks>;

async function looksThrough(misbehaviours: readonly Misbehaviour[]): Promise<Looks> {
  const starting = misbehaviours.map(async (name) => {
    const server = await startHostileDns([domain], zone.records);
    server.behave(BEHAVIOURS[name]);
    return server;
  });
  const servers = await Promise.all(starting);
  for (const { close } of servers) onTestFinished(close);
  const config = { issuer, dnsServers: servers.map(({ text }) => text), trustAnchors: [] };
  const clock = clockFrom(() => now * 1000);
  return createLooks({ ...config, minAssurance: "single" }, { clock, reach: () => null });
}

/** Those for which somebody waits. */
const SLOW: readonly Misbehaviour[] = [
  ...(["is silent", "is slow by 1.5 s", "is slow by 0.5 s", "drips over TCP"] as const),
  ...(["cuts off and is silent over TCP", "answers another question"] as const),
  ...(["answers with another id", "answers from another port", "sends the query back"] as const),
  ...(["sends an empty message", "has a slow chain of aliases"] as const),
];

/** Outcomes of the two looks: one for the account's record, one for a challenge. */
const UNAVAILABLE = ["indeterminate", "indeterminate"];
const NOTHING = ["absent", "not_seen"];
const OTHERS: readonly (readonly [outcomes: string[], ...resolvers: readonly Misbehaviour[]])[] = [
  [UNAVAILABLE, "is dead"],
  [UNAVAILABLE, "is silent"],
  [UNAVAILABLE, "is slow by 1.5 s"],
  [UNAVAILABLE, "drips over TCP"],
  [UNAVAILABLE, "cuts off and is dead over TCP"],
  [UNAVAILABLE, "cuts off and is silent over TCP"],
  [UNAVAILABLE, "cuts off over TCP too"],
  [UNAVAILABLE, "answers SERVFAIL"],
  [UNAVAILABLE, "answers REFUSED"],
  [UNAVAILABLE, "answers FORMERR"],
  [UNAVAILABLE, "answers NOTIMP"],
  [UNAVAILABLE, "answers another question"],
  [UNAVAILABLE, "answers with another id"],
  [UNAVAILABLE, "answers from another port"],
  [UNAVAILABLE, "sends the query back"],
  [UNAVAILABLE, "sends garbage"],
  [UNAVAILABLE, "sends an empty message"],
  [UNAVAILABLE, "sends a header alone"],
  [UNAVAILABLE, "promises 65,535 answers"],
  [UNAVAILABLE, "cuts RDATA short"],
  [UNAVAILABLE, "sends a name that points at itself"],
  [UNAVAILABLE, "sends a name that points in a circle"],
  [UNAVAILABLE, "has a slow chain of aliases"],
  [UNAVAILABLE, "answers NXDOMAIN with a record"],
  [UNAVAILABLE, "is silent", "is silent", "is silent"],
  [["bogus", "bogus"], "answers SERVFAIL for DNSSEC"],
  [["bogus", "bogus"], "answers SERVFAIL for DNSSEC", "answers SERVFAIL for DNSSEC", "is silent"],
  [["bogus", "bogus"], "answers SERVFAIL for DNSSEC", "is silent", "is silent"],
  [NOTHING, "has 64 KiB of text"],
  [NOTHING, "answers in another class"],
  [["invalid", "not_seen"], "has 64 KiB in a record"],
  [["invalid", "not_seen"], "has a broken record"],
  [["ambiguous", "not_seen"], "has 1,000 records"],
  [["ambiguous", "not_seen"], "has two records"],
  [["alias_invalid", "not_seen"], "has an alias of itself"],
  [["alias_invalid", "not_seen"], "has aliases of each other"],
  [["alias_invalid", "not_seen"], "has a circle of nine aliases"],
  [["alias_invalid", "not_seen"], "has an alias to a web host"],
  [["own", "seen"], "is dead", "is well", "is well"],
  [["own", "seen"], "is silent", "is well", "is well"],
  [["own", "seen"], "answers SERVFAIL for DNSSEC", "is well", "is well"],
  [UNAVAILABLE, "answers SERVFAIL for DNSSEC", "is silent", "is well"],
  [UNAVAILABLE, "is silent", "is silent", "is well"],
  [UNAVAILABLE, "answers SERVFAIL", "sends garbage", "is well"],
  [["own", "seen"], "answers NXDOMAIN with a record", "is well", "is well"],
  [["own", "seen"], "is slow by 0.5 s"],
];

test.each(
  OTHERS.map(([outcomes, ...resolvers]) => [resolvers.join(", "), outcomes, resolvers] as const),
)("DNS that %s: a look finds %j, and a diagnosis ends", async (_, outcomes, resolvers) => {
  const { spRecords, diagnoses } = await looksThrough(resolvers);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const isSlow = resolvers.some((one) => SLOW.includes(one));
  const settled = <T>(task: Promise<T>) => (isSlow ? passingTime(task) : task);
  const begun = performance.now();
  const looks = [
    spRecords.look(domain, LOOK_NOW),
    spRecords.lookForChallenge(domain, chal, SERVICE),
  ];
  const found = await settled(Promise.all(looks));
  expect(found.map(({ outcome }) => outcome)).toEqual(outcomes);
  // By the clock of the test: a person waits no longer than that.
  expect(performance.now() - begun).toBeLessThanOrEqual(2600);
  const name = `_domain-signin.${domain}`;
  const diagnosis = await settled(
    diagnoses.look(domain, name, "v=dsi1 sp=none", { from: SERVICE }),
  );
  const asked = diagnosis.asked.filter(({ who }) => who.kind === "resolver");
  expect(asked).toHaveLength(resolvers.length);
  await passRest();
});

// Resolvers by DNS over TLS: sign-ins through them, what is told when one cannot be reached, and unbound.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import { answerQuery } from "domain-signin-demo/zones/zone-answer";
import { parseTrustAnchor } from "domain-signin-verify";
import { recordType } from "domain-signin-verify/dns/records";
import { expect, onTestFinished, test } from "vitest";
import { ask } from "../../src/dns/exchange.ts";
import { createLooks } from "../../src/dns/looks.ts";
import { createResolvers } from "../../src/dns/resolvers.ts";
import { spRecordName } from "../../src/dns/sp-record.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { SERVICE } from "../../src/lib/fair-queue.ts";
import { createService } from "../../src/service.ts";
import { makeAuthority } from "../support/certificates.ts";
import { LOOK_NOW } from "../support/looks-for.ts";
import { startTestService, TEST_DOMAINS, type TestService } from "../support/service.ts";
import { signIn } from "../support/sign-in.ts";
import { startTlsDns, type TlsDnsServer } from "../support/tls-dns-server.ts";
import { startTlsUnbound, validatorTests } from "../support/validators.ts";

const NAME = "dns.test";
const ISSUER = "https://auth.example.com";
const RECORD = `v=dsi1; sp=${ISSUER}; acct=${"a".repeat(22)}`;
const authority = makeAuthority();
const { ca } = authority;

test("sign-ins go through three resolvers by TLS; one that is gone is named, and comes back", async () => {
  let zone: TestService["zone"] | undefined;
  const certificate = authority.issue(NAME);
  const serve = (port?: number) =>
    startTlsDns(
      certificate,
      (query, { send }) => send(answerQuery(query, TEST_DOMAINS, zone?.records() ?? [])),
      port,
    );
  const servers: TlsDnsServer[] = [await serve(), await serve(), await serve()];
  const [gone] = servers;
  if (!gone) throw new Error("no server");
  const dnsServers = servers.map(({ text }) => text(NAME));
  const config = { dnsServers, minAssurance: "corroborated" } as const;
  const at = await startTestService({ config, dnsCa: ca });
  zone = at.zone;
  onTestFinished(async () => {
    await at.close();
    for (const server of servers) await server.close();
  });
  const client = await at.addClient({ consent: "never" });
  const signInFor = async (domain: string) =>
    (await signIn(at, client, { agent: createUserAgent(), domain })).code;
  const readyz = async () => (await fetch(`${at.issuer}/readyz`)).json();
  const told = (event: string) =>
    at.events.filter((line) => line.startsWith(`${event} `) && line.includes(`:${gone.port}#`));

  expect(await signInFor("alice.test")).not.toBe("");
  expect(await readyz()).toEqual({ status: "ready", clock: "certain" });
  for (const { names } of servers) expect(new Set(names)).toEqual(new Set([NAME]));
  expect(gone.names.length).toBeLessThan(gone.queries.length);

  await gone.close();
  const plain = createSocket("udp4").bind(gone.port, "127.0.0.1");
  await once(plain, "listening");
  onTestFinished(() => void plain.close());
  let datagrams = 0;
  plain.on("message", () => datagrams++);
  expect(await signInFor("bob.test")).not.toBe("");
  await expect
    .poll(readyz, { timeout: 60_000 })
    .toMatchObject({ dns: "degraded", unreachable_resolvers: [dnsServers[0]] });
  expect(await signInFor("carol.test")).not.toBe("");
  expect(told("resolver unreachable")).toHaveLength(1);
  expect(told("resolver unreachable")[0]).toContain(`"reason":"ECONNREFUSED"`);
  expect(datagrams).toBe(0);

  servers[0] = await serve(gone.port);
  await expect.poll(readyz, { timeout: 60_000 }).toEqual({ status: "ready", clock: "certain" });
  expect(told("resolver reachable")).toHaveLength(1);
});

test("a service with too few resolvers to confirm an answer does not start, and says what to do", async () => {
  const service = createService({
    issuer: "https://auth.example.com",
    database: "sqlite::memory:",
    secret: "a secret for tests, and for nothing else",
    dnsServers: ["127.0.0.1:9", "127.0.0.2:9"],
    minAssurance: "corroborated",
    allowedSpecialNames: [],
  });
  await expect(service.ready()).rejects.toThrow(/needs at least 3 resolvers.*lists 2.*single/);
  await service.close();
});

validatorTests("unbound as a resolver by TLS", () => {
  const zones = createSignedZones({
    zones: DEMO_ZONES,
    records: () => [{ name: spRecordName("alice.test"), type: "TXT", value: RECORD, ttl: 60 }],
    now: systemClock.seconds,
  });

  async function start(name: string) {
    const authoritative = await startNameServer({ answer: zones.answer });
    const judged = { port: authoritative.port, trustAnchors: zones.trustAnchors };
    const unbounds: Awaited<ReturnType<typeof startTlsUnbound>>[] = [];
    while (unbounds.length < 3) unbounds.push(await startTlsUnbound(judged, authority.issue(NAME)));
    const texts = unbounds.map(({ port }) => `tls://127.0.0.1:${port}#${name}`);
    const resolvers = createResolvers(texts, { ca });
    onTestFinished(async () => {
      resolvers.close();
      for (const { close } of unbounds) await close();
      await authoritative.close();
    });
    const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
    const looks = createLooks(
      { issuer: ISSUER, dnsServers: texts, trustAnchors, minAssurance: "secure" },
      { clock: systemClock, resolvers },
    );
    return { resolvers, ...looks };
  }

  test("answers, and the answer is secure; so is an absence", async () => {
    const { spRecords, diagnoses } = await start(NAME);
    expect(await spRecords.lookToDecide("alice.test", LOOK_NOW)).toMatchObject({
      ...{ outcome: "own", assurance: "secure", resolvers: expect.toBeOneOf([2, 3]) },
    });
    expect(await spRecords.lookToDecide("bob.test", LOOK_NOW)).toMatchObject({
      ...{ outcome: "absent", assurance: "secure" },
    });
    const { asked } = await diagnoses.look("alice.test", spRecordName("alice.test"), "", {
      from: SERVICE,
    });
    expect(asked.slice(0, 3).map(({ who, found }) => [who.kind, found])).toEqual(
      Array.from({ length: 3 }, () => ["resolver", "other"]),
    );
  });

  test("answers 1,000 questions on one connection", async () => {
    const { resolvers } = await start(NAME);
    const server = resolvers.all[0]?.server;
    if (!server) throw new Error("no resolver");
    const names = Array.from({ length: 1000 }, (_, index) => `n${index}.alice.test`);
    const found: unknown[] = [];
    // Not all at once: Unbound closes a connection with a question that has waited for two seconds.
    while (found.length < names.length) {
      const some = names.slice(found.length, found.length + 20);
      const replies = await Promise.all(
        some.map((name) => ask(server, { id: 1, name, type: recordType.TXT }, () => 60_000)),
      );
      found.push(
        ...replies.map((reply) =>
          reply.outcome === "message" ? reply.message.questions[0]?.name : reply.outcome,
        ),
      );
    }
    expect(found).toEqual(names);
  });

  test("is not believed under another name", async () => {
    const { spRecords } = await start("other.test");
    expect(await spRecords.lookToDecide("alice.test", LOOK_NOW)).toMatchObject({
      ...{ outcome: "indeterminate", reason: "network" },
    });
  });
});

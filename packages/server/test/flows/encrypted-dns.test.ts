// Resolvers by DNS over TLS: how many there must be, who may be one, and unbound. What is told when one cannot be reached
// is in `slow/lost-resolver.test.ts`.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
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
import { startTlsUnbound, validatorTests } from "../support/validators.ts";

const NAME = "dns.test";
const ISSUER = "https://auth.example.com";
const RECORD = `v=dsi1 sp=${ISSUER} acct=${"a".repeat(22)}`;
const authority = makeAuthority();
const { ca } = authority;

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

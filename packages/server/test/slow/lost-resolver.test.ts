// Sign-ins through resolvers by DNS over TLS, one of which is gone for a while: how soon that is noticed is up to waits.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { answerQuery } from "domain-signin-demo/zones/zone-answer";
import { expect, onTestFinished, test } from "vitest";
import { makeAuthority } from "../support/certificates.ts";
import { startTestService, TEST_DOMAINS, type TestService } from "../support/service.ts";
import { signIn } from "../support/sign-in.ts";
import { startTlsDns, type TlsDnsServer } from "../support/tls-dns-server.ts";

const NAME = "dns.test";
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

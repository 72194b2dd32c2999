// Records and SPs that would send the service into networks where strangers have no way: no packet leaves.

import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type AddressDns, startAddressDns } from "../support/address-dns.ts";
import { type Json, startBentSp } from "../support/bent-sp.ts";
import { command } from "../support/command.ts";
import { federation, recordOf, textOf } from "../support/federated.ts";
import { fixture } from "../support/fixture.ts";
import { temporaryFolder } from "../support/folder.ts";
import { REFUSED_ADDRESSES, REFUSED_ISSUERS } from "../support/refused-addresses.ts";
import { startRootedZone } from "../support/rooted-zone.ts";
import { serve } from "../support/serve.ts";
import { authorizationUrl, pkce, pkceParameters } from "../support/sign-in.ts";
import { straceTests } from "../support/strace-tests.ts";

const ACCT = "k".repeat(22);
const KINDS = Object.keys(REFUSED_ADDRESSES);
const hostOf = (kind: string) => `sp${KINDS.indexOf(kind)}.alice.test`;
const addressesOf = (name: string) =>
  REFUSED_ADDRESSES[KINDS[Number(/^sp(\d+)\./.exec(name)?.[1])] ?? ""];
/** How long the tracer may take to write its last line. */
const LIMIT = { timeout: 20_000 };
/** Each is a process's real sign-in, under strace: that all kinds are refused is shown in this process. */
const TRACED = [
  "another loopback",
  "private, 10/8",
  "mapped",
  "NAT64",
  "one public and one private",
];
const isLoopback = (address: string) => ["127.0.0.1", "::1"].includes(address);

describe("in this process", () => {
  let dns: AddressDns;
  const world = federation(() => ({
    dns: async (zone) => {
      dns = await startAddressDns(zone.address, addressesOf);
      return dns.address;
    },
  }));
  /** Addresses that sockets tried to connect to, but for this very machine. */
  const connected: string[] = [];
  beforeAll(() => {
    const { connect } = Socket.prototype;
    vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...args) {
      this.on("connectionAttempt", (address: string) => {
        if (!isLoopback(address)) connected.push(address);
      });
      return Reflect.apply(connect, this, args);
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
    dns.close();
  });
  /** A domain whose record names an SP that does not exist. */
  function domainNaming(issuer: string): string {
    const domain = world.newDomain();
    world.publish(domain, recordOf(issuer, ACCT));
    return domain;
  }

  test.each(KINDS)("an SP whose host is at no public address is not asked: %s", async (kind) => {
    const visited = await world.visit(domainNaming(`https://${hostOf(kind)}`));
    const sp = { host: hostOf(kind), secrets: [] };
    world.expectRefusal(visited, { sp, says: /public/ });
    // The page is not a way to learn what stands in DNS for others.
    for (const address of addressesOf(hostOf(kind)) ?? [])
      expect(textOf(visited.page)).not.toContain(address);
    expect(dns.looks).toContain(hostOf(kind));
    expect(connected).toEqual([]);
  });

  test.each(REFUSED_ISSUERS)(
    "a record that names %s is refused, and nothing is looked up for it",
    async (issuer) => {
      const domain = domainNaming(issuer);
      const looks = dns.looks.size;
      const { page, agent } = await world.visit(domain);
      expect(page.stopped).toBe(false);
      world.expectNoSession(agent);
      expect(dns.looks.size).toBe(looks);
      expect(connected).toEqual([]);
    },
  );

  test("endpoints in a private network are not asked, though the operator lets an SP have them elsewhere", async () => {
    const host = hostOf("private, 10/8");
    for (const name of ["token_endpoint", "jwks_uri"]) {
      const metadata = (right: Json) => ({ ...right, [name]: `https://${host}/it` });
      const sp = await world.sp({ metadata });
      const settings = { token_endpoint_auth_method: "none", allow: ["endpoints_elsewhere"] };
      await world.test.store.spClients.putSpClient({
        ...{ issuer: sp.issuer, source: "operator", clientId: "ours" },
        ...{ settings: JSON.stringify(settings), sealedSecret: null, madeAt: 1 },
      });
      const { page } = await world.visit(world.domainAt(sp));
      expect(page.stopped).toBe(false);
      expect(textOf(page)).toMatch(/public/);
      world.expectLogged(page, sp);
      expect(connected).toEqual([]);
    }
  });

  test("a host without any address is unreachable, which is another thing", async () => {
    const { page } = await world.visit(domainNaming("https://nowhere.alice.test"));
    expect([page.step, page.status]).toEqual(["external", 503]);
  });
});

straceTests("in a process of its own, with every packet seen by the system", () => {
  const folder = temporaryFolder();
  const zone = fixture(() => startRootedZone(["alice.test"]));
  const dns = fixture(() => startAddressDns(zone.address, addressesOf));

  test("sign-ins at refused addresses send packets to loopback alone", async () => {
    const trace = folder.file("trace");
    const calls = "trace=connect,sendto,sendmsg,sendmmsg";
    const strace = ["strace", "-D", "-f", "-q", "-o", trace, "-e", calls];
    const at = await serve({ ...zone, address: dns.address }, strace);
    const sp = await startBentSp();
    try {
      const redirectUri = "https://app.example.org/callback";
      const app = ["--name", "App", "--redirect-uri", redirectUri, "--consent", "never"];
      const add = ["clients", "add", "--json", ...app];
      const { stdout } = await command(add, { folder: at.folder });
      const { client_id: id } = JSON.parse(stdout) as { client_id: string };
      const signIn = async (domain: string, issuer: string, acct: string) => {
        const name = `_domain-signin.${domain}`;
        zone.add({ name, type: "TXT", value: recordOf(issuer, acct), ttl: 1 });
        const agent = createUserAgent();
        const url = authorizationUrl(at, { id, secret: null, redirectUri }, pkceParameters(pkce()));
        const way = { stopAt: redirectUri };
        return agent.submit(await agent.open(url, way), "domain-form", { domain }, way);
      };
      // It is a trace of something: one SP is reached.
      const well = "well.alice.test";
      expect((await signIn(well, sp.issuer, sp.acct(well))).stopped).toBe(true);
      for (const [index, kind] of TRACED.entries()) {
        const page = await signIn(`e${index}.alice.test`, `https://${hostOf(kind)}`, ACCT);
        expect([kind, page.stopped, page.step]).toEqual([kind, false, "external"]);
      }
      expect([...dns.looks].sort()).toEqual(TRACED.map(hostOf).sort());
    } finally {
      await at.close();
      await sp.close();
    }
    // The tracer writes on for a moment.
    await expect.poll(() => readFileSync(trace, "utf8"), LIMIT).toMatch(/killed by SIGKILL/);
    const text = readFileSync(trace, "utf8");
    const addresses = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/g;
    const hosts = [...text.matchAll(addresses)].map(([, v4, v6]) => v4 ?? v6 ?? "");
    expect(text).toContain(`htons(${new URL(sp.issuer).port})`);
    expect(text).toContain(`htons(${dns.address.split(":")[1]})`);
    expect([...new Set(hosts)].filter((host) => !isLoopback(host))).toEqual([]);
  });
});

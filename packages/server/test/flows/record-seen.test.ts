// A record is seen in seconds, although a caching resolver remembers absences for up to an hour.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import { parseTrustAnchor } from "domain-signin-verify";
import { afterEach, expect, test } from "vitest";
import { startTestService } from "../support/service.ts";
import { authorizationUrl, publish, signIn } from "../support/sign-in.ts";
import { startUnbound, validatorTests } from "../support/validators.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** unbound is the only resolver of the service. The zones' own name server has another port. */
async function startWorld(negativeTtl: number, zoneNameServers = true) {
  const now = () => Math.floor(Date.now() / 1000);
  const records = () => at.zone.records();
  const zones = createSignedZones({ zones: DEMO_ZONES, records, now, negativeTtl });
  const askedByUnbound: string[] = [];
  const askedDirectly: string[] = [];
  const serve = async (asked: string[]) => {
    const served = await startNameServer({
      answer(query) {
        for (const { name, type } of query.questions) asked.push(`${type} ${name}`);
        return zones.answer(query);
      },
    });
    cleanups.push(served.close);
    return served;
  };
  const upstream = await serve(askedByUnbound);
  const own = await serve(askedDirectly);
  const { trustAnchors } = zones;
  const judged = { port: upstream.port, trustAnchors, aggressiveNsec: true };
  const unbound = await startUnbound(judged);
  cleanups.push(unbound.close);
  const at = await startTestService({
    config: {
      dnsServers: [unbound.text],
      trustAnchors: trustAnchors.map(parseTrustAnchor),
      zoneNameServers,
    },
    reach: (address) => (address === own.address ? { address, port: own.port, isV6: false } : null),
  });
  cleanups.push(at.close);
  const client = await at.addClient({ consent: "never" });
  const stopAt = client.redirectUri;
  const agent = createUserAgent();
  return {
    ...{ at, client, agent, askedByUnbound, askedDirectly },
    enter: async (domain: string) =>
      agent.submit(await agent.open(authorizationUrl(at, client)), "domain-form", { domain }),
    check: (page: Page) => agent.submit(page, "check-form", {}, { stopAt }),
  };
}

validatorTests("behind unbound with aggressive NSEC", () => {
  test.each([
    [60, "alice.test"],
    [600, "alice.test"],
    [3600, "alice.test"],
    [3600, "carol.test"],
    [3600, "new.bob.test"],
    [3600, "below.carol.test"],
  ])(
    "with a negative TTL of %i s, the first check after %s publishes its record finds it",
    async (ttl, domain) => {
      const world = await startWorld(ttl);
      let page = await world.enter(domain);
      for (let polls = 1; polls <= 3; polls++) {
        // More than three seconds lie between polls, so that no answer is shared.
        world.at.advance(4);
        page = await world.agent.open(page.url);
        expect(page.step).toBe("dns-setup");
      }
      expect(world.askedDirectly).toContain(`16 _domain-signin.${domain}`);
      expect(world.askedByUnbound).not.toContain(`16 _domain-signin.${domain}`);
      publish(world.at, page);
      world.at.advance(4);
      const after = await world.check(page);
      expect(new URL(after.url).searchParams.has("code")).toBe(true);
    },
  );

  test.each(["alice.test", "carol.test"])("a challenge of %s is seen at once", async (domain) => {
    const { at, client, agent, enter, check, askedByUnbound } = await startWorld(3600);
    await signIn(at, client, { agent, domain });
    agent.cookies.forget((name) => name.includes("_session_"));
    const page = await enter(domain);
    expect(page.step).toBe("dns-challenge");
    expect(askedByUnbound).not.toContain(`16 _domain-signin-challenge.${domain}`);
    publish(at, page);
    at.advance(4);
    const after = await check(page);
    expect(new URL(after.url).searchParams.has("code")).toBe(true);
  });

  test("without the zone's name servers, the resolver remembers the absence", async () => {
    const { at, enter, check, askedDirectly } = await startWorld(3600, false);
    const page = await enter("alice.test");
    publish(at, page);
    at.advance(4);
    expect((await check(page)).step).toBe("dns-setup");
    expect(askedDirectly).toEqual([]);
  });
});

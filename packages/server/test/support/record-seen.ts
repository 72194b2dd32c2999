// The real service behind unbound, which remembers absences, with the zones' own name server beside it.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones, type SignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { parseTrustAnchor } from "domain-signin-verify";
import type { DnsMessage } from "domain-signin-verify/dns/message";
import type { Assurance } from "../../src/dns/assurance.ts";
import { startTestService, type TestClient, type TestService } from "./service.ts";
import { authorizationUrl, checkAndSave } from "./sign-in.ts";
import { startUnbound } from "./validators.ts";

export interface WorldOptions {
  /** In seconds; the default is an hour. */
  readonly negativeTtl?: number;
  readonly zoneNameServers?: "on" | "off";
  readonly minAssurance?: Assurance;
  /** The zones' own name server has records of its own, which unbound does not get to see. */
  readonly ownRecords?: boolean;
  /** What the zones' own name server makes of its answers. */
  readonly change?: (answer: DnsMessage) => DnsMessage;
}

export interface SeenWorld {
  readonly at: TestService & { readonly ownRecords: ZoneRecord[] };
  readonly client: TestClient;
  readonly agent: UserAgent;
  /** "type name" of each question that the zones got from unbound, and from the service itself. */
  readonly asked: { readonly byUnbound: string[]; readonly directly: string[] };
  enter(domain: string): Promise<Page>;
  /** What "check now" of a set-up or challenge page leads to. */
  check(page: Page): Promise<Page>;
  close(): Promise<void>;
}

/** unbound is the only resolver of the service, unless the assurance needs three. */
export async function startSeenWorld(options: WorldOptions = {}): Promise<SeenWorld> {
  const { negativeTtl = 3600, zoneNameServers = "on", minAssurance = "single" } = options;
  const { change = (answer: DnsMessage) => answer } = options;
  const now = () => Math.floor(Date.now() / 1000);
  const ownRecords: ZoneRecord[] = [];
  const zonesOf = (records: () => readonly ZoneRecord[]) =>
    createSignedZones({ zones: DEMO_ZONES, records, now, negativeTtl });
  const zones = zonesOf(() => at.zone.records());
  const ownZones = options.ownRecords ? zonesOf(() => ownRecords) : zones;
  const asked = { byUnbound: [] as string[], directly: [] as string[] };
  const serve = (of: SignedZones, into: string[], sent: typeof change) =>
    startNameServer({
      answer(query) {
        for (const { name, type } of query.questions) into.push(`${type} ${name}`);
        return sent(of.answer(query));
      },
    });
  const upstream = await serve(zones, asked.byUnbound, (answer) => answer);
  const own = await serve(ownZones, asked.directly, change);
  const others =
    minAssurance === "single" ? [] : await Promise.all([1, 2].map(() => startNameServer(zones)));
  const { trustAnchors } = zones;
  const unbound = await startUnbound({ port: upstream.port, trustAnchors, aggressiveNsec: true });
  const at: TestService = await startTestService({
    config: {
      dnsServers: [unbound.text, ...others.map(({ address, port }) => `${address}:${port}`)],
      ...{ zoneNameServers, minAssurance },
      trustAnchors: trustAnchors.map(parseTrustAnchor),
    },
    reach: (address) => (address === own.address ? { address, port: own.port, isV6: false } : null),
  });
  const client = await at.addClient({ consent: "never" });
  const stopAt = client.redirectUri;
  const agent = createUserAgent();
  return {
    ...{ at: { ...at, ownRecords }, client, agent, asked },
    enter: async (domain) =>
      agent.submit(await agent.open(authorizationUrl(at, client)), "domain-form", { domain }),
    check: async (page) => (await checkAndSave(agent, page, { stopAt })).page,
    async close() {
      await at.close();
      await unbound.close();
      for (const server of [own, ...others]) await server.close();
      await upstream.close();
    },
  };
}

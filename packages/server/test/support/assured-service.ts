// The real service behind three resolvers that may lie, over the demo's signed zones, for a test.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { createSignedZones, type SignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { parseTrustAnchor } from "domain-signin-verify";
import type { Assurance } from "../../src/dns/assurance.ts";
import { type Lie, type LyingResolver, startLyingResolver } from "./lying-resolvers.ts";
import { startTestService, type TestClient, type TestService } from "./service.ts";
import { authorizationUrl, checkAndSave, leaveSessions, signIn } from "./sign-in.ts";

export interface AssuredService extends TestService {
  /** The service without what is below. */
  readonly at: TestService;
  readonly client: TestClient;
  readonly zones: SignedZones;
  readonly resolvers: readonly [LyingResolver, LyingResolver, LyingResolver];
  /** Moves the clock of the service, and that of the zones. */
  advance(seconds: number): void;
  /** Answers as of now, for later: they stay validly signed for two weeks. */
  replay(): Lie;
  /** From now on, everything is signed at this time, in epoch seconds; null: when it is asked. */
  signAt(seconds: number | null): void;
  /** The page that comes after this domain was entered, in a browser that is not signed in. */
  enter(agent: UserAgent, domain: string): Promise<Page>;
  /** What "check now" of a set-up or challenge page leads to. */
  check(agent: UserAgent, page: Page): Promise<Page>;
  /** A browser in which the owner has made an account for the domain. */
  enrolled(domain: string): Promise<UserAgent>;
  /** How often an account was made so far, and at which assurance. */
  enrolments(): readonly string[];
  /** Whether each account sleeps, by its domain. */
  sleeping(): Promise<Readonly<Record<string, boolean>>>;
  close(): Promise<void>;
}

export async function startAssuredService(minAssurance: Assurance): Promise<AssuredService> {
  let ahead = 0;
  const now = () => Math.floor(Date.now() / 1000) + ahead;
  let signedAt: number | null = null;
  let past: { readonly records: readonly ZoneRecord[]; readonly time: number } | null = null;
  const signingTime = () => signedAt ?? now();
  const zones = createSignedZones({
    zones: DEMO_ZONES,
    records: () => past?.records ?? at.zone.records(),
    now: () => past?.time ?? signingTime(),
  });
  const start = () => startLyingResolver(zones);
  const resolvers = [await start(), await start(), await start()] as const;
  const at: TestService = await startTestService({
    config: {
      minAssurance,
      dnsServers: resolvers.map(({ text }) => text),
      trustAnchors: zones.trustAnchors.map(parseTrustAnchor),
      // All lies are those of resolvers, which then are asked before a record is published, too.
      zoneNameServers: "off",
    },
  });
  const client = await at.addClient({ consent: "never" });
  const stopAt = client.redirectUri;

  return {
    ...at,
    ...{ at, client, zones, resolvers },
    advance(seconds) {
      ahead += seconds;
      at.advance(seconds);
    },
    replay() {
      const then = { records: [...at.zone.records()], time: signingTime() };
      return (query) => {
        past = then;
        try {
          return zones.answer(query);
        } finally {
          past = null;
        }
      };
    },
    signAt(seconds) {
      signedAt = seconds;
    },
    async enter(agent, domain) {
      leaveSessions(agent, at.issuer);
      const first = await agent.open(authorizationUrl(at, client));
      return agent.submit(first, "domain-form", { domain }, { stopAt });
    },
    check: async (agent, page) => (await checkAndSave(agent, page, { stopAt })).page,
    async enrolled(domain) {
      const agent = createUserAgent();
      await signIn(at, client, { agent, domain });
      return agent;
    },
    enrolments: () =>
      at.events
        .filter((event) => event.startsWith("enrolled "))
        .map((event) => JSON.parse(event.slice("enrolled ".length)).assurance),
    async sleeping() {
      const [accounts] = JSON.parse(await at.dump());
      return Object.fromEntries(
        accounts.map((row: { domain: string; asleep_since: number | null }) => [
          row.domain,
          row.asleep_since !== null,
        ]),
      );
    },
    async close() {
      await at.close();
      for (const one of resolvers) one.close();
    },
  };
}

// The places where a person or a client can be when DNS goes bad: got ready, tried, and finished once it is well.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { BEHAVIOURS, type HostileDns, type Misbehaviour, startHostileDns } from "./hostile-dns.ts";
import { startTestService, TEST_DOMAINS, type TestClient, type TestService } from "./service.ts";
import {
  authorizationUrl,
  checkAndSave,
  leaveSessions,
  publish,
  refresh,
  saveCodes,
  signIn,
  signInForTokens,
} from "./sign-in.ts";

export const PLACES = [
  ...(["the first page", "a look of the set-up page", "its check"] as const),
  ...(["a look of the challenge page", "its answer", "its recovery code"] as const),
  ...(["continue as", "prompt=none", "a refresh"] as const),
] as const;
export type Place = (typeof PLACES)[number];

/** One service with resolvers of its own, and somebody at each place. */
export interface Stage {
  readonly at: TestService;
  /** One for each resolver; the others are well. */
  behave(...resolvers: readonly Misbehaviour[]): void;
  /** Does what is done at that place. */
  try(place: Place): Promise<Told>;
  /** Publishes the record that the page of that place waits for. */
  publish(place: PlaceOfPerson): void;
  /** Goes on from the page that was shown last. Whether that led to the app with a code. */
  finish(place: Place): Promise<boolean>;
  close(): Promise<void>;
}

export interface Told {
  /** What came of it, in a line. */
  readonly words: string;
  readonly milliseconds: number;
  /** Whether there is a way back to the app, which every page owes. */
  readonly hasWayBack: boolean;
}

type PlaceOfPerson = Exclude<Place, "prompt=none" | "a refresh">;
type Person = { readonly agent: UserAgent; readonly domain: string; page: Page };

const DAY = 86_400;
export async function startStage(resolvers: number): Promise<Stage> {
  const servers: HostileDns[] = [];
  while (servers.length < resolvers) {
    servers.push(await startHostileDns(TEST_DOMAINS, () => at.zone.records()));
  }
  const dnsServers = servers.map(({ text }) => text);
  const at: TestService = await startTestService({
    config: { dnsServers, zoneNameServers: "off" },
  });
  const client = await at.addClient({ consent: "never" });
  const stopAt = client.redirectUri;
  const request = authorizationUrl(at, client);

  const owner = createUserAgent();
  let { refresh_token: token } = await signInForTokens(at, client, {
    ...{ agent: owner, domain: "s.bob.test" },
  });
  const looker = createUserAgent();
  await signIn(at, client, { agent: looker, domain: "g.bob.test" });
  const answerer = createUserAgent();
  await signIn(at, client, { agent: answerer, domain: "p.bob.test" });
  const recoveryCode = await setUp("r.bob.test");
  // So that a refresh and a session have to look, while the pages of a sign-in are still good.
  at.advance(DAY + 1);

  /** To the page that waits for DNS, in a browser that is not signed in. */
  async function comeTo(domain: string, agent = createUserAgent()): Promise<Person> {
    leaveSessions(agent, at.issuer);
    const page = await agent.submit(await agent.open(request), "domain-form", { domain });
    return { agent, domain, page };
  }

  /** Makes an account, and gives back one of its recovery codes. */
  async function setUp(domain: string): Promise<string> {
    const { agent, page } = await comeTo(domain);
    publish(at, page);
    const { codes } = await checkAndSave(agent, page, { stopAt });
    return codes[0] ?? "";
  }

  const newcomer = createUserAgent();
  const people: Record<PlaceOfPerson, Person> = {
    "the first page": {
      ...{ agent: newcomer, domain: "f.alice.test", page: await newcomer.open(request) },
    },
    "a look of the set-up page": await comeTo("g.alice.test"),
    "its check": await comeTo("p.alice.test"),
    "a look of the challenge page": await comeTo("g.bob.test", looker),
    "its answer": await comeTo("p.bob.test", answerer),
    "its recovery code": await comeTo("r.bob.test"),
    "continue as": { agent: owner, domain: "s.bob.test", page: await owner.open(request) },
  };

  async function goOn(place: PlaceOfPerson): Promise<Page> {
    const { agent, domain, page } = people[place];
    switch (place) {
      case "the first page":
        return agent.submit(page, "domain-form", { domain }, { stopAt });
      case "a look of the set-up page":
      case "a look of the challenge page":
        return (await saveCodes(agent, await agent.open(page.url, { stopAt }), { stopAt })).page;
      case "its check":
      case "its answer":
        return (await checkAndSave(agent, page, { stopAt })).page;
      case "its recovery code":
        return agent.submit(page, "check-form", { recovery_code: recoveryCode }, { stopAt });
      case "continue as":
        return agent.submit(page, "continue-form", {}, { stopAt });
    }
  }

  async function tryRefresh(): Promise<{ words: string; hasWayBack: boolean }> {
    const { status, body } = await at.token(refresh(token), client);
    if (status === 200) token = String(body.refresh_token);
    return { words: status === 200 ? "200" : `${status} ${body.error}`, hasWayBack: true };
  }

  async function tryAt(place: Place): Promise<{ words: string; hasWayBack: boolean }> {
    if (place === "a refresh") return tryRefresh();
    const silent = authorizationUrl(at, client, { prompt: "none" });
    const page = await (place === "prompt=none" ? owner.open(silent, { stopAt }) : goOn(place));
    if (place !== "prompt=none" && !page.stopped) people[place].page = page;
    const hasWayBack = page.stopped || page.link("back-to-app").includes("error=access_denied");
    return { words: wordsOf(page), hasWayBack };
  }

  return {
    at,
    behave(...names) {
      for (const [index, server] of servers.entries()) {
        server.behave(BEHAVIOURS[names[index] ?? "is well"]);
      }
    },
    async try(place) {
      const began = performance.now();
      const told = await tryAt(place);
      return { ...told, milliseconds: performance.now() - began };
    },
    publish: (place) => publish(at, people[place].page),
    async finish(place) {
      if (place === "a refresh") return (await tryRefresh()).words === "200";
      if (place === "prompt=none") return true;
      const { agent, domain, page } = people[place];
      if (place === "continue as") return (await signIn(at, client, { agent, domain })).code !== "";
      return finishFrom(page, { at, client, agent, isReload: place.startsWith("a look") });
    },
    async close() {
      await at.close();
      for (const server of servers) server.close();
    },
  };
}

/** From the very page that told of the failure, with what it has kept in its fields. */
async function finishFrom(
  from: Page,
  by: { at: TestService; client: TestClient; agent: UserAgent; isReload: boolean },
): Promise<boolean> {
  const { at, client, agent, isReload } = by;
  const stopAt = client.redirectUri;
  const page = from.step === "domain" ? await agent.submit(from, "domain-form") : from;
  publish(at, page);
  const seen = isReload
    ? await agent.open(page.url, { stopAt })
    : await agent.submit(page, "check-form", {}, { stopAt });
  const { page: last } = await saveCodes(agent, seen, { stopAt });
  return last.stopped && last.url.includes("code=dsc_");
}

/** Where a page is and what it says of DNS, in one line. */
function wordsOf(page: Page): string {
  if (page.stopped) {
    const answer = new URL(page.url).searchParams;
    return `to the app: ${answer.get("error") ?? (answer.has("code") ? "a code" : "nothing")}`;
  }
  const whole = page.html.slice(page.html.indexOf("<body")).replaceAll(/<[^>]*>/g, " ");
  const [id] = ["look-result", "domain-problem"].filter(page.has);
  const said = id !== undefined ? page.text(id) : page.step === "problem" ? whole : "";
  return `${page.status} ${page.step}: ${said.replaceAll(/\s+/g, " ").trim().slice(0, 700)}`;
}

// People who sign in with domains that name external SPs, and what may be left of it when it fails.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { expect } from "vitest";
import { type Bends, type BentSp, startBentSp } from "./bent-sp.ts";
import { fixture } from "./fixture.ts";
import { startTestService, TABLES, type TestClient, type TestService } from "./service.ts";
import { answerPage, authorizationUrl, pkce, pkceParameters, redemption } from "./sign-in.ts";

export interface FederatedWorld {
  readonly test: TestService;
  readonly client: TestClient;
  /** A browser at an address of its own, so that no limit of the service counts several tests as one. */
  person(): UserAgent;
  /** One that nobody has asked for yet: DNS answers are remembered. `parent` has a zone. */
  newDomain(parent?: string): string;
  /** Puts the records in the place of what stood at the domain. */
  publish(domain: string, ...records: readonly string[]): void;
  sp(bends?: Bends, path?: string): Promise<BentSp>;
  /** Moves the clocks of the service and of its SPs forward. */
  advance(seconds: number): void;
  close(): Promise<void>;
}

/** Of every account at an SP: the pages on the way to it, and what the domain's owner does on them. */
export interface Visit {
  readonly agent: UserAgent;
  readonly domain: string;
  /** Where the way ended: at the app, or at a page that the owner cannot answer. */
  readonly page: Page;
  readonly steps: readonly string[];
}

export const recordOf = (sp: string, acct: string) => `v=dsi1 sp=${sp} acct=${acct}`;

export async function startFederatedWorld(
  options: Parameters<typeof startTestService>[0] = {},
): Promise<FederatedWorld> {
  let people = 0;
  const clientAddress = () => `203.0.${113 + Math.floor(people / 250)}.${1 + (people % 250)}`;
  const test = await startTestService({ clientAddress, ...options });
  const client = await test.addClient({ consent: "never" });
  const sps: BentSp[] = [];
  let domains = 0;
  let offset = 0;
  const now = () => Math.floor(Date.now() / 1000) + offset;
  return {
    test,
    client,
    person() {
      people++;
      return createUserAgent();
    },
    newDomain: (parent = "alice.test") => `d${++domains}.${parent}`,
    publish(domain, ...records) {
      const name = `_domain-signin.${domain}`;
      for (const record of test.zone.records()) {
        if (record.name === name) test.zone.remove(record);
      }
      for (const value of records) test.zone.add({ name, type: "TXT", value, ttl: 1 });
    },
    async sp(bends = {}, path = "") {
      const started = await startBentSp(bends, { path, now });
      sps.push(started);
      return started;
    },
    advance(seconds) {
      offset += seconds;
      test.advance(seconds);
    },
    async close() {
      await Promise.all(sps.map((sp) => sp.close()));
      await test.close();
    },
  };
}

/** A domain whose record names the SP's account. */
export function domainAt(world: FederatedWorld, sp: BentSp, parent?: string): string {
  const domain = world.newDomain(parent);
  world.publish(domain, recordOf(sp.issuer, sp.acct(domain)));
  return domain;
}

/** Begins a sign-in and types the domain; goes on until the app, `stopAt`, or a page without an answer. */
export async function visit(
  world: FederatedWorld,
  domain: string,
  options: {
    agent?: UserAgent;
    parameters?: Readonly<Record<string, string | undefined>>;
    stopAt?: string;
  } = {},
): Promise<Visit & { readonly verifier: string }> {
  const { test, client } = world;
  const { agent = world.person(), parameters = {}, stopAt = client.redirectUri } = options;
  const proof = pkce();
  const asked = { ...pkceParameters(proof), ...parameters };
  const start = await agent.open(authorizationUrl(test, client, asked), { stopAt });
  return { ...(await goOn(world, { agent, domain, stopAt }, start)), verifier: proof.verifier };
}

/** The rest of a way, from this page. */
export async function goOn(
  world: FederatedWorld,
  { agent, domain, stopAt }: { agent: UserAgent; domain: string; stopAt: string },
  from: Page,
): Promise<Visit> {
  const steps: string[] = [];
  let page = from;
  while (!page.stopped && ["domain", "continue", "consent"].includes(page.step ?? "")) {
    steps.push(page.step ?? "");
    if (steps.length > 6) throw new Error(`no end: ${steps.join(", ")}`);
    page = await answerPage(world.test, agent, page, { domain, stopAt });
    if (page.step === "domain" && steps.at(-1) === "domain") break;
  }
  return { agent, domain, page, steps };
}

/** The code that reached the app. Throws for any other end. */
export function codeOf({ page, steps }: Visit): string {
  const code = page.stopped ? new URL(page.url).searchParams.get("code") : null;
  if (code !== null) return code;
  const text = page.html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  throw new Error(`no code, but ${page.step} (${page.status}) after ${steps}: ${text}`);
}

export async function tokensOf(world: FederatedWorld, done: Visit & { readonly verifier: string }) {
  const { test, client } = world;
  const form = redemption(client, { code: codeOf(done), verifier: done.verifier });
  const { status, body } = await test.token(form, client);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** How much there is of what only somebody who signed in leaves behind. */
export async function traces(world: FederatedWorld): Promise<Record<string, number>> {
  const tables: unknown[][] = JSON.parse(await world.test.dump());
  return Object.fromEntries(
    ["accounts", "grants", "sessions"].map((name) => [
      name,
      tables[TABLES.indexOf(name)]?.length ?? -1,
    ]),
  );
}

/** The page as its reader sees it. */
export const textOf = ({ html }: Page) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&quot;|&#34;/g, '"')
    .replace(/\s+/g, " ");

/**
 * The page says that this SP did something wrong, and what; the log has its error id; neither holds
 * a secret of the exchange, and nobody is signed in.
 */
export function expectRefusal(
  world: FederatedWorld,
  { page, agent }: Pick<Visit, "page" | "agent">,
  { sp, says }: { sp: Pick<BentSp, "host" | "secrets">; says?: RegExp },
): void {
  expect({ stopped: page.stopped, step: page.step }).toEqual({ stopped: false, step: "external" });
  expect(page.status).toBeGreaterThanOrEqual(400);
  expect([500, 501]).not.toContain(page.status);
  expect(textOf(page)).toContain(sp.host);
  if (says) expect(textOf(page)).toMatch(says);
  expectLogged(world, page, sp);
  expectNoSession(world, agent);
}

/** A sign-in at an SP that is bent so: it ends in a refusal, and leaves nothing behind. */
export async function expectRefused(
  world: FederatedWorld,
  bends: Bends | ((domain: string) => Bends),
  says: RegExp,
  options: Parameters<typeof visit>[2] = {},
): Promise<{ sp: BentSp; domain: string; page: Page }> {
  const given: Bends = {};
  const sp = await world.sp(given);
  const domain = domainAt(world, sp);
  Object.assign(given, typeof bends === "function" ? bends(domain) : bends);
  const before = await traces(world);
  const visited = await visit(world, domain, options);
  expectRefusal(world, visited, { sp, says });
  expect(await traces(world)).toEqual(before);
  return { sp, domain, page: visited.page };
}

export function expectLogged(
  { test }: FederatedWorld,
  page: Page,
  { secrets }: Pick<BentSp, "secrets">,
): void {
  const id = page.text("error-id");
  const lines = test.events.filter((line) => line.includes(`"errorId":"${id}"`));
  expect(lines).toHaveLength(1);
  const told = test.events.join("\n") + page.html;
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
}

export function expectNoSession({ test }: FederatedWorld, agent: UserAgent): void {
  const cookies = agent.cookies.names(`${test.issuer}/`);
  expect(cookies.filter((name) => /_session_/.test(name))).toEqual([]);
}

/** Somebody who was at the SP and is about to come back: the address of the answer, not yet opened. */
export async function answered(
  world: FederatedWorld,
  domain: string,
  options: Parameters<typeof visit>[2] = {},
): Promise<{ agent: UserAgent; answer: URL }> {
  const stopAt = `${world.test.issuer}/federation/callback/`;
  const { page, agent } = await visit(world, domain, { ...options, stopAt });
  expect(page.stopped).toBe(true);
  return { agent, answer: new URL(page.url) };
}

/** What becomes of the answer once the browser opens it. */
export async function openAnswer(
  world: FederatedWorld,
  { agent, domain }: Pick<Visit, "agent" | "domain">,
  answer: string | URL,
): Promise<Page> {
  const stopAt = world.client.redirectUri;
  const page = await agent.open(String(answer), { stopAt });
  return (await goOn(world, { agent, domain, stopAt }, page)).page;
}

type AfterWorld<F> = F extends (world: FederatedWorld, ...rest: infer Rest) => unknown
  ? Rest
  : never;

/**
 * The world of a test file, with the functions above as its methods.
 *
 * @example
 * const world = federation();
 * // in a test:
 * const sp = await world.sp();
 * const done = await world.visit(world.domainAt(sp));
 */
export const federation = (options: () => Parameters<typeof startFederatedWorld>[0] = () => ({})) =>
  fixture(async () => {
    const world = await startFederatedWorld(options());
    return {
      ...world,
      domainAt: (...rest: AfterWorld<typeof domainAt>) => domainAt(world, ...rest),
      visit: (...rest: AfterWorld<typeof visit>) => visit(world, ...rest),
      goOn: (...rest: AfterWorld<typeof goOn>) => goOn(world, ...rest),
      tokensOf: (...rest: AfterWorld<typeof tokensOf>) => tokensOf(world, ...rest),
      traces: () => traces(world),
      answered: (...rest: AfterWorld<typeof answered>) => answered(world, ...rest),
      openAnswer: (...rest: AfterWorld<typeof openAnswer>) => openAnswer(world, ...rest),
      expectRefusal: (...rest: AfterWorld<typeof expectRefusal>) => expectRefusal(world, ...rest),
      expectRefused: (...rest: AfterWorld<typeof expectRefused>) => expectRefused(world, ...rest),
      expectLogged: (...rest: AfterWorld<typeof expectLogged>) => expectLogged(world, ...rest),
      expectNoSession: (agent: UserAgent) => expectNoSession(world, agent),
    };
  });

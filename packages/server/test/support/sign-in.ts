// Signs in as a person with a browser without script would, to get a code.

import { createHash, randomBytes } from "node:crypto";
import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import type { TestClient, TestService } from "./service.ts";

/** Long enough to be known again, should it stand in a log. */
export const STATE = "a state that no log may hold";

export interface SignIn {
  readonly code: string;
  readonly verifier: string;
  /** Every parameter of the answer. */
  readonly answer: URLSearchParams;
  readonly agent: UserAgent;
  /** The `data-step` of each page on the way. */
  readonly steps: readonly string[];
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The address that a client sends the browser to; `undefined` takes a parameter away. */
export function authorizationUrl(
  test: Pick<TestService, "issuer">,
  client: TestClient,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const all: Record<string, string | undefined> = {
    client_id: client.id,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope: "openid",
    state: STATE,
    ...parameters,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value);
  return `${test.issuer}/oauth/authorize?${query}`;
}

/** The authorization request with which the account page has the owner authenticate for a change. */
export function accountChangeUrl(
  test: Pick<TestService, "issuer">,
  change: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const account = `${test.issuer}/account`;
  const client = { id: account, secret: null, redirectUri: `${account}/${change}` };
  return authorizationUrl(test, client, { state: undefined, prompt: "login", ...parameters });
}

/** The parameters that PKCE adds to a request. */
export function pkceParameters({ challenge }: Pkce): Record<string, string> {
  return { code_challenge: challenge, code_challenge_method: "S256" };
}

type Edited = Pick<TestService, "zone"> & Partial<Pick<TestService, "advance">>;

/** Opens the page that asks for a domain, also in a browser that is signed in. */
export async function openDomainPage(
  agent: UserAgent,
  url: string,
  options: { stopAt?: string } = {},
): Promise<Page> {
  const page = await agent.open(url, options);
  return page.step === "continue" ? agent.submit(page, "other-domain-form", {}, options) : page;
}

/** A browser with all cookies that this one has now. */
export function copyOf(agent: UserAgent, issuer: string): UserAgent {
  const copy = createUserAgent();
  const pairs = (agent.cookies.header(issuer) ?? "").split("; ");
  copy.cookies.store(
    issuer,
    pairs.map((pair) => `${pair}; Path=/`),
  );
  return copy;
}

/** Ends the sessions of a browser, as its cookies are after a sign-out: the accounts still know it. */
export function leaveSessions(agent: UserAgent, issuer: string): void {
  const pairs = (agent.cookies.header(issuer) ?? "").split("; ");
  const sessions = pairs.filter((pair) => pair.includes("_session_"));
  agent.cookies.store(
    issuer,
    sessions.map((pair) => `${pair.replace("_session_", "_known_")}; Path=/; HttpOnly`),
  );
  agent.cookies.forget((name) => name.includes("_session_"));
}

/** Checks a record that is published, saves the codes if it was a set-up, and goes on. */
export async function checkAndSave(
  agent: UserAgent,
  page: Page,
  options: { stopAt?: string } = {},
): Promise<{ page: Page; codes: readonly string[] }> {
  return saveCodes(agent, await agent.submit(page, "check-form", {}, options), options);
}

/** Goes on from the page with the recovery codes, if it is that. */
export async function saveCodes(
  agent: UserAgent,
  page: Page,
  options: { stopAt?: string } = {},
): Promise<{ page: Page; codes: readonly string[] }> {
  if (page.step !== "recovery-codes") return { page, codes: [] };
  const codes = recoveryCodesIn(page);
  return { page: await agent.submit(page, "recovery-codes-form", {}, options), codes };
}

export function recoveryCodesIn({ html }: Pick<Page, "html">): readonly string[] {
  return [...html.matchAll(/<code class="recovery-code">([0-9a-z-]+)<\/code>/g)].map(
    ([, code = ""]) => code,
  );
}

/** Publishes what a DNS page asks for, in the place of what stood there. Nobody does so twice in a second. */
export function publish(test: Edited, page: Pick<Page, "text">): void {
  test.advance?.(1);
  replaceRecord(test.zone, page.text("dns-name"), page.text("dns-value"));
}

/** Puts the text in the place of what stands at the name; null leaves nothing there. */
export function replaceRecord(zone: TestService["zone"], name: string, value: string | null): void {
  for (const record of zone.records()) if (record.name === name) zone.remove(record);
  if (value !== null) zone.add({ name, type: "TXT", value, ttl: 300 });
}

const browsers = new WeakMap<TestService, UserAgent>();

/** The browser that sign-ins of one test service share unless they bring their own. */
function browserOf(test: TestService): UserAgent {
  const browser = browsers.get(test) ?? createUserAgent();
  browsers.set(test, browser);
  return browser;
}

/** One whole sign-in. Throws when it does not end at the client's redirect_uri with a code. */
export async function signIn(
  test: TestService,
  client: TestClient,
  options: {
    agent?: UserAgent;
    domain?: string;
    parameters?: Readonly<Record<string, string | undefined>>;
    /** Without it the request has no PKCE. */
    withPkce?: boolean;
  } = {},
): Promise<SignIn> {
  const { agent = browserOf(test), domain = "alice.test", withPkce = true } = options;
  const proof = pkce();
  const url = authorizationUrl(test, client, {
    ...(withPkce && pkceParameters(proof)),
    ...options.parameters,
  });
  const stopAt = client.redirectUri;
  const first = await agent.open(url, { stopAt });
  const { page, steps } = await untilStopped(test, agent, first, { domain, stopAt });
  const answer = new URL(page.url).searchParams;
  const code = answer.get("code");
  if (code === null) throw new Error(`no code but ${answer.get("error")}: ${steps.join(", ")}`);
  return { code, verifier: withPkce ? proof.verifier : "", answer, agent, steps };
}

/** Does what the owner of the domain would do, until the browser is at the client. */
export async function untilStopped(
  test: Edited,
  agent: UserAgent,
  first: Page,
  owner: { domain: string; stopAt: string },
): Promise<{ page: Page; steps: readonly string[] }> {
  const steps: string[] = [];
  let page = first;
  while (!page.stopped) {
    steps.push(page.step ?? "?");
    if (steps.length > 8) throw new Error(`no end: ${steps.join(", ")}`);
    page = await answerPage(test, agent, page, owner);
  }
  return { page, steps };
}

/** Does what the owner of the domain would do on this page. */
export function answerPage(
  test: Edited,
  agent: UserAgent,
  page: Page,
  { domain, stopAt }: { domain: string; stopAt: string },
): Promise<Page> {
  switch (page.step) {
    case "domain":
      return agent.submit(page, "domain-form", { domain }, { stopAt });
    case "continue":
      return agent.submit(page, "continue-form", {}, { stopAt });
    case "dns-setup":
    case "dns-challenge":
      publish(test, page);
      return agent.submit(page, "check-form", {}, { stopAt });
    case "recovery-codes":
      return agent.submit(page, "recovery-codes-form", {}, { stopAt });
    case "news":
      return agent.submit(page, "news-form", {}, { stopAt });
    case "consent":
      return agent.submit(page, "consent-form", {}, { button: "allow", stopAt });
    default:
      throw new Error(`stuck at ${page.step} (${page.status}): ${page.html.slice(0, 2000)}`);
  }
}

/** The parameters with which a client redeems the code. */
export function redemption(
  client: TestClient,
  { code, verifier }: Pick<SignIn, "code" | "verifier">,
): Record<string, string> {
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: client.redirectUri,
    ...(verifier && { code_verifier: verifier }),
  };
}

/** Redeems the code with which the browser was sent to the app. */
export function redeemed(
  test: Pick<TestService, "token">,
  client: TestClient,
  { url }: Pick<Page, "url">,
  verifier = "",
): ReturnType<TestService["token"]> {
  const code = new URL(url).searchParams.get("code") ?? `no code in ${url}`;
  return test.token(redemption(client, { code, verifier }), client);
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Signs in and redeems the code. */
export async function signInForTokens(
  test: TestService,
  client: TestClient,
  options: Parameters<typeof signIn>[2] = {},
): Promise<Tokens & { id_token: string; signIn: SignIn }> {
  const done = await signIn(test, client, options);
  const { status, body } = await test.token(redemption(client, done), client);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return {
    access_token: String(body.access_token),
    refresh_token: String(body.refresh_token),
    id_token: String(body.id_token),
    signIn: done,
  };
}

export function refresh(refresh_token: string, more: Record<string, string> = {}) {
  return { grant_type: "refresh_token", refresh_token, ...more };
}

/** Revokes a token as its client, or as another one. */
export function revoke(
  test: Pick<TestService, "issuer">,
  { id, secret }: Pick<TestClient, "id" | "secret">,
  token: unknown,
): Promise<Response> {
  const credentials = { client_id: id, client_secret: secret ?? "" };
  const body = new URLSearchParams({ ...credentials, token: String(token) });
  return fetch(`${test.issuer}/oauth/revoke`, { method: "POST", body });
}

// What most flow tests begin with: a service for the file, and a client, a browser and a domain for each test.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeAll, beforeEach } from "vitest";
import type { Account } from "../../src/store/accounts.ts";
import { fixture } from "./fixture.ts";
import { startTestService, type TestClient, type TestService } from "./service.ts";
import {
  answerPage,
  authorizationUrl,
  openDomainPage,
  publish,
  type SignIn,
  saveCodes,
  signIn,
  signInForTokens,
  type Tokens,
} from "./sign-in.ts";

type RequestParameters = Readonly<Record<string, string | undefined>>;

interface FlowOptions<S extends TestService> {
  /** Starts the service. Default: `startTestService()`. */
  readonly start?: () => Promise<S>;
  /** Whether each test has a service of its own, or all tests of the file share one. Default: "file". */
  readonly service?: "file" | "test";
  /** Whether each test has a client and a browser of its own, or all tests of the file share them. Default: "test". */
  readonly client?: "file" | "test";
  /** The registration of the client. Default: `{ consent: "never" }`. */
  readonly registration?: Parameters<TestService["addClient"]>[0];
  /** The domain of all tests, whose zone is emptied before each of them. Default: a new domain for each test. */
  readonly domain?: string;
}

/** What a method uses instead of the client, the browser and the domain of the running test. */
interface Choice {
  readonly client?: TestClient;
  readonly agent?: UserAgent;
  readonly domain?: string;
  /** Further parameters of the authorization request; `undefined` leaves a parameter out. */
  readonly parameters?: RequestParameters;
}

interface FlowState {
  client: TestClient;
  agent: UserAgent;
  domain: string;
}

interface FlowMethods {
  /** Opens the authorization endpoint. */
  open(parameters?: RequestParameters, choice?: Choice): Promise<Page>;
  /** Enters the domain on the first page. Resolves to the page after it. */
  begin(choice?: Choice): Promise<Page>;
  /** Submits a form of the page, up to the redirect to the app. */
  submit(
    page: Page,
    form: string,
    fields?: Record<string, string>,
    choice?: Choice & { readonly button?: string },
  ): Promise<Page>;
  /** Publishes the record that the page shows. */
  publish(page: Pick<Page, "text">): void;
  /** Publishes the record, checks it, and saves the codes if the page was a set-up. */
  finish(page: Page, choice?: Choice): Promise<{ page: Page; codes: readonly string[] }>;
  /** One whole sign-in. */
  signIn(choice?: Choice & { readonly withPkce?: boolean }): Promise<SignIn>;
  /** One whole sign-in, and the redemption of its code. */
  tokens(choice?: Choice): Promise<Tokens & { id_token: string; signIn: SignIn }>;
  /** A new browser in which the owner of the domain has signed in. */
  owner(choice?: Choice): Promise<UserAgent>;
  /** What `prompt=none` answers: null for a code, or the error. */
  silently(choice?: Choice): Promise<string | null>;
  /** The account page of the domain. */
  account(choice?: Choice): Promise<Page>;
  /** The response of userinfo for an access token. */
  userinfo(accessToken: unknown): Promise<Response>;
  /** The cookies of the browser, as headers of a request. */
  cookies(choice?: Choice): { cookie: string };
  /** One whole set-up. */
  setUp(choice?: Choice): Promise<{ page: Page; codes: readonly string[] }>;
  /** The id of the domain's account, of the live one if there are several; empty for none. */
  accountId(choice?: Choice): Promise<string>;
  /** Posts a form as a page of the service would. The redirect is not followed. */
  post(
    url: string,
    form: Record<string, string> | string,
    choice?: Choice & { readonly origin?: string },
  ): Promise<Response>;
  /** Does what the owner would do, from this page up to the page of the step. */
  until(step: string, page: Page, choice?: Choice): Promise<Page>;
  /** The account of the domain, the newest if there are several. */
  accountOf(domain?: string): Promise<Account>;
  /** Puts this record in the place of the domain's record. With null the domain has none. */
  replaceRecord(value: string | null, domain?: string): void;
}

/** The service, with the methods of a flow test in the place of its own methods of the same name. */
export type Flow<S extends TestService = TestService> = Omit<S, keyof FlowMethods> &
  FlowState &
  FlowMethods;

/**
 * Registers the hooks that start and close the service, and returns the state of the running test.
 *
 * @example
 * const at = flow({ registration: { consent: "first" } });
 *
 * test("a record that is not published yet is waited for", async () => {
 *   const page = await at.begin();
 *   expect(page.step).toBe("dns-setup");
 * });
 */
export function flow<S extends TestService = TestService>(options: FlowOptions<S> = {}): Flow<S> {
  const { registration = { consent: "never" }, domain } = options;
  const start = options.start ?? (startTestService as () => Promise<S>);
  const service = fixture(async () => {
    const started = await start();
    return Object.assign(
      {},
      started,
      methodsOf(() => at as unknown as Flow),
    ) as unknown as Flow<S>;
  }, options.service);
  const at: Flow<S> = service;
  let count = 0;

  async function makeClient(): Promise<void> {
    at.client = await at.addClient(registration);
    at.agent = createUserAgent();
  }
  if (options.client === "file") beforeAll(makeClient);
  beforeEach(async () => {
    if (options.client !== "file") await makeClient();
    at.domain = domain ?? `owner-${++count}.alice.test`;
    if (domain !== undefined) for (const record of at.zone.records()) at.zone.remove(record);
  });
  return at;
}

function methodsOf(state: () => Flow): FlowMethods {
  function chosen(choice: Choice = {}) {
    const at = state();
    const { client = at.client, agent = at.agent, domain = at.domain, parameters = {} } = choice;
    return { at, client, agent, domain, parameters, stopAt: client.redirectUri };
  }
  const methods: FlowMethods = {
    open(parameters = {}, choice) {
      const { at, agent, client, stopAt } = chosen(choice);
      return agent.open(authorizationUrl(at, client, parameters), { stopAt });
    },
    async begin(choice) {
      const { at, agent, client, domain, parameters, stopAt } = chosen(choice);
      const url = authorizationUrl(at, client, parameters);
      const page = await openDomainPage(agent, url, { stopAt });
      return agent.submit(page, "domain-form", { domain }, { stopAt });
    },
    submit(page, form, fields = {}, choice = {}) {
      const { agent, stopAt } = chosen(choice);
      const { button } = choice;
      return agent.submit(page, form, fields, { stopAt, ...(button !== undefined && { button }) });
    },
    publish: (page) => publish(state(), page),
    async finish(page, choice) {
      const { agent, stopAt } = chosen(choice);
      methods.publish(page);
      return saveCodes(agent, await methods.submit(page, "check-form", {}, choice), { stopAt });
    },
    signIn(choice) {
      const { at, client, agent, domain } = chosen(choice);
      return signIn(at, client, { ...choice, agent, domain });
    },
    tokens(choice) {
      const { at, client, agent, domain } = chosen(choice);
      return signInForTokens(at, client, { ...choice, agent, domain });
    },
    async owner(choice) {
      return (await methods.signIn({ agent: createUserAgent(), ...choice })).agent;
    },
    async silently(choice) {
      const { domain, parameters } = chosen(choice);
      const request = { prompt: "none", login_hint: domain, ...parameters };
      const page = await methods.open(request, choice);
      return hasCode(page) ? null : (errorOf(page) ?? `no answer, but ${page.step}`);
    },
    account(choice) {
      const { at, agent, domain } = chosen(choice);
      return agent.open(`${at.issuer}/account?domain=${domain}`);
    },
    userinfo(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      return fetch(`${state().issuer}/oauth/userinfo`, { headers });
    },
    cookies(choice) {
      const { at, agent } = chosen(choice);
      return { cookie: agent.cookies.header(at.issuer) ?? "" };
    },
    setUp: async (choice) => methods.finish(await methods.begin(choice), choice),
    async accountId(choice) {
      const { at, domain } = chosen(choice);
      const accounts = await at.store.accounts.accountsOf(domain);
      const live = accounts.find(({ asleepSince }) => asleepSince === null);
      return (live ?? accounts[0])?.id ?? "";
    },
    post(url, form, choice = {}) {
      const { issuer } = state();
      const headers = { ...methods.cookies(choice), origin: choice.origin ?? issuer };
      const body = new URLSearchParams(form);
      return fetch(new URL(url, issuer), { method: "POST", headers, body, redirect: "manual" });
    },
    async until(step, page, choice) {
      const { at, agent, domain, stopAt } = chosen(choice);
      let current = page;
      for (let turn = 0; current.step !== step && turn < 8; turn++) {
        current = await answerPage(at, agent, current, { domain, stopAt });
      }
      if (current.step !== step) throw new Error(`${step} is not reached, but ${current.step}`);
      return current;
    },
    async accountOf(domain = state().domain) {
      const [account] = await state().store.accounts.accountsOf(domain);
      if (account === undefined) throw new Error(`${domain} has no account`);
      return account;
    },
    replaceRecord(value, domain = state().domain) {
      const name = `_domain-signin.${domain}`;
      const { zone } = state();
      for (const record of zone.records()) if (record.name === name) zone.remove(record);
      if (value !== null) zone.add({ name, type: "TXT", value, ttl: 300 });
    },
  };
  return methods;
}

/** The record of a set-up or challenge page. */
export const recordIn = (page: Pick<Page, "text">): string => page.text("dns-value");

/** The error with which the browser was sent to the app, or null. */
export const errorOf = ({ url }: Pick<Page, "url">): string | null =>
  new URL(url).searchParams.get("error");

/** Whether the browser was sent to the app with a code. */
export const hasCode = ({ url }: Pick<Page, "url">): boolean =>
  new URL(url).searchParams.get("code")?.startsWith("dsc_") ?? false;

/** The claims of a token whose signature another test verifies. */
export function claimsOf(token: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString());
}

// A flood from one address behind a proxy on this machine, which no setting names: refused at little cost, and without harm to its neighbours.

import { rcode } from "domain-signin-verify/dns/message";
import { beforeAll, describe, expect, test } from "vitest";
import { serveDns } from "../support/dns-server.ts";
import { flow } from "../support/flow.ts";
import { heldSleep } from "../support/held-sleep.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  redemption,
  refresh,
  signIn,
  signInForTokens,
  type Tokens,
} from "../support/sign-in.ts";

const [REFUSALS, PAGES] = [300, 1000];

// Without work in the background, whose statements would be counted on a slow machine.
const { sleep } = heldSleep();
const start = () => startTestService({ sleep });
const at = flow({ start, client: "file" });
let tokens: Tokens;
beforeAll(async () => {
  tokens = await signInForTokens(at, at.client);
});

let addresses = 0;
/** One that nobody has asked from. */
const freshAddress = () => `192.0.2.${++addresses}`;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface Way {
  readonly issuer: string;
  readonly send?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What the listener does, without the sockets: thousands of requests come through in time. */
function withoutSockets({ issuer, service }: TestService, clientAddress = "127.0.0.1"): Way {
  return { issuer, send: (url, init) => service.fetch(new Request(url, init), { clientAddress }) };
}

/** `from` is whom the proxy speaks for; null: it does not say. */
async function ask(
  path: string,
  from: string | null,
  init: RequestInit = {},
  { issuer, send = fetch }: Way = at,
): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (from !== null) headers.set("x-forwarded-for", from);
  const response = await send(issuer + path, { redirect: "manual", ...init, headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

function askToken(
  from: string | null,
  fields: Record<string, string>,
  { id, secret }: Pick<TestClient, "id" | "secret"> = at.client,
  way: Way = at,
) {
  const pair = Buffer.from(`${id}:${secret}`).toString("base64");
  const headers = { authorization: `Basic ${pair}` };
  const post = { method: "POST", headers, body: new URLSearchParams(fields) };
  return ask("/oauth/token", from, post, way);
}

/** Whoever guesses does not know the secret. */
const guess = (from: string | null, way: Way = at) =>
  askToken(from, refresh("a guess"), { id: at.client.id, secret: "a guess" }, way);
const userinfo = (from: string | null, way: Way = at) => {
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  return ask("/oauth/userinfo", from, { headers }, way);
};
const authorize = (from: string | null, way: Way = at) =>
  ask(authorizationUrl(at, at.client).slice(at.issuer.length), from, {}, way);

/** Asks `count` times, a few at once; which statuses there were, and how often. */
async function statusesOf(count: number, asking: () => Promise<Answer>) {
  const statuses: Record<number, number> = {};
  let asked = 0;
  const askOn = async () => {
    while (asked < count) {
      asked++;
      const { status } = await asking();
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, askOn));
  return statuses;
}

function expectLimited(answer: Answer): void {
  expect(answer.status, answer.body).toBe(429);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
}

function expectLimitedInJson(answer: Answer): void {
  expectLimited(answer);
  expect(answer.headers.get("content-type")).toBe("application/json");
  const body: Record<string, string> = JSON.parse(answer.body);
  expect(body).toEqual({
    error: "temporarily_unavailable",
    error_description: "too many requests",
    error_id: expect.stringMatching(/^[2-9a-z]{8}$/),
  });
}

/** The first one that is too many stands in the log; a flood does not fill it. */
const inTheLog = () => at.events.filter((line) => line.includes('"rate limit"')).length;

describe("an address that was refused 300 times in a minute", () => {
  const flooder = freshAddress();
  beforeAll(async () => {
    const flood = () => guess(flooder, withoutSockets(at));
    expect(await statusesOf(REFUSALS, flood)).toEqual({ 400: REFUSALS });
    at.statements.length = 0;
  });

  test("is told to wait, in JSON with Retry-After and an error id", async () => {
    const before = inTheLog();
    expectLimitedInJson(await guess(flooder));
    expect(inTheLog()).toBe(before + 1);
    expectLimitedInJson(await guess(flooder));
    expect(inTheLog()).toBe(before + 1);
  });

  test("is told so for everything that is refused, without a statement of SQL", async () => {
    const headers = { "content-type": "image/png" };
    for (const body of ["not a form", "x".repeat(100_000)]) {
      expectLimitedInJson(await ask("/oauth/token", flooder, { method: "POST", headers, body }));
    }
    expectLimitedInJson(await ask("/oauth/token", flooder, { method: "POST" }));
    const body = new URLSearchParams({ token: tokens.refresh_token, client_id: "no client" });
    expectLimitedInJson(await ask("/oauth/revoke", flooder, { method: "POST", body }));
    expectLimitedInJson(await guess(flooder));
    expect(at.statements.filter((sql) => !sql.includes("FROM clients"))).toEqual([]);
  });

  test("does not shut out an app that authenticates", async () => {
    const { refresh_token } = await signInForTokens(at, at.client);
    expect((await askToken(flooder, refresh(refresh_token))).status).toBe(200);
    const unknown = await askToken(flooder, refresh("of no use"));
    expect(unknown.status).toBe(400);
    expect(unknown.body).toContain("invalid_grant");
  });

  test("does not shut out a public client whose token was issued here", async () => {
    const app = await at.addClient({ consent: "never", type: "public" });
    const signedIn = await signIn(at, app);
    const post = (fields: Record<string, string>) =>
      ask("/oauth/token", flooder, { method: "POST", body: new URLSearchParams(fields) });
    const redeemed = await post({ ...redemption(app, signedIn), client_id: app.id });
    expect(redeemed.status, redeemed.body).toBe(200);
    const { refresh_token } = JSON.parse(redeemed.body);
    const fields = { ...refresh(refresh_token), client_id: app.id };
    expect((await post(fields)).status).toBe(200);
    // Bound to this grant: its own bad requests use up its own limit alone.
    const bad = () => post({ ...fields, scope: "wider" });
    expect((await bad()).status).toBe(400);
    expectLimitedInJson(await post({ ...fields, refresh_token: "made up" }));
  });

  test("under any spelling, and whatever it says of itself", async () => {
    expectLimitedInJson(await guess(`::ffff:${flooder}`));
    expectLimitedInJson(await guess(`198.51.100.1, ${flooder}`));
    expectLimitedInJson(await guess(`127.0.0.1, ${flooder}`));
  });

  test("is nobody else: another address, one that it claims for, the proxy's own", async () => {
    expect((await guess(freshAddress())).status).toBe(400);
    expect((await guess(`${flooder}, ${freshAddress()}`)).status).toBe(400);
    expect((await guess(null)).status).toBe(400);
    expect((await userinfo(freshAddress())).status).toBe(200);
  });

  test("still gets pages, and what guesses at nothing", async () => {
    expect((await authorize(flooder)).status).toBe(200);
    expect((await userinfo(flooder)).status).toBe(200);
    expect((await ask("/.well-known/oauth-authorization-server", flooder)).status).toBe(200);
  });
});

test("one household's IPv6 is one address", async () => {
  let host = 0;
  const household = () => guess(`2001:db8:0:1::${(++host).toString(16)}`, withoutSockets(at));
  expect(await statusesOf(REFUSALS, household)).toEqual({ 400: REFUSALS });
  expectLimitedInJson(await household());
  expect((await guess("2001:db8:0:2::1")).status).toBe(400);
});

test("an app that proves its secret is never limited for what people bring to it", async () => {
  const app = freshAddress();
  const bad = () => askToken(app, refresh("brought by anybody"), at.client, withoutSockets(at));
  expect(await statusesOf(1000, bad)).toEqual({ 400: 1000 });
  expect((await guess(app)).status).toBe(400);
});

test("an app with 2,000 requests that succeed is never limited", async () => {
  const app = freshAddress();
  expect(await statusesOf(2000, () => userinfo(app, withoutSockets(at)))).toEqual({ 200: 2000 });
  expect((await askToken(app, refresh(tokens.refresh_token))).status).toBe(200);
});

test("an app with 2,000 requests that fail on our side is never limited", async () => {
  let failing = false;
  const answer = () => (failing ? { rcode: rcode.servFail } : {});
  const dns = await serveDns("alice.test", () => troubled.zone.records(), answer);
  const config = { dnsServers: [dns.text] };
  const troubled = await startTestService({ config });
  try {
    const app = await troubled.addClient({ consent: "never" });
    const { refresh_token } = await signInForTokens(troubled, app);
    failing = true;
    troubled.advance(73 * 3600);
    const from = freshAddress();
    const asking = () => askToken(from, refresh(refresh_token), app, withoutSockets(troubled));
    expect(await statusesOf(2000, asking)).toEqual({ 503: 2000 });
    failing = false;
    troubled.advance(301);
    expect((await asking()).status).toBe(200);
  } finally {
    await troubled.close();
    dns.close();
  }
});

describe("pages", () => {
  test("of a browser whose session is from before get the cookie by which it goes first", async () => {
    const { agent } = await signIn(at, at.client);
    const marks = () => agent.cookies.names(at.issuer).filter((name) => name.includes("returning"));
    expect(marks()).toHaveLength(1);
    agent.cookies.forget((name) => name.includes("returning"));
    await signIn(at, at.client, { agent });
    expect(marks()).toHaveLength(1);
  });

  test("of an address from which a thousand people come are all answered", async () => {
    const reader = freshAddress();
    const asking = () => authorize(reader, withoutSockets(at));
    expect(await statusesOf(PAGES, asking)).toEqual({ 200: PAGES });
    expect((await ask("/nowhere", reader)).status).toBe(404);
  });
});

test("a minute after its first refusal, an address is answered again", async () => {
  const from = freshAddress();
  const post = () => ask("/oauth/token", from, { method: "POST" }, withoutSockets(at));
  expect((await post()).status).toBe(400);
  at.advance(30);
  for (let count = 1; count < REFUSALS; count++) expect((await post()).status).toBe(400);
  const retryAfter = Number((await post()).headers.get("retry-after"));
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(30);
  at.advance(30);
  expect((await post()).status).toBe(400);
});

test("an address that begins 80 DNS challenges is refused none, and takes no room of others", async () => {
  const [from, other] = [freshAddress(), "198.51.100.7"];
  const small = await startTestService({ config: { limits: { unprovedRows: 400_000 } } });
  try {
    const client = await small.addClient();
    const query = authorizationUrl(small, client, { state: "x".repeat(1700) }).split("?")[1];
    const headers = { origin: small.issuer };
    const rows = async () =>
      (await small.store.interactions.unprovedAfter("", 1000)).map(({ id }) => id);
    const begin = async (address: string) => {
      const body = new URLSearchParams({ domain: "alice.test" });
      const way = withoutSockets(small);
      const post = { method: "POST", headers, body };
      const { status, headers: answered } = await ask(`/sign-in?${query}`, address, post, way);
      expect(status).toBe(303);
      return answered.get("location")?.split("/")[2] ?? "";
    };
    const own = await begin(other);
    for (let count = 0; count < 80; count++) await begin(from);
    expect(await rows()).toContain(own);
    await expect.poll(async () => (await rows()).length).toBeLessThan(60);
    const again = await begin(other);
    expect(await rows()).toContain(again);
  } finally {
    await small.close();
  }
});

describe("a proxy that names no clients does not switch the limits off: they share one, and the log names the proxy", () => {
  const post = { method: "POST" };
  const proxies = (service: TestService) =>
    service.events.filter((line) => /^(?:undeclared|silent) proxy /.test(line));

  test.each([
    ["on this machine", "127.0.0.1", "silent proxy"],
    ["that the host does not name, or a unix socket", "", null],
  ])("%s", async (_, peer, reported) => {
    const service = await startTestService();
    try {
      const way = withoutSockets(service, peer);
      const refused = () => ask("/oauth/token", null, post, way);
      expect(await statusesOf(REFUSALS + 5, refused)).toEqual({ 400: REFUSALS, 429: 5 });
      const told = expect.stringMatching(`^${reported} .*"address":"${peer}".*X-Forwarded-For`);
      expect(proxies(service)).toEqual(reported === null ? [] : [told]);
      // Somebody whom the proxy names is not refused.
      expect((await ask("/nowhere", freshAddress(), {}, withoutSockets(service))).status).toBe(404);
    } finally {
      await service.close();
    }
  });

  test.each([
    ["on this machine, if none is trusted", [], "127.0.0.1"],
    ["elsewhere", ["loopback"], "203.0.113.5"],
    ["that the host does not name", ["loopback"], ""],
  ])(
    "and what an undeclared proxy forwards is not believed: %s",
    async (_, trustedProxies, peer) => {
      const service = await startTestService({ config: { trustedProxies } });
      try {
        const way = withoutSockets(service, peer);
        const refused = () => ask("/oauth/token", freshAddress(), post, way);
        expect(await statusesOf(REFUSALS, refused)).toEqual({ 400: REFUSALS });
        const told = expect.stringMatching(
          `^undeclared proxy .*"address":"${peer}".*trusted_proxies`,
        );
        const seen = peer === "" ? [] : [told];
        expect(proxies(service)).toEqual(seen);
        expect((await refused()).status).toBe(429);
        expect((await refused()).status).toBe(429);
        expect(proxies(service)).toEqual([...seen, ...seen]);
      } finally {
        await service.close();
      }
    },
  );
});

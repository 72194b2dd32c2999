// The token endpoint as the contract shows it: redemption, rotation, retry, replay, revocation.

import { beforeAll, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import type { TestClient } from "../support/service.ts";
import { redemption, refresh, revoke, signIn, signInForTokens } from "../support/sign-in.ts";

const at = flow({ client: "file" });
let client: TestClient;
beforeAll(() => {
  client = at.client;
});

/** The status of userinfo with this access token. */
const userinfo = async (token: unknown) => (await at.userinfo(token)).status;
/** The refresh token with which the client has replaced this one. */
const successorOf = async (token: unknown, by = client) =>
  String((await at.token(refresh(String(token)), by)).body.refresh_token);
const invalidGrant = { status: 400, body: { error: "invalid_grant" } };

test("a code and its verifier are exchanged for both tokens, in the contract's shape (RFC 6749 §5.1)", async () => {
  const done = await signIn(at, client);
  const { status, body, headers } = await at.token(redemption(client, done), client);
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^dsa_[\w-]{87}$/),
    token_type: "bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^dsr_[\w-]{71}$/),
    scope: "openid",
    id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    validation_data: expect.objectContaining({ v: 1, domain: "alice.test" }),
  });
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("cache-control")).toBe("no-store");
});

test("a client may authenticate by body parameters", async () => {
  const done = await signIn(at, client);
  const inBody = { client_id: client.id, client_secret: client.secret ?? "" };
  expect((await at.token({ ...redemption(client, done), ...inBody })).status).toBe(200);
});

test("a public client redeems with its client_id and the verifier alone, and refreshes so", async () => {
  const app = await at.addClient({ type: "public", consent: "never" });
  const { refresh_token } = await signInForTokens(at, app);
  expect((await at.token(refresh(refresh_token), app)).status).toBe(200);
});

test("a code works without PKCE for a confidential client", async () => {
  const done = await signIn(at, client, { withPkce: false });
  expect((await at.token(redemption(client, done), client)).status).toBe(200);
});

test("a code is good for 10 minutes and not a second longer", async () => {
  const [young, old] = [await signIn(at, client), await signIn(at, client)];
  at.advance(595);
  expect((await at.token(redemption(client, young), client)).status).toBe(200);
  at.advance(6);
  expect(await at.token(redemption(client, old), client)).toMatchObject(invalidGrant);
});

test("a wrong verifier, redirect_uri or client changes nothing: the code still works afterwards", async () => {
  const other = await at.addClient();
  const done = await signIn(at, client);
  const right = redemption(client, done);
  const wrong = [
    at.token({ ...right, code_verifier: "x".repeat(43) }, client),
    at.token({ ...right, code_verifier: "short" }, client),
    at.token({ ...right, redirect_uri: `${client.redirectUri}/` }, client),
    at.token(right, other),
    at.token({ ...right, code_verifier: "" }, client),
  ];
  for (const answer of wrong) expect(await answer).toMatchObject(invalidGrant);
  expect((await at.token(right, client)).status).toBe(200);
});

test("a verifier for a code without challenge is refused (RFC 9700 §4.8.2)", async () => {
  const done = await signIn(at, client, { withPkce: false });
  const answer = at.token({ ...redemption(client, done), code_verifier: "v".repeat(43) }, client);
  expect(await answer).toMatchObject(invalidGrant);
});

test("a code that was redeemed is refused, and its tokens are revoked (RFC 6749 §4.1.2)", async () => {
  const done = await signIn(at, client);
  const { body } = await at.token(redemption(client, done), client);
  expect(await userinfo(body.access_token)).toBe(200);
  at.advance(31);
  expect(await at.token(redemption(client, done), client)).toMatchObject(invalidGrant);
  expect(await userinfo(body.access_token)).toBe(401);
  const refreshed = at.token(refresh(String(body.refresh_token)), client);
  expect(await refreshed).toMatchObject(invalidGrant);
});

test.each([
  ["verifier", true],
  ["client secret", false],
])(
  "a double submit with the right %s within 30 seconds is refused and revokes nothing",
  async (_, withPkce) => {
    const done = await signIn(at, client, { withPkce });
    const { body } = await at.token(redemption(client, done), client);
    at.advance(29);
    expect(await at.token(redemption(client, done), client)).toMatchObject(invalidGrant);
    expect(await userinfo(body.access_token)).toBe(200);
    at.advance(3);
    expect(await at.token(redemption(client, done), client)).toMatchObject(invalidGrant);
    expect(await userinfo(body.access_token)).toBe(401);
  },
);

test("the 30 seconds are counted from the redemption, not from a refresh", async () => {
  const done = await signIn(at, client);
  const { body } = await at.token(redemption(client, done), client);
  at.advance(3000);
  const second = await at.token(refresh(String(body.refresh_token)), client);
  at.advance(5);
  expect(await at.token(redemption(client, done), client)).toMatchObject(invalidGrant);
  const next = at.token(refresh(String(second.body.refresh_token)), client);
  expect(await next).toMatchObject(invalidGrant);
});

test("of 100 clients that redeem one code one wins, and its tokens live", async () => {
  const done = await signIn(at, client);
  const redeem = () => at.token(redemption(client, done), client);
  const answers = await Promise.all(Array.from({ length: 100 }, redeem));
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(99);
  expect(await userinfo(won[0]?.body.access_token)).toBe(200);
});

test("both tokens are replaced on every refresh, and the access token of before lives its hour", async () => {
  const first = await signInForTokens(at, client);
  const second = (await at.token(refresh(first.refresh_token), client)).body;
  expect(second).toEqual({
    access_token: expect.any(String),
    token_type: "bearer",
    expires_in: 3600,
    refresh_token: expect.any(String),
    scope: "openid",
  });
  expect(second.access_token).not.toBe(first.access_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await userinfo(first.access_token)).toBe(200);
  at.advance(3601);
  expect(await userinfo(first.access_token)).toBe(401);
});

test("of 50 that present one refresh token at once all get the same successor, which works", async () => {
  const { refresh_token } = await signInForTokens(at, client);
  const present = () => at.token(refresh(refresh_token), client);
  const answers = await Promise.all(Array.from({ length: 50 }, present));
  const successors = new Set(answers.map(({ status, body }) => `${status} ${body.refresh_token}`));
  expect(successors.size).toBe(1);
  expect([...successors][0]).toMatch(/^200 dsr_/);
  expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(50);
  const successor = String(answers[0]?.body.refresh_token);
  expect((await at.token(refresh(successor), client)).status).toBe(200);
});

test("an identical retry within 30 seconds gets the identical successor; the window does not slide", async () => {
  const app = await at.addClient({ type: "public", consent: "never" });
  const { refresh_token } = await signInForTokens(at, app);
  const { body } = await at.token(refresh(refresh_token), app);
  at.advance(20);
  const retried = await at.token(refresh(refresh_token), app);
  expect(retried.body.refresh_token).toBe(body.refresh_token);
  at.advance(20);
  expect(await at.token(refresh(refresh_token), app)).toMatchObject(invalidGrant);
  expect(await at.token(refresh(String(body.refresh_token)), app)).toMatchObject(invalidGrant);
});

test("a client that authenticates can repeat a refresh until its successor is used, and late retries are counted", async () => {
  const { refresh_token } = await signInForTokens(at, client);
  const { body } = await at.token(refresh(refresh_token), client);
  at.advance(23 * 3600);
  const retried = await at.token(refresh(refresh_token), client);
  expect(retried.body.refresh_token).toBe(body.refresh_token);
  expect(at.events.some((event) => event.startsWith("retried late"))).toBe(true);
  expect((await at.token(refresh(String(body.refresh_token)), client)).status).toBe(200);
  expect(await at.token(refresh(refresh_token), client)).toMatchObject(invalidGrant);
});

test("a refresh token whose successor was used is theft: the grant ends, window or not", async () => {
  const { refresh_token, access_token } = await signInForTokens(at, client);
  const third = await successorOf(await successorOf(refresh_token));
  expect(await at.token(refresh(refresh_token), client)).toMatchObject(invalidGrant);
  expect(await at.token(refresh(third), client)).toMatchObject(invalidGrant);
  expect(await userinfo(access_token)).toBe(401);
  expect(at.events.some((event) => event.startsWith("replayed"))).toBe(true);
});

test("a stranger with another client's refresh token is refused and ends nothing", async () => {
  const other = await at.addClient();
  const { refresh_token } = await signInForTokens(at, client);
  expect(await at.token(refresh(refresh_token), other)).toMatchObject(invalidGrant);
  const second = await successorOf(refresh_token);
  at.advance(60);
  expect(await at.token(refresh(refresh_token), other)).toMatchObject(invalidGrant);
  expect((await at.token(refresh(second), client)).status).toBe(200);
});

test("a client with the retry window off gets no second answer", async () => {
  const strict = await at.addClient({ consent: "never", refresh_retry_window: 0 });
  const { refresh_token } = await signInForTokens(at, strict);
  expect((await at.token(refresh(refresh_token), strict)).status).toBe(200);
  expect(await at.token(refresh(refresh_token), strict)).toMatchObject(invalidGrant);
});

test("a refresh token dies after 30 days without use, and the grant after its absolute lifetime", async () => {
  const idle = await signInForTokens(at, client);
  at.advance(30 * 86400 + 1);
  expect(await at.token(refresh(idle.refresh_token), client)).toMatchObject(invalidGrant);

  const short = await at.addClient({ consent: "never", refresh_absolute_lifetime: 100 });
  const { refresh_token } = await signInForTokens(at, short);
  at.advance(60);
  const second = await successorOf(refresh_token, short);
  at.advance(41);
  expect(await at.token(refresh(second), short)).toMatchObject(invalidGrant);
});

test("a narrower scope narrows the access token, and a wider one is invalid_request and changes nothing", async () => {
  const wide = await at.addClient({ consent: "never", scope: "openid profile" });
  const parameters = { scope: "openid profile" };
  const { refresh_token } = await signInForTokens(at, wide, { parameters });
  const wider = await at.token(refresh(refresh_token, { scope: "openid admin" }), wide);
  expect(wider).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  const { body } = await at.token(refresh(refresh_token, { scope: "profile" }), wide);
  expect(body.scope).toBe("profile");
  expect(await userinfo(body.access_token)).toBe(403);
  const back = await at.token(refresh(String(body.refresh_token)), wide);
  expect(back.body.scope).toBe("openid profile");
});

test("a confidential client must authenticate to refresh, unless it is registered otherwise", async () => {
  const lax = await at.addClient({ consent: "never", refresh_client_auth: "optional" });
  const strict = await signInForTokens(at, client);
  const bare = await signInForTokens(at, lax);
  const withoutSecret = at.token(refresh(strict.refresh_token), { id: client.id, secret: null });
  expect(await withoutSecret).toMatchObject({ status: 400, body: { error: "invalid_client" } });
  const allowed = await at.token(refresh(bare.refresh_token), { id: lax.id, secret: null });
  expect(allowed.status).toBe(200);
});

test("revoking the access token ends the grant (RFC 7009), and only for its own client", async () => {
  const { access_token, refresh_token } = await signInForTokens(at, client);
  const other = await at.addClient();
  expect((await revoke(at, other, access_token)).status).toBe(200);
  expect(await userinfo(access_token)).toBe(200);
  expect((await revoke(at, client, access_token)).status).toBe(200);
  expect(await userinfo(access_token)).toBe(401);
  expect(await at.token(refresh(refresh_token), client)).toMatchObject(invalidGrant);
});

// Tests of introspection: what is asked, what is believed, and what is remembered.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  INTROSPECTION_PATH,
  startTestIssuer,
  type TestIssuer,
} from "../test/support/test-issuer.ts";
import { AccessTokenError } from "./errors.ts";
import { type ProtectedResource, protectResource } from "./protect-resource.ts";

const resource = "https://notes.example/api";

let at: TestIssuer;
let api: ProtectedResource;
beforeEach(async () => {
  at = await startTestIssuer({ resource });
  api = apiWith({});
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await at.close();
});

function apiWith(changes: { clientSecret?: string; cacheSeconds?: number }): ProtectedResource {
  const introspection = { ...at.credentials, ...changes };
  return protectResource({ issuer: at.issuer, resource, introspection });
}

const asked = () => at.requests(INTROSPECTION_PATH);

async function outcome(token: string, using = api): Promise<string> {
  try {
    await using.verify(token);
    return "valid";
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return `${error.status} ${error.message}`;
  }
}

test("a revoked token is refused at once, though its signature is valid", async () => {
  const token = await at.sign(at.claims());
  expect(await outcome(token)).toBe("valid");
  at.revoke(token);
  expect([await outcome(token), asked()]).toEqual(["401 The access token is not active", 2]);
});

test("without introspection, a revoked token is valid until it expires", async () => {
  const token = await at.sign(at.claims());
  at.revoke(token);
  const local = protectResource({ issuer: at.issuer, resource });
  expect([await outcome(token, local), asked()]).toEqual(["valid", 0]);
});

test("a token that is refused without the issuer costs it no request", async () => {
  const others = [at.claims({ aud: "https://mail.example/api" }), at.claims({ exp: 1 })];
  for (const claims of others) expect(await outcome(await at.sign(claims))).toMatch(/^401/);
  expect(await outcome("dsa_opaque")).toMatch(/^401/);
  expect(asked()).toBe(0);
});

test.each<[string, { status?: number; body?: string }, string]>([
  ["a failure", { status: 500 }, "status 500"],
  ["a limit", { status: 429 }, "status 429"],
  ["a redirect", { status: 307 }, "status 307"],
  ["no JSON", { body: "<html>" }, "JSON"],
  ["null", { body: "null" }, "the answer has no member active"],
  ["no object", { body: "true" }, "the answer has no member active"],
  ["an object without active", { body: "{}" }, "the answer has no member active"],
])("if the answer is %s, the request gets 503", async (_, answer, reason) => {
  at.answer(INTROSPECTION_PATH, answer);
  const said = await outcome(await at.sign(at.claims()));
  expect(said).toContain(`503 Introspection at ${at.issuer}${INTROSPECTION_PATH} is not available`);
  expect(said).toContain(reason);
});

test.each(["false", '"true"', "1", "null", "{}"])(
  "only true means active: %s does not",
  async (active) => {
    at.answer(INTROSPECTION_PATH, { body: `{"active":${active}}` });
    const said = await outcome(await at.sign(at.claims()));
    expect(said).toBe("401 The access token is not active");
  },
);

test("wrong credentials are the fault of the API, not of its caller: 503", async () => {
  const said = await outcome(await at.sign(at.claims()), apiWith({ clientSecret: "wrong" }));
  expect(said).toContain("503");
  expect(said).toContain("the credentials of this resource were refused");
  expect(said).not.toContain("wrong");
});

test("an answer is reused for the seconds that were allowed, and a refusal never", async () => {
  const cached = apiWith({ cacheSeconds: 5 });
  const token = await at.sign(at.claims());
  expect([await outcome(token, cached), await outcome(token, cached)]).toEqual(["valid", "valid"]);
  expect(asked()).toBe(1);
  at.revoke(token);
  vi.setSystemTime(Date.now() + 4_900);
  expect([await outcome(token, cached), asked()]).toEqual(["valid", 1]);
  vi.setSystemTime(Date.now() + 200);
  for (const count of [2, 3])
    expect([await outcome(token, cached), asked()]).toEqual([
      "401 The access token is not active",
      count,
    ]);
});

test("an answer for one token is not used for another", async () => {
  const cached = apiWith({ cacheSeconds: 5 });
  const [one, other] = [await at.sign(at.claims()), await at.sign(at.claims())];
  at.revoke(other);
  expect(await outcome(one, cached)).toBe("valid");
  expect(await outcome(other, cached)).toBe("401 The access token is not active");
});

test("a thousand answers are remembered, and the oldest is forgotten first", async () => {
  const cached = apiWith({ cacheSeconds: 10 });
  const tokens = await Promise.all(Array.from({ length: 1001 }, () => at.sign(at.claims())));
  for (const token of tokens) await cached.verify(token);
  expect(asked()).toBe(1001);
  for (const token of tokens.slice(1)) await cached.verify(token);
  expect(asked()).toBe(1001);
  await cached.verify(tokens[0] ?? "");
  expect(asked()).toBe(1002);
});

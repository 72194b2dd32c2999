// Tests of the key set: how often it is fetched, and what happens when it cannot be.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { JWKS_PATH, startTestIssuer, type TestIssuer } from "../test/support/test-issuer.ts";
import { AccessTokenError } from "./errors.ts";
import { type ProtectedResource, protectResource } from "./protect-resource.ts";

let at: TestIssuer;
let api: ProtectedResource;
beforeEach(async () => {
  at = await startTestIssuer();
  api = protectResource({ issuer: at.issuer, resource: "https://notes.example/api" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await at.close();
});

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const token = (header?: Record<string, unknown>) => at.sign(at.claims(), header ? { header } : {});
const fetches = () => at.requests(JWKS_PATH);

/** "valid", or the code and the description of the refusal. */
async function outcome(given: string): Promise<string> {
  try {
    await api.verify(given);
    return "valid";
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return `${error.status} ${error.code}: ${error.message}`;
  }
}

const unknownKey = "401 invalid_token: The access token is signed with an unknown key";
const unavailable = (reason: string) =>
  `503 temporarily_unavailable: The key set at ${at.issuer}${JWKS_PATH} is not available: ${reason}`;

test("nothing is fetched before the first token, and one fetch serves all that come at once", async () => {
  expect(fetches()).toBe(0);
  const tokens = await Promise.all(Array.from({ length: 50 }, () => token()));
  const outcomes = await Promise.all(tokens.map(outcome));
  expect([new Set(outcomes), fetches()]).toEqual([new Set(["valid"]), 1]);
});

test("the key set is kept for ten minutes", async () => {
  await outcome(await token());
  pass(599);
  await outcome(await token());
  expect(fetches()).toBe(1);
  pass(2);
  await outcome(await token());
  expect(fetches()).toBe(2);
});

test("an unknown key causes a fetch once a minute, however many tokens name one", async () => {
  const [old, strange] = [await token(), await token({ kid: "unknown" })];
  expect(await outcome(old)).toBe("valid");
  await at.rotate();
  const rotated = await token();
  for (let count = 0; count < 20; count++) expect(await outcome(strange)).toBe(unknownKey);
  expect([await outcome(rotated), fetches()]).toEqual([unknownKey, 1]);
  pass(61);
  expect([await outcome(rotated), fetches()]).toEqual(["valid", 2]);
  for (let count = 0; count < 20; count++) expect(await outcome(strange)).toBe(unknownKey);
  expect(fetches()).toBe(2);
  // What the new key set does not have is no longer valid.
  expect(await outcome(old)).toBe(unknownKey);
});

test.each<[string, { status?: number; body?: string }, string]>([
  ["a failure", { status: 500 }, "Expected 200 OK"],
  ["a redirect", { status: 302 }, "Expected 200 OK"],
  ["no JSON", { body: "<html>" }, "Failed to parse"],
  ["no key set", { body: '{"keys":7}' }, "JSON Web Key Set malformed"],
])("if the answer is %s, a token is neither valid nor invalid: 503", async (_, answer, reason) => {
  at.answer(JWKS_PATH, answer);
  expect(await outcome(await token())).toContain(unavailable(reason));
});

test("if the issuer cannot be reached, the answer is 503, and 401 never", async () => {
  const good = await token();
  await at.close();
  expect(await outcome(good)).toContain(unavailable("fetch failed"));
  await expect(api.verify(good)).rejects.toMatchObject({
    name: "AccessTokenError",
    cause: { message: "fetch failed" },
  });
  expect(await outcome("not.a.token")).toContain("401 invalid_token");
});

test("an issuer that failed is left alone for five seconds, then asked again", async () => {
  at.answer(JWKS_PATH, { status: 500 });
  const good = await token();
  for (let count = 0; count < 20; count++) expect(await outcome(good)).toContain("503");
  expect(fetches()).toBe(1);
  at.answer(JWKS_PATH, undefined);
  pass(4);
  expect([await outcome(good), fetches()]).toEqual([expect.stringContaining("503"), 1]);
  pass(2);
  expect([await outcome(good), fetches()]).toEqual(["valid", 2]);
});

test("a fetch that fails for an unknown key leaves the known keys in use", async () => {
  const [good, strange] = [await token(), await token({ kid: "unknown" })];
  expect(await outcome(good)).toBe("valid");
  at.answer(JWKS_PATH, { status: 500 });
  pass(61);
  for (let count = 0; count < 20; count++) expect(await outcome(strange)).toContain("503");
  expect([await outcome(good), fetches()]).toEqual(["valid", 2]);
});

test("old keys are not used when they cannot be confirmed", async () => {
  const good = await token();
  expect(await outcome(good)).toBe("valid");
  at.answer(JWKS_PATH, { status: 500 });
  pass(601);
  expect(await outcome(good)).toContain(unavailable("Expected 200 OK"));
});

test("a token that names no key is refused if several keys could have signed it", async () => {
  const unnamed = await token({ kid: undefined });
  const { kid: _, ...key } = at.publicKey("ES256");
  at.answer(JWKS_PATH, { body: JSON.stringify({ keys: [key, { ...key }] }) });
  expect(await outcome(unnamed)).toBe("401 invalid_token: The access token is malformed");
});

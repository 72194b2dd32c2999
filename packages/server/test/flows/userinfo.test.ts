// The ways in which an access token comes to userinfo (RFC 6750 §2), and those in which it may not.

import { beforeAll, expect, test } from "vitest";
import { changedText } from "../support/changed-text.ts";
import { flow } from "../support/flow.ts";
import { signInForTokens } from "../support/sign-in.ts";

const at = flow({ client: "file" });
let token = "";
beforeAll(async () => {
  token = (await signInForTokens(at, at.client)).access_token;
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };

async function ask(init: RequestInit): Promise<[number, Record<string, unknown>]> {
  const answer = await fetch(`${at.issuer}/oauth/userinfo`, init);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  return [answer.status, (await answer.json()) as Record<string, unknown>];
}

const bearer = () => ({ authorization: `Bearer ${token}` });
const invalid = [400, expect.objectContaining({ error: "invalid_request" })];

test("it is taken in the header of a GET and of a POST, and in the form of a POST", async () => {
  const owner = {
    sub: expect.any(String),
    domain: "alice.test",
    domain_since: expect.any(Number),
    client_id: expect.stringMatching(/^dsid_/),
  };
  expect(await ask({ headers: bearer() })).toEqual([200, owner]);
  expect(await ask({ method: "POST", headers: bearer() })).toEqual([200, owner]);
  const body = `access_token=${token}`;
  expect(await ask({ method: "POST", headers: FORM, body })).toEqual([200, owner]);
  const upper = { "content-type": "Application/X-WWW-Form-URLEncoded; charset=UTF-8" };
  expect(await ask({ method: "POST", headers: upper, body })).toEqual([200, owner]);
});

test("another body beside the header says nothing", async () => {
  const [form] = await ask({ method: "POST", headers: { ...FORM, ...bearer() }, body: "a=b" });
  expect(form).toBe(200);
  const json = { ...bearer(), "content-type": "application/json" };
  expect((await ask({ method: "POST", headers: json, body: "{}" }))[0]).toBe(200);
});

test("in both, twice in the form, or in a form that cannot be read it is 400", async () => {
  const both = { method: "POST", headers: { ...FORM, ...bearer() } };
  const form = { method: "POST", headers: FORM };
  const body = `access_token=${token}`;
  expect(await ask({ ...both, body })).toEqual(invalid);
  expect(await ask({ ...form, body: `${body}&${body}` })).toEqual(invalid);
  expect(await ask({ ...form, body: `${body}%` })).toEqual(invalid);
  const large = `${body}&filler=${"x".repeat(17_000)}`;
  expect(await ask({ ...form, body: large })).toEqual(invalid);
});

test("a wrong one is 401 either way, and none is 401 without a code", async () => {
  const form = { method: "POST", headers: FORM };
  const wrong = changedText(token);
  const refused = [401, expect.objectContaining({ error: "invalid_token" })];
  expect(await ask({ ...form, body: `access_token=${wrong}` })).toEqual(refused);
  expect((await ask({ ...form, body: "access_token=" }))[0]).toBe(401);
  expect((await ask({ method: "POST" }))[0]).toBe(401);
});

test("it is never taken from a query (RFC 6750 §2.3)", async () => {
  const answer = await fetch(`${at.issuer}/oauth/userinfo?access_token=${token}`);
  expect(answer.status).toBe(401);
});

// Bad input at the token endpoint: each case gets the contract's answer, never a 500 or a stack.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { redemption, type SignIn, signIn } from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let app: TestClient;
let done: SignIn;
beforeAll(async () => {
  at = await startTestService();
  client = await at.addClient({ consent: "never" });
  app = await at.addClient({ type: "public" });
  done = await signIn(at, client);
});
afterAll(() => at.close());

const FORM = "application/x-www-form-urlencoded";
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const response = await fetch(`${at.issuer}/oauth/token`, {
    method: "POST",
    body,
    headers: { "content-type": FORM, ...headers },
  });
  const text = await response.text();
  expect(text).not.toMatch(/ at .*\.(ts|js):|node_modules/);
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

type Code = "invalid_request" | "invalid_client" | "invalid_grant" | "unsupported_grant_type";

describe("POST /oauth/token", () => {
  const good = () => new URLSearchParams(redemption(client, done)).toString();
  const ours = () => ({ authorization: basic(client.id, client.secret ?? "") });
  const without = (name: string) => {
    const form = new URLSearchParams(good());
    form.delete(name);
    return form.toString();
  };
  const withValue = (name: string, value: string) => {
    const form = new URLSearchParams(good());
    form.set(name, value);
    return form.toString();
  };

  const cases: [
    name: string,
    code: Code,
    body: () => string,
    headers?: () => Record<string, string>,
  ][] = [
    ["an empty body", "invalid_request", () => ""],
    ["no grant_type", "invalid_request", () => without("grant_type")],
    ["an empty grant_type", "invalid_request", () => withValue("grant_type", "")],
    [
      "grant_type=password without credentials",
      "unsupported_grant_type",
      () => "grant_type=password",
      () => ({}),
    ],
    [
      "grant_type=client_credentials",
      "unsupported_grant_type",
      () => "grant_type=client_credentials",
    ],
    [
      "grant_type in capitals",
      "unsupported_grant_type",
      () => withValue("grant_type", "AUTHORIZATION_CODE"),
    ],
    ["grant_type=__proto__", "unsupported_grant_type", () => "grant_type=__proto__"],
    ["grant_type=constructor", "unsupported_grant_type", () => "grant_type=constructor"],
    ["no code", "invalid_request", () => without("code")],
    ["no redirect_uri", "invalid_request", () => without("redirect_uri")],
    ["no refresh_token", "invalid_request", () => "grant_type=refresh_token"],
    ["a repeated code", "invalid_request", () => `${good()}&code=x`],
    ["a repeated grant_type", "invalid_request", () => `${good()}&grant_type=authorization_code`],
    ["a repeated unknown parameter", "invalid_request", () => `${good()}&x=1&x=1`],
    ["no client at all", "invalid_request", good, () => ({})],
    [
      "an unknown client",
      "invalid_client",
      good,
      () => ({ authorization: basic("nobody", "secret") }),
    ],
    [
      "an unknown client in the body",
      "invalid_client",
      () => `${good()}&client_id=nobody`,
      () => ({}),
    ],
    [
      "a wrong secret",
      "invalid_client",
      good,
      () => ({ authorization: basic(client.id, "wrong") }),
    ],
    ["an empty secret", "invalid_client", good, () => ({ authorization: basic(client.id, "") })],
    [
      "a confidential client without its secret",
      "invalid_client",
      () => `${good()}&client_id=${client.id}`,
      () => ({}),
    ],
    [
      "a secret for a public client",
      "invalid_client",
      good,
      () => ({ authorization: basic(app.id, "secret") }),
    ],
    [
      "Basic and body secret together",
      "invalid_request",
      () => `${good()}&client_secret=${client.secret}`,
    ],
    [
      "Basic with another client_id in the body",
      "invalid_request",
      () => `${good()}&client_id=${app.id}`,
    ],
    [
      "two Authorization headers",
      "invalid_request",
      good,
      () => ({ authorization: `${ours().authorization}, Basic eDp5` }),
    ],
    ["Basic that is not base64", "invalid_request", good, () => ({ authorization: "Basic ???" })],
    [
      "Basic without a colon",
      "invalid_request",
      good,
      () => ({ authorization: `Basic ${Buffer.from("x").toString("base64")}` }),
    ],
    ["a Bearer header", "invalid_client", good, () => ({ authorization: "Bearer x" })],
    ["an unknown code", "invalid_grant", () => withValue("code", "x")],
    [
      "a code of 10,000 characters",
      "invalid_grant",
      () => withValue("code", "dsc_".padEnd(10_000, "A")),
    ],
    ["a code with a space behind it", "invalid_grant", () => withValue("code", `${done.code} `)],
    ["a code with padding", "invalid_grant", () => withValue("code", `${done.code}=`)],
    ["an emoji for a code", "invalid_grant", () => withValue("code", "🙂")],
    [
      "a code with one character changed",
      "invalid_grant",
      () =>
        withValue(
          "code",
          done.code.replace(/.$/, (c) => (c === "A" ? "B" : "A")),
        ),
    ],
    ["another client's code", "invalid_grant", () => `${good()}&client_id=${app.id}`, () => ({})],
    [
      "another redirect_uri",
      "invalid_grant",
      () => withValue("redirect_uri", "https://app.example.org/other"),
    ],
    ["a wrong verifier", "invalid_grant", () => withValue("code_verifier", "x".repeat(43))],
    [
      "a verifier of 42 characters",
      "invalid_grant",
      () => withValue("code_verifier", "x".repeat(42)),
    ],
    [
      "a verifier of 129 characters",
      "invalid_grant",
      () => withValue("code_verifier", "x".repeat(129)),
    ],
    ["no verifier although PKCE was used", "invalid_grant", () => without("code_verifier")],
    [
      "a code as refresh token",
      "invalid_grant",
      () => `grant_type=refresh_token&refresh_token=${done.code}`,
    ],
    ["a NUL in a parameter", "invalid_request", () => `${good()}&x=%00`],
    ["a bad percent escape", "invalid_request", () => `${good()}&x=%zz`],
    ["invalid UTF-8 in an escape", "invalid_request", () => `${good()}&x=%ff`],
    ["an overlong UTF-8 escape", "invalid_request", () => `${good()}&x=%c0%af`],
    ["JSON", "invalid_request", () => "{}", () => ({ "content-type": "application/json" })],
    ["no known media type", "invalid_request", good, () => ({ "content-type": "text/plain" })],
    [
      "multipart",
      "invalid_request",
      good,
      () => ({ "content-type": "multipart/form-data; boundary=x" }),
    ],
    ["17 KiB", "invalid_request", () => `${good()}&x=${"x".repeat(17 * 1024)}`],
  ];

  test.each(cases)("%s is 400 %s", async (_, code, body, headers = ours) => {
    const answer = await post(body(), headers());
    expect([answer.status, answer.body.error]).toEqual([400, code]);
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const triedBasic = headers().authorization?.startsWith("Basic ") && code === "invalid_client";
    expect(answer.headers.get("www-authenticate")).toBe(
      triedBasic ? 'Basic realm="domain-signin"' : null,
    );
  });

  test("raw bytes that are not UTF-8 are invalid_request", async () => {
    const bytes = new Uint8Array([...Buffer.from(`${good()}&x=`), 0xff, 0xfe]);
    const answer = await post(bytes, ours());
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"]);
  });

  test("another method is 405 with Allow, a preflight is answered", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await fetch(`${at.issuer}/oauth/token`, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
    const preflight = await fetch(`${at.issuer}/oauth/token`, { method: "OPTIONS" });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
  });

  test("after all of that the code still works, with an unknown parameter and a charset", async () => {
    const answer = await post(`${good()}&unknown=1`, {
      ...ours(),
      "content-type": "Application/X-WWW-Form-URLEncoded; charset=UTF-8",
    });
    expect(answer.status).toBe(200);
  });
});

test("nothing of all this was our own failure", () => {
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});

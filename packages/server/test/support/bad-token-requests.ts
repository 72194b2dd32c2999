// Invalid requests to the token endpoint, each with its error code.

import type { TokenErrorCode } from "../../src/oauth/protocol-errors.ts";
import { ASSERTION_TYPE } from "./document-client.ts";
import type { TestClient } from "./service.ts";
import { redemption, type SignIn } from "./sign-in.ts";

/** What the cases are built from: a confidential client with a code, and a public client. */
export interface TokenFixture {
  readonly client: TestClient;
  readonly app: TestClient;
  readonly done: SignIn;
}

type Make<T> = (fixture: TokenFixture) => T;

/** The valid request. */
export const good: Make<string> = ({ client, done }) =>
  new URLSearchParams(redemption(client, done)).toString();

/** The Authorization header of the client. */
export const ours: Make<Record<string, string>> = ({ client }) => ({
  authorization: basic(client.id, client.secret ?? ""),
});

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}

function without(fixture: TokenFixture, name: string): string {
  const form = new URLSearchParams(good(fixture));
  form.delete(name);
  return form.toString();
}

function withValue(fixture: TokenFixture, name: string, value: string): string {
  const form = new URLSearchParams(good(fixture));
  form.set(name, value);
  return form.toString();
}

/** Each gets 400. The client authenticates correctly, unless a case has its own headers. */
export const badTokenRequests: readonly (readonly [
  name: string,
  error: TokenErrorCode,
  body: Make<string | Uint8Array<ArrayBuffer>>,
  headers?: Make<Record<string, string>>,
])[] = [
  ["an empty body", "invalid_request", () => ""],
  ["no grant_type", "invalid_request", (f) => without(f, "grant_type")],
  ["an empty grant_type", "invalid_request", (f) => withValue(f, "grant_type", "")],
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
    (f) => withValue(f, "grant_type", "AUTHORIZATION_CODE"),
  ],
  ...["device_code", "jwt-bearer", "saml2-bearer", "token-exchange"].map(
    (name): [string, TokenErrorCode, Make<string>] => {
      const type = `grant_type=urn:ietf:params:oauth:grant-type:${name}`;
      return [type, "unsupported_grant_type", () => type.replaceAll(":", "%3A")];
    },
  ),
  [
    "grant_type=urn:openid:params:grant-type:ciba",
    "unsupported_grant_type",
    () => "grant_type=urn%3Aopenid%3Aparams%3Agrant-type%3Aciba",
  ],
  ["grant_type=__proto__", "unsupported_grant_type", () => "grant_type=__proto__"],
  ["grant_type=constructor", "unsupported_grant_type", () => "grant_type=constructor"],
  ["no code", "invalid_request", (f) => without(f, "code")],
  ["no redirect_uri", "invalid_request", (f) => without(f, "redirect_uri")],
  ["no refresh_token", "invalid_request", () => "grant_type=refresh_token"],
  ["a repeated code", "invalid_request", (f) => `${good(f)}&code=x`],
  ["a repeated grant_type", "invalid_request", (f) => `${good(f)}&grant_type=authorization_code`],
  ["a repeated unknown parameter", "invalid_request", (f) => `${good(f)}&x=1&x=1`],
  ["no client", "invalid_request", good, () => ({})],
  [
    "an unknown client",
    "invalid_client",
    good,
    () => ({ authorization: basic("nobody", "secret") }),
  ],
  [
    "an unknown client in the body",
    "invalid_client",
    (f) => `${good(f)}&client_id=nobody`,
    () => ({}),
  ],
  [
    "a wrong secret",
    "invalid_client",
    good,
    (f) => ({ authorization: basic(f.client.id, "wrong") }),
  ],
  ["an empty secret", "invalid_client", good, (f) => ({ authorization: basic(f.client.id, "") })],
  [
    "a confidential client without its secret",
    "invalid_client",
    (f) => `${good(f)}&client_id=${f.client.id}`,
    () => ({}),
  ],
  [
    "a secret for a public client",
    "invalid_client",
    good,
    (f) => ({ authorization: basic(f.app.id, "secret") }),
  ],
  [
    "Basic and body secret together",
    "invalid_request",
    (f) => `${good(f)}&client_secret=${f.client.secret}`,
  ],
  [
    "Basic with another client_id in the body",
    "invalid_request",
    (f) => `${good(f)}&client_id=${f.app.id}`,
  ],
  [
    "two Authorization headers",
    "invalid_request",
    good,
    (f) => ({ authorization: `${ours(f).authorization}, Basic eDp5` }),
  ],
  ["Basic that is not base64", "invalid_request", good, () => ({ authorization: "Basic ???" })],
  [
    "Basic without a colon",
    "invalid_request",
    good,
    () => ({ authorization: `Basic ${Buffer.from("x").toString("base64")}` }),
  ],
  ["a Bearer header", "invalid_client", good, () => ({ authorization: "Bearer x" })],
  [
    "an assertion together with Basic",
    "invalid_request",
    (f) => `${good(f)}&client_assertion_type=${ASSERTION_TYPE}&client_assertion=a.b.c`,
  ],
  [
    "an assertion without its type",
    "invalid_request",
    (f) => `${good(f)}&client_assertion=a.b.c`,
    () => ({}),
  ],
  [
    "an assertion that is not a JWT",
    "invalid_client",
    (f) => `${good(f)}&client_assertion_type=${ASSERTION_TYPE}&client_assertion=a.b.c`,
    () => ({}),
  ],
  [
    "a client_id that is a URL without a path",
    "invalid_client",
    (f) => `${good(f)}&client_id=https%3A%2F%2Fapp.example.org`,
    () => ({}),
  ],
  ["an unknown code", "invalid_grant", (f) => withValue(f, "code", "x")],
  [
    "a code of 10,000 characters",
    "invalid_grant",
    (f) => withValue(f, "code", "dsc_".padEnd(10_000, "A")),
  ],
  ["a code followed by a space", "invalid_grant", (f) => withValue(f, "code", `${f.done.code} `)],
  ["a code with padding", "invalid_grant", (f) => withValue(f, "code", `${f.done.code}=`)],
  ["an emoji as the code", "invalid_grant", (f) => withValue(f, "code", "🙂")],
  [
    "a code with one character changed",
    "invalid_grant",
    (f) =>
      withValue(
        f,
        "code",
        f.done.code.replace(/.$/, (c) => (c === "A" ? "B" : "A")),
      ),
  ],
  ["another client's code", "invalid_grant", (f) => `${good(f)}&client_id=${f.app.id}`, () => ({})],
  [
    "another redirect_uri",
    "invalid_grant",
    (f) => withValue(f, "redirect_uri", "https://app.example.org/other"),
  ],
  ["a wrong verifier", "invalid_grant", (f) => withValue(f, "code_verifier", "x".repeat(43))],
  [
    "a verifier of 42 characters",
    "invalid_grant",
    (f) => withValue(f, "code_verifier", "x".repeat(42)),
  ],
  [
    "a verifier of 129 characters",
    "invalid_grant",
    (f) => withValue(f, "code_verifier", "x".repeat(129)),
  ],
  ["no verifier although PKCE was used", "invalid_grant", (f) => without(f, "code_verifier")],
  [
    "a code as refresh token",
    "invalid_grant",
    (f) => `grant_type=refresh_token&refresh_token=${f.done.code}`,
  ],
  ["a NUL in a parameter", "invalid_request", (f) => `${good(f)}&x=%00`],
  ["a bad percent escape", "invalid_request", (f) => `${good(f)}&x=%zz`],
  ["invalid UTF-8 in an escape", "invalid_request", (f) => `${good(f)}&x=%ff`],
  ["an overlong UTF-8 escape", "invalid_request", (f) => `${good(f)}&x=%c0%af`],
  ["JSON", "invalid_request", () => "{}", () => ({ "content-type": "application/json" })],
  ["an unsupported media type", "invalid_request", good, () => ({ "content-type": "text/plain" })],
  [
    "multipart",
    "invalid_request",
    good,
    () => ({ "content-type": "multipart/form-data; boundary=x" }),
  ],
  ["17 KiB", "invalid_request", (f) => `${good(f)}&x=${"x".repeat(17 * 1024)}`],
  [
    "raw octets that are not UTF-8",
    "invalid_request",
    (f) => Buffer.concat([Buffer.from(`${good(f)}&x=`), Buffer.from([0xff, 0xfe])]),
  ],
];

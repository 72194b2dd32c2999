// Bad input at the authorization endpoint, case by case, with the answer that each one gets.

import type { AuthorizationErrorCode } from "../../src/oauth/protocol-errors.ts";

/** What a request has in the place of what it should have; `undefined` leaves a parameter out. */
export type Changed = Readonly<Record<string, string | undefined>>;

/** None is the registered `https://app.example.org/callback`: each is a page with status 400. */
export const badRedirectUris: readonly string[] = [
  "https://APP.example.org/callback",
  "HTTPS://app.example.org/callback",
  "http://app.example.org/callback",
  "https://app.example.org/callback/",
  "https://app.example.org/Callback",
  "https://app.example.org/callback?x=1",
  "https://app.example.org/callback?",
  "https://app.example.org/callback#",
  "https://app.example.org/callback#x",
  "https://app.example.org:443/callback",
  "https://app.example.org.evil.example/callback",
  "https://evil.example/https://app.example.org/callback",
  "https://app.example.org@evil.example/callback",
  "https://user:pass@app.example.org/callback",
  "https://app.example.org/callback/../evil",
  "https://app.example.org/callback/..;/evil",
  "https://app.example.org/%63allback",
  "https://app.example.org/%2563allback",
  "https://app.example.org/callback%0d%0aLocation:%20https://evil.example",
  "https://app.example.org\\@evil.example/callback",
  "https:/app.example.org/callback",
  "//app.example.org/callback",
  " https://app.example.org/callback",
  "https://app.example.org/callback\t",
  "https://app．example.org/callback",
  "https://app.example.org./callback",
  "javascript:alert(1)//https://app.example.org/callback",
  "/callback",
  "*",
];

/** A page with status 400, and words that stand in it. */
export const untrustedRequests: readonly (readonly [changed: Changed, words: string])[] = [
  [{ client_id: undefined }, "did not identify itself"],
  [{ client_id: "" }, "did not identify itself"],
  [{ client_id: "nobody" }, "do not know this app"],
  [{ client_id: "x".repeat(5000) }, "do not know this app"],
  [{ client_id: "https://app.example.org" }, "correct its metadata document"],
  [{ client_id: "https://app.example.org/../x" }, "correct its metadata document"],
  [{ redirect_uri: undefined }, "where to send you back"],
  [{ redirect_uri: "" }, "where to send you back"],
];

/** Back to the app with an error, `state` and `iss`. */
export const refusedRequests: readonly (readonly [
  changed: Changed,
  error: AuthorizationErrorCode,
])[] = [
  [{ response_type: undefined }, "invalid_request"],
  [{ response_type: "token" }, "unsupported_response_type"],
  [{ response_type: "code id_token" }, "unsupported_response_type"],
  [{ response_type: "id_token" }, "unsupported_response_type"],
  [{ response_type: "none" }, "unsupported_response_type"],
  [{ response_type: "code code" }, "unsupported_response_type"],
  [{ scope: undefined }, "invalid_scope"],
  [{ scope: " " }, "invalid_scope"],
  [{ scope: "email admin" }, "invalid_scope"],
  [{ code_challenge: "A".repeat(43) }, "invalid_request"],
  [{ code_challenge: "A".repeat(43), code_challenge_method: "plain" }, "invalid_request"],
  [{ code_challenge: "A".repeat(42), code_challenge_method: "S256" }, "invalid_request"],
  [{ code_challenge: `${"A".repeat(43)}=`, code_challenge_method: "S256" }, "invalid_request"],
  [{ code_challenge_method: "S256" }, "invalid_request"],
  [{ prompt: "none login" }, "invalid_request"],
  [{ prompt: "none consent" }, "invalid_request"],
  [{ prompt: "whatever" }, "invalid_request"],
  [{ prompt: "create" }, "invalid_request"],
  [{ max_age: "-1" }, "invalid_request"],
  [{ max_age: "soon" }, "invalid_request"],
  [{ max_age: "1.5" }, "invalid_request"],
  [{ max_age: "1e3" }, "invalid_request"],
  [{ max_age: "9999999999" }, "invalid_request"],
  [{ nonce: "n".repeat(2049) }, "invalid_request"],
  [{ claims: "{" }, "invalid_request"],
  [{ claims: "null" }, "invalid_request"],
  [{ claims: '{"id_token":[]}' }, "invalid_request"],
  [{ response_mode: "fragment" }, "invalid_request"],
  [{ response_mode: "form_post" }, "invalid_request"],
  [{ response_mode: "query.jwt" }, "invalid_request"],
  [{ request: "x.y.z" }, "request_not_supported"],
  [{ request_uri: "https://app.example/request" }, "request_uri_not_supported"],
  [{ registration: "{}" }, "registration_not_supported"],
];

// Bad input at the token endpoint: each case gets the contract's answer, never a 500 or a stack.

import { beforeAll, describe, expect, test } from "vitest";
import { badTokenRequests, good, ours, type TokenFixture } from "../support/bad-token-requests.ts";
import { flow } from "../support/flow.ts";

const at = flow({ client: "file" });
let fixture: TokenFixture;
beforeAll(async () => {
  const app = await at.addClient({ type: "public" });
  fixture = { client: at.client, app, done: await at.signIn({ domain: "alice.test" }) };
});

const FORM = "application/x-www-form-urlencoded";

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

/** What each description names: the parameter, the header or the body at fault. */
const CULPRITS: readonly (readonly [culprit: string, ...cases: RegExp[]])[] = [
  ["grant_type", /grant_type/, /^an empty body$/],
  ["code_verifier", /verifier/],
  ["redirect_uri", /redirect_uri/],
  ["refresh_token", /refresh_token|refresh token/],
  ["client_secret", /secret/],
  ["client_id", /^no client$/, /unknown client/, /client_id/],
  ["client_assertion", /assertion/],
  ["Authorization header", /Authorization header|Basic that|Basic without|Bearer/],
  ["parameter: x", /unknown parameter/],
  ["parameter x ", /NUL|escape/],
  ["Content-Type", /^JSON$/, /media type/, /multipart/],
  ["request body", /KiB/, /raw octets/],
  ["code", /code/],
];

function culpritOf(name: string): string {
  const found = CULPRITS.find(([, ...cases]) => cases.some((pattern) => pattern.test(name)));
  if (found === undefined) throw new Error(`nothing is named for: ${name}`);
  return found[0];
}

describe("POST /oauth/token", () => {
  const cases = badTokenRequests.map(
    ([name, code, body, headers = ours]) => [name, code, { body, headers }] as const,
  );
  test.each(cases)(
    "%s is 400 %s, and the description names the culprit",
    async (name, code, { body, headers }) => {
      const answer = await post(body(fixture), headers(fixture));
      expect([answer.status, answer.body.error]).toEqual([400, code]);
      expect(answer.body.error_description).toContain(culpritOf(name));
      expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      const triedBasic =
        headers(fixture).authorization?.startsWith("Basic ") && code === "invalid_client";
      expect(answer.headers.get("www-authenticate")).toBe(
        triedBasic ? 'Basic realm="domain-signin"' : null,
      );
    },
  );

  test("another method is 405 with Allow, a preflight is answered", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await fetch(`${at.issuer}/oauth/token`, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
      const { error_id: errorId } = (await answer.json()) as { error_id: string };
      const line = at.events.filter((event) => event.includes(errorId));
      expect(line).toEqual([expect.stringContaining("method not allowed: use POST")]);
    }
    const preflight = await fetch(`${at.issuer}/oauth/token`, { method: "OPTIONS" });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
  });

  test("after all of that the code still works, with an unknown parameter and a charset", async () => {
    const answer = await post(`${good(fixture)}&unknown=1`, {
      ...ours(fixture),
      "content-type": "Application/X-WWW-Form-URLEncoded; charset=UTF-8",
    });
    expect(answer.status).toBe(200);
  });
});

test("nothing of all this was our own failure", () => {
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});

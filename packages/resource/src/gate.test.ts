// Tests of the decision about a request: which header counts, and what the refusals say.

import { describe, expect, test } from "vitest";
import type { AccessToken } from "./access-token.ts";
import { AccessTokenError, type AccessTokenErrorCode } from "./errors.ts";
import { createGate, type GateRequest, type GateResponse } from "./gate.ts";
import { metadataOf, metadataUrlOf } from "./metadata.ts";

const options = {
  ...{ issuer: "https://auth.example.com", resource: "https://notes.example/api" },
  ...{ scopes: ["notes:read", "notes:write"], name: "Notes" },
};
const METADATA_URL = "https://notes.example/.well-known/oauth-protected-resource/api";

/** Of what the gate reads only the token. */
const auth = { sub: "sub_alice" } as AccessToken;

/** `seen` has the tokens that were verified. */
function gateThat(
  code?: AccessTokenErrorCode,
  error: Error = new AccessTokenError(code ?? "invalid_token", "The words"),
) {
  const seen: string[] = [];
  const gate = createGate({
    metadata: metadataOf(options),
    metadataUrl: metadataUrlOf(options.resource),
    verify: async (token) => {
      seen.push(token);
      if (code !== undefined) throw error;
      return auth;
    },
  });
  const ask = (request: Partial<GateRequest>, scopes: string[] = []) =>
    gate({ method: "GET", target: "/api/notes", authorization: null, ...request }, scopes);
  return { ask, seen };
}

async function responseTo(request: Partial<GateRequest>, scopes?: string[]): Promise<GateResponse> {
  const decision = await gateThat().ask(request, scopes);
  if (decision.outcome === "pass") throw new Error("the request passed");
  return decision.response;
}

describe("a request without a token", () => {
  test.each([
    ["no header", null],
    ["an empty header", ""],
    ["another scheme", "Basic YTpi"],
    ["a scheme for bound tokens", "DPoP dsa_1"],
    ["a scheme that begins alike", "BearerX dsa_1"],
    ["a token without a scheme", "dsa_1"],
    ["two headers, the first with another scheme", "Basic YTpi, Bearer dsa_1"],
  ])("gets 401 without an error code (RFC 6750 §3.1): %s", async (_, authorization) => {
    expect(await responseTo({ authorization })).toEqual({
      status: 401,
      headers: {
        "www-authenticate": `Bearer resource_metadata="${METADATA_URL}"`,
        "cache-control": "no-store",
      },
      body: "",
    });
  });

  test("is told which scope the route requires", async () => {
    const { headers } = await responseTo({}, ["notes:read", "notes:write"]);
    expect(headers["www-authenticate"]).toBe(
      `Bearer resource_metadata="${METADATA_URL}", scope="notes:read notes:write"`,
    );
  });

  test("has none if the token is in the query (RFC 9700 §4.3.2)", async () => {
    const { status, body } = await responseTo({ target: "/api/notes?access_token=dsa_1" });
    expect([status, body]).toEqual([401, ""]);
  });
});

describe("the Authorization header", () => {
  test.each(["Bearer a.b.c", "bearer a.b.c", "BEARER a.b.c", "Bearer    a.b.c"])(
    "has a token, whatever the case of its scheme: %s",
    async (authorization) => {
      const { ask, seen } = gateThat();
      expect(await ask({ authorization })).toEqual({ outcome: "pass", auth });
      expect(seen).toEqual(["a.b.c"]);
    },
  );

  test.each([
    ["no token", "Bearer"],
    ["an empty token", "Bearer "],
    ["two tokens", "Bearer a.b.c d.e.f"],
    ["two headers", "Bearer a.b.c, Bearer d.e.f"],
    ["two headers that are the same", "Bearer a.b.c, Bearer a.b.c"],
    ["two headers, the second with another scheme", "Bearer a.b.c, Basic YTpi"],
    ["quotation marks", 'Bearer "a.b.c"'],
    ["a parameter", "Bearer token=a.b.c"],
    ["a tab", "Bearer a.b\t.c"],
    ["a letter outside ASCII", "Bearer a.b.ç"],
  ])("is refused with 400 if it is malformed (RFC 6750 §3.1): %s", async (_, authorization) => {
    const { ask, seen } = gateThat();
    expect(await ask({ authorization })).toEqual({
      outcome: "respond",
      response: {
        status: 400,
        headers: {
          "www-authenticate": `Bearer resource_metadata="${METADATA_URL}", error="invalid_request", error_description="The Authorization header is malformed"`,
          "content-type": "application/json",
          "cache-control": "no-store",
        },
        body: '{"error":"invalid_request","error_description":"The Authorization header is malformed"}',
      },
    });
    expect(seen).toEqual([]);
  });
});

describe("a token that is refused", () => {
  const authorization = "Bearer a.b.c";

  test.each<[AccessTokenErrorCode, number]>([
    ["invalid_token", 401],
    ["insufficient_scope", 403],
  ])("because of %s gets %i with the reason and the scope", async (code, status) => {
    const decision = await gateThat(code).ask({ authorization }, ["notes:write"]);
    expect(decision).toEqual({
      outcome: "respond",
      response: {
        status,
        headers: {
          "www-authenticate": `Bearer resource_metadata="${METADATA_URL}", error="${code}", error_description="The words", scope="notes:write"`,
          "content-type": "application/json",
          "cache-control": "no-store",
        },
        body: `{"error":"${code}","error_description":"The words"}`,
      },
    });
  });

  test("because nobody could check it gets 503 and no challenge, since another token is no help", async () => {
    const decision = await gateThat("temporarily_unavailable").ask({ authorization });
    expect(decision).toEqual({
      outcome: "respond",
      response: {
        status: 503,
        headers: {
          "retry-after": "5",
          "content-type": "application/json",
          "cache-control": "no-store",
        },
        body: '{"error":"temporarily_unavailable","error_description":"The words"}',
      },
    });
  });

  test("by a fault of the program does not pass", async () => {
    const { ask } = gateThat("invalid_token", new RangeError("a fault"));
    await expect(ask({ authorization })).rejects.toThrow("a fault");
  });
});

describe("the metadata document", () => {
  const target = "/.well-known/oauth-protected-resource/api";

  test("needs no token, and any page may read it (RFC 9728)", async () => {
    const { status, headers, body } = await responseTo({ target });
    expect([status, headers]).toEqual([
      200,
      {
        "access-control-allow-origin": "*",
        "cache-control": "public, max-age=300",
        "content-type": "application/json",
      },
    ]);
    expect(JSON.parse(body)).toEqual({
      resource: "https://notes.example/api",
      authorization_servers: ["https://auth.example.com"],
      scopes_supported: ["notes:read", "notes:write"],
      bearer_methods_supported: ["header"],
      resource_name: "Notes",
    });
  });

  test("has no body for HEAD, allows a preflight, and takes no other method", async () => {
    expect(await responseTo({ target, method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    expect(await responseTo({ target, method: "OPTIONS" })).toEqual({
      status: 204,
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD",
        "access-control-allow-headers": "*",
      },
      body: "",
    });
    expect(await responseTo({ target, method: "POST" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD, OPTIONS" },
    });
  });

  test.each(["", "/ap", "/api/", "/api/notes", "/api?x=1", "/API"])(
    "is at one path, and %j below the well-known one is not it",
    async (end) => {
      const other = `/.well-known/oauth-protected-resource${end}`;
      expect(await responseTo({ target: other })).toMatchObject({ status: 401 });
    },
  );
});

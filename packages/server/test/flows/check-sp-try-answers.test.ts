// `check-sp --try <issuer>` reports what an SP answered to each request, and what to change.

import { describe, expect, test } from "vitest";
import type { Json, Reply, SpRequest } from "../support/bent-sp.ts";
import { fixture } from "../support/fixture.ts";
import { pathsOf, registered, startTriedSp, stepOf, type TriedSp } from "../support/sp-trial.ts";

const sp = fixture(startTriedSp);
const tried: TriedSp["tried"] = (...bends) => sp.tried(...bends);

describe("a registration is reported as the SP answered it:", () => {
  const refusal =
    (status: number, body: unknown = "") =>
    () => ({ status, body });
  const json = { "content-type": "application/json" };

  test.each<[string, (request: SpRequest) => Reply, Json, RegExp, RegExp]>([
    [
      "400 with an error",
      refusal(400, {
        error: "invalid_redirect_uri",
        error_description: "localhost\u0007 is\nnot \u202eallowed",
      }),
      { status: 400, error: "invalid_redirect_uri", error_description: "localhost is not allowed" },
      /status 400: invalid_redirect_uri \(localhost is not allowed\)/,
      /accept the redirect_uri/,
    ],
    [
      "400 with another error",
      refusal(400, { error: "invalid_client_metadata", error_description: 7 }),
      { status: 400, error: "invalid_client_metadata", error_description: null },
      /invalid_client_metadata/,
      /accept the client metadata that was sent/,
    ],
    [
      "400 with a long description",
      refusal(400, { error: "x", error_description: "é".repeat(5000) }),
      { status: 400, error: "x", error_description: `${"é".repeat(299)}…` },
      /…/,
      /accept the client metadata/,
    ],
    [
      "401",
      refusal(401, { error: "invalid_token" }),
      { status: 401, error: "invalid_token" },
      /status 401: invalid_token/,
      /initial access token/,
    ],
    [
      "403 with a page",
      refusal(403, "<h1>Forbidden</h1>"),
      { status: 403, error: null },
      /status 403: no valid error code/,
      /initial access token.*sp add/,
    ],
    ["404", refusal(404, {}), { status: 404 }, /status 404/, /status 201/],
    ["200", registered({}, 200), { status: 200, error: null }, /status 200/, /status 201/],
    [
      "201 without client_id",
      registered({ client_id: undefined }),
      { status: 201 },
      /unsupported values: client_id/,
      /return client_id/,
    ],
    [
      "201 without a secret",
      registered({ client_secret: undefined }),
      { status: 201 },
      /unsupported values: client_secret/,
      /client_secret if the method uses one/,
    ],
    [
      "201 with a method that we do not know",
      registered({ token_endpoint_auth_method: "client_secret_jwt" }),
      { status: 201 },
      /unsupported values: token_endpoint_auth_method/,
      /that the metadata document lists/,
    ],
    [
      "201 with a shared key for ID tokens",
      registered({ id_token_signed_response_alg: "HS256" }),
      { status: 201 },
      /unsupported values: id_token_signed_response_alg/,
      /values that were requested/,
    ],
    [
      "201 with a page",
      refusal(201, "<h1>Welcome</h1>"),
      { status: null, error: null },
      /not JSON/,
      /with status 201 and JSON/,
    ],
    [
      "201 with JSON that is none",
      () => ({ status: 201, headers: json, body: "{" }),
      { status: 201 },
      /client_id/,
      /return client_id/,
    ],
    [
      "a redirect",
      () => ({ status: 307, headers: { location: "/register?again" } }),
      { status: null },
      /redirect/,
      /at the registration_endpoint itself/,
    ],
  ])("%s, with status 1", async (_, register, answer, says, advice) => {
    const trial = await tried({ register });
    expect(trial.status).toBe(1);
    expect(stepOf(trial, "registration")).toMatchObject({ ok: false, ...answer });
    expect(trial.report.problem?.detail).toMatch(/^registration: /);
    expect(trial.report.problem?.detail).toMatch(says);
    expect(trial.report.problem?.advice).toMatch(advice);
    expect(trial.text).toContain(
      `\n  cannot be used for sign-in: ${trial.report.problem?.detail}\n`,
    );
    expect(trial.text).toContain(`\n  change   ${trial.report.problem?.advice}`);
    // Nothing else is sent to an SP that does not know us.
    expect(pathsOf(trial)).toEqual(["metadata", "jwks", "register"]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be printed.
    expect(trial.text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u202e]|Forbidden|Welcome/);
  });

  test.each([500, 503, 429])("%i, with status 3", async (status) => {
    const trial = await tried({ register: refusal(status, {}) });
    expect(trial.status).toBe(3);
    expect(stepOf(trial, "registration")).toMatchObject({ ok: false, status });
  });
});

describe("the authorization request is reported as the SP answered it:", () => {
  const back = (parameters: Record<string, string>) => (request: SpRequest) => {
    const to = new URL(request.url.searchParams.get("redirect_uri") ?? "");
    for (const [name, value] of Object.entries(parameters)) to.searchParams.set(name, value);
    const state = request.url.searchParams.get("state") ?? "";
    return { status: 303, headers: { location: to.href.replace("STATE", state) } };
  };
  const away = (location: string) => () => ({ status: 302, headers: { location } });

  test.each<[string, (request: SpRequest) => Reply, Json, RegExp]>([
    [
      "a page with status 400",
      () => ({ status: 400, body: "<h1>Unknown client</h1>" }),
      { status: 400, error: null },
      /status 400$/,
    ],
    [
      "an error in JSON",
      () => ({ status: 400, body: { error: "invalid_client", error_description: "who is that?" } }),
      { status: 400, error: "invalid_client", error_description: "who is that?" },
      /status 400: invalid_client \(who is that\?\)$/,
    ],
    [
      "an error in JSON with status 200",
      () => ({ status: 200, body: { error: "invalid_request" } }),
      { status: 200, error: "invalid_request" },
      /invalid_request/,
    ],
    [
      "an error in the redirect to us",
      back({ error: "unauthorized_client", error_description: "not\nyet", state: "STATE" }),
      { status: 303, error: "unauthorized_client", error_description: "not yet" },
      /redirects with an error: unauthorized_client \(not yet\)$/,
    ],
    [
      "an error in the redirect to a page of its own",
      away("/problem?error=invalid_scope"),
      { status: 302, error: "invalid_scope" },
      /redirects with an error: invalid_scope$/,
    ],
    ["a redirect without a Location", () => ({ status: 302 }), { status: 302 }, /valid Location/],
    ["a redirect to a script", away("javascript:alert(1)"), { status: 302 }, /neither https nor/],
    ["no content", () => ({ status: 204 }), { status: 204 }, /status 204$/],
    ["a redirect to us with nothing", back({ state: "STATE" }), { status: 303 }, /without a code/],
    ["another state", back({ code: "1", state: "2" }), { status: 303 }, /a different state/],
    ["a code without iss", back({ code: "1", state: "STATE" }), { status: 303 }, /no iss/],
    [
      "a code with the iss of another",
      back({ code: "1", state: "STATE", iss: "https://other.example" }),
      { status: 303 },
      /no iss, or another one/,
    ],
  ])("%s, with status 1", async (_, authorize, answer, says) => {
    const trial = await tried({ authorize });
    expect(trial.status).toBe(1);
    expect(stepOf(trial, "authorization")).toMatchObject({ ok: false, ...answer });
    expect(trial.report.problem?.detail).toMatch(/^authorization request: /);
    expect(trial.report.problem?.detail).toMatch(says);
    expect(trial.report.problem?.advice).toMatch(/the SP must know the client/);
    expect(stepOf(trial, "token")?.ok).toBe(true);
  });
});

describe("the token request is reported as the SP answered it:", () => {
  test.each<[string, Reply, Json, number]>([
    ["401", { status: 401, body: {} }, { status: 401, error: null }, 1],
    [
      "that it does not know the client it has just registered",
      { status: 400, body: { error: "invalid_client" } },
      { status: 400, error: "invalid_client" },
      1,
    ],
    ["another error", { status: 400, body: { error: "invalid_request" } }, { status: 400 }, 1],
    [
      "tokens for a code that it has not issued",
      { body: { access_token: "a" } },
      { status: 200 },
      1,
    ],
    ["that there is no token endpoint", { status: 404, body: "<h1>" }, { status: 404 }, 1],
    ["a redirect", { status: 302, headers: { location: "/token?2" } }, { status: null }, 1],
    ["503", { status: 503, body: {} }, { status: 503 }, 3],
  ])("%s", async (_, reply, answer, status) => {
    const trial = await tried({ token: () => reply });
    expect(trial.status).toBe(status);
    expect(stepOf(trial, "token")).toMatchObject({ ok: false, ...answer });
    expect(trial.report.problem?.detail).toMatch(/^token request with a made-up code: /);
  });

  test("without the secret, though the SP sends it back, in whatever spelling", async () => {
    const register = registered({ client_secret: "the secret: of the trial" });
    const token = ({ authorization = "" }: SpRequest) => ({
      status: 401,
      body: {
        error: "invalid_client",
        error_description: `${"x".repeat(270)} ${authorization} the secret: of the trial, the%20secret%3A%20of%20the%20trial`,
      },
    });
    const { told, report } = await tried({ register, token });
    expect(report.problem?.detail).toContain("Basic [secret]");
    expect(told).not.toMatch(/the secret|the%20secret/);
    const basic = sp.asked("token").at(-1)?.authorization?.slice("Basic ".length) ?? "?";
    expect(told).not.toContain(basic.slice(0, 12));
  });
});

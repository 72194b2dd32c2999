// `check-sp --try <issuer>`: registers at an SP and asks it to authorize, and says what the SP answered.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { spLines, spStatus, trySpAs } from "../../src/cli/check-sp.ts";
import { spKey } from "../../src/federation/authorization-request.ts";
import type { TrialStepName } from "../../src/federation/trial-answers.ts";
import {
  type Bends,
  type BentSp,
  type Json,
  type Reply,
  type SpRequest,
  startBentSp,
  withRegistration,
} from "../support/bent-sp.ts";
import { command } from "../support/command.ts";
import { until } from "../support/moving-time.ts";

const OWN = "http://localhost:9";
const LOGIN = "/login?interaction=1";
let folder = "";
let sp: BentSp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
  sp = await startBentSp();
});
afterEach(() => {
  vi.useRealTimers();
  for (const name of Object.keys(sp.bends)) delete sp.bends[name as keyof Bends];
});
afterAll(async () => {
  await sp.close();
  await rm(folder, { recursive: true, force: true });
});

const toLogin = (): Reply => ({ status: 302, headers: { location: LOGIN } });

/** Tries the SP without a database. It registers clients and shows a page for the password, unless it is bent. */
async function tried(
  reply: NonNullable<Bends["reply"]> | null = {},
  metadata: (right: Json) => Json = (right) => right,
) {
  sp.bends.metadata = (right) => metadata(withRegistration(right));
  sp.bends.reply = reply === null ? {} : { authorize: toLogin, ...reply };
  const from = sp.requests.length;
  const report = await trySpAs(sp.issuer, {
    ...{ issuer: OWN, database: `sqlite:${join(folder, "none.db")}`, secret: null },
    ...{ previousSecret: undefined, dnsServers: ["127.0.0.1:1"] },
  });
  const requests = sp.requests.slice(from);
  const text = spLines(report).join("\n");
  const told = text + JSON.stringify(report);
  expect(sp.secrets.filter((secret) => told.includes(secret))).toEqual([]);
  return { report, text, told, requests, status: spStatus(report) };
}

type Trial = Awaited<ReturnType<typeof tried>>;
const stepOf = ({ report }: Trial, name: TrialStepName) =>
  report.trial?.steps.find((step) => step.name === name);
const pathsOf = ({ requests }: Trial) => requests.map(({ path }) => path);

/** The right answer to a registration, with changes. */
const registered =
  (change: Json, status = 201) =>
  ({ json }: SpRequest): Reply => ({
    status,
    body: { ...json, client_id: "c", client_secret: "the secret of the trial", ...change },
  });

describe("an SP that people can sign in at", () => {
  test("is registered at, asked to authorize, and asked to redeem a made-up code: status 0", async () => {
    const trial = await tried();
    expect([trial.status, trial.report.problem]).toEqual([0, null]);
    expect(pathsOf(trial)).toEqual(["metadata", "jwks", "register", "authorize", "token"]);
    const [, , register, authorize, token] = trial.requests;
    const redirectUri = `${OWN}/federation/callback/${spKey(sp.issuer)}`;
    expect(register?.json.redirect_uris).toEqual([redirectUri]);
    const client_id = trial.report.trial?.client?.client_id;
    expect(Object.fromEntries(authorize?.url.searchParams ?? [])).toMatchObject({
      ...{ client_id, redirect_uri: redirectUri, response_type: "code", scope: "openid" },
      ...{ code_challenge_method: "S256", login_hint: "example.com" },
    });
    expect(token?.authorization).toMatch(/^Basic /);
    expect(trial.report.trial).toEqual({
      service: OWN,
      client: {
        ...{ client_id: expect.stringMatching(/^client-/), source: "registered" },
        ...{ redirect_uri: redirectUri, token_endpoint_auth_method: "client_secret_basic" },
        id_token_signed_response_alg: "ES256",
      },
      sent: register?.json,
      registration: "left",
      steps: [
        {
          ...{ name: "registration", ok: true, status: 201, error: null, error_description: null },
          detail: `the SP registered client_id ${client_id} with token_endpoint_auth_method client_secret_basic`,
        },
        {
          ...{ name: "authorization", ok: true, status: 302, error: null, error_description: null },
          detail: `the SP redirects to ${sp.issuer}/login`,
        },
        {
          ...{ name: "token", ok: true, status: 400, error: "invalid_grant" },
          ...{ error_description: null, detail: expect.stringContaining("client authentication") },
        },
        {
          ...{ name: "removal", ok: null, status: null, error: null, error_description: null },
          detail: `the SP offers no removal (RFC 7592): delete the client ${client_id} at the SP by hand`,
        },
      ],
    });
  });

  test("may show a page at once, or redirect back with a code", async () => {
    const page = await tried({ authorize: () => ({ status: 200, body: "<h1>Password</h1>" }) });
    expect([page.status, stepOf(page, "authorization")?.detail]).toEqual([
      0,
      "the SP shows a page",
    ]);
    const code = await tried(null);
    expect([code.status, stepOf(code, "authorization")?.detail]).toEqual([
      ...[0, "the SP signs in without a person, and redirects back with a code"],
    ]);
  });

  test("is known by our document if it takes documents, and is asked with that", async () => {
    const trial = await tried({}, ({ registration_endpoint: _, ...right }) => ({
      ...{ ...right, client_id_metadata_document_supported: true },
      token_endpoint_auth_methods_supported: ["none"],
    }));
    expect(trial.status).toBe(0);
    expect(pathsOf(trial)).toEqual(["metadata", "jwks", "authorize", "token"]);
    expect(trial.report.trial).toMatchObject({
      client: { client_id: `${OWN}/federation/public-client/${spKey(sp.issuer)}` },
      ...{ sent: null, registration: null },
    });
  });

  test("is not asked to redeem a code if only the service has the key for that", async () => {
    const trial = await tried({}, (right) => ({
      ...right,
      token_endpoint_auth_methods_supported: ["private_key_jwt"],
    }));
    expect([trial.status, stepOf(trial, "token")?.ok]).toEqual([0, null]);
    expect(trial.text).toContain("\n  skipped  token: only the service has the key");
    expect(pathsOf(trial)).not.toContain("token");
  });
});

describe("the registration for the trial is removed, if the SP offers that (RFC 7592):", () => {
  const token = "a registration access token";
  const managed = (change: Json = {}) =>
    registered({
      registration_client_uri: `${sp.issuer}/register?client=c`,
      registration_access_token: token,
      ...change,
    });
  /** Answers DELETE at the same path. */
  const withRemoval = (reply: Reply, change: Json = {}) => ({
    register: (request: SpRequest) =>
      request.url.search === "" ? managed(change)(request) : reply,
  });

  test.each([204, 200])("with status %i", async (status) => {
    const trial = await tried(withRemoval({ status }));
    expect([trial.status, trial.report.trial?.registration]).toEqual([0, "removed"]);
    expect(trial.requests.at(-1)).toMatchObject({
      ...{ method: "DELETE", authorization: `Bearer ${token}`, path: "register" },
    });
    expect(trial.told).not.toContain(token);
    expect(trial.text).toContain("\n  kept     nothing: the registration was removed\n");
  });

  test("and if it cannot be removed, that is said, and sign-ins do not need it", async () => {
    for (const reply of [
      { status: 403, body: {} },
      { status: 302, headers: { location: "/" } },
    ]) {
      const trial = await tried(withRemoval(reply));
      expect([trial.status, trial.report.trial?.registration]).toEqual([0, "left"]);
      expect(stepOf(trial, "removal")).toMatchObject({
        ok: false,
        detail: expect.stringContaining("delete the client c at the SP by hand"),
      });
    }
  });

  test("and its token goes to the SP alone", async () => {
    const elsewhere = await startBentSp();
    const uri = `${elsewhere.issuer}/register`;
    const trial = await tried(withRemoval({ status: 204 }, { registration_client_uri: uri }));
    expect([trial.report.trial?.registration, elsewhere.requests]).toEqual(["left", []]);
    await elsewhere.close();
  });

  test("after a trial that fails too, and after a registration that cannot be used", async () => {
    const authorize = () => ({ status: 400, body: "<h1>No</h1>" });
    const failed = await tried({ ...withRemoval({ status: 204 }), authorize });
    expect([failed.status, failed.report.trial?.registration]).toEqual([1, "removed"]);
    const change = { token_endpoint_auth_method: "client_secret_jwt" };
    const unusable = await tried(withRemoval({ status: 204 }, change));
    expect([unusable.status, unusable.report.trial?.registration]).toEqual([1, "removed"]);
    expect(pathsOf(unusable)).toEqual(["metadata", "jwks", "register", "register"]);
  });
});

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

describe("an SP that does not answer", () => {
  test.each(["register", "authorize", "token"] as const)(
    "at %s is waited for five seconds, and the status is 3",
    async (path) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const before = sp.asked(path).length;
      const trying = tried({ [path]: () => null });
      await until(() => sp.asked(path).length > before);
      await vi.advanceTimersByTimeAsync(5000);
      const trial = await trying;
      expect([trial.status, trial.report.problem?.kind]).toEqual([3, "unreachable"]);
      expect(trial.report.problem?.detail).toContain("did not respond in time");
      expect(trial.report.problem?.advice).toContain("within 5 seconds");
    },
  );

  test("or that lacks a requirement is not tried", async () => {
    const unmet = await tried({}, (right) => ({ ...right, code_challenge_methods_supported: [] }));
    expect([unmet.status, unmet.report.trial, pathsOf(unmet)]).toEqual([1, null, ["metadata"]]);
    const silent = await tried({ metadata: () => ({ status: 503, body: {} }) });
    expect([silent.status, silent.report.trial]).toEqual([3, null]);
  });
});

describe("the command", () => {
  const run = (...args: string[]) => command(["check-sp", ...args], { folder });

  test("prints JSON with --json, and words without", async () => {
    sp.bends.metadata = withRegistration;
    const args = [sp.issuer, "--try", "--issuer", OWN];
    const { status, stdout, stderr } = await run(...args, "--json");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ issuer: sp.issuer, client: "registration", problem: null },
      trial: { service: OWN, registration: "left" },
    });
    const words = await run(...args);
    expect(words.status).toBe(0);
    expect(words.stdout).toMatch(
      /\n {2}tried {4}as the service http:\/\/localhost:9\n {2}sent {5}\{/,
    );
    expect(words.stdout).toMatch(/\n {2}done {5}registration: .* \[201\]\n/);
    expect(words.stdout).toMatch(
      /\n {2}kept {5}the registration is still at the SP\n {2}can be used/,
    );
  });

  test("needs the issuer of a service, and one that would use the SP", async () => {
    const none = await run(sp.issuer, "--try");
    expect([none.status, none.stderr]).toEqual([
      ...[2, "issuer is required: set --issuer or DOMAIN_SIGNIN_ISSUER\n"],
    ]);
    const same = await run(OWN, "--try", "--issuer", OWN);
    expect([same.status, same.stderr]).toEqual([2, `${OWN} is the issuer of this service\n`]);
    const loopback = await run(sp.issuer, "--try", "--issuer", "https://auth.example.com");
    expect([loopback.status, loopback.stderr]).toEqual([
      ...[2, expect.stringContaining("invalid issuer")],
    ]);
    const alone = await run(sp.issuer, "--issuer", OWN);
    expect([alone.status, alone.stderr]).toEqual([2, "--issuer requires the option --try\n"]);
  });
});

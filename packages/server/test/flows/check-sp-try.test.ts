// `check-sp --try <issuer>`: registers at an SP and asks it to authorize, and says whether people can sign in.

import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { spKey } from "../../src/federation/sp-authorization.ts";
import {
  type Json,
  type Reply,
  type SpRequest,
  startBentSp,
  withRegistration,
} from "../support/bent-sp.ts";
import { command } from "../support/command.ts";
import { fixture } from "../support/fixture.ts";
import { until } from "../support/moving-time.ts";
import {
  OWN,
  pathsOf,
  registered,
  startTriedSp,
  stepOf,
  type TriedSp,
} from "../support/sp-trial.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const sp = fixture(startTriedSp);
const tried: TriedSp["tried"] = (...bends) => sp.tried(...bends);
afterEach(() => void vi.useRealTimers());

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
  const run = (...args: string[]) => command(["check-sp", ...args], { folder: folder.path });

  test("prints JSON with --json, and words without", async () => {
    Object.assign(sp.bends, { metadata: withRegistration, reply: {} });
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

  test("prints what docs/become-an-sp.md shows", async () => {
    const body = { error: "invalid_request", error_description: "code_challenge is missing" };
    const uri = `${sp.issuer}/register?client=c7`;
    const management = { registration_client_uri: uri, registration_access_token: "a token" };
    const register = (request: SpRequest) =>
      request.method === "DELETE"
        ? { status: 204 }
        : registered({ client_id: "c7", ...management })(request);
    const { text } = await tried({ register, authorize: () => ({ status: 400, body }) });
    const shown = text
      .slice(text.indexOf("  tried"))
      .replaceAll(OWN, "https://auth.example.com")
      .replace(/"client_name":"domain-signin at localhost:9",.*/, (sent) =>
        sent.replace("localhost:9", "auth.example.com").replace(/(?<=",).*/, "…}"),
      );
    const page = await readFile(
      new URL("../../../../docs/become-an-sp.md", import.meta.url),
      "utf8",
    );
    expect(page).toContain(`\n…\n${shown}\n\`\`\`\n`);
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

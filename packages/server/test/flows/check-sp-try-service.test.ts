// `check-sp --try` with the database of a service: the trial uses the client that sign-ins use.

import { describe, expect, test } from "vitest";
import { type BentSp, type Json, withRegistration } from "../support/bent-sp.ts";
import { command, complaints } from "../support/command.ts";
import { codeOf, domainAt, startFederatedWorld, visit } from "../support/federated.ts";
import { fixture } from "../support/fixture.ts";
import { startTestService, TEST_SECRET } from "../support/service.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const world = fixture(() => startFederatedWorld({ database: folder.database() }));

const byKey = (metadata: Json) => ({
  ...withRegistration(metadata),
  token_endpoint_auth_methods_supported: ["private_key_jwt"],
});

async function tried(
  sp: Pick<BentSp, "issuer" | "secrets">,
  options: { secret?: string | null; issuer?: string; at?: string } = {},
) {
  const { secret = TEST_SECRET, issuer = world.test.issuer, at = folder.database() } = options;
  const env = { ...(secret !== null && { DOMAIN_SIGNIN_SECRET: secret }), SUDO_USER: "olivia" };
  const args = ["check-sp", sp.issuer, "--try", "--json", "--issuer", issuer, "--database", at];
  const result = await command(args, { folder: folder.path, env });
  const report = result.stdout === "" ? null : JSON.parse(result.stdout);
  const told = result.stdout + result.stderr;
  expect(sp.secrets.filter((one) => told.includes(one))).toEqual([]);
  return { ...result, report };
}

const rowsAt = (sp: BentSp) => world.test.store.spClients.findSpClients(sp.issuer);

describe("with the database of the service", () => {
  test.each([
    ["a secret", withRegistration],
    ["the key of the service", byKey],
  ])("a registration with %s is stored and logged, and sign-ins use it", async (_, metadata) => {
    const sp = await world.sp({ metadata });
    const { status, report, stderr } = await tried(sp);
    expect([status, report.problem]).toEqual([0, null]);
    const [row, ...more] = await rowsAt(sp);
    expect(report.trial).toMatchObject({
      ...{ service: world.test.issuer, registration: "stored" },
      client: { client_id: row?.clientId, source: "registered" },
    });
    const steps = report.trial.steps.map(({ name, ok }: Json) => [name, ok]);
    expect(steps).toEqual([
      ...[
        ["registration", true],
        ["authorization", true],
        ["token", true],
      ],
    ]);
    expect(JSON.parse(stderr)).toMatchObject({
      ...{ msg: "operator change", command: "check-sp", sp: sp.issuer, user: "olivia" },
    });
    expect(codeOf(await visit(world, domainAt(world, sp)))).toMatch(/^dsc_/);
    expect([more, sp.asked("register").length]).toEqual([[], 1]);
    expect(sp.asked("authorize").at(-1)?.url.searchParams.get("client_id")).toBe(row?.clientId);
  });

  test("a registration of a sign-in is used, and nothing is registered, stored or logged", async () => {
    const sp = await world.sp({ metadata: withRegistration });
    codeOf(await visit(world, domainAt(world, sp)));
    const [row] = await rowsAt(sp);
    const { status, report, stderr } = await tried(sp);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(report.trial).toMatchObject({
      ...{ sent: null, registration: null },
      client: { client_id: row?.clientId },
      steps: [{ name: "authorization" }, { name: "token", ok: true, error: "invalid_grant" }],
    });
    expect(sp.asked("register")).toHaveLength(1);
  });

  test("the operator's entry is used, with what it lets the SP do without", async () => {
    const sp = await world.sp({
      metadata: (right) => ({ ...right, code_challenge_methods_supported: [] }),
    });
    const entry = [sp.issuer, "--client-id", "by hand", "--allow", "no_pkce"];
    const own = ["--issuer", world.test.issuer, "--database", folder.database()];
    const added = await command(["sp", "add", ...entry, ...own], { folder: folder.path });
    expect([added.status, complaints(added)]).toEqual([0, ""]);
    const { status, report } = await tried(sp);
    expect([status, report.client, report.trial.client.client_id]).toEqual([
      ...[0, "operator", "by hand"],
    ]);
  });

  test("a client that the SP no longer knows is a negative answer", async () => {
    const sp = await world.sp({ metadata: withRegistration });
    expect((await tried(sp)).status).toBe(0);
    sp.bends.reply = { token: () => ({ status: 401, body: { error: "invalid_client" } }) };
    const { status, report } = await tried(sp);
    expect([status, report.problem.kind]).toEqual([1, "no_client"]);
  });

  test("a refused registration is not stored", async () => {
    const sp = await world.sp({ metadata: withRegistration });
    const body = { error: "access_denied", error_description: "not you" };
    sp.bends.reply = { register: () => ({ status: 403, body }) };
    const { status, report, stderr } = await tried(sp);
    expect([status, report.trial.registration, stderr]).toEqual([1, null, ""]);
    expect(report.trial.steps).toMatchObject([
      { name: "registration", ok: false, status: 403, ...body },
    ]);
    expect(await rowsAt(sp)).toEqual([]);
  });
});

test("what would leave a registration that the service cannot use is refused, and the SP is asked nothing", async () => {
  const sp = await world.sp({ metadata: withRegistration });
  const empty = folder.database("empty.db");
  await command(["migrate", "--database", empty], { folder: folder.path });
  for (const [options, says] of [
    [{ secret: null }, /the secret that encrypts the client secret is missing/],
    [{ secret: "another secret than that of the service" }, /the secret does not open the keys/],
    [{ issuer: "http://localhost:9" }, /the database belongs to issuer host localhost:\d+, not/],
    [{ at: empty }, /the database has no keys: start the service/],
  ] as const) {
    const { status, stderr } = await tried(sp, options);
    expect([status, stderr]).toEqual([2, expect.stringMatching(says)]);
  }
  expect(sp.requests).toEqual([]);
});

describe("another installation of this software", () => {
  const other = fixture(() => startTestService());

  test("that can fetch our document is found usable, and nothing is registered or stored", async () => {
    const { status, report } = await tried({ issuer: other.issuer, secrets: [] });
    expect([status, report.problem]).toEqual([0, null]);
    expect(report.trial).toMatchObject({
      ...{ sent: null, registration: null, client: { source: "document" } },
      steps: [
        { name: "authorization", ok: true, status: 200 },
        { name: "token", ok: true, error: "invalid_grant" },
      ],
    });
  });

  test("that cannot fetch it is reported as not answering, with what to look at", async () => {
    const nowhere = { issuer: "http://localhost:9", at: folder.database("none.db") };
    const { status, report } = await tried({ issuer: other.issuer, secrets: [] }, nowhere);
    expect([status, report.problem.kind]).toEqual([3, "unreachable"]);
    expect(report.problem.advice).toContain("failed to fetch the document at the client_id");
    expect(report.trial.steps).toMatchObject([
      { name: "authorization", ok: false, status: 503 },
      { name: "token", ok: null },
    ]);
  });
});

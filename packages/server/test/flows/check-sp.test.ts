// `check-sp <issuer>`, and `check <domain>` where the record names another SP, as they are run.

import { execFileSync, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { checkSp as checkSpNow, spLines, spStatus } from "../../src/cli/check-sp-command.ts";
import type { SpReport } from "../../src/cli/sp-report.ts";
import { isSaltedAcct, type Json, startBentSp, withRegistration } from "../support/bent-sp.ts";
import { command, complaints, refused } from "../support/command.ts";
import { fixture } from "../support/fixture.ts";
import { startRootedZone } from "../support/rooted-zone.ts";
import { SERVED } from "../support/serve.ts";
import { startTestService } from "../support/service.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const HAS_PYTHON = spawnSync("python3", ["-c", "import hashlib; hashlib.scrypt"]).status === 0;
const OWN = "http://localhost:9";
const folder = temporaryFolder();
const zone = fixture(() => startRootedZone(["alice.test"]));
const ours = fixture(() => startTestService());
const sp = fixture(() => startBentSp());

/** Runs a command in the folder. */
const run = (...args: string[]) => command(args, { folder: folder.path });

/** As the command does, in this process. With `bend` only this once. */
async function checkSp(issuer: string, bend?: (metadata: Json) => Json) {
  if (bend) sp.bends.metadata = bend;
  const report = await checkSpNow(issuer, [zone.address]).finally(() => {
    delete sp.bends.metadata;
  });
  return { status: spStatus(report), report };
}

/** What a check finds where the domain of its own has this record. */
async function check(label: string, record: string, ...options: string[]) {
  const domain = `${label}.alice.test`;
  zone.add({ name: `_domain-signin.${domain}`, type: "TXT", value: record, ttl: 300 });
  const args = ["check", domain, "--issuer", OWN, "--dns-servers", zone.address, ...options];
  return command(args, { folder: folder.path, env: { ...SERVED, ...zone.env } });
}

const page = (name: string) =>
  readFile(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");

const unmetOf = (report: SpReport) =>
  report.requirements
    .filter(({ met }) => !met)
    .map(({ name, needed }) => (needed ? name : `${name}, waived`));

describe("check-sp", () => {
  test("finds nothing missing at this software, which knows of domains and documents", async () => {
    const { status, stdout, stderr } = await run("check-sp", ours.issuer, "--json");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const report = JSON.parse(stdout);
    expect(report).toEqual({
      ...{ issuer: ours.issuer, client: "document", ways: ["document"] },
      ...{ binding: "claims", problem: null, requirements: expect.any(Array) },
    });
    expect(unmetOf(report)).toEqual([]);
    const names = report.requirements.map(({ name }: { name: string }) => name);
    expect(names).toEqual([
      ...["issuer", "https endpoints", "endpoints on its origin", "authorization code", "PKCE"],
      ...["signed ID tokens", "iss in responses", "keys"],
    ]);
    for (const { reason } of report.requirements) expect(reason).toMatch(/must/);
  });

  test("tells in words what it tells in JSON", async () => {
    const { status, stdout } = await run("check-sp", ours.issuer);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^service provider http:\/\/localhost:\d+\n {2}metadata: found\n/);
    expect(stdout).toContain(
      '\n  met      PKCE: code_challenge_methods_supported must include "S256"',
    );
    expect(stdout).toMatch(/\n {2}client {3}client ID metadata document, with private_key_jwt/);
    expect(stdout).toMatch(/\n {2}can be used for sign-in\n$/);
  });

  test("prints what docs/become-an-sp.md shows", async () => {
    const { report } = await checkSp(sp.issuer, (metadata) => ({
      ...withRegistration(metadata),
      code_challenge_methods_supported: ["plain"],
    }));
    const said = spLines(report).join("\n").replaceAll(sp.issuer, "https://login.example.net");
    expect(await page("become-an-sp.md")).toContain(`\n${said}\n\`\`\`\n`);
  });

  const without = (name: string) => (metadata: Json) => ({ ...metadata, [name]: undefined });
  const set = (change: Json) => (metadata: Json) => ({ ...metadata, ...change });
  test.each<[string, (metadata: Json) => Json, string[]]>([
    ["PKCE", without("code_challenge_methods_supported"), ["PKCE"]],
    [
      "its name in answers",
      without("authorization_response_iss_parameter_supported"),
      ["iss in responses"],
    ],
    [
      "a signature of its own",
      set({ id_token_signing_alg_values_supported: ["HS256", "none"] }),
      ["signed ID tokens"],
    ],
    [
      "a token endpoint of its own",
      set({ token_endpoint: "https://elsewhere.example/token" }),
      ["endpoints on its origin"],
    ],
    ["codes", set({ response_types_supported: ["id_token"] }), ["authorization code"]],
  ])("names what an SP without %s lacks, and does not ask for its keys", async (_, bend, unmet) => {
    const before = sp.asked("jwks").length;
    const { status, report } = await checkSp(sp.issuer, bend);
    expect(status).toBe(1);
    expect(unmetOf(report)).toEqual(unmet);
    expect(report.problem?.kind).toBe("unmet_requirements");
    expect(sp.asked("jwks")).toHaveLength(before);
  });

  test("asks for the keys, and says what is wrong with them", async () => {
    sp.bends.reply = { jwks: () => ({ body: { keys: [{ kty: "oct", k: "c2VjcmV0" }] } }) };
    const secret = await checkSp(sp.issuer);
    sp.bends.reply = { jwks: () => ({ status: 500, body: {} }) };
    const failing = await checkSp(sp.issuer);
    delete sp.bends.reply;
    for (const { status, report } of [secret, failing]) {
      expect([status, unmetOf(report)]).toEqual([1, ["keys"]]);
    }
    expect(failing.report.problem?.detail).toContain("status 500");
  });

  test("tells the ways to become its client, the first one first; none is a negative answer", async () => {
    const register = (metadata: Json) => withRegistration(metadata);
    expect((await checkSp(sp.issuer)).report.ways).toEqual(["public_document"]);
    expect((await checkSp(sp.issuer, register)).report.ways).toEqual(["registration"]);
    const both = set({ registration_endpoint: `${sp.issuer}/register` });
    expect((await checkSp(sp.issuer, both)).report.ways).toEqual([
      ...["public_document", "registration"],
    ]);
    const none = await checkSp(sp.issuer, without("client_id_metadata_document_supported"));
    expect([none.status, none.report.ways, none.report.problem?.kind]).toEqual([
      ...[1, [], "no_client"],
    ]);
  });

  test("tells a lie from silence, and both from a wrong use", async () => {
    const lying = await checkSp(sp.issuer, set({ issuer: "https://sp.example.org" }));
    expect([lying.status, lying.report.problem?.kind]).toEqual([1, "bad_metadata"]);
    const silent = await checkSp("http://localhost:1");
    expect([silent.status, silent.report.problem?.kind]).toEqual([3, "unreachable"]);
    for (const issuer of ["https://sp.example.org:8443", "sp.example.org", "http://127.0.0.1:1"]) {
      await expect(checkSp(issuer)).rejects.toThrow(/^invalid issuer /);
    }
    const dead = ["https://sp.example.org", "--dns-servers", "127.0.0.1:1"];
    expect((await run("check-sp", ...dead)).status).toBe(3);
    expect((await run("check-sp", "sp.example.org")).status).toBe(2);
  });
});

describe("check", () => {
  test("follows the record to an SP, and tells each step", async () => {
    const acct = sp.acct("plain.alice.test");
    const record = `v=dsi1 sp=${sp.issuer} acct=${acct}`;
    const { status, stdout } = await check("plain", record, "--json");
    expect(status).toBe(0);
    const { outcome, sp: told } = JSON.parse(stdout);
    expect([outcome, unmetOf(told)]).toEqual(["external", []]);
    expect(told).toMatchObject({
      ...{ issuer: sp.issuer, client: "public_document", binding: "hash", problem: null },
      redirect_uri: expect.stringMatching(
        /^http:\/\/localhost:9\/federation\/callback\/[\w-]{43}$/,
      ),
    });
    const words = await check("plain", record);
    const { host } = new URL(sp.issuer);
    const verdict = `plain.alice.test can sign in here, through ${host}.`;
    expect(words.stdout.split("\n")[0]).toBe(verdict);
    expect(JSON.parse(stdout).verdict).toBe(verdict);
    expect(words.stdout).toContain(`\nservice provider ${sp.issuer}\n  metadata: found\n`);
    expect(words.stdout).toContain("\n  account  acct is a salted hash of issuer, sub and domain");
  });

  test("knows the account of a domain-aware SP by claims, and says nothing of SPs beside an own record", async () => {
    const record = (issuer: string) => `v=dsi1 sp=${issuer} acct=${"a".repeat(22)}`;
    const aware = await check("aware", record(ours.issuer), "--json");
    expect([aware.status, JSON.parse(aware.stdout).sp]).toMatchObject([0, { binding: "claims" }]);
    const own = await check("own", record(OWN), "--json");
    expect([own.status, JSON.parse(own.stdout).sp]).toEqual([0, undefined]);
  });

  test("ends with 1 for an SP that cannot be used, and with 3 for one that does not answer", async () => {
    const acct = "a".repeat(43);
    sp.bends.metadata = (metadata) => ({ ...metadata, code_challenge_methods_supported: [] });
    const unmet = await check("unmet", `v=dsi1 sp=${sp.issuer} acct=${acct}`);
    delete sp.bends.metadata;
    expect(unmet.status).toBe(1);
    const refused = /^unmet.alice.test cannot sign in here: \S+ does not meet the requirements/;
    expect(unmet.stdout).toMatch(refused);
    expect(unmet.stdout).toContain("\n  NOT MET  PKCE: ");
    expect(unmet.stdout).toContain("\n  cannot be used for sign-in: ");
    const silent = await check("silent", `v=dsi1 sp=http://localhost:1 acct=${acct}`, "--json");
    expect([silent.status, JSON.parse(silent.stdout)]).toMatchObject([
      3,
      {
        outcome: "external",
        verdict: "silent.alice.test cannot sign in here: localhost:1 does not respond.",
      },
    ]);
    // No hash is as short as what this software gives its own accounts.
    const short = await check("short", `v=dsi1 sp=${sp.issuer} acct=${"a".repeat(22)}`, "--json");
    expect([short.status, JSON.parse(short.stdout).sp.problem.kind]).toEqual([1, "other_account"]);
  });

  test("knows of the operator's entry, and of what that lets the SP do without", async () => {
    const database = folder.database("entries.db");
    await run("migrate", "--database", database);
    const entry = [sp.issuer, "--client-id", "us", "--allow", "no_pkce", "--issuer", OWN];
    const added = await run("sp", "add", ...entry, "--database", database);
    expect([added.status, complaints(added)]).toEqual([0, ""]);
    sp.bends.metadata = (metadata) => ({ ...metadata, code_challenge_methods_supported: [] });
    const record = `v=dsi1 sp=${sp.issuer} acct=${sp.acct("entered.alice.test")}`;
    const { status, stdout } = await check("entered", record, "--json", "--database", database);
    delete sp.bends.metadata;
    const { sp: told } = JSON.parse(stdout);
    expect([status, told.client, unmetOf(told)]).toEqual([0, "operator", ["PKCE, waived"]]);
  });

  test("writes the record for an account at any provider, asking nobody", async () => {
    const issuer = "https://login.example.net/tenant";
    const sub = "248289761001";
    const args = ["check", "Alice.COM", "--issuer", issuer, "--sub", sub];
    const dead = ["--dns-servers", "127.0.0.1:1"];
    const { status, stdout } = await run(...args, ...dead, "--json");
    expect(status).toBe(0);
    const { acct, ...record } = JSON.parse(stdout);
    expect(isSaltedAcct(acct, issuer, sub, "alice.com")).toBe(true);
    expect(record).toEqual({
      ...{ domain: "alice.com", name: "_domain-signin.alice.com", type: "TXT" },
      value: `v=dsi1 sp=${issuer} acct=${acct}`,
    });
    const words = await run(...args, ...dead);
    const [other = ""] = words.stdout.split("\n");
    expect(isSaltedAcct(other, issuer, sub, "alice.com")).toBe(true);
    expect(other).not.toBe(acct);
    const text = await page("sp-record.md");
    const [, shown = ""] = /--sub 248289761001\n([\w-]{64})\n/.exec(text) ?? [];
    expect(isSaltedAcct(shown, issuer, sub, "alice.com")).toBe(true);
    expect(text).toContain(`--sub ${sub}\n${words.stdout.replaceAll(other, shown)}\`\`\``);
    expect(await run("check", "alice.com", "--issuer", "x", "--sub", "é")).toEqual(
      refused(expect.stringMatching(/invalid issuer "x": .*\nsub \(--sub\) must be/), 2),
    );
    const alone = await run("check", "alice.com", "--sub", "x");
    expect([alone.status, alone.stderr]).toEqual([2, "--sub requires the option --issuer\n"]);
  });

  test.skipIf(!HAS_PYTHON)("the page computes the same without this software", async () => {
    const [, script = ""] =
      /\$ python3 - <<'END'\n([\s\S]*?)\nEND\n/.exec(await page("sp-record.md")) ?? [];
    const acct = execFileSync("python3", ["-"], { input: script, encoding: "utf8" }).trim();
    expect(
      isSaltedAcct(acct, "https://login.example.net/tenant", "248289761001", "alice.com"),
    ).toBe(true);
  });
});

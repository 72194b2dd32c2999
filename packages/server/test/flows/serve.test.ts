// `serve` and `clients` as an operator runs them, and real third-party clients against them.

import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { expect, test } from "vitest";
import { command, complaints } from "../support/command.ts";
import { fixture } from "../support/fixture.ts";
import { startRootedZone } from "../support/rooted-zone.ts";
import { run, SERVED, serve } from "../support/serve.ts";
import { answerPage } from "../support/sign-in.ts";
import { startZoneEditor } from "../support/zone-editor.ts";

const REDIRECT_URI = "https://app.example.org/callback";
const zone = fixture(() => startRootedZone(["alice.test"]));
const at = fixture(() => serve(zone, [], { args: ["--management-port", "0"] }));

/** A command in the folder of the service. */
const operate = (...args: string[]) => command(args, { folder: at.folder });

const example = (path: string) =>
  fileURLToPath(new URL(`../../../../examples/${path}`, import.meta.url));

async function addClient(...more: string[]) {
  const args = ["clients", "add", "--json", "--name", "App", "--redirect-uri", REDIRECT_URI];
  const result = await operate(...args, ...more);
  expect([result.status, complaints(result)]).toEqual([0, ""]);
  return JSON.parse(result.stdout) as { client_id: string; client_secret: string | null };
}

const agent = createUserAgent();

/** What the person does between the client's redirect and its callback. */
async function signInAt(url: URL): Promise<URL> {
  const way = { domain: "alice.test", stopAt: REDIRECT_URI };
  let page = await agent.open(url.href, way);
  while (!page.stopped) page = await answerPage({ zone }, agent, page, way);
  return new URL(page.url);
}

test("openid-client completes code, PKCE, userinfo and refresh against serve", async () => {
  const { client_id, client_secret } = await addClient();
  const issuer = new URL(at.issuer);
  const execute = [openid.allowInsecureRequests];
  const options = { algorithm: "oauth2" as const, execute };
  const secret = client_secret ?? "";
  const config = await openid.discovery(issuer, client_id, secret, undefined, options);
  const verifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: "openid",
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
  });
  const tokens = await openid.authorizationCodeGrant(config, await signInAt(url), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  expect(tokens.expires_in).toBe(3600);
  const claims = await openid.fetchUserInfo(config, tokens.access_token, openid.skipSubjectCheck);
  expect(claims.domain).toBe("alice.test");
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
});

test.each(["confidential", "public"])("oauth4webapi does the same as a %s client", async (type) => {
  const { client_id, client_secret } = await addClient(...(type === "public" ? ["--public"] : []));
  const client: oauth.Client = { client_id };
  const proof = client_secret === null ? oauth.None() : oauth.ClientSecretPost(client_secret);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(at.issuer);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    client_id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const answer = oauth.validateAuthResponse(server, client, await signInAt(url), state);
  const grant = [answer, REDIRECT_URI, verifier, insecure] as const;
  const redeemed = await oauth.authorizationCodeGrantRequest(server, client, proof, ...grant);
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed);
  const old = tokens.refresh_token ?? "";
  const renewed = await oauth.refreshTokenGrantRequest(server, client, proof, old, insecure);
  const refreshed = await oauth.processRefreshTokenResponse(server, client, renewed);
  expect(refreshed.access_token).not.toBe(tokens.access_token);
});

test("the documented curl script does the same, once: a second browser needs a recovery code", async () => {
  const { client_id, client_secret } = await addClient();
  for (const record of zone.records()) zone.remove(record);
  // Of two accounts that looks of one second make for a domain, the second is refused.
  await sleep(1001);
  const editor = await startZoneEditor(zone);
  const script = example("curl/sign-in.sh");
  const save = join(at.folder, "saved");
  // What was there before lends the secrets neither its mode nor its place.
  await mkdir(save);
  await writeFile(join(save, "request.json"), "{}", { mode: 0o644 });
  const env = {
    ISSUER: at.issuer,
    CLIENT_ID: client_id,
    CLIENT_SECRET: client_secret ?? "",
    REDIRECT_URI,
    DOMAIN: "alice.test",
    ZONE_EDITOR: editor.url,
    SAVE: save,
    COOKIES: "",
  };
  const jar = { COOKIES: join(at.folder, "cookies") };
  const runWith = (changed: Partial<typeof env>) =>
    run("bash", [script], { cwd: at.folder, env: { ...env, ...changed } });
  try {
    const { status, stdout, stderr } = await runWith(jar);
    expect([status, stderr]).toEqual([0, expect.stringContaining("8. refreshed")]);
    expect(JSON.parse(stdout)).toMatchObject({ token_type: "bearer", expires_in: 3600 });
    const files = ["response.json", "request.json"].map((file) => join(save, file));
    for (const file of [...files, jar.COOKIES]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const jwks = join(save, "jwks.json");
    await writeFile(jwks, await (await fetch(`${at.issuer}/.well-known/jwks.json`)).text());
    const verify = [example("verify-offline/verify.mjs"), ...files, jwks];
    const verified = await run(process.execPath, verify, { cwd: at.folder });
    expect({ ...verified, stdout: JSON.parse(verified.stdout || "{}") }).toMatchObject({
      ...{ status: 0, stderr: "", stdout: { domain: "alice.test", how: "attestation" } },
    });
    const same = await runWith({ ...jar, SAVE: "" });
    expect([same.status, same.stderr]).toEqual([0, expect.stringContaining(" still signed in ")]);
    const again = await runWith({});
    expect(again.status).toBe(1);
    const why = "failed: this browser is new to the account: it needs a recovery code";
    expect(again.stderr).toContain(why);
    const unproven = await runWith({ CLIENT_ID: "dsid_nobody" });
    expect(unproven.status).toBe(1);
    expect(unproven.stderr).toMatch(/^the page says: \S.*\n {2}\S.*\n {2}.*[2-9a-z]{8}\nfailed: /m);
    const typo = await runWith({ DOMAIN: "com" });
    expect([typo.status, typo.stderr]).toEqual([1, expect.stringMatching(/says: .*\n {2}.*com/)]);
    for (const name of ["ISSUER", "CLIENT_ID", "REDIRECT_URI", "DOMAIN"]) {
      const without = await runWith({ [name]: "" });
      expect([without.status, without.stderr]).toEqual([1, expect.stringContaining(`set ${name}`)]);
    }
    const nobody = await runWith({ ISSUER: "http://127.0.0.1:1" });
    expect([nobody.status, nobody.stderr]).toEqual([7, expect.stringContaining("curl: (7)")]);
  } finally {
    await editor.close();
  }
});

test("clients are listed and shown without secrets, and removed; a missing one is status 1", async () => {
  const { client_id, client_secret } = await addClient("--consent", "always");
  const shown = await operate("clients", "show", client_id, "--json");
  expect(JSON.parse(shown.stdout)).toMatchObject({ client_id, consent: "always" });
  const listed = await operate("clients", "list", "--json");
  expect(listed.stdout).toContain(client_id);
  expect(shown.stdout + listed.stdout).not.toContain(client_secret);
  expect((await operate("clients", "remove", client_id)).status).toBe(0);
  expect((await operate("clients", "remove", client_id)).status).toBe(1);
  expect((await operate("clients", "show", client_id)).status).toBe(1);
});

test("check says what a sign-in would find, with a status to go by", async () => {
  const env = { ...SERVED, ...zone.env };
  const checked = (domain: string, dns: string, ...more: string[]) =>
    command(["check", domain, "--issuer", at.issuer, "--dns-servers", dns, ...more], {
      ...{ folder: at.folder, env },
    });
  const check = (domain: string, dns = zone.address) => checked(domain, dns, "--json");
  const name = "_domain-signin.check.alice.test";
  const asked = { address: "127.0.0.1", values: [], ttl: expect.toBeOneOf([60, null]) };
  const absent = await check("Check.Alice.Test");
  expect(absent.status).toBe(1);
  expect(JSON.parse(absent.stdout)).toEqual({
    ...{ domain: "check.alice.test", verdict: "check.alice.test has no sign-in record yet." },
    ...{ name, outcome: "absent", assurance: "single" },
    ...{ records: [], checked_at: expect.any(Number), mistake: null, accounts: [] },
    sources: [
      {
        ...{ resolver: zone.address, security: "insecure", outcome: "absent" },
        ...{ sp: null, acct: null, inception: null, expiration: null, age: null },
      },
    ],
    servers: [
      { kind: "resolver", name: zone.address, found: "absent", ...asked },
      // The demo's name server stands at an address that is not public: nothing is sent there.
      { kind: "name_server", name: "ns.alice.test", found: "not_asked", ...asked },
    ],
  });
  zone.add({ name, type: "TXT", value: `v=dsi1 sp=${at.issuer}`, ttl: 300 });
  const invalid = await check("check.alice.test");
  expect(invalid.status).toBe(1);
  expect(JSON.parse(invalid.stdout)).toMatchObject({
    verdict: "The record of check.alice.test is not valid: the tag acct is missing.",
    outcome: "invalid",
    records: [{ problems: [expect.stringContaining("acct")] }],
  });
  for (const record of zone.records()) if (record.name === name) zone.remove(record);
  const doubled = { name: `${name}.alice.test`, type: "TXT", value: "v=dsi1 sp=x", ttl: 300 };
  zone.add(doubled);
  expect(JSON.parse((await check("check.alice.test")).stdout)).toMatchObject({
    mistake: "doubled_name",
    advice: expect.stringContaining("enter only _domain-signin.check."),
  });
  zone.remove(doubled);
  // Nobody's zone gives orders to the operator's terminal.
  const hostile = { name, type: "TXT", value: "v=dsi1 \u001b[2J\u202e", ttl: 300 };
  zone.add(hostile);
  const said = await checked("check.alice.test", zone.address);
  expect(said.stdout).toContain("v=dsi1 \uFFFD[2J\uFFFD");
  for (const order of ["\u001b", "\u202e"]) expect(said.stdout).not.toContain(order);
  zone.remove(hostile);
  const value = `v=dsi1 sp=${at.issuer} acct=${"a".repeat(22)}`;
  zone.add({ name, type: "TXT", value, ttl: 300 });
  const own = await check("check.alice.test");
  expect([own.status, JSON.parse(own.stdout).outcome]).toEqual([0, "own"]);
  const [first, second] = (await checked("check.alice.test", zone.address)).stdout.split("\n");
  expect([first, second]).toEqual(["check.alice.test can sign in here.", ""]);
  const dead = await check("check.alice.test", "127.0.0.1:1");
  expect([dead.status, JSON.parse(dead.stdout).outcome]).toEqual([3, "unavailable"]);
  const mail = await check("me@alice.test");
  const why = expect.stringContaining("looks like an email address");
  expect([mail.status, mail.stderr]).toEqual([2, why]);
});

test("the metrics show what is held of each limit", async () => {
  const { management_port } = JSON.parse(at.output().stdout) as { management_port: number };
  const metrics = await (await fetch(`http://127.0.0.1:${management_port}/metrics`)).text();
  for (const name of ["held", "capacity", "evictions_total", "refusals_total"]) {
    const series = metrics.match(
      new RegExp(`^domain_signin_limit_${name}{budget="\\w+"} \\d+$`, "gm"),
    );
    expect([name, series?.length]).toEqual([name, 6]);
  }
});

test("a wrong use ends with status 2 and tells every mistake at once", async () => {
  const bad = await operate(
    ...["clients", "add", "--name", "App", "--scope", "a a"],
    ...["--redirect-uri", "javascript:alert(1)", "https://app.example.org/#x"],
  );
  expect(bad.status).toBe(2);
  for (const why of ["javascript:alert(1)", "https://app.example.org/#x has a fragment"])
    expect(bad.stderr).toContain(`redirect_uris (--redirect-uri) ${why}`);
  expect((await operate("clients", "add")).status).toBe(2);
  expect((await operate("nonsense")).status).toBe(2);
  const serving = await operate("serve", "--issuer", "http://evil.example", "--port", "x");
  expect(serving.status).toBe(2);
  expect(serving.stderr).toContain("issuer must be");
  expect(serving.stderr).toContain("port ");
  expect(serving.stderr).not.toMatch(/\n +at /);
});

test("the secret file is made once with mode 0600, and the log holds no credential", async () => {
  const secretFile = join(at.folder, "domain-signin.secret");
  expect((await stat(secretFile)).mode & 0o777).toBe(0o600);
  const { stderr } = at.output();
  expect(stderr).toContain('"msg":"signed in"');
  expect(stderr).not.toMatch(/ds[cras]_[\w-]{20}|dss_/);
  expect(stderr).not.toContain((await readFile(secretFile, "utf8")).trim());
});

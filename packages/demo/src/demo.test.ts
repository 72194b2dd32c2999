// Tests of the demo as a whole: its calls, its walk, and its app in a browser without script.

import { mkdtempSync, readdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { programTest, programTests } from "../../server/test/support/program-test.ts";
import { createUserAgent, type Page, type UserAgent } from "./browser/user-agent.ts";
import { type Demo, runDemo, startDemo } from "./demo.ts";
import type { DemoDescription } from "./description.ts";
import { walk } from "./walk/walk.ts";

describe("runDemo", () => {
  programTest("--json prints its addresses, stays up and exits with status 0", async () => {
    const run = start({ json: true, exit: false });
    const description = JSON.parse(await run.firstLine) as DemoDescription;
    const localhost = expect.stringMatching(/^http:\/\/localhost:\d+$/) as unknown;
    const client_secret = expect.stringMatching(/.{32}/) as unknown;
    const clientsOf = (app: string) => {
      const common = {
        client_id: expect.stringMatching(/./) as unknown,
        application_type: "web",
        redirect_uris: [`${app}/callback`],
        scope: "openid",
      };
      return [
        { ...common, type: "confidential", client_secret, consent: "first" },
        { ...common, type: "confidential", client_secret, consent: "never" },
        { ...common, type: "public", client_secret: null, consent: "first" },
      ];
    };
    expect(description).toEqual({
      v: 1,
      pid: process.pid,
      issuer: localhost,
      app: localhost,
      zone_editor: `${description.app}/zone`,
      dns: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as unknown,
      trust_anchors: [expect.stringMatching(/^\. 3600 IN DS \d+ 13 2 [0-9A-F]{64}$/) as unknown],
      clients: clientsOf(description.app),
      domains: [
        { domain: "alice.test", signed: true },
        { domain: "bob.test", signed: true },
        { domain: "carol.test", signed: false },
        { domain: "shop.market.test", signed: true },
      ],
      sp: { issuer: localhost, app: localhost, clients: clientsOf(description.sp.app) },
    });
    const { issuer, app, sp } = description;
    const places = [`${issuer}/livez`, app, `${sp.issuer}/livez`, sp.app];
    expect(new Set(places).size).toBe(places.length);
    for (const place of places) expect((await fetch(place)).status, place).toBe(200);
    run.stop();
    expect(await run.status).toBe(0);
    expect(run.out).toHaveLength(1);
    for (const place of places) await expect(fetch(place), place).rejects.toThrow();
  });

  test("--json --exit walks and prints the result of each step", async () => {
    const run = start({ json: true, exit: true });
    expect(await run.status).toBe(0);
    const [, second = ""] = run.out;
    expect(run.out).toHaveLength(2);
    const { walk: end, steps } = JSON.parse(second) as { walk: string; steps: unknown[] };
    expect(end).toBe("ok");
    expect(steps).toContainEqual({ name: "refresh-retry", ok: true });
    expect(steps).toContainEqual({ name: "provider-proof", ok: true });
    expect(steps).toContainEqual({ name: "sp-proof", ok: true });
    expect(steps).toHaveLength(33);
  });

  programTest("--exit prints everything on standard error", async () => {
    const run = start({ json: false, exit: true });
    expect(await run.status).toBe(0);
    expect(run.out).toEqual([]);
    const printed = run.err.join("\n");
    expect(printed).toContain("GET /oauth/authorize → 200");
    expect(printed).toMatch(/\/external → 303, redirect to the SP\n/);
    expect(printed).toContain("The walk succeeded: all 33 steps passed.");
    expect(printed).toContain("with a passkey is left out: no Chromium in this test.");
  });

  programTest(
    "without options it stays up after the walk and names the addresses to open",
    async () => {
      const run = start({ json: false, exit: false });
      await run.firstLine;
      const printed = run.out.join("\n");
      expect(printed).toMatch(/App +http:\/\/localhost:\d+\nZone editor +http/);
      expect(printed).toMatch(/SP +http:\/\/localhost:\d+\nSP's app +http:\/\/localhost:\d+\n/);
      run.stop();
      expect(await run.status).toBe(0);
    },
  );

  test("a port in use is named in the error message", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const taken = Number(new URL(demo.describe().issuer).port);
    await expect(startDemo({ port: taken })).rejects.toThrow(
      `the demo cannot listen on 127.0.0.1:${taken}`,
    );
  });

  programTest("no temporary folder is left after the demo stops or fails to start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "domain-signin-test-"));
    vi.stubEnv("TMPDIR", folder);
    const demo = await startDemo();
    expect(readdirSync(folder)).toHaveLength(1);
    const taken = Number(new URL(demo.describe().app).port);
    await expect(startDemo({ appPort: taken })).rejects.toThrow();
    expect(readdirSync(folder)).toHaveLength(1);
    await demo.close();
    expect(readdirSync(folder)).toEqual([]);
    vi.unstubAllEnvs();
    rmdirSync(folder);
  });
});

programTests("the walk", () => {
  programTest("fails at the first unmet expectation, and prints what was found", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const lines: string[] = [];
    const agent = createUserAgent();
    await agent.submit(await agent.open(demo.describe().zone_editor), "add-form", {
      name: "_domain-signin.alice.test",
      value: "v=dsi1 sp=none",
    });
    expect(
      await walk(demo.describe(), (line) => lines.push(line), { chromium: NO_CHROMIUM }),
    ).toEqual({
      walk: "failed",
      steps: [
        { name: "authorize", ok: true },
        { name: "set-up", ok: false },
      ],
    });
    expect(lines.at(-1)).toBe(
      "The walk failed at set-up: the page: expected dns-setup, found domain. Run the demo again; if it fails in the same way, report this line.",
    );
  });

  programTest(
    "succeeds although each kind of request is answered 503 at first, to the apps too",
    async () => {
      const demo = await startDemo();
      onTestFinished(() => demo.close());
      const { fetch } = globalThis;
      onTestFinished(() => void vi.unstubAllGlobals());
      const refused = new Set<string>();
      vi.stubGlobal("fetch", async (url: string | URL, init: RequestInit = {}) => {
        const { origin, pathname } = new URL(url);
        const kind = `${init.method ?? "GET"} ${origin}${pathname.replace(/[\w-]{20,}/g, "*")}`;
        if (refused.has(kind)) return fetch(url, init);
        refused.add(kind);
        return new Response("", { status: 503, headers: { "retry-after": "0" } });
      });
      const lines: string[] = [];
      const { walk: end } = await walk(demo.describe(), (line) => lines.push(line), {
        chromium: NO_CHROMIUM,
      });
      expect([end, lines.at(-1)]).toEqual(["ok", "The walk succeeded: all 33 steps passed."]);
      const { issuer, sp } = demo.describe();
      for (const base of [issuer, sp.issuer]) expect(refused).toContain(`POST ${base}/oauth/token`);
      expect(refused.size).toBeGreaterThan(30);
    },
  );

  programTest(
    "shows no token, code or secret as a whole, and leaves the zones without a record",
    async () => {
      const demo = await startDemo();
      onTestFinished(() => demo.close());
      const { zone_editor, sp } = demo.describe();
      const lines: string[] = [];
      await walk(demo.describe(), (line) => lines.push(line), { chromium: NO_CHROMIUM });
      expect(lines.join("\n")).not.toMatch(/ds[acrs]_[A-Za-z0-9_-]{9}/);
      expect(await (await fetch(`${zone_editor}/records`)).json()).toEqual([]);
      expect(await (await fetch(`${sp.app}/zone/records`)).json()).toEqual([]);
    },
  );

  programTest("fails where the record names another service than the SP", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const { sp, ...rest } = demo.describe();
    const lines: string[] = [];
    const other = { ...rest, sp: { ...sp, app: rest.app } };
    const { walk: end, steps } = await walk(other, (line) => lines.push(line), {
      chromium: NO_CHROMIUM,
    });
    expect([end, steps.at(-1)]).toEqual(["failed", { name: "sp-set-up", ok: false }]);
    expect(lines.at(-1)).toContain(`expected: the value begins with v=dsi1 sp=${sp.issuer} `);
  });
});

describe("the app", () => {
  let demo: Demo;
  let agent: UserAgent;

  beforeAll(async () => {
    demo = await startDemo();
    agent = createUserAgent();
  });
  afterAll(() => demo.close());

  test("signs a person in, refreshes, asks userinfo and signs out", async () => {
    const { app, zone_editor } = demo.describe();
    const start = await agent.open(app);
    expect(start.step).toBe("signed-out");
    const domainPage = await agent.submit(start, "sign-in-form");
    const setUp = await agent.submit(domainPage, "domain-form", { domain: "bob.test" });
    const record = { name: setUp.text("dns-name"), value: setUp.text("dns-value") };
    await agent.submit(await agent.open(zone_editor), "add-form", record);
    const consent = await agent.submit(
      await agent.submit(setUp, "check-form"),
      "recovery-codes-form",
    );
    const signedIn = await agent.submit(consent, "consent-form", { decision: "allow" });
    expect(signedIn).toMatchObject({ url: `${app}/`, status: 200, step: "signed-in" });
    expect(signedIn.text("domain")).toBe("bob.test");

    const refreshed = await agent.submit(signedIn, "refresh-form");
    expect(tokenShown(refreshed)).not.toBe(tokenShown(signedIn));
    const asked = await agent.submit(refreshed, "userinfo-form");
    expect(JSON.parse(asked.text("outcome"))).toMatchObject({
      sub: signedIn.text("sub"),
      domain: "bob.test",
    });
    const out = await agent.submit(asked, "sign-out-form");
    expect(out.step).toBe("signed-out");
    expect((await agent.open(app)).step).toBe("signed-out");
  });

  test("a user who denies access sees the error", async () => {
    const { app } = demo.describe();
    const other = createUserAgent();
    const domainPage = await other.submit(await other.open(app), "sign-in-form");
    const setUp = await other.submit(domainPage, "domain-form", { domain: "carol.test" });
    const record = { name: setUp.text("dns-name"), value: setUp.text("dns-value") };
    await other.submit(await other.open(`${app}/zone`), "add-form", record);
    const consent = await other.submit(
      await other.submit(setUp, "check-form"),
      "recovery-codes-form",
    );
    const denied = await other.submit(consent, "consent-form", { decision: "deny" });
    expect(denied).toMatchObject({ status: 400, step: "failure" });
    expect(denied.text("failure")).toContain("access_denied");
  });

  test("signs in a domain that was set up at the other app, and says whom its record names", async () => {
    const { app, sp } = demo.describe();
    const domain = "shop.market.test";
    const owner = createUserAgent();
    const domainPage = await owner.submit(await owner.open(sp.app), "sign-in-form");
    const setUp = await owner.submit(domainPage, "domain-form", { domain });
    const record = { name: setUp.text("dns-name"), value: setUp.text("dns-value") };
    await owner.submit(await owner.open(`${sp.app}/zone`), "add-form", record);
    const there = await owner.submit(
      await owner.submit(setUp, "check-form"),
      "recovery-codes-form",
    );
    await owner.submit(there, "consent-form", { decision: "allow" });

    const sentence = `<code>${domain}</code> signs in through its SP at <strong>${new URL(sp.issuer).host}`;
    expect((await createUserAgent().open(sp.app)).html).not.toContain(sentence);
    const start = await owner.open(app);
    expect(start.html).toContain(sentence);
    expect(start.html.match(/signs in through its SP/g)).toHaveLength(1);
    const typed = await owner.submit(start, "sign-in-form");
    let page = await owner.submit(typed, "domain-form", { domain });
    page = await owner.submit(page, "continue-form");
    page = await owner.submit(page, "consent-form", { decision: "allow" });
    page = await owner.submit(page, "consent-form", { decision: "allow" });
    expect(page).toMatchObject({ url: `${app}/`, status: 200, step: "signed-in" });
    expect(page.text("domain")).toBe(domain);
  });

  test("an answer that this browser did not ask for signs nobody in", async () => {
    const { app, issuer } = demo.describe();
    const stranger = createUserAgent();
    const iss = encodeURIComponent(issuer);
    const page = await stranger.open(`${app}/callback?code=x&state=y&iss=${iss}`);
    expect(page).toMatchObject({ status: 400, step: "failure" });
    expect((await stranger.open(app)).step).toBe("signed-out");
  });
});

/** A walk with Chromium takes seconds, and is one of the tests of browsers. */
const NO_CHROMIUM = { missing: "no Chromium in this test" };

function start(options: { json: boolean; exit: boolean }) {
  const out: string[] = [];
  const err: string[] = [];
  let stop = () => {};
  let tell: (line: string) => void = () => {};
  const firstLine = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const status = runDemo(
    { ...options, chromium: NO_CHROMIUM },
    {
      out(line) {
        out.push(line);
        tell(line);
      },
      err: (line) => err.push(line),
      stopped: new Promise((resolve) => {
        stop = resolve;
      }),
    },
  );
  return { out, err, firstLine, status, stop: () => stop() };
}

function tokenShown(page: Page): unknown {
  return (JSON.parse(page.text("token-response")) as { refresh_token: unknown }).refresh_token;
}

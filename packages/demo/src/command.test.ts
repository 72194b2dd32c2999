// Tests of the command: what its options do, and what it answers to wrong ones.

import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { programTest } from "../../server/test/support/program-test.ts";
import { createUserAgent } from "./browser/user-agent.ts";
import { runCommand } from "./command.ts";
import type { DemoDescription } from "./description.ts";

// The walk with Chromium is one of the tests of browsers.
beforeAll(() => {
  vi.stubEnv("CHROMIUM_PATH", "none");
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const ownApp = "http://localhost:3000/cb";

/** Runs the command until `while it is up` has resolved, if it comes up at all. */
async function run(args: string[], whileUp: (demo: DemoDescription) => Promise<void> = noWait) {
  const [out, err]: [string[], string[]] = [[], []];
  let stop = () => {};
  let checked = Promise.resolve();
  const status = await runCommand(args, {
    out(text) {
      out.push(text);
      if (text.startsWith('{"v":1')) checked = whileUp(JSON.parse(text)).finally(() => stop());
    },
    err: (text) => err.push(text),
    stopSignal: () =>
      new Promise((resolve) => {
        stop = resolve;
      }),
  });
  await checked;
  return { status, stdout: out.join(""), stderr: err.join("") };
}

async function noWait(): Promise<void> {}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

test("--help names every option and begins with what the demo is", async () => {
  const { status, stdout, stderr } = await run(["--help"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^Usage: domain-signin-demo \[options\]\n\nTries domain-signin on this/);
  const options = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
  expect(options).toEqual([
    "--version",
    "--exit",
    "--json",
    "--port",
    "--issuer-port",
    "--redirect-uri",
    "--data",
    "--help",
  ]);
});

test("--version prints the version of the package", async () => {
  expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

programTest(
  "--port chooses the port of the app, --issuer-port that of the service, and 0 leaves it to the system",
  async () => {
    const port = await freePort();
    const { status } = await run(["--json", "--port", `${port}`], async ({ app }) => {
      expect(app).toBe(`http://localhost:${port}`);
      expect((await fetch(app)).status).toBe(200);
    });
    expect(status).toBe(0);
    await run(["--json", "--issuer-port", `${port}`], async ({ issuer }) => {
      expect(issuer).toBe(`http://localhost:${port}`);
      expect((await fetch(`${issuer}/livez`)).status).toBe(200);
    });
    const { stdout } = await run(["--json", "--port", "0", "--issuer-port", "0"]);
    expect(JSON.parse(stdout).issuer).toMatch(/^http:\/\/localhost:[1-9]/);
  },
);

programTest(
  "--redirect-uri adds a public client to the JSON, and the service accepts its requests",
  async () => {
    const { status } = await run(["--json", "--redirect-uri", ownApp], async (demo) => {
      const own = demo.clients.at(-1);
      expect(demo.clients).toHaveLength(4);
      expect(own).toEqual({
        client_id: expect.stringMatching(/^dsid_/),
        client_secret: null,
        type: "public",
        application_type: "web",
        redirect_uris: [ownApp],
        scope: "openid",
        consent: "first",
      });
      expect(demo.sp.clients).toHaveLength(3);
      const request = new URLSearchParams({
        client_id: own?.client_id ?? "",
        redirect_uri: ownApp,
        response_type: "code",
        scope: "openid",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
      });
      const page = await createUserAgent().open(`${demo.issuer}/oauth/authorize?${request}`);
      expect(page).toMatchObject({ status: 200, step: "domain" });
    });
    expect(status).toBe(0);
  },
);

programTest("--redirect-uri tells the client_id in the narration", async () => {
  const { status, stdout, stderr } = await run(["--exit", "--redirect-uri", ownApp]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(stderr).toMatch(
    new RegExp(`^ +client +dsid_\\S+, public \\(it has no secret\\), for your app at ${ownApp}\n`),
  );
});

programTest("--redirect-uri takes the private scheme of a native app (RFC 8252 §7.1)", async () => {
  const { stdout } = await run(["--json", "--redirect-uri", "com.example.app:/cb"]);
  expect(JSON.parse(stdout).clients.at(-1)).toMatchObject({ application_type: "native" });
});

programTest.each([
  [["--redirect-uri", "nonsense"], "--redirect-uri nonsense is not an absolute URI\n"],
  [
    ["--redirect-uri", "http://app.example/cb"],
    "--redirect-uri http://app.example/cb uses http for a host that is not loopback\n",
  ],
  [
    ["--redirect-uri", `${ownApp}#top`, "--exit"],
    "--redirect-uri http://localhost:3000/cb#top has a fragment\n",
  ],
  [["--redirect-uri"], "error: option '--redirect-uri <uri>' argument missing\nTry --help.\n"],
  [
    ["--port", "65536"],
    "error: option '--port <number>' argument '65536' is invalid. A port is a number from 0 to 65535.\nTry --help.\n",
  ],
  [
    ["--port", "http"],
    "error: option '--port <number>' argument 'http' is invalid. A port is a number from 0 to 65535.\nTry --help.\n",
  ],
  [["--nonsense"], "error: unknown option '--nonsense'\nTry --help.\n"],
])("%j is a wrong use: status 2, and a message that names the option", async (args, message) => {
  expect(await run(args)).toEqual({ status: 2, stdout: "", stderr: message });
});

test("a port that is taken is status 2, with the port in the message", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  try {
    const { status, stderr } = await run(["--port", `${port}`]);
    expect(status).toBe(2);
    expect(stderr).toMatch(`the demo cannot listen on 127.0.0.1:${port}: `);
  } finally {
    server.close();
    await once(server, "close");
  }
});

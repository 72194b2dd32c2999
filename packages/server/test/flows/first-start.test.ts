// The first start of `serve` in a folder, and starts that go wrong: they leave no trace.

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RootedZone, startRootedZone } from "../support/rooted-zone.ts";
import { domainSignin, freePort, serve } from "../support/serve.ts";

let zone: RootedZone;
let folder: string;
beforeEach(async () => {
  zone = await startRootedZone(["alice.test"]);
  folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
});
afterEach(async () => {
  await zone.close();
  await rm(folder, { recursive: true, force: true });
});

const serveOn = (port: number, cwd: string) =>
  domainSignin(
    [
      ...["serve", "--issuer", `http://localhost:${port}`, "--port", String(port)],
      ...["--dns-servers", zone.address],
    ],
    cwd,
  );

test("a port that is taken ends it before anything is made", async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) =>
    other.listen(0, "127.0.0.1", () => {
      const address = other.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    }),
  );
  try {
    const { status, stderr } = await serveOn(port, folder);
    expect([status, stderr]).toEqual([2, expect.stringContaining("cannot listen on 127.0.0.1:")]);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});

test("a secret that is missing beside a used database is not made anew", async () => {
  const at = await serve(zone);
  try {
    expect(await at.stop()).toBe(0);
    await rm(join(at.folder, "domain-signin.secret"));
    const { status, stderr } = await serveOn(await freePort(), at.folder);
    expect([status, stderr]).toEqual([2, expect.stringContaining("put it back")]);
    expect(await readdir(at.folder)).not.toContain("domain-signin.secret");
  } finally {
    await at.close();
  }
});

test("clients may be added before the first start", async () => {
  const add = ["clients", "add", "--name", "App", "--redirect-uri", "https://app.example.org/cb"];
  expect((await domainSignin([...add, "--public"], folder)).status).toBe(0);
  const port = await freePort();
  // The address is no resolver's, but nobody is asked: the start itself is what counts.
  const { stderr } = await domainSignin(
    [
      "serve",
      "--issuer",
      `http://localhost:${port}`,
      "--port",
      String(port),
      "--json",
      "--host",
      "127.0.0.1",
      "--management-port",
      String(port),
    ],
    folder,
    { DOMAIN_SIGNIN_DNS_SERVERS: zone.address },
  );
  expect(stderr).toContain("cannot listen on 127.0.0.1:");
  expect(await readdir(folder)).toContain("domain-signin.secret");
});

// The first start of `serve` in a folder, and starts that go wrong: they leave no trace.

import { readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { command } from "../support/command.ts";
import { noteSecret } from "../support/log-run.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SECRET_FILE = "domain-signin.secret";
const folder = temporaryFolder("test");
let taken: Server;
beforeAll(async () => {
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => taken.close(resolve)));

function takenPort(): string {
  const address = taken.address();
  return String(typeof address === "object" && address !== null ? address.port : 0);
}

/** A start that stops as soon as it listens. It sends no DNS query: nothing is at the resolver's address. */
async function start(options: Readonly<Record<string, string>> = {}) {
  const settings = {
    issuer: "http://localhost:9",
    port: "0",
    "dns-servers": "127.0.0.1:9",
    "min-assurance": "single",
  };
  const args = Object.entries({ ...settings, ...options }).flatMap(([name, value]) => [
    ...[`--${name}`, value],
  ]);
  const result = await command(["serve", "--json", ...args], { folder: folder.path });
  const files = await readdir(folder.path);
  if (files.includes(SECRET_FILE))
    noteSecret("operator's secret", await readFile(folder.file(SECRET_FILE), "utf8"));
  return { ...result, files };
}

test("the first start makes a database and a secret, and prints where it listens", async () => {
  const { status, stdout, stderr, files } = await start();
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    ...{ issuer: "http://localhost:9", port: expect.any(Number), pid: process.pid },
  });
  expect(stderr.match(/"msg":"(listening|stopping|stopped)"/g)).toHaveLength(3);
  expect(files).toEqual(expect.arrayContaining(["domain-signin.db", SECRET_FILE]));
  expect((await start()).status).toBe(0);
});

test("a port that is taken ends it before anything is made", async () => {
  const { status, stdout, stderr, files } = await start({ port: takenPort() });
  expect([status, stdout, files]).toEqual([2, "", []]);
  expect(stderr).toContain(`cannot listen on 127.0.0.1:${takenPort()}`);
});

test("a management port that is taken ends it as well", async () => {
  const { status, stdout, stderr } = await start({ "management-port": takenPort() });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`cannot listen on 127.0.0.1:${takenPort()}`);
});

test("a secret that is missing beside a used database is not made anew", async () => {
  expect((await start()).status).toBe(0);
  await rm(folder.file(SECRET_FILE));
  const { status, stderr, files } = await start();
  expect([status, stderr]).toEqual([2, expect.stringContaining("restore ./domain-signin.secret")]);
  expect(files).not.toContain(SECRET_FILE);
});

test("clients may be added before the first start", async () => {
  const add = ["clients", "add", "--name", "App", "--redirect-uri", "https://app.example.org/cb"];
  expect((await command([...add, "--public"], { folder: folder.path })).status).toBe(0);
  const { status, files } = await start();
  expect(status).toBe(0);
  expect(files).toContain(SECRET_FILE);
  const { stdout } = await command(["clients", "list", "--json"], { folder: folder.path });
  expect(JSON.parse(stdout)).toMatchObject([{ name: "App" }]);
});

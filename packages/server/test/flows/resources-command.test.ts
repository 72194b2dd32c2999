// `domain-signin resources`: what it prints, what it refuses, and that a service uses what it stores.

import { expect, test } from "vitest";
import { command } from "../support/command.ts";
import { temporaryFolder } from "../support/folder.ts";
import { noteSecret } from "../support/log-run.ts";
import { startTestService } from "../support/service.ts";
import { redemption, signIn } from "../support/sign-in.ts";

const API = "https://notes.example/api";
const NOTES = ["--name", "Notes", "--scope", "notes:read=Read your notes"];

const folder = temporaryFolder();
const database = () => `sqlite:${folder.file("a.db")}`;
const run = (...args: string[]) =>
  command([...args, "--database", database()], { folder: folder.path });
const resources = (...args: string[]) => run("resources", ...args);

test("a resource is added, shown, changed, gets another secret and is removed", async () => {
  const added = await resources("add", API, ...NOTES, "--json");
  expect(added.status).toBe(0);
  const { client_secret, ...settings } = JSON.parse(added.stdout);
  noteSecret("client secret", client_secret);
  expect(client_secret).toMatch(/^dss_/);
  expect(settings).toEqual({
    resource: API,
    client_id: expect.stringMatching(/^dsid_/),
    name: "Notes",
    scopes: [{ name: "notes:read", description: "Read your notes" }],
    signing_alg: "ES256",
  });
  const shown = await resources("show", API);
  expect(shown.stdout).toContain("scopes: notes:read=Read your notes");
  expect(shown.stdout).not.toContain(client_secret);
  const changed = await resources("update", API, "--signing-alg", "EdDSA", "--json");
  expect(JSON.parse(changed.stdout)).toEqual({ ...settings, signing_alg: "EdDSA" });
  const rotated = JSON.parse((await resources("rotate-secret", API, "--json")).stdout);
  noteSecret("client secret", rotated.client_secret);
  expect(rotated.client_secret).not.toBe(client_secret);
  expect((await resources("end-secret", API)).stdout).toContain("ended the previous secret");
  expect((await resources("list")).stdout).toBe(`${API}  Notes\n`);
  // It is no client.
  const clients = await run("clients", "list", "--json");
  expect(JSON.parse(clients.stdout)).toEqual([]);
  const asClient = await run("clients", "show", settings.client_id);
  expect(asClient.status).toBe(1);
  expect((await resources("remove", API)).status).toBe(0);
  expect(await resources("show", API)).toMatchObject({ status: 1, stdout: "" });
});

test("mistakes are named together, each with its option", async () => {
  const wrong = await resources(
    ...["add", "http://notes.example/api#x", "--name", " "],
    ...["--scope", "openid=All", "--scope", "a=", "--scope", "b=B", "--scope", "b=B"],
  );
  expect(wrong.status).toBe(2);
  expect(wrong.stderr.split("\n").filter((line) => line !== "")).toEqual([
    "the resource http://notes.example/api#x has a fragment",
    "name (--name) is empty",
    "scopes (--scope) a has no description: write NAME=WHAT IT ALLOWS",
    "scopes (--scope) openid is a scope of this service",
    "scopes (--scope) b is given twice",
  ]);
  expect((await resources("add", API, "--name", "Notes", "--scope", "read")).status).toBe(2);
});

test("a resource is added once", async () => {
  expect((await resources("add", API, ...NOTES)).status).toBe(0);
  const again = await resources("add", API, ...NOTES);
  expect([again.status, again.stderr]).toEqual([2, `the resource ${API} is registered already\n`]);
});

test("a running service makes tokens for what the command has added", async () => {
  const at = await startTestService({ database: database() });
  const client = await at.addClient({ consent: "never" });
  const parameters = { resource: API, scope: "openid notes:read" };
  const done = await signIn(at, client, { parameters });
  const { body } = await at.token(redemption(client, done), client);
  expect(body.scope).toBe("openid notes:read");
  await at.close();
});

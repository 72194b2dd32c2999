// Every change by a command is an event in the log. The list of commands is that of --help.

import { describe, expect, test } from "vitest";
import { openSqlite } from "../../src/database/sqlite.ts";
import { createStore } from "../../src/store/store.ts";
import { command } from "../support/command.ts";
import { temporaryFolder } from "../support/folder.ts";
import { noteSecret } from "../support/log-run.ts";
import { startOnce } from "../support/service.ts";
import { liveAccount, redeemedGrant } from "../support/store-rows.ts";

const SECRET = "a secret for these changes, and for nothing else";
const ENV = { DOMAIN_SIGNIN_SECRET: SECRET, SUDO_USER: "olivia" };
const SP = "https://sp.example.org";
const API = "https://notes.example/api";
const APP = ["--name", "App", "--redirect-uri", "https://app.example.org/callback"];

/** The names that a test makes up, by what they are; `{client}` in an argument is that client. */
const names: Record<string, string> = {};
const about = { accountId: "{account}", domain: "alice.test" };

/** Each command in this order: its arguments, and what it logs; or why it changes nothing. */
const COMMANDS: Record<string, { args: string[]; logs: object }[] | "reads" | "runs the service"> =
  {
    migrate: [{ args: [], logs: { schema: expect.any(Number) } }],
    "clients add": [{ args: APP, logs: { clientId: expect.stringMatching(/^dsid_/) } }],
    "clock accept": [{ args: [], logs: { before: expect.any(Number), now: expect.any(Number) } }],
    "clock show": "reads",
    "clients update": [{ args: ["{client}", "--name", "New"], logs: { clientId: "{client}" } }],
    "clients rotate-secret": [{ args: ["{client}"], logs: { clientId: "{client}" } }],
    "clients end-secret": [{ args: ["{client}"], logs: { clientId: "{client}" } }],
    "clients remove": [{ args: ["{client}"], logs: { clientId: "{client}" } }],
    "clients list": "reads",
    "clients show": "reads",
    "resources add": [{ args: [API, "--name", "Notes"], logs: { resource: API } }],
    "resources update": [{ args: [API, "--name", "New"], logs: { resource: API } }],
    "resources rotate-secret": [{ args: [API], logs: { resource: API } }],
    "resources end-secret": [{ args: [API], logs: { resource: API } }],
    "resources remove": [{ args: [API], logs: { resource: API } }],
    "resources list": "reads",
    "resources show": "reads",
    "sp add": [
      { args: [SP, "--client-id", "us", "--issuer", "https://own.example"], logs: { sp: SP } },
    ],
    "sp remove": [{ args: [SP], logs: { sp: SP } }],
    "sp list": "reads",
    "keys rotate": [
      { args: [], logs: { purpose: "es256" } },
      { args: ["--purpose", "provider-statement"], logs: { purpose: "provider-statement" } },
    ],
    "keys revoke": [
      { args: ["{kid}"], logs: { kid: "{kid}" } },
      { args: ["grant-token/1"], logs: { purpose: "grant-token", id: 1 } },
    ],
    "keys list": "reads",
    "grants revoke": [
      { args: ["alice.test", "--client", "{app}"], logs: { ...about, clientId: "{app}" } },
      { args: ["{account}", "--all"], logs: { ...about, clientId: null } },
    ],
    "grants list": "reads",
    "accounts sign-out": [
      { args: ["alice.test"], logs: { ...about, apps: false } },
      { args: ["alice.test", "--apps"], logs: { ...about, apps: true } },
    ],
    "accounts end": [{ args: ["alice.test", "--yes"], logs: about }],
    restored: [
      { args: [], logs: { database: expect.any(String), undetermined: ["no_mark"] } },
      { args: [], logs: { database: expect.any(String), undetermined: [] } },
    ],
    "mark accept": [{ args: [], logs: { database: expect.any(String) } }],
    "accounts list": "reads",
    "accounts show": "reads",
    backup: "reads",
    restore: "reads",
    verify: "reads",
    check: "reads",
    // With --try it can store a registration, and logs that: see check-sp-try-service.test.ts.
    "check-sp": "reads",
    demo: "reads",
    // What it logs is in move.test.ts, with PostgreSQL.
    move: "reads",
    serve: "runs the service",
  };
const changes = Object.entries(COMMANDS).flatMap(([name, uses]) =>
  typeof uses === "string" ? [] : uses.map((use) => ({ name, ...use })),
);

const folder = temporaryFolder();
noteSecret("operator's secret", SECRET);

const run = (args: readonly string[], env: Record<string, string | undefined> = ENV) =>
  command(args, { folder: folder.path, env });
const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? "?");

/** The changes in the log that a command has left on standard error. */
function changesIn(stderr: string): Record<string, unknown>[] {
  const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "operator change");
}

/** What the changes need: keys, an account, and apps with access to it. */
async function prepare(): Promise<void> {
  const path = folder.file("domain-signin.db");
  await startOnce({ issuer: "http://localhost:9", database: `sqlite:${path}`, secret: SECRET });
  const store = createStore(openSqlite(path));
  const { id } = await liveAccount(store, { domain: "alice.test" });
  const { clientId } = await redeemedGrant(store, { accountId: id });
  await redeemedGrant(store, { accountId: id });
  await store.close();
  const keys: { kid: string; state: string }[] = JSON.parse(
    (await run(["keys", "list", "--json"])).stdout,
  );
  const standby = keys.find(({ state }) => state === "standby");
  Object.assign(names, { account: id, app: clientId, kid: standby?.kid });
}

/** The commands below one, as its --help lists them. */
async function listedBy(...words: string[]): Promise<string[]> {
  const { stdout } = await run([...words, "--help"]);
  const [, list = ""] = /\nCommands:\n([\s\S]*)$/.exec(stdout) ?? [];
  return [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = ""]) => name).filter(isCommand);
}
const isCommand = (name: string) => name !== "help";

test("every command is known here, as one that changes something or does not", async () => {
  const found: string[] = [];
  for (const name of await listedBy()) {
    const below = await listedBy(name);
    found.push(...(below.length === 0 ? [name] : below.map((verb) => `${name} ${verb}`)));
  }
  expect(found.sort()).toEqual(Object.keys(COMMANDS).sort());
});

test.each(changes)("$name $args logs who changed what, once", async ({ name, args, logs }) => {
  const { status, stdout, stderr } = await run([...name.split(" "), ...args.map(filled)]);
  expect([status, stderr.split("\n").length]).toEqual([0, 2]);
  const wanted = Object.entries(logs).map(([key, value]) => [
    key,
    typeof value === "string" ? filled(value) : value,
  ]);
  expect(changesIn(stderr)).toEqual([
    {
      ...{ level: "info", time: expect.stringMatching(/^\d{4}-.*Z$/), msg: "operator change" },
      ...{ command: name, user: "olivia", ...Object.fromEntries(wanted) },
    },
  ]);
  expect(stdout).not.toContain("operator change");
  const [, secret] = /client_secret: (\S+)/.exec(stdout) ?? [];
  if (secret !== undefined) {
    noteSecret("client secret", secret);
    expect(stderr).not.toContain(secret);
  }
  if (name === "clients add") names.client = /client_id: (\S+)/.exec(stdout)?.[1] ?? "";
  if (name === "migrate") await prepare();
});

describe("what changes nothing is not logged", () => {
  test.each([
    ["migrate", 0],
    ["clients list", 0],
    ["clients show dsid_nobody", 1],
    ["clients update dsid_nobody --name X", 1],
    ["clients rotate-secret dsid_nobody", 1],
    ["clients remove dsid_nobody", 1],
    ["sp list", 0],
    ["sp remove https://nobody.example", 1],
    ["keys list", 0],
    ["keys rotate", 1],
    ["keys rotate --purpose provider-statement", 1],
    ["keys revoke {kid}", 1],
    ["accounts list", 0],
    ["accounts show alice.test", 0],
    ["accounts sign-out alice.test", 1],
    ["accounts end alice.test --yes", 1],
    ["grants list alice.test", 0],
    ["grants revoke alice.test --all", 1],
  ])("%s, with status %d", async (line, status) => {
    const result = await run(filled(line).split(" "));
    expect([result.status, changesIn(result.stderr)]).toEqual([status, []]);
  });
});

test("the user is the one who is logged in, or null if nobody knows", async () => {
  const userWith = async (env: Record<string, string | undefined>) => {
    const all = { SUDO_USER: undefined, USER: undefined, LOGNAME: undefined, ...env };
    const { stdout, stderr } = await run(["clients", "add", ...APP, "--public"], all);
    expect(stdout).toContain("client_id: ");
    return changesIn(stderr)[0]?.user;
  };
  expect(await userWith({ USER: "ulla", LOGNAME: "lena" })).toBe("ulla");
  expect(await userWith({ LOGNAME: "lena" })).toBe("lena");
  expect(await userWith({})).toBeNull();
});

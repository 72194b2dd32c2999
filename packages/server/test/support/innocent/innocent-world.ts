// A service with people who have been there before, which starts again and again as it was at first, for one flood after another.

import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import type { SoftPasskey } from "../authenticator.ts";
import { from } from "../load/load.ts";
import { logTo, noteSecret } from "../log-run.ts";
import { CLI, freePort } from "../serve.ts";
import type { TestClient } from "../service.ts";
import { authorizationUrl } from "../sign-in.ts";
import { type AllZones, startAllZones } from "./all-zones.ts";
import { setUp } from "./walk.ts";

const PROGRAM = fileURLToPath(new URL("./innocent-service.mjs", import.meta.url));
const SECRET = "a secret for the table of innocents, and for nothing else";
const REDIRECT_URI = "https://app.example.org/callback";
const RESOURCE = "https://notes.example/api";
/** Browsers of one domain, and of as many domains. */
const RETURNING = 50;
const AT_ONCE = 4;
/** Until a host that strangers name refuses. */
const SLOW_MS = 300;

/** A service process. `call` calls a member of the service, such as `clients.add`. */
export interface ServiceProcess {
  readonly issuer: string;
  readonly port: number;
  call(room: string, verb: string, ...args: unknown[]): Promise<unknown>;
  /** What it has logged so far, line by line. */
  log(): readonly string[];
  close(): Promise<void>;
}

export interface Owner {
  readonly domain: string;
  readonly agent: UserAgent;
  readonly codes: readonly string[];
  readonly passkey: SoftPasskey | null;
}

export interface World {
  readonly issuer: string;
  readonly port: number;
  readonly zones: AllZones;
  /** Answers late, and with 404. */
  readonly slowHost: string;
  readonly client: TestClient;
  readonly api: TestClient;
  readonly owners: Readonly<Record<"session" | "challenge" | "passkey", Owner>>;
  /** The cookies of browsers that have signed in before: of accounts below one domain, and of as many domains. */
  readonly returning: { readonly one: readonly string[]; readonly many: readonly string[] };
  /** Starts the service as it was when its people had signed in. */
  start(): Promise<ServiceProcess>;
  close(): Promise<void>;
}

/** Starts the service of the build `cli` in the folder. */
export async function startServiceProcess(
  at: { readonly folder: string; readonly port: number; readonly dns: number },
  {
    cli = CLI,
    isUnlimited = false,
    isProxyDeclared = true,
  }: {
    readonly cli?: string;
    readonly isUnlimited?: boolean;
    readonly isProxyDeclared?: boolean;
  } = {},
): Promise<ServiceProcess> {
  const { folder, port, dns } = at;
  const issuer = `http://localhost:${port}`;
  const settings = {
    ...{ issuer, database: `sqlite:${join(folder, "store.db")}`, secret: SECRET },
    ...{ dnsServers: [`127.0.0.1:${dns}`], minAssurance: "single", trustAnchors: [] },
    ...{ allowedSpecialNames: ["test"], registration: "open" },
    // Nobody waits while people sign in for the first time, one right after the other.
    ...(isUnlimited && { zoneNameServers: "off" }),
    ...(isProxyDeclared && { trustedProxies: ["127.0.0.1"] }),
  };
  const child = fork(PROGRAM, [JSON.stringify({ cli, port, dns, isUnlimited, config: settings })], {
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const gone = once(child, "exit");
  const log = logTo("the service");
  let logged = "";
  child.stderr?.on("data", (chunk) => {
    log.write(chunk);
    logged += chunk;
  });
  const ended = gone.then(() => {
    throw new Error(`the service has ended: ${logged.slice(-2000)}`);
  });
  ended.catch(() => {});
  await Promise.race([once(child, "message"), ended]);
  let latest: Promise<unknown> = Promise.resolve();

  async function call(room: string, verb: string, ...args: unknown[]): Promise<unknown> {
    const answered = latest.then(() => {
      const answer = once(child, "message");
      child.send({ room, verb, args });
      return Promise.race([answer, ended]);
    });
    latest = answered.catch(() => {});
    const [{ result }] = (await answered) as [{ result: unknown }];
    return result;
  }

  return {
    ...{ issuer, port, call },
    log: () => logged.split("\n"),
    async close() {
      await call("service", "close").catch(() => {});
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** A person's browser without cookies, at this address. */
export function browserAt(address: string): UserAgent {
  return createUserAgent({ headers: from(address), hasScript: true });
}

/** The same cookies at another address. */
export function movedTo(address: string, { agent }: Owner, issuer: string): UserAgent {
  const moved = browserAt(address);
  const pairs = (agent.cookies.header(issuer) ?? "").split("; ");
  moved.cookies.store(
    issuer,
    pairs.map((pair) => `${pair}; Path=/`),
  );
  return moved;
}

export async function addClient(service: ServiceProcess): Promise<TestClient> {
  const registration = { name: "App", redirect_uris: [REDIRECT_URI], consent: "first" };
  const added = (await service.call("clients", "add", registration)) as Credentials;
  return { ...credentialsOf(added), redirectUri: REDIRECT_URI };
}

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string | null;
}

function credentialsOf({ client_id: id, client_secret: secret }: Credentials) {
  if (secret !== null) noteSecret("client secret", secret);
  return { id, secret };
}

async function startSlowHost() {
  const server = createServer((_, response) => {
    setTimeout(() => response.writeHead(404).end(), SLOW_MS);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    origin: `http://localhost:${port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export async function startWorld(): Promise<World> {
  const base = mkdtempSync(join(tmpdir(), "domain-signin-innocent-"));
  const first = join(base, "first");
  mkdirSync(first);
  const slow = await startSlowHost();
  const zones = await startAllZones(slow.origin);
  const port = await freePort();
  const dns = zones.port;
  noteSecret("operator's secret", SECRET);
  const service = await startServiceProcess({ folder: first, port, dns }, { isUnlimited: true });
  const { issuer } = service;
  const client = await addClient(service);
  const scopes = [{ name: "notes:read", description: "read notes" }];
  const added = await service.call("resources", "add", RESOURCE, { name: "Notes", scopes });
  const api = { ...credentialsOf(added as Credentials), redirectUri: "" };
  const begin = { zones, client, url: authorizationUrl({ issuer }, client) };

  let addresses = 0;
  async function own(domain: string, withPasskey = false): Promise<Owner> {
    addresses++;
    const agent = browserAt(`203.0.113.${addresses % 256}`);
    return { domain, agent, ...(await setUp({ ...begin, agent, domain, withPasskey })) };
  }

  /** A few at a time: they are not the flood. */
  async function cookiesOf(domains: readonly string[]): Promise<string[]> {
    const cookies: string[] = [];
    for (let done = 0; done < domains.length; done += AT_ONCE) {
      const owners = domains.slice(done, done + AT_ONCE).map((domain) => own(domain));
      for (const { agent } of await Promise.all(owners)) {
        cookies.push(agent.cookies.header(issuer) ?? "");
      }
    }
    return cookies;
  }

  const numbers = Array.from({ length: RETURNING }, (_, number) => number);
  const owners = {
    session: await own("h251-session.test"),
    challenge: await own("h252-challenge.test"),
    passkey: await own("h253-passkey.test", true),
  };
  const one = await cookiesOf(numbers.map((number) => `a${number}.returning.test`));
  const many = await cookiesOf(numbers.map((number) => `returning${number}.test`));
  await service.close();
  let starts = 0;
  return {
    ...{ issuer, port, zones, client, api, owners, slowHost: slow.origin },
    returning: { one, many },
    async start() {
      starts++;
      const folder = join(base, `start-${starts}`);
      cpSync(first, folder, { recursive: true });
      return startServiceProcess({ folder, port, dns });
    },
    async close() {
      await slow.close();
      await zones.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

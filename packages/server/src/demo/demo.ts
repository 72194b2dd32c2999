// The demo: the service, a zone in memory and a small app, put together on this computer.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { jsonEvents } from "../lib/events.ts";
import { listen } from "../lib/listen.ts";
import { randomText, systemRandom } from "../lib/random.ts";
import { createService, type Service } from "../service.ts";
import { createApp } from "./app.ts";
import type { DemoClient, DemoDescription } from "./description.ts";
import { createSignedZones } from "./signed-zone-answer.ts";
import { walk } from "./walk.ts";
import { startZone, type Zone } from "./zone.ts";

export interface Demo {
  describe(): DemoDescription;
  close(): Promise<void>;
}

export interface DemoOptions {
  /** Of the service; the system chooses each port that is not given. */
  readonly port?: number;
  readonly appPort?: number;
  readonly dnsPort?: number;
  /** Takes what the service logs at the level of a warning or above, as JSON lines. */
  readonly log?: (line: string) => void;
}

/** What a run of the demo is given of the process around it. */
export interface DemoIo {
  /** What was asked for, a line at a time. */
  out(line: string): void;
  /** Narration and logs. */
  err(line: string): void;
  /** Resolves when the demo is to end. */
  readonly stopped: Promise<void>;
}

type Handler = Parameters<typeof listen>[0];

const host = "127.0.0.1";
/** Its zones: `shop.market.test` is cut out of `test` two labels below it, `carol.test` is unsigned. */
const zones = [
  { name: "", algorithm: 13, signed: true },
  { name: "test", algorithm: 15, signed: true },
  { name: "alice.test", algorithm: 13, signed: true },
  { name: "bob.test", algorithm: 15, signed: true },
  { name: "carol.test", algorithm: 13, signed: false },
  { name: "shop.market.test", algorithm: 13, signed: true },
] as const;
const owned = zones.filter(({ name }) => name.includes("."));
const domains = owned.map(({ name }) => name);
const warning = 40;

export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const closers: (() => Promise<unknown>)[] = [];
  async function close(): Promise<void> {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  }
  try {
    const description = await start(options, (closer) => closers.push(closer));
    return { describe: () => description, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The command `demo`. Without `json` it walks one sign-in and then stays up; with `json` it tells
 * its addresses and stays up; with `exit` it ends after the walk. Resolves to the exit status.
 */
export async function runDemo(
  { json, exit, ...ports }: Omit<DemoOptions, "log"> & { json: boolean; exit: boolean },
  io: DemoIo = processIo(),
): Promise<number> {
  const demo = await startDemo({
    ...ports,
    log: (line) => io.err(`   service  logs ${line}`),
  });
  try {
    const description = demo.describe();
    if (json) io.out(JSON.stringify(description));
    if (exit || !json) {
      const result = await Promise.race([walk(description, io.err), io.stopped]);
      if (exit && json && result) io.out(JSON.stringify(result));
      if (exit) return result?.walk === "ok" ? 0 : 1;
    }
    if (!json) for (const line of addresses(description)) io.out(line);
    await io.stopped;
    return 0;
  } finally {
    await demo.close();
  }
}

function processIo(): DemoIo {
  return {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    stopped: new Promise((resolve) => {
      process.once("SIGTERM", resolve);
      process.once("SIGINT", resolve);
    }),
  };
}

function addresses(description: DemoDescription): string[] {
  const { app, zone_editor, issuer, dns, trust_anchors, domains } = description;
  return [
    "",
    `App          ${app}`,
    `Zone editor  ${zone_editor}`,
    `Service      ${issuer}`,
    `DNS          ${dns}`,
    ...trust_anchors.map((anchor) => `Its root     ${anchor}`),
    "",
    `Open the app and sign in as ${domains.map(({ domain }) => domain).join(" or ")}.`,
    "Ctrl-C ends the demo and leaves nothing behind.",
  ];
}

const signed = (records: Zone["records"]) =>
  createSignedZones({ zones, records, now: systemClock.seconds });

/** What has been started is closed in the opposite order. */
async function start(
  { port, appPort, dnsPort, log = () => {} }: DemoOptions,
  onClose: (closer: () => Promise<unknown>) => void,
): Promise<DemoDescription> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-demo-"));
  onClose(() => rm(folder, { recursive: true, force: true }));
  const zone = await opened(dnsPort, (port) => startZone({ origins: domains, signed, ...port }));
  onClose(zone.close);

  // Passkeys and cookies want a name rather than an IP address. The service has to know its own
  // address, and the clients have to know the app's, before either can answer.
  const serviceDoor = await openDoor(port);
  onClose(serviceDoor.close);
  const appDoor = await openDoor(appPort);
  onClose(appDoor.close);
  const issuer = `http://localhost:${serviceDoor.port}`;
  const app = `http://localhost:${appDoor.port}`;

  const service = createService(
    {
      issuer,
      database: `sqlite:${join(folder, "demo.db")}`,
      secret: randomText(systemRandom, 32),
      dnsServers: [zone.address],
      // Signed zones prove themselves; carol.test has nobody but the one name server to speak for it.
      minAssurance: "single",
      trustAnchors: zone.signed?.trustAnchors.map(parseTrustAnchor),
      allowedSpecialNames: ["test"],
    },
    {
      events: jsonEvents({ write: (line) => isWarning(line) && log(line.trimEnd()) }),
      reach: zone.reach,
    },
  );
  onClose(service.close);
  await service.ready();
  const [first, ...others] = await addClients(service, `${app}/callback`);
  serviceDoor.answerWith(service.fetch);
  appDoor.answerWith(createApp({ origin: app, issuer, client: first, zone, domains }));

  return {
    v: 1,
    pid: process.pid,
    issuer,
    app,
    zone_editor: `${app}/zone`,
    dns: zone.address,
    trust_anchors: zone.signed?.trustAnchors ?? [],
    clients: [first, ...others],
    domains: owned.map(({ name, signed }) => ({ domain: name, signed })),
  };
}

async function addClients(
  { clients }: Service,
  redirectUri: string,
): Promise<[DemoClient, DemoClient, DemoClient]> {
  async function add(
    name: string,
    type: DemoClient["type"],
    consent: DemoClient["consent"],
  ): Promise<DemoClient> {
    const registration = {
      type,
      application_type: "web" as const,
      redirect_uris: [redirectUri],
      scope: "openid",
      consent,
    };
    const { client_id, client_secret } = await clients.add({ name, ...registration });
    return { client_id, client_secret, ...registration };
  }
  return [
    await add("Demo app", "confidential", "first"),
    await add("Demo app without questions", "confidential", "never"),
    await add("Demo app without a secret", "public", "first"),
  ];
}

/** A port that answers once it is told with what. */
async function openDoor(port: number | undefined) {
  let answer: Handler = () => new Response("starting", { status: 503 });
  const listener = await opened(port, ({ port: wanted = 0 }) =>
    listen((request, info) => answer(request, info), { host, port: wanted }),
  );
  return {
    ...listener,
    answerWith(handler: Handler) {
      answer = handler;
    },
  };
}

/** Opens a wanted port, or says in words that it cannot be had. */
async function opened<Open>(
  port: number | undefined,
  open: (at: { port?: number }) => Promise<Open>,
): Promise<Open> {
  try {
    return await open(port === undefined ? {} : { port });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`the demo cannot listen on ${host}:${port ?? 0}: ${reason}`);
  }
}

function isWarning(line: string): boolean {
  const { level } = JSON.parse(line) as { level: number };
  return level >= warning;
}

// Starts the demo: two services with a small app each, and DNS zones in memory.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { findChromium } from "./browser/chromium.ts";
import type { DemoClient, DemoDescription } from "./description.ts";
import { openPort } from "./reserved-port.ts";
import { openSite } from "./site.ts";
import { walk } from "./walk/walk.ts";
import { DEMO_ZONES } from "./zones/demo-zones.ts";
import { createSignedZones } from "./zones/signed-zone-answer.ts";
import { startZone, type Zone } from "./zones/zone.ts";

export interface Demo {
  describe(): DemoDescription;
  close(): Promise<void>;
}

export interface DemoOptions {
  /** Port of the service. The system chooses each port that is not given, and those of the SP. */
  readonly port?: number | undefined;
  readonly appPort?: number | undefined;
  readonly dnsPort?: number;
  /** Redirect URI of the developer's own app; registers a public client at the first service. */
  readonly redirectUri?: string | undefined;
  /** Where the browser for the sign-in with a passkey is. Looked for by default. */
  readonly chromium?: ReturnType<typeof findChromium>;
  /** Receives the service's log lines (JSON) of level warn and above. */
  readonly log?: (line: string) => void;
}

export interface DemoIo {
  /** Writes one line to standard output. */
  out(line: string): void;
  /** Writes one line of narration or log to standard error. */
  err(line: string): void;
  /** Resolves when the demo must stop. */
  readonly stopped: Promise<void>;
}

const ownedZones = DEMO_ZONES.filter(({ name }) => name.includes("."));
const domains = ownedZones.map(({ name }) => name);
/** The numeric level of `warn` in log lines. */
const WARN_LEVEL = 40;

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
 * Runs the demo. Without `json` it walks and then stays up; with `json` it prints its addresses and
 * stays up; with `exit` it stops after the walk. Resolves to the exit status.
 */
export async function runDemo(
  { json, exit, ...options }: Omit<DemoOptions, "log"> & { json: boolean; exit: boolean },
  io: DemoIo,
): Promise<number> {
  const demo = await startDemo({
    ...options,
    log: (line) => io.err(`   service  log: ${line}`),
  });
  try {
    const description = demo.describe();
    if (json) io.out(JSON.stringify(description));
    const ownClient = clientOf(description, options.redirectUri);
    if (exit || !json) {
      if (ownClient) io.err(`   client   ${describeClient(ownClient)}`);
      const result = await Promise.race([walk(description, io.err, options.chromium), io.stopped]);
      if (exit && json && result) io.out(JSON.stringify(result));
      if (exit) return result?.walk === "ok" ? 0 : 1;
    }
    if (!json) for (const line of addresses(description, ownClient)) io.out(line);
    await io.stopped;
    return 0;
  } finally {
    await demo.close();
  }
}

/** The client of the developer's own app, which is the last one, if there is one. */
function clientOf(
  { clients }: DemoDescription,
  redirectUri: string | undefined,
): DemoClient | undefined {
  return redirectUri === undefined ? undefined : clients.at(-1);
}

function describeClient({ client_id, redirect_uris: [redirectUri] }: DemoClient): string {
  return `${client_id}, public (it has no secret), for your app at ${redirectUri}`;
}

function addresses(description: DemoDescription, ownClient: DemoClient | undefined): string[] {
  const { app, zone_editor, issuer, sp, dns, trust_anchors, domains } = description;
  return [
    "",
    `App          ${app}`,
    `Zone editor  ${zone_editor}`,
    `Service      ${issuer}`,
    `SP           ${sp.issuer}`,
    `SP's app     ${sp.app}`,
    `DNS          ${dns}`,
    ...trust_anchors.map((anchor) => `DNS root     ${anchor}`),
    ...(ownClient ? [`Your client  ${describeClient(ownClient)}`] : []),
    "",
    `Open the app and sign in as ${domains.map(({ domain }) => domain).join(" or ")}.`,
    "A domain that is set up at one of the two services can also sign in at the other.",
    "Press Ctrl-C to stop the demo. It deletes all its data.",
  ];
}

const signed = (records: Zone["records"]) =>
  createSignedZones({ zones: DEMO_ZONES, records, now: () => Math.floor(Date.now() / 1000) });

/** Passes `onClose` a function for each thing it starts; they must be called in reverse order. */
async function start(
  { port, appPort, dnsPort, redirectUri, log = () => {} }: DemoOptions,
  onClose: (closer: () => Promise<unknown>) => void,
): Promise<DemoDescription> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-demo-"));
  onClose(() => rm(folder, { recursive: true, force: true }));
  const zone = await openPort(dnsPort, (port) => startZone({ origins: domains, signed, ...port }));
  onClose(zone.close);

  const site = await openSite({ port, appPort }, onClose);
  const sp = await openSite({}, onClose);
  const trustAnchors = zone.signed?.trustAnchors ?? [];
  const common = {
    folder,
    zone,
    domains,
    trustAnchors: trustAnchors.map(parseTrustAnchor),
    log: { write: (line: string) => void (isWarning(line) && log(line.trimEnd())) },
  };
  const [clients, spClients] = await Promise.all([
    site.start({ ...common, name: "demo", appName: "Demo app", otherApp: sp.app, redirectUri }),
    sp.start({ ...common, name: "sp", appName: "App of the SP", otherApp: site.app }),
  ]);

  return {
    v: 1,
    pid: process.pid,
    issuer: site.issuer,
    app: site.app,
    zone_editor: `${site.app}/zone`,
    dns: zone.address,
    trust_anchors: trustAnchors,
    clients,
    domains: ownedZones.map(({ name, signed }) => ({ domain: name, signed })),
    sp: { issuer: sp.issuer, app: sp.app, clients: spClients },
  };
}

function isWarning(line: string): boolean {
  const { level } = JSON.parse(line) as { level: number };
  return level >= WARN_LEVEL;
}

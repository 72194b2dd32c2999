// The demo: two services with a small app each and zones in memory, put together on this computer.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { DemoClient, DemoDescription } from "./description.ts";
import { opened } from "./door.ts";
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
  /** Of the service; the system chooses each port that is not given, and those of the SP. */
  readonly port?: number | undefined;
  readonly appPort?: number | undefined;
  readonly dnsPort?: number;
  /** Of the developer's own app, which the first service then has a client for. */
  readonly redirectUri?: string | undefined;
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

const owned = DEMO_ZONES.filter(({ name }) => name.includes("."));
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
 * One run of the demo. Without `json` it walks one sign-in and then stays up; with `json` it tells
 * its addresses and stays up; with `exit` it ends after the walk. Resolves to the exit status.
 */
export async function runDemo(
  { json, exit, ...options }: Omit<DemoOptions, "log"> & { json: boolean; exit: boolean },
  io: DemoIo,
): Promise<number> {
  const demo = await startDemo({
    ...options,
    log: (line) => io.err(`   service  logs ${line}`),
  });
  try {
    const description = demo.describe();
    if (json) io.out(JSON.stringify(description));
    const ownClient = clientOf(description, options.redirectUri);
    if (exit || !json) {
      if (ownClient) io.err(`   client   ${inWords(ownClient)}`);
      const result = await Promise.race([walk(description, io.err), io.stopped]);
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

/** The client of the developer's own app, if there is one. */
function clientOf(
  { clients }: DemoDescription,
  redirectUri: string | undefined,
): DemoClient | undefined {
  return redirectUri === undefined ? undefined : clients.at(-1);
}

function inWords({ client_id, redirect_uris: [redirectUri] }: DemoClient): string {
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
    `Its app      ${sp.app}`,
    `DNS          ${dns}`,
    ...trust_anchors.map((anchor) => `Its root     ${anchor}`),
    ...(ownClient ? [`Your client  ${inWords(ownClient)}`] : []),
    "",
    `Open the app and sign in as ${domains.map(({ domain }) => domain).join(" or ")}.`,
    "A domain that is set up at one of the two services signs in at the other, too.",
    "Ctrl-C ends the demo and leaves nothing behind.",
  ];
}

const signed = (records: Zone["records"]) =>
  createSignedZones({ zones: DEMO_ZONES, records, now: () => Math.floor(Date.now() / 1000) });

/** What has been started is closed in the opposite order. */
async function start(
  { port, appPort, dnsPort, redirectUri, log = () => {} }: DemoOptions,
  onClose: (closer: () => Promise<unknown>) => void,
): Promise<DemoDescription> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-demo-"));
  onClose(() => rm(folder, { recursive: true, force: true }));
  const zone = await opened(dnsPort, (port) => startZone({ origins: domains, signed, ...port }));
  onClose(zone.close);

  const site = await openSite({ port, appPort }, onClose);
  const sp = await openSite({}, onClose);
  const trustAnchors = zone.signed?.trustAnchors ?? [];
  const common = {
    ...{ folder, zone, domains, trustAnchors: trustAnchors.map(parseTrustAnchor) },
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
    domains: owned.map(({ name, signed }) => ({ domain: name, signed })),
    sp: { issuer: sp.issuer, app: sp.app, clients: spClients },
  };
}

function isWarning(line: string): boolean {
  const { level } = JSON.parse(line) as { level: number };
  return level >= warning;
}

// Starts the demo: two services with a small app each, and DNS zones in memory.

import { join } from "node:path";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { findChromium } from "./browser/chromium.ts";
import type { DemoClient, DemoDescription } from "./description.ts";
import { makeFolder, openFolder } from "./folder.ts";
import { openPort } from "./reserved-port.ts";
import { readSaved, type SavedRecords, writeSaved } from "./saved.ts";
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
  /** Folder that keeps all data for the next start. Without it, the demo deletes its data when it ends. */
  readonly data?: string | undefined;
  /** Where the browser for the sign-in with a passkey is. Looked for by default. */
  readonly chromium?: ReturnType<typeof findChromium>;
  /** Receives the service's log lines (JSON) of level warn and above. */
  readonly log?: (line: string) => void;
  /** Resolves when the demo must stop, also while it starts. */
  readonly stopped?: Promise<void>;
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

/** The demo was stopped before it had started. */
export class StoppedError extends Error {
  override name = "StoppedError";
}

export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const { onClose, close } = createClosers();
  try {
    const description = await Promise.race([
      start(options, onClose),
      rejectWhen(options.stopped ?? new Promise(() => {})),
    ]);
    return { describe: () => description, close };
  } catch (error) {
    // Why it did not start matters more than what could not be closed because of that.
    await close().catch(() => {});
    throw error;
  }
}

async function rejectWhen(stopped: Promise<void>): Promise<never> {
  await stopped;
  throw new StoppedError("the demo was stopped");
}

/** Collects what must be closed, in reverse order. What is added after `close` is closed at once. */
function createClosers() {
  const closers: (() => Promise<unknown>)[] = [];
  let isClosed = false;
  async function close(): Promise<void> {
    isClosed = true;
    const errors: unknown[] = [];
    for (let one = closers.pop(); one !== undefined; one = closers.pop()) {
      await one().catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
  function onClose(closer: () => Promise<unknown>): void {
    closers.push(closer);
    // The start that added it has failed already.
    if (isClosed) void close().catch(() => {});
  }
  return { onClose, close };
}

/**
 * Runs the demo. Without `json` it walks and then stays up; with `json` it prints its addresses and
 * stays up; with `exit` it stops after the walk. Resolves to the exit status.
 */
export async function runDemo(
  {
    json,
    exit,
    ...options
  }: Omit<DemoOptions, "log" | "stopped"> & { json: boolean; exit: boolean },
  io: DemoIo,
): Promise<number> {
  let demo: Demo;
  try {
    const log = (line: string) => io.err(`   service  log: ${line}`);
    demo = await startDemo({ ...options, log, stopped: io.stopped });
  } catch (error) {
    if (error instanceof StoppedError) return exit ? 1 : 0;
    throw error;
  }
  // A walk that was stopped says no more: its requests fail only because the demo has closed the services.
  let isStopped = false;
  const stopped = io.stopped.then(() => {
    isStopped = true;
  });
  const narrate = (line: string) => void (!isStopped && io.err(line));
  try {
    const description = demo.describe();
    if (json) io.out(JSON.stringify(description));
    const ownClient = clientOf(description, options.redirectUri);
    if (exit || !json) {
      if (ownClient) io.err(`   client   ${describeClient(ownClient)}`);
      const { chromium } = options;
      const result = await Promise.race([
        walk(description, narrate, { chromium, stopped }),
        stopped,
      ]);
      if (exit && json && result) io.out(JSON.stringify(result));
      if (exit) return result?.walk === "ok" ? 0 : 1;
    }
    if (!json) for (const line of addresses(description, ownClient, options.data)) io.out(line);
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

function addresses(
  description: DemoDescription,
  ownClient: DemoClient | undefined,
  data: string | undefined,
): string[] {
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
    data === undefined
      ? "Press Ctrl-C to stop the demo. It deletes all its data."
      : `Press Ctrl-C to stop the demo. It continues from ${data} next time.`,
  ];
}

const signed = (records: Zone["records"]) =>
  createSignedZones({ zones: DEMO_ZONES, records, now: () => Math.floor(Date.now() / 1000) });

/** Passes `onClose` a function for each thing it starts; they must be called in reverse order. */
async function start(
  { port, appPort, dnsPort, redirectUri, data, log = () => {} }: DemoOptions,
  onClose: (closer: () => Promise<unknown>) => void,
): Promise<DemoDescription> {
  const { folder, remove } = data === undefined ? makeFolder() : openFolder(data);
  onClose(remove);
  const zone = await openPort(dnsPort, (port) => startZone({ origins: domains, signed, ...port }));
  onClose(zone.close);
  const recordFile = join(folder, "zone.json");
  for (const record of readSaved<SavedRecords>(recordFile) ?? []) zone.add(record);
  onClose(async () => writeSaved(recordFile, zone.records()));

  const site = await openSite({ name: "demo", folder, port, appPort }, onClose);
  const sp = await openSite({ name: "sp", folder }, onClose);
  const trustAnchors = zone.signed?.trustAnchors ?? [];
  const common = {
    zone,
    domains,
    trustAnchors: trustAnchors.map(parseTrustAnchor),
    log: { write: (line: string) => void (isWarning(line) && log(line.trimEnd())) },
  };
  const [clients, spClients] = await Promise.all([
    site.start({ ...common, appName: "Demo app", otherApp: sp.app, redirectUri }),
    sp.start({ ...common, appName: "App of the SP", otherApp: site.app }),
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

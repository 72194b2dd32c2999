// Programs that others wrote, on loopback: the validators delv and unbound, and servers for them to ask.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { describe } from "vitest";
import { ask } from "../../src/dns/exchange.ts";
import type { Certificate } from "./certificates.ts";
import { isExecutable } from "./programs.ts";

/** What a validator makes of an answer; `failed` is no verdict, as after SERVFAIL or silence. */
export type Verdict = "secure" | "insecure" | "bogus" | "failed";

/** `reason` is in the words of the validator; `records` are its answer, where it shows them. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly records?: readonly DnsRecord[];
}

export interface Judged {
  /** Of the DNS server that is judged. */
  readonly port: number;
  /** DS records in the form of a zone file. */
  readonly trustAnchors: readonly string[];
  /** Whether unbound derives absences from the NSEC records that it remembers (RFC 8198). */
  readonly aggressiveNsec?: boolean;
}

export interface Question {
  readonly name: string;
  readonly type: number;
}

/** A server on loopback. */
export interface DnsPort {
  readonly port: number;
  close(): Promise<void>;
}

export interface Validator {
  judge(question: Question): Promise<Judgement>;
  close(): Promise<void>;
}

const host = "127.0.0.1";
const runMs = 20_000;
/** At least 20 s, and so many only where a start hangs. */
const startTries = 1000;
const portTries = 5;
/** Below the ports that systems give to whoever asks for any. */
const lowestPort = 12_000;
const highestPort = 32_000;
const extendedErrorOption = 15;
/** Extended errors that say that a signature or a proof was at fault (RFC 8914 §4). */
const bogusErrors = [6, 7, 8, 9, 10, 11, 12];

/** The programs, and the Debian packages that have them. */
const packages = { delv: "bind9-dnsutils", unbound: "unbound", nsd: "nsd" } as const;
type Program = keyof typeof packages;
const paths = {
  delv: programPath("delv"),
  unbound: programPath("unbound"),
  nsd: programPath("nsd"),
} as const;

/** A group of tests that need these programs: skipped aloud where one is missing, failed in CI. */
export function validatorTests(
  title: string,
  tests: () => void,
  needs: readonly Program[] = ["delv", "unbound"],
): void {
  const missing = needs
    .filter((name) => !paths[name])
    .map((name) => `${name} (Debian: ${packages[name]})`)
    .join(" and ");
  // A skip that nobody reads would let a release out untested.
  if (missing !== "" && process.env.CI === "true") throw new Error(`There is no ${missing}.`);
  if (missing !== "") process.stderr.write(`\nSKIPPED: ${title}: there is no ${missing}\n\n`);
  describe.skipIf(missing !== "")(title, tests);
}

/** delv starts for each question, so that it remembers nothing. */
export async function startDelv({ port, trustAnchors }: Judged): Promise<Validator> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-delv-"));
  const anchorFile = join(folder, "anchors");
  const anchors = trustAnchors.map(delvAnchor).join("\n");
  await writeFile(anchorFile, `trust-anchors {\n${anchors}\n};\n`);
  return {
    async judge({ name, type }) {
      const server = [`@${host}`, "-p", `${port}`, "-4", "-a", anchorFile, "+root=."];
      const text = await outputOf(paths.delv ?? "delv", [
        ...server,
        "-q",
        `${name}.`,
        "-t",
        `TYPE${type}`,
      ]);
      return delvJudgement(text);
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/** unbound remembers for as long as the TTLs say: one that misbehaves wants an unbound of its own. */
export async function startUnbound(
  judged: Judged,
): Promise<Validator & DnsPort & { /** "127.0.0.1:port" */ readonly text: string }> {
  const started = await runUnbound(validating(judged));
  const server = { address: host, port: started.port, isV6: false };
  return {
    ...started,
    text: `${host}:${started.port}`,
    async judge(question) {
      const reply = await ask(server, { id: 2, ...question }, () => runMs);
      return reply.outcome === "message"
        ? unboundJudgement(reply.message)
        : { verdict: "failed", reason: reply.outcome };
    },
  };
}

/** The same unbound as a resolver that speaks DNS over TLS, on the port that this resolves to. */
export async function startTlsUnbound(
  judged: Judged,
  { key, cert }: Certificate,
): Promise<DnsPort> {
  const files = await mkdtemp(join(tmpdir(), "domain-signin-certificate-"));
  await writeFile(join(files, "tls.key"), key);
  await writeFile(join(files, "tls.pem"), cert);
  const removed = () => rm(files, { recursive: true });
  // On the port above its own.
  const tls = (_: string, port: number) => `  interface: ${host}@${port + 1}
  tls-port: ${port + 1}
  tls-service-key: "${files}/tls.key"
  tls-service-pem: "${files}/tls.pem"
`;
  const started = await runUnbound(validating(judged), tls).catch(async (error: unknown) => {
    await removed();
    throw error;
  });
  return {
    port: started.port + 1,
    async close() {
      await started.close();
      await removed();
    },
  };
}

function validating({ port, trustAnchors, aggressiveNsec = false }: Judged): string {
  const anchors = trustAnchors.map((anchor) => `  trust-anchor: "${anchor}"\n`).join("");
  const aggressive = `  aggressive-nsec: ${aggressiveNsec ? "yes" : "no"}\n`;
  return `  module-config: "validator iterator"\n${aggressive}${anchors}${forwardTo(port)}`;
}

/** A resolver that validates nothing and passes on all DNSSEC records. */
export function startResolver(port: number): Promise<DnsPort> {
  return runUnbound(`  module-config: "iterator"\n${forwardTo(port)}`);
}

/** An authoritative server: NSD finds the proofs in the signed zone files by rules of its own. */
export function startZoneServer(
  zones: readonly { readonly name: string; readonly file: string }[],
): Promise<DnsPort> {
  const parts = zones.map(
    ({ name, file }) => `zone:\n  name: "${name || "."}"\n  zonefile: "${file}"\n`,
  );
  const configOf = (folder: string, port: number) => `${nsdConfig(folder, port)}${parts.join("")}`;
  return runServer("nsd", configOf);
}

function runUnbound(
  config: string,
  more = (_folder: string, _port: number) => "",
): Promise<DnsPort> {
  return runServer(
    "unbound",
    (folder, port) => `${unboundConfig(folder, port)}${more(folder, port)}${config}`,
  );
}

/** It cannot let the system choose a port: another program may take the one that was free just now. */
async function runServer(
  program: "unbound" | "nsd",
  configOf: (folder: string, port: number) => string,
): Promise<DnsPort> {
  const folder = await mkdtemp(join(tmpdir(), `domain-signin-${program}-`));
  const configFile = join(folder, "conf");
  for (let tries = 1; ; tries++) {
    const port = randomInt(lowestPort, highestPort);
    await writeFile(configFile, configOf(folder, port));
    const child = spawn(paths[program] ?? program, ["-d", "-c", configFile], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    child.stderr.on("data", (chunk) => {
      log += chunk;
    });
    const close = async () => {
      await end(child);
      await rm(folder, { recursive: true });
    };
    if (await isUp(child, port)) return { port, close };
    await end(child);
    if (tries < portTries) continue;
    await close();
    throw new Error(`${program} did not start: ${log}`);
  }
}

/** A name that it knows by itself answers without asking anybody (RFC 6761 §6.3). */
async function isUp(child: ChildProcess, port: number): Promise<boolean> {
  const server = { address: host, port, isV6: false };
  for (let tries = 1; tries <= startTries && child.exitCode === null; tries++) {
    const { outcome } = await ask(server, { id: 1, name: "localhost", type: 1 }, () => 200);
    // What answered was another program if this one has ended.
    if (outcome === "message") return child.exitCode === null;
    await sleep(20);
  }
  return false;
}

function delvAnchor(anchor: string): string {
  const [zone, , , , tag, algorithm, digestType, digest] = anchor.split(" ");
  return `${zone} static-ds ${tag} ${algorithm} ${digestType} "${digest}";`;
}

/** Nothing but loopback is ever asked. `test` is served by unbound itself unless told otherwise. */
function unboundConfig(folder: string, ownPort: number): string {
  return `remote-control:
  control-enable: no
server:
  directory: "${folder}"
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  logfile: ""
  verbosity: 1
  num-threads: 1
  interface: ${host}@${ownPort}
  outgoing-interface: ${host}
  do-ip6: no
  do-not-query-localhost: no
  local-zone: "test." nodefault
  val-log-level: 2
  ede: yes
  trust-anchor-signaling: no
`;
}

/** Without a limit on how often the same is asked. */
function nsdConfig(folder: string, ownPort: number): string {
  return `remote-control:
  control-enable: no
server:
  ip-address: ${host}@${ownPort}
  username: ""
  chroot: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: ""
  xfrdir: "${folder}"
  xfrdfile: ""
  zonelistfile: "${folder}/zones"
  server-count: 1
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
`;
}

function forwardTo(port: number): string {
  return `forward-zone:
  name: "."
  forward-addr: ${host}@${port}
`;
}

/** With an alias there is a line for each zone: the least of them counts. */
function delvJudgement(text: string): Judgement {
  const reason = text
    .split("\n")
    .filter((line) => line.startsWith(";"))
    .join(" ");
  const says = (pattern: string) => new RegExp(`^;+ ${pattern}`, "m").test(text);
  if (says("resolution failed: (?:no valid|broken trust chain|insecurity proof failed|RRSIG)")) {
    return { verdict: "bogus", reason };
  }
  // It also calls it a failure that there is nothing at the name.
  if (says("resolution failed: (?!ncache)")) return { verdict: "failed", reason };
  if (says("(?:negative response, )?unsigned answer$")) return { verdict: "insecure", reason };
  if (says("(?:negative response, )?fully validated$")) return { verdict: "secure", reason };
  return { verdict: "failed", reason };
}

function unboundJudgement(message: DnsMessage): Judgement {
  const { rcode: code, authenticData, edns, answers: records } = message;
  const errors = (edns?.options ?? [])
    .filter((option) => option.code === extendedErrorOption)
    .map(({ data }) => ({
      code: (data[0] ?? 0) * 256 + (data[1] ?? 0),
      text: Buffer.from(data.subarray(2)).toString(),
    }));
  const reason = `rcode ${code} ${errors.map((error) => `${error.code} ${error.text}`).join(", ")}`;
  if (code === rcode.servFail) {
    const isBogus = errors.some((error) => bogusErrors.includes(error.code));
    return { verdict: isBogus ? "bogus" : "failed", reason };
  }
  return { verdict: authenticData ? "secure" : "insecure", reason, records };
}

function programPath(name: string): string | undefined {
  // Daemons live where only root looks for programs.
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: runMs, maxBuffer: 2 ** 24 }, (_, stdout, stderr) =>
      resolve(`${stdout}\n${stderr}`),
    );
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

// Two validators that others wrote, delv and unbound, asked about a DNS server on loopback.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DnsMessage, rcode } from "domain-signin-verify/dns/message";
import { classIn } from "domain-signin-verify/dns/records";
import { describe } from "vitest";
import { ask } from "../../src/dns/exchange.ts";
import type { Certificate } from "./certificates.ts";
import { isExecutable } from "./programs.ts";

/** What a validator makes of an answer; `failed` is no verdict, as after SERVFAIL or silence. */
export type Verdict = "secure" | "insecure" | "bogus" | "failed";

/** `reason` is in the words of the validator. */
export type Judgement = { readonly verdict: Verdict; readonly reason: string };

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

export interface Validator {
  judge(question: Question): Promise<Judgement>;
  close(): Promise<void>;
}

const host = "127.0.0.1";
const runMs = 20_000;
const startTries = 100;
const portTries = 5;
/** Below the ports that systems give to whoever asks for any. */
const lowestPort = 12_000;
const highestPort = 32_000;
const extendedErrorOption = 15;
/** Extended errors that say that a signature or a proof was at fault (RFC 8914 §4). */
const bogusErrors = [6, 7, 8, 9, 10, 11, 12];

const delv = programPath("delv");
const unbound = programPath("unbound");

/** A group of tests that need both validators: skipped aloud where one is missing, failed in CI. */
export function validatorTests(title: string, tests: () => void): void {
  const missing = [
    ...(delv ? [] : ["delv (Debian: bind9-dnsutils)"]),
    ...(unbound ? [] : ["unbound (Debian: unbound)"]),
  ].join(" and ");
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
      const text = await outputOf(delv ?? "delv", [
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
): Promise<Validator & { /** "127.0.0.1:port" */ readonly text: string }> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-unbound-"));
  const { child, port } = await runUnbound(judged, folder).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  const server = { address: host, port, isV6: false };
  return {
    text: `${host}:${port}`,
    async judge(question) {
      const asked = { id: 2, question: { ...question, class: classIn } };
      const reply = await ask(server, asked, () => runMs);
      return reply.outcome === "message"
        ? unboundJudgement(reply.message)
        : { verdict: "failed", reason: reply.outcome };
    },
    async close() {
      await end(child);
      await rm(folder, { recursive: true });
    },
  };
}

/** The same unbound as a resolver that speaks DNS over TLS, on the port that this resolves to. */
export async function startTlsUnbound(
  judged: Judged,
  certificate: Certificate,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-unbound-"));
  await writeFile(join(folder, "tls.key"), certificate.key);
  await writeFile(join(folder, "tls.pem"), certificate.cert);
  const { child, port } = await runUnbound(judged, folder, tlsLines).catch(
    async (error: unknown) => {
      await rm(folder, { recursive: true });
      throw error;
    },
  );
  return {
    port: port + 1,
    async close() {
      await end(child);
      await rm(folder, { recursive: true });
    },
  };
}

/** On the port above its own. */
const tlsLines = (folder: string, ownPort: number) => `
  interface: ${host}@${ownPort + 1}
  tls-port: ${ownPort + 1}
  tls-service-key: "${folder}/tls.key"
  tls-service-pem: "${folder}/tls.pem"`;

/** It cannot let the system choose a port: another program may take the one that was free just now. */
async function runUnbound(
  judged: Judged,
  folder: string,
  more = (_folder: string, _ownPort: number) => "",
): Promise<{ child: ChildProcess; port: number }> {
  const configFile = join(folder, "unbound.conf");
  for (let tries = 1; ; tries++) {
    const port = randomInt(lowestPort, highestPort);
    await writeFile(configFile, unboundConfig(judged, folder, port, more(folder, port)));
    const child = spawn(unbound ?? "unbound", ["-d", "-c", configFile], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    child.stderr.on("data", (chunk) => {
      log += chunk;
    });
    if (await isUp(child, port)) return { child, port };
    await end(child);
    if (tries === portTries) throw new Error(`unbound did not start: ${log}`);
  }
}

/** A name that it knows by itself answers without asking anybody (RFC 6761 §6.3). */
async function isUp(child: ChildProcess, port: number): Promise<boolean> {
  const server = { address: host, port, isV6: false };
  const question = { name: "localhost", type: 1, class: classIn };
  for (let tries = 1; tries <= startTries && child.exitCode === null; tries++) {
    const { outcome } = await ask(server, { id: 1, question }, () => 200);
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
function unboundConfig(judged: Judged, folder: string, ownPort: number, more: string): string {
  const { port, trustAnchors, aggressiveNsec = false } = judged;
  return `server:
  directory: "${folder}"
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  logfile: ""
  verbosity: 1
  num-threads: 1
  interface: ${host}@${ownPort}${more}
  outgoing-interface: ${host}
  do-ip6: no
  do-not-query-localhost: no
  module-config: "validator iterator"
  local-zone: "test." nodefault
  val-log-level: 2
  aggressive-nsec: ${aggressiveNsec ? "yes" : "no"}
  ede: yes
  trust-anchor-signaling: no
${trustAnchors.map((anchor) => `  trust-anchor: "${anchor}"`).join("\n")}
remote-control:
  control-enable: no
forward-zone:
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

function unboundJudgement({ rcode: code, authenticData, edns }: DnsMessage): Judgement {
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
  return { verdict: authenticData ? "secure" : "insecure", reason };
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

// Measures how many chains of three zones the verifier checks per second on one core, compared with delv
// and unbound-host. Exits with status 1 if it is below the limit.
//
//   npm run build && node bench/verify.mjs [rounds]
//
// Run it as `taskset -c 0 node bench/verify.mjs`, so that all threads use one core.

import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { createSignedZones } from "../packages/demo/dist/zones/signed-zone-answer.js";
import { decodeMessage, encodeMessage, encodeQuery } from "../packages/verify/dist/dns/message.js";
import { encodeName } from "../packages/verify/dist/dns/name.js";
import { joinOctets, uint } from "../packages/verify/dist/dns/octets.js";
import { verifyChain } from "../packages/verify/dist/dnssec/chain.js";
import { parseTrustAnchor } from "../packages/verify/dist/dnssec/trust-anchors.js";

const MIN_PER_SECOND = 500;
const HOST = "127.0.0.1";
const NAME = "_domain-signin.alice.test";
const [TXT, DS, DNSKEY] = [16, 43, 48];
/** Chains that our verifier checks in one round. */
const CHAINS = 300;
const WARM_UP = 300;
const PROGRAM_TIMEOUT_MS = 10_000;

const run = promisify(execFile);
const rounds = Math.min(30, Number(process.argv[2] ?? 11));
const folder = mkdtempSync(join(tmpdir(), "domain-signin-bench-"));
const sockets = [];
try {
  let isFast = true;
  for (const algorithm of [13, 15]) isFast = (await compare(algorithm)) && isFast;
  console.log(`
Verifier: checks the same chain repeatedly in one process. Nothing is fetched, and keys are imported
once. The second line shows CPU time on all cores instead of wall time: on more than one core,
WebCrypto uses up to twice as much CPU time to wake threads.
delv, unbound-host: one process per name, which starts, fetches six record sets over UDP, verifies
them and prints the result. The line "minus start-up" subtracts the best run that starts, fetches one
record set and prints: what remains is fetching five record sets, and verification.`);
  process.exitCode = isFast ? 0 : 1;
} finally {
  for (const socket of sockets) socket.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns whether our verifier is within the limit. */
async function compare(algorithm) {
  const names = ["", "test", "alice.test"];
  const zones = createSignedZones({
    zones: names.map((name) => ({ name, algorithm, signed: true })),
    records: () => [{ name: NAME, type: "TXT", value: "v=dsi1 sp=none", ttl: 60 }],
    now: () => Math.floor(Date.now() / 1000),
  });
  const port = await serve(zones);
  const chain = chainOf(zones);
  const ours = {
    name: NAME,
    type: TXT,
    now: Math.floor(Date.now() / 1000),
    trustAnchors: zones.trustAnchors.map(parseTrustAnchor),
  };
  for (let count = 0; count < WARM_UP; count++) await verifyChain(chain, ours);

  const others = [delv(port, zones), unboundHost(port, zones)];
  const times = { clock: [], processor: [], others: others.map(() => ({ with: [], without: [] })) };
  // In turns, so that other load on the machine affects all measurements.
  for (let round = 0; round < rounds; round++) {
    const { clock, processor } = await timeOurs(chain, ours);
    times.clock.push(clock);
    times.processor.push(processor);
    for (const [index, { program, validating, trusting }] of others.entries()) {
      if (!program) continue;
      times.others[index].with.push(await timeRun(program, validating));
      times.others[index].without.push(await timeRun(program, trusting));
    }
  }

  const best = minimum(times.processor);
  console.log(`\nalgorithm ${algorithm}, chain of ${chain.length} octets, best of ${rounds}`);
  row("verifier, wall time", minimum(times.clock), best);
  row(`verifier, CPU time (at least ${MIN_PER_SECOND}/s)`, best, best);
  for (const [index, { title, program }] of others.entries()) {
    const { with: whole, without } = times.others[index];
    if (!program) {
      console.log(`${title}: not installed`);
      continue;
    }
    row(`${title}, whole process`, minimum(whole), best);
    row(`${title}, minus start-up`, minimum(whole) - minimum(without), best);
  }
  return 1000 / best >= MIN_PER_SECOND;
}

function row(title, milliseconds, best) {
  if (milliseconds <= 0) {
    console.log(`  ${title.padEnd(52)}  too short to measure`);
    return;
  }
  const each = `${milliseconds.toFixed(2)} ms`.padStart(10);
  const perSecond = `${(1000 / milliseconds).toFixed(0)}/s`.padStart(8);
  console.log(
    `  ${title.padEnd(52)}${each}${perSecond}  ${(milliseconds / best).toFixed(1)} times`,
  );
}

/** Wall and CPU time for one chain, in milliseconds. */
async function timeOurs(chain, request) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let count = 0; count < CHAINS; count++) await verifyChain(chain, request);
  const clock = (performance.now() - began) / CHAINS;
  const { user, system } = process.cpuUsage(cpu);
  return { clock, processor: (user + system) / 1000 / CHAINS };
}

async function timeRun(program, { args, says }) {
  const began = performance.now();
  const { stdout } = await run(program, args, { timeout: PROGRAM_TIMEOUT_MS });
  const milliseconds = performance.now() - began;
  if (!stdout.includes(says)) throw new Error(`${program} did not print "${says}": ${stdout}`);
  return milliseconds;
}

function delv(port, { trustAnchors }) {
  const anchors = join(folder, `delv-${port}`);
  const lines = trustAnchors.map((anchor) => {
    const [zone, , , , tag, algorithm, digestType, digest] = anchor.split(" ");
    return `${zone} static-ds ${tag} ${algorithm} ${digestType} "${digest}";`;
  });
  writeFileSync(anchors, `trust-anchors {\n${lines.join("\n")}\n};\n`);
  const at = [`@${HOST}`, "-p", `${port}`, "-4"];
  const asked = ["-q", `${NAME}.`, "-t", "TXT"];
  return {
    title: "delv",
    program: programPath("delv"),
    validating: { args: [...at, "-a", anchors, "+root=.", ...asked], says: "fully validated" },
    trusting: { args: [...at, "-i", ...asked], says: "sp=none" },
  };
}

function unboundHost(port, { trustAnchors }) {
  const configured = (name, lines) => {
    const path = join(folder, `${name}-${port}`);
    const forward = `forward-zone:\n  name: "."\n  forward-addr: ${HOST}@${port}\n`;
    const local = [`directory: "${folder}"`, 'chroot: ""', 'username: ""', "do-ip6: no"];
    const reach = ["do-not-query-localhost: no", 'local-zone: "test." nodefault'];
    const server = ["server:", ...local, ...reach, "trust-anchor-signaling: no", ...lines];
    writeFileSync(path, `${server.join("\n  ")}\n${forward}`);
    return ["-C", path, "-4", "-v", "-t", "TXT", NAME];
  };
  const anchors = trustAnchors.map((anchor) => `trust-anchor: "${anchor}"`);
  const validator = ['module-config: "validator iterator"', ...anchors];
  return {
    title: "unbound-host",
    program: programPath("unbound-host"),
    validating: { args: configured("validating", validator), says: "(secure)" },
    trusting: { args: configured("trusting", ['module-config: "iterator"']), says: "sp=none" },
  };
}

/** UDP is enough, because all answers fit. Answers are cached, so that signing is not measured. */
async function serve(zones) {
  const socket = createSocket("udp4");
  const known = new Map();
  socket.on("message", (octets, sender) => {
    const query = decodeMessage(octets);
    const key = JSON.stringify([query.questions, query.edns, query.recursionDesired]);
    const answer = known.get(key) ?? encodeMessage(zones.answer(query));
    known.set(key, answer);
    answer[0] = octets[0];
    answer[1] = octets[1];
    socket.send(answer, sender.port, sender.address);
  });
  socket.bind(0, HOST);
  await once(socket, "listening");
  sockets.push(socket);
  return socket.address().port;
}

function chainOf(zones) {
  const sets = [
    [NAME, TXT],
    ["alice.test", DNSKEY],
    ["alice.test", DS],
    ["test", DNSKEY],
    ["test", DS],
    ["", DNSKEY],
  ];
  const records = sets.flatMap(([name, type]) => {
    const { answers } = zones.answer(decodeMessage(encodeQuery({ id: 1, name, type })));
    return answers;
  });
  return joinOctets(
    records.flatMap(({ name, type, ttl, rdata }) => [
      encodeName(name),
      ...[uint(type, 2), uint(1, 2), uint(ttl, 4), uint(rdata.length, 2), rdata],
    ]),
  );
}

function programPath(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((path) => join(path, name)).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The minimum is least affected by other load on the machine. */
function minimum(numbers) {
  return Math.min(...numbers);
}

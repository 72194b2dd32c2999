// Measures what a sign-in costs: each flow as people go through it, beside bare requests of the same number and size.
//
//   npm run build && node bench/sign-in.mjs [NAME=CLI …]
//
// Each CLI is a build of the service, by default this one, which first fills a database with people. For each flow, it
// gets a copy of that and a fresh process, so that the first sign-ins count, as after each deployment. Rounds of the
// builds and of a bare server for each take turns. Reads, writes and commits are counted in a process of their own.
// COUNT (sign-ins), SET_UPS, PEOPLE, ROUNDS, AT_ONCE (people who sign in at the same time) and FLOWS (names with commas)
// can be set. OTHERS=1 adds oidc-provider (after `npm ci --prefix bench/others`). DISK=1 measures nothing but how much
// longer people wait if each fsync takes 10 ms longer. PROFILE is a folder for CPU profiles of the first build. JSON=1
// prints the result as JSON.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, requestOf } from "./connection.mjs";
import {
  BUILD,
  CORES,
  cpuUs,
  end,
  folder,
  here,
  importSource,
  inTurn,
  median,
  setting,
} from "./contender.mjs";
import { FLOWS, OTHER_FLOWS, signIn } from "./sign-in-flows.mjs";
import { addressOf, bareServer, browserOf, otherServer, ownServer } from "./sign-in-servers.mjs";
import { slowDisk } from "./slow-disk.mjs";

const [COUNT, SET_UPS] = [setting("COUNT", 1000), setting("SET_UPS", 200)];
const [PEOPLE, ROUNDS, AT_ONCE] = [
  setting("PEOPLE", 100),
  setting("ROUNDS", 20),
  setting("AT_ONCE", 1),
];
/** Sign-ins whose statements are counted, and those before them. */
const [COUNTED, FIRST] = [9, 3];
const ON_SLOW_DISK = { count: 100, us: 10_000 };
/** Until what no response waits for has been done. */
const REST_MS = 50;

/** After a start. */
const SETTLE_MS = 500;
/** Registrable domains, among which those of the people are spread. */
const ZONES = 40;

const names = process.env.FLOWS?.split(",") ?? Object.keys(FLOWS);
const builds = (process.argv.length > 2 ? process.argv.slice(2) : [`build=${BUILD}`]).map((one) => {
  const [name, cli] = one.split("=");
  return { name, cli: resolve(cli) };
});

// The load, and the name server with it.
spawnSync("taskset", ["-apc", CORES.load, String(process.pid)]);
const { startZones, createAuthenticator } = await importSource("people.ts");
const zones = await startZones(Array.from({ length: ZONES }, (_, index) => `zone${index}.test`));
const world = { zones, authenticator: createAuthenticator("http://localhost:8080"), newDomain };
let domains = 0;

const results = [];
const servers = [];
for (const build of builds)
  servers.push(await ownServer(build, { ...world, domains: newPeople() }));
const others = [];
if (process.env.OTHERS) {
  for (const [name, kept] of [
    ["oidc-provider, in memory", "memory"],
    ["oidc-provider, SQLite", "sqlite"],
  ]) {
    others.push(await otherServer({ name, kept }, { domains: newPeople() }));
  }
}
for (const name of names) {
  const kinds = [
    ...servers.map((server) => ({ server, flow: FLOWS[name] })),
    ...(name in OTHER_FLOWS ? others : []).map((server) => ({ server, flow: OTHER_FLOWS[name] })),
  ];
  const found = process.env.DISK ? await inOrder(kinds, onSlowDisk) : await measureAll(name, kinds);
  for (const one of found) {
    results.push({ flow: name, ...one });
    if (!process.env.JSON) print(results.at(-1));
  }
}
if (process.env.JSON) console.log(JSON.stringify({ results }));
process.exit(0);

/** Names of their own, of which no two tests share a record. */
function newDomain() {
  return `name${++domains}.zone${domains % ZONES}.test`;
}

function newPeople() {
  return Array.from({ length: PEOPLE }, newDomain);
}

async function measureAll(name, kinds) {
  const count = name === "set-up" ? SET_UPS : COUNT;
  const counted = await inOrder(kinds, countStatements);
  const contenders = [];
  for (const [index, { server, flow }] of kinds.entries()) {
    const isProfiled = index === 0 && process.env.PROFILE !== undefined;
    const nodeArgs = isProfiled
      ? ["--cpu-prof", `--cpu-prof-dir=${resolve(process.env.PROFILE, name)}`]
      : [];
    const service = await server.fresh({ nodeArgs });
    contenders.push({ service, open: signInsOf(service, flow), us: 0, msEach: [] });
    const bare = await bareServer("bare server", counted[index].recorded);
    contenders.push({ service: bare, open: replaysOf(bare), us: 0, msEach: [] });
  }
  await sleep(SETTLE_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of inTurn(contenders, round))
      await measureRound(contender, count / ROUNDS);
  }
  const found = kinds.map(({ server, flow }, index) => {
    const [own, bare] = contenders.slice(2 * index, 2 * index + 2);
    const [ms, bareMs] = [own, bare].map(({ us }) => us / 1000 / count);
    const { recorded, ...counts } = counted[index];
    const { label } = flow;
    return {
      name: server.name,
      label,
      ...counts,
      count,
      ms,
      bareMs,
      ratio: ms / bareMs,
      p50Ms: median(own.msEach),
    };
  });
  for (const { service } of contenders) await end(service);
  return found;
}

/** One after the other. */
async function inOrder(all, task) {
  const results = [];
  for (const one of all) results.push(await task(one));
  return results;
}

/** Runs so many sign-ins, and adds the processor time of the server, and how long each took. */
async function measureRound(contender, count) {
  const { pid } = contender.service.child;
  const before = cpuUs(pid);
  // Servers close connections that are idle while others are measured.
  const { run, close } = contender.open();
  let left = count;
  async function next() {
    while (left-- > 0) {
      const began = performance.now();
      await run();
      contender.msEach.push(performance.now() - began);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  close();
  await sleep(REST_MS);
  contender.us += cpuUs(pid) - before;
}

/** Each run is the next person's sign-in, and resolves to its exchanges. The app keeps its connection open. */
function signInsOf(service, flow) {
  const { isNew = false, isSetUp = false } = flow;
  let next = 0;
  async function run(agent) {
    const index = next++;
    const person = isSetUp
      ? { domain: newDomain(), address: addressOf(PEOPLE + index) }
      : service.people[index % service.people.length];
    const browser = browserOf(service, person, isNew || isSetUp);
    const exchanges = await signIn({ ...world, ...service, agent }, { ...person, browser }, flow);
    if (!isNew && !isSetUp) person.cookies = browser.cookies;
    browser.close();
    return exchanges;
  }
  return () => {
    const agent = new Agent({ keepAlive: true });
    return { run: () => run(agent), close: () => agent.destroy() };
  };
}

/** Each run sends the requests of one sign-in again. */
function replaysOf({ port, recorded: { browser, token } }) {
  const texts = [...browser, token].map(({ asked }, place) => {
    const { path, headers, body = null } = asked;
    const { host: _, "content-type": type, ...others } = headers;
    const fields = Object.entries({ ...others, "x-place": place });
    return requestOf({ path, fields: fields.map((pair) => pair.join(": ")), body });
  });
  const answered = (connection, text) =>
    new Promise((resolve, reject) => {
      connection.take = (status) => (status === "failed" ? reject(new Error(status)) : resolve());
      connection.send(text);
    });
  async function run(app) {
    const connection = openConnection(port);
    for (const text of texts.slice(0, -1)) await answered(connection, text);
    connection.close();
    await answered(app, texts.at(-1));
  }
  return () => {
    const app = openConnection(port);
    return { run: () => run(app), close: app.close };
  };
}

/**
 * Of the statements, the median of single sign-ins of few people, one after the other: what DNS said of them is known.
 * What no response waits for is among them.
 */
async function countStatements({ server, flow }) {
  const file = join(folder, "counts");
  writeFileSync(file, "");
  const preload = { NODE_OPTIONS: `--require ${here("count-statements.cjs")}`, COUNT_FILE: file };
  const service = await server.fresh({ env: preload });
  const { run, close } = signInsOf({ ...service, people: service.people.slice(0, FIRST) }, flow)();
  const each = [];
  for (let index = 0; index < FIRST + COUNTED; index++) {
    await sleep(REST_MS);
    const before = readFileSync(file, "latin1").length;
    const recorded = await run();
    await sleep(REST_MS);
    const letters = [...readFileSync(file, "latin1").slice(before)];
    const countOf = (wanted) => letters.filter((letter) => letter === wanted).length;
    const octets = recorded.browser.reduce((sum, { answer }) => sum + answer.octets, 0);
    const counts = { reads: countOf("r"), writes: countOf("w"), commits: countOf("c"), octets };
    if (index >= FIRST) each.push({ ...counts, recorded, requests: recorded.browser.length + 1 });
  }
  close();
  await end(service);
  const medians = ["requests", "reads", "writes", "commits", "octets"].map((key) => [
    key,
    median(each.map((one) => one[key])),
  ]);
  return { ...Object.fromEntries(medians), recorded: each.at(-1).recorded };
}

/** How much longer the median sign-in takes if each fsync does. Both disks take turns. */
async function onSlowDisk({ server, flow }) {
  const contenders = [];
  for (const us of [0, ON_SLOW_DISK.us]) {
    const service = await server.fresh({ env: slowDisk(us) });
    contenders.push({ service, open: signInsOf(service, flow), us: 0, msEach: [] });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of inTurn(contenders, round)) {
      await measureRound(contender, ON_SLOW_DISK.count / ROUNDS);
    }
  }
  for (const { service } of contenders) await end(service);
  const [calmMs, slowMs] = contenders.map(({ msEach }) => median(msEach));
  return { name: server.name, label: flow.label, calmMs, slowMs, aboveMs: slowMs - calmMs };
}

function print({ name, label, requests, reads, writes, commits, octets, ...measured }) {
  const { ms, bareMs, ratio, p50Ms, calmMs, slowMs, aboveMs } = measured;
  const cells =
    aboveMs === undefined
      ? [
          `${requests} requests, ${reads} reads, ${writes} writes, ${commits} commits, ${octets} octets`,
          `${ms.toFixed(2)} ms, ${ratio.toFixed(2)} times ${bareMs.toFixed(2)} ms, p50 ${p50Ms.toFixed(1)} ms`,
        ]
      : [
          `p50 ${calmMs.toFixed(1)} ms, slow ${slowMs.toFixed(1)} ms, ${aboveMs.toFixed(1)} ms above`,
        ];
  console.log(`${label} (${name}): ${cells.join("; ")}`);
}

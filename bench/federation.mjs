// Measures how 50 sign-ins at an SP that hangs slow down the token endpoint: its 99th percentile with
// and without them, in one run. Exits with status 1 if the ratio is above the limit.
//
//   npm run build && node bench/federation.mjs [rounds]
//
// `serve` runs in its own process; DNS, both SPs and all clients run in this one. Loopback only.

import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSignedZones } from "../packages/demo/dist/zones/signed-zone-answer.js";
import { startZone } from "../packages/demo/dist/zones/zone.js";
import { SUB, startSp } from "./plain-sp.mjs";

const CLI = fileURLToPath(new URL("../packages/server/dist/cli.js", import.meta.url));
const MAX_RATIO = 1.5;
/** Sign-ins that hang at the same time. */
const AT_ONCE = 50;
/** Apps that refresh their tokens, with a pause after each refresh. */
const APPS = 8;
const PAUSE_MS = 10;
/** Shorter than the service waits for an SP. */
const MEASUREMENT_MS = 4000;
/** The user gets an error page after this time. */
const SP_TIMEOUT_MS = 5000;
const REDIRECT_URI = "https://app.example.org/callback";

const run = promisify(execFile);
const rounds = Math.min(20, Number(process.argv[2] ?? 5));
const folder = mkdtempSync(join(tmpdir(), "domain-signin-bench-"));
const closing = [];
let people = 0;
try {
  const zone = await startRoot();
  const issuer = await serve(zone);
  const client = await addClient();
  const [well, hanging] = [await startSp((answer) => answer()), await startSp(() => {})];
  for (const { close } of [well, hanging]) closing.push(close);
  const grants = [];
  for (let app = 0; app < APPS; app++) {
    grants.push(
      await signIn({ zone, issuer, client, sp: well.issuer, domain: `app${app}.alice.test` }),
    );
  }

  const all = { zone, issuer, client };
  /** One list of durations in milliseconds for each round. */
  const times = { idle: [], hanging: [], coming: [] };
  await measure(issuer, client, grants);
  // In turns, so that other load on the machine affects all measurements.
  for (let round = 0; round < rounds; round++) {
    times.idle.push(await measure(issuer, client, grants));
    const visits = [];
    const begun = Array.from({ length: AT_ONCE }, (_, index) => {
      const domain = `r${round}x${index}.alice.test`;
      return new Promise((resolve) => {
        visits.push(hang({ ...all, sp: hanging.issuer, domain, onAnswer: resolve }));
      });
    });
    await Promise.race([Promise.all(begun), Promise.all(visits)]);
    times.hanging.push(await measure(issuer, client, grants));
    await Promise.all(visits);
    const coming = startReplacing((domain) =>
      hang({ ...all, sp: hanging.issuer, domain: `r${round}${domain}` }),
    );
    await sleep(SP_TIMEOUT_MS);
    times.coming.push(await measure(issuer, client, grants));
    await coming.stop();
  }
  row("idle", times.idle, times.idle);
  const ratio = row(
    `${AT_ONCE} sign-ins hang (at most ${MAX_RATIO} times)`,
    times.hanging,
    times.idle,
  );
  row(`${AT_ONCE} hang, and ten per second start and end`, times.coming, times.idle);
  process.exitCode = ratio <= MAX_RATIO ? 0 : 1;
} finally {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
}

/** Prints and returns the median ratio of each round to its own idle round. */
function row(title, rounds, idle) {
  const ratio = median(rounds.map((times, index) => p99(times) / p99(idle[index])));
  const text = [p99(rounds.flat()), median(rounds.flat())].map((value) => `${value.toFixed(1)} ms`);
  console.log(
    `${title.padEnd(42)} ${ratio.toFixed(2)} times; p99 ${text[0]}, median ${text[1]}, ${rounds.flat().length} refreshes`,
  );
  return ratio;
}

/** A sign-in that must end with an error page in time. */
async function hang(visit) {
  const { status, waited } = await signIn(visit);
  if (!(status >= 400) || waited > 2 * SP_TIMEOUT_MS)
    throw new Error(`${status} after ${waited} ms`);
}

/** Keeps `AT_ONCE` sign-ins hanging: each one that ends is replaced. */
function startReplacing(visit) {
  let isOpen = true;
  let begun = 0;
  const person = async (index) => {
    await sleep((index * SP_TIMEOUT_MS) / AT_ONCE);
    while (isOpen) await visit(`y${begun++}.alice.test`);
  };
  const people = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => person(index)));
  people.catch(() => {});
  const stop = async () => {
    isOpen = false;
    await people;
  };
  return { stop };
}

/** Durations in milliseconds of all refreshes during one measurement. */
async function measure(issuer, client, grants) {
  const times = [];
  const end = performance.now() + MEASUREMENT_MS;
  const app = async (grant) => {
    while (performance.now() < end) {
      const began = performance.now();
      grant.refresh_token = (
        await token(issuer, client, {
          grant_type: "refresh_token",
          refresh_token: grant.refresh_token,
        })
      ).refresh_token;
      times.push(performance.now() - began);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(grants.map(app));
  return times;
}

async function token(issuer, { id, secret }, parameters) {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
  const response = await fetch(`${issuer}/oauth/token`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams(parameters),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body;
}

/**
 * Runs a sign-in and returns its tokens, or the status of the page where it ended. `onAnswer` is called
 * when the SP has redirected back.
 */
async function signIn({ zone, issuer, client, sp, domain, onAnswer = () => {} }) {
  const acct = createHash("sha256").update(`${sp}\n${SUB}\n${domain}`).digest("base64url");
  const record = { name: `_domain-signin.${domain}`, type: "TXT", ttl: 60 };
  zone.add({ ...record, value: `v=dsi1 sp=${sp} acct=${acct}` });
  const cookies = new Map();
  // Different client addresses, so that the rate limits per address do not apply.
  const address = `203.0.113.${people++ % 250}`;
  const began = performance.now();
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid",
  });
  let url = `${issuer}/sign-in?${query}`;
  let body = new URLSearchParams({ domain });
  for (;;) {
    const isOurs = url.startsWith(issuer);
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url, {
      method: body ? "POST" : "GET",
      headers: isOurs ? { cookie, origin: issuer, "x-forwarded-for": address } : {},
      body,
      redirect: "manual",
    });
    await response.arrayBuffer();
    for (const text of isOurs ? response.headers.getSetCookie() : []) {
      const [name, value] = text.split(";")[0].split(/=(.*)/s);
      cookies.set(name, value);
    }
    body = undefined;
    const location = response.headers.get("location");
    const { status } = response;
    if (location === null) return { status, waited: performance.now() - began };
    url = new URL(location, url).href;
    if (url.startsWith(`${issuer}/federation/callback/`)) onAnswer();
    if (!url.startsWith(REDIRECT_URI)) continue;
    const code = new URL(url).searchParams.get("code");
    return token(issuer, client, {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
    });
  }
}

/** A signed root with the unsigned zone `alice.test`. */
async function startRoot() {
  const above = ["", "test"].map((name) => ({ name, algorithm: 13, signed: true }));
  const zones = [...above, { name: "alice.test", algorithm: 13, signed: false }];
  const now = () => Math.floor(Date.now() / 1000);
  const zone = await startZone({
    origins: ["alice.test"],
    signed: (records) => createSignedZones({ zones, records, now }),
  });
  closing.push(() => zone.close());
  return zone;
}

async function serve(zone) {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const args = [
    ...["serve", "--issuer", issuer, "--port", String(port), "--dns-servers", zone.address],
    ...["--trusted-proxies", "127.0.0.1"],
  ];
  const env = {
    ...process.env,
    DOMAIN_SIGNIN_ALLOWED_SPECIAL_NAMES: "test",
    DOMAIN_SIGNIN_MIN_ASSURANCE: "single",
    DOMAIN_SIGNIN_TRUST_ANCHORS: zone.signed.trustAnchors.join(","),
  };
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: "ignore" });
  const ended = once(child, "exit");
  closing.push(() => {
    child.kill("SIGTERM");
    return ended;
  });
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null) throw new Error(`serve exited with status ${child.exitCode}`);
    if (
      await fetch(`${issuer}/readyz`)
        .then(({ ok }) => ok)
        .catch(() => false)
    )
      return issuer;
    await sleep(50);
  }
  throw new Error("serve did not become ready");
}

async function addClient() {
  const add = ["clients", "add", "--json", "--name", "Bench", "--redirect-uri", REDIRECT_URI];
  const { stdout } = await run(process.execPath, [CLI, ...add, "--consent", "never"], {
    cwd: folder,
  });
  const { client_id: id, client_secret: secret } = JSON.parse(stdout);
  return { id, secret };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function p99(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * 0.99)];
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

// Replays attacks that kept people out, each with its own numbers, and tells who is refused: run by `node bench/attacks.mjs [cli.js]`.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { afterAll, describe, onTestFinished, test } from "vitest";
import { type Arena, startArena } from "../support/innocent/arena.ts";
import { startFlooding } from "../support/innocent/floods.ts";
import { browserAt, type Owner } from "../support/innocent/innocent-world.ts";
import { refusalIn } from "../support/innocent/walk.ts";
import { authorizationUrl } from "../support/sign-in.ts";

const CLI = process.env.ATTACKS_CLI;
/** So much of a request is stored at most. */
const LONG_STATE = "s".repeat(1500);
/** Processes that only use the processors. */
const BUSY_LOOPS = 16;
const lines: string[] = [];

const say = (line: string) => void lines.push(`- ${line}`);
const repeat = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const addresses = (count: number) => repeat(count, (index) => `31.${index >> 8}.${index & 255}.9`);
const inSite = (count: number) => repeat(count, (index) => `2a01:7:1:${index.toString(16)}::9`);
const counts = (statuses: Readonly<Record<number, number>>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} x ${status}`)
    .join(", ");

async function arena(options: { isProxyDeclared?: boolean } = {}): Promise<Arena> {
  const started = await startArena(CLI ?? "", options);
  onTestFinished(started.close);
  return started;
}

/** What the log of the service says of refusals: how often, and an example of each. */
function sayLog({ service }: Arena): void {
  const found = new Map<string, { count: number; line: string }>();
  for (const line of service.log()) {
    if (!/limit|overload|too many|refus|budget|network|proxy/i.test(line)) continue;
    const { msg = "" }: { msg?: string } = line.startsWith("{") ? JSON.parse(line) : {};
    const { count } = found.get(msg) ?? { count: 0 };
    found.set(msg, { count: count + 1, line });
  }
  if (found.size === 0) say("the log says nothing of it");
  for (const { count, line } of found.values()) say(`the log, ${count} times: \`${line}\``);
}

/** Quiet people, each of whom asks for one first page, and how many of them are refused. */
async function quietPeople({ service, client }: Arena, cookies: readonly string[]) {
  const url = authorizationUrl(service, client);
  let refused = 0;
  for (let group = 0; group < 10; group++) {
    const people = repeat(10, async (person) => {
      const agent = browserAt(`140.${group}.${person}.1`);
      const pairs = cookies[person % Math.max(1, cookies.length)]?.split("; ") ?? [];
      agent.cookies.store(
        service.issuer,
        pairs.map((pair) => `${pair}; Path=/`),
      );
      if (refusalIn(await agent.open(url)) !== null) refused++;
    });
    await Promise.all(people);
  }
  return `${refused} of 100 quiet people are refused`;
}

describe("attacks", { timeout: 300_000 }, () => {
  test("1: 675 DNS challenges in ten minutes from 50 addresses", async () => {
    const at = await arena();
    await at.owner("victim.test", "30.0.0.1");
    const before = await at.newcomer("50.0.0.1");
    // 1.4 MB in all.
    const first = await at.send(at.typed("victim.test", LONG_STATE), addresses(50), 675);
    say(
      `675 requests from 50 addresses (${counts(first.statuses)}); a newcomer elsewhere, who ${before} before, ${await at.newcomer("50.0.1.1")}`,
    );
    let sent = 675;
    let outcome = "gets through";
    for (let round = 0; outcome === "gets through" && sent < 40_000; round++) {
      // As many as a minute allows, in nine minutes of the service's clock at most.
      await at.send(at.typed("victim.test", LONG_STATE), addresses(50), 4500);
      await at.service.call("clock", "advance", 20);
      sent += 4500;
      outcome = await at.newcomer(`50.1.${round}.1`);
    }
    say(`after ${sent} requests from these 50 addresses a newcomer elsewhere ${outcome}`);
    sayLog(at);
  });

  test("2: one address, and one /48", async () => {
    const at = await arena();
    await at.owner("victim.test", "30.0.0.1");
    for (const [count, from, own] of [
      [13, ["31.0.0.9"], "31.0.0.9"],
      [19, inSite(19), "2a01:7:1:ffff::1"],
    ] as const) {
      const { statuses } = await at.send(at.typed("victim.test", LONG_STATE), from, count);
      say(
        `${count} requests from ${from.length} address${from.length > 1 ? "es of a /48" : ""} (${counts(statuses)}); somebody new there ${await at.newcomer(own)}`,
      );
      let sent: number = count;
      let outcome = "gets through";
      while (outcome === "gets through" && sent < 2000) {
        await at.send(at.typed("victim.test", LONG_STATE), from, 100);
        await at.service.call("clock", "advance", 20);
        sent += 100;
        outcome = await at.newcomer(own);
      }
      say(`after ${sent} requests there, somebody new there ${outcome}`);
    }
    const { statuses } = await at.send(at.typed("victim.test"), ["32.0.0.9"], 500);
    say(`of 500 honest DNS challenges at one address in ten minutes: ${counts(statuses)}`);
    sayLog(at);
  });

  test.each([17, 40])("3: %d addresses that flood", async (keys) => {
    const at = await arena();
    const owners: Owner[] = [];
    const quiet: Owner[] = [];
    for (let index = 0; index < keys; index++) {
      owners.push(await at.owner(`a${index}.flood.test`, `30.0.${index}.1`));
    }
    for (let index = 0; index < 10; index++) {
      quiet.push(await at.owner(`quiet${index}.test`, `30.1.${index}.1`));
    }
    const cookieOf = ({ agent }: Owner) => agent.cookies.header(at.service.issuer) ?? "";
    const url = authorizationUrl(at.service, at.client);
    const path = url.slice(at.service.issuer.length);
    for (const lane of ["strangers", "returning browsers"] as const) {
      const flooding = startFlooding();
      const cookies = lane === "strangers" ? [] : owners.map(cookieOf);
      await flooding.begin({
        ...{ port: at.service.port, requests: [{ path }], cookies },
        ...{ addresses: addresses(keys), inFlight: 24 * keys, burst: 24 * keys },
        // A little less than what is refused before any work.
        ...{ perMinute: (cookies.length > 0 ? 235 : 590) * keys, burstMs: 2000 },
      });
      const outcome = await quietPeople(at, lane === "strangers" ? [] : quiet.map(cookieOf));
      const { statuses } = await flooding.end();
      await flooding.close();
      const whose = lane === "strangers" ? "addresses" : "accounts below one domain";
      say(`${keys} ${whose} flood (${counts(statuses)}): ${outcome} among the ${lane}`);
    }
    sayLog(at);
  });

  test("4: random names below a domain, and below other domains of its DNS host", async () => {
    const at = await arena();
    const [own, other] = [
      await at.owner("h77-own.test", "30.0.0.1"),
      await at.owner("h88-own.test", "30.0.0.2"),
    ];
    const numbered = (domain: string) => at.typed(domain);
    const below = await at.send(numbered("n{n}.h77-own.test"), addresses(8), 80);
    say(
      `80 names in a minute below a domain (${counts(below.statuses)}): its owner with a DNS challenge ${await at.challenge(own)}`,
    );
    const wide = await at.send(numbered("h88-f{n}.test"), addresses(30), 300);
    say(
      `300 names in a minute at other domains of a DNS host (${counts(wide.statuses)}): an owner there with a DNS challenge ${await at.challenge(other)}`,
    );
    sayLog(at);
  });

  test("5: eight people at a time, and a busy processor", async () => {
    const at = await arena();
    await at.newcomer("30.0.0.1");
    const busy = repeat(BUSY_LOOPS, () =>
      spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
    );
    const end = performance.now() + 30_000;
    const outcomes: string[] = [];
    await Promise.all(
      repeat(8, async (person) => {
        for (let times = 0; performance.now() < end; times++) {
          outcomes.push(await at.newcomer(`140.${person}.${times & 255}.1`));
        }
      }),
    );
    for (const child of busy) {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
    const refused = outcomes.filter((outcome) => outcome !== "gets through");
    say(
      `eight people at a time for 30 s beside ${BUSY_LOOPS} busy loops: ${outcomes.length} sign-ins, ${refused.length} refused${refused[0] ? `, such as: ${refused[0]}` : ""}`,
    );
    sayLog(at);
  });

  test("6: a proxy that is not declared", async () => {
    const at = await arena({ isProxyDeclared: false });
    const url = authorizationUrl(at.service, at.client);
    const json = { "content-type": "application/json" };
    const body = JSON.stringify({ redirect_uris: ["https://{random}.example/callback"] });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const guess = `grant_type=refresh_token&refresh_token=dsr_{random}&client_id=${at.client.id}&client_secret=x`;
    for (const [what, request, count] of [
      ["first pages", { path: url.slice(at.service.issuer.length) }, 1500],
      ["guessed tokens", { method: "POST", path: "/oauth/token", headers: form, body: guess }, 900],
      ["registrations", { method: "POST", path: "/oauth/register", headers: json, body }, 90],
    ] as const) {
      const { statuses } = await at.send(request, ["31.0.0.9"], count);
      say(`${count} ${what} from one address: ${counts(statuses)}`);
    }
    say(`somebody new at another address ${await at.newcomer("50.0.0.1")}`);
    sayLog(at);
  });

  test("7: 5,400 registrations in an hour from three /48", async () => {
    const at = await arena();
    const json = { "content-type": "application/json" };
    const body = JSON.stringify({ redirect_uris: ["https://app.example/callback"] });
    const request = { method: "POST", path: "/oauth/register", headers: json, body };
    const own = await fetch(`${at.service.issuer}/oauth/register`, {
      ...{ method: "POST", headers: { ...json, "x-forwarded-for": "60.0.0.1" }, body },
    });
    const { client_id: id } = (await own.json()) as { client_id: string };
    const client = { id, secret: null, redirectUri: "https://app.example/callback" };
    const isKnown = async () =>
      (await browserAt("60.0.0.2").open(authorizationUrl(at.service, client, { nonce: "nonce" })))
        .status === 200;
    const all: Record<string, number> = {};
    for (let minute = 0; minute < 61; minute++) {
      // Ten from each /64, thirty from each /48.
      const from = repeat(
        9,
        (index) => `2a01:7:${index % 3}:${(minute * 3 + Math.floor(index / 3)).toString(16)}::9`,
      );
      const { statuses } = await at.send(request, from, 90);
      for (const [status, count] of Object.entries(statuses)) {
        all[status] = (all[status] ?? 0) + count;
      }
      await at.service.call("clock", "advance", 60);
    }
    say(
      `5,490 registrations from three /48 in an hour of the service's clock (${counts(all)}): an app that was registered before and not used is ${(await isKnown()) ? "known" : "gone"}`,
    );
    sayLog(at);
  });

  afterAll(() => {
    const text = `${lines.join("\n")}\n`;
    if (process.env.ATTACKS_FILE) appendFileSync(process.env.ATTACKS_FILE, text);
    console.log(text);
  });
});

// Sign-ins that are pending while nodes of the previous release and of this one serve the same database.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "domain-signin-demo/browser/user-agent";
import { type ServiceNode, startNode } from "../history/node-process.ts";
import { claimsOf } from "../support/flow.ts";
import { freshDatabase } from "../support/postgres.ts";
import { startRootedZone } from "../support/rooted-zone.ts";
import { CLI, type CommandResult, freePort, run, serve } from "../support/serve.ts";
import { type Balancer, startBalancer, type Target } from "./balancer.ts";
import { zoneForBothReleases } from "./both-releases.ts";
import {
  type Journey,
  type JourneyWorld,
  newWalk,
  REDIRECT_URI,
  untilEnough,
  type Walk,
} from "./journey.ts";
import { onDatabase } from "./on-database.ts";
import { JOURNEYS, liveAccount } from "./sign-in-journeys.ts";

/** The nodes before the cut, and those after it. Alternately, each request goes to another node than the one before. */
export type Way =
  | "old, then new"
  | "new, then old"
  /** What failed on an old node, from the cut. */
  | "back to new"
  | "alternately, old first"
  | "alternately, new first";
/** One journey that was cut after an action, and what became of it. */
export interface Cut {
  readonly journey: string;
  /** The action before the cut. Null for a journey that alternates: it has no cut. */
  readonly after: string | null;
  /** The step at which the sign-in was pending at the cut. */
  readonly step: string | null;
  readonly way: Way;
  /** Whether the browser opens the page again after the cut, so that the other node shows it. */
  readonly isReloaded: boolean;
  /** Why it failed, or null. */
  readonly failure: string | null;
}

const ZONE = "pending.test";
/** A node remembers so long that a record was there. */
const REMEMBERED_MS = 4500;
const RESTORED = `
  INSERT INTO installation (id, database_id, counter, restored_at) VALUES (1, 'drilled', 0, 1000)
  ON CONFLICT (id) DO UPDATE SET restored_at = 1000`;
/** What a browser shows before its first action. */
const BLANK: Page = {
  ...{ url: "about:blank", status: 200, headers: new Headers(), stopped: false },
  ...{ step: undefined, html: "", forms: [], has: () => false, text: String, link: String },
};

interface Run {
  readonly journey: Journey;
  readonly walk: Walk;
  /** How many actions come before the cut. */
  readonly cut: number | null;
  readonly way: Way;
  readonly isReloaded: boolean;
  page: Page;
  step: string | null;
  failure: string | null;
}

interface Nodes {
  readonly world: JourneyWorld;
  readonly balancer: Balancer;
}

/**
 * Every journey, cut after each of its actions. The ones that go to a new node are pending while the migration runs;
 * the others go to both while both run. `planted` is a statement for the moment at which all are pending.
 */
export async function pendingSignIns(options: {
  previous: string;
  planted?: string;
  journeys?: readonly Journey[];
}): Promise<readonly Cut[]> {
  const { previous, planted, journeys: wanted } = options;
  const journeys = wanted ?? JOURNEYS;
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-pending-"));
  const { url: database, drop } = await freshDatabase();
  const zone = zoneForBothReleases(await startRootedZone([ZONE]));
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const settings = {
    DOMAIN_SIGNIN_ISSUER: issuer,
    DOMAIN_SIGNIN_DATABASE: database,
    DOMAIN_SIGNIN_DNS_SERVERS: zone.address,
    DOMAIN_SIGNIN_ALLOWED_SPECIAL_NAMES: "test",
    ...zone.env,
  };
  const command = (cli: string, ...args: string[]) =>
    run(process.execPath, [cli, ...args], { cwd: folder, env: settings });
  const nodes: ServiceNode[] = [];
  const start = async (name: string, cli: string) => {
    const node = await startNode({ name, database, folder, cli, env: settings });
    nodes.push(node);
    return node;
  };
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const sp = await serve(zone);
    closing.push(sp.close);
    must(await command(previous, "migrate"));
    const words = ["--json", "--public", "--name", "App", "--redirect-uri", REDIRECT_URI];
    const added = must(await command(previous, "clients", "add", ...words));
    const { client_id: clientId }: { client_id: string } = JSON.parse(added.stdout);
    const old = await start("old", previous);
    const balancer = await startBalancer(port, [old]);
    closing.push(balancer.close);
    let domains = 0;
    const newDomain = () => `d${domains++}.${ZONE}`;
    const world = { issuer, sp: sp.issuer, zone, database, clientId, newDomain };
    const at: Nodes = { world, balancer };
    const plant = async () => {
      if (planted !== undefined) await onDatabase(database, planted);
    };

    const upgraded = await begun(at, cutRuns(world, journeys, "old, then new"), [old]);
    must(await command(CLI, "migrate"));
    await plant();
    const fresh = await start("new", CLI);
    // What only `restored` writes, for the passkeys that a journey dates before it.
    await onDatabase(database, RESTORED);
    await ended(at, upgraded, [fresh]);

    const back = await begun(at, cutRuns(world, journeys, "new, then old"), [fresh]);
    await plant();
    await ended(at, back, [old]);

    const failed = back.filter(({ failure }) => failure !== null);
    const again = failed.map((one) => ({ ...one, way: "back to new" as const, failure: null }));
    if (planted === undefined) await ended(at, again, [fresh]);

    const alternating: Run[] = [];
    if (planted === undefined) {
      for (const [way, first] of [
        ["alternately, old first", [old, fresh]],
        ["alternately, new first", [fresh, old]],
      ] as const) {
        const runs = journeys.map((journey) =>
          newRun(world, journey, { cut: null, way, isReloaded: false }),
        );
        await ended(at, await begun(at, runs, first), first);
        alternating.push(...runs);
      }
    }
    return [...upgraded, ...back, ...again, ...alternating].map(cutOf);
  } finally {
    for (const close of closing) await close();
    for (const node of nodes) await node.end("SIGKILL");
    await zone.close();
    await drop();
    await rm(folder, { recursive: true, force: true });
  }
}

function cutRuns(world: JourneyWorld, journeys: readonly Journey[], way: Way): Run[] {
  return journeys.flatMap((journey) => {
    const { length } = journey.actions;
    const cuts = Array.from({ length: length - 1 }, (_, index) => index + 1);
    return cuts.flatMap((cut) => {
      // The first page and the redirect to the last step are no pages of a pending sign-in.
      const hows = cut === 1 || cut === length - 1 ? [false] : [false, true];
      return hows.map((isReloaded) => newRun(world, journey, { cut, way, isReloaded }));
    });
  });
}

function newRun(
  world: JourneyWorld,
  journey: Journey,
  how: Pick<Run, "cut" | "way" | "isReloaded">,
): Run {
  return { journey, walk: newWalk(world), ...how, page: BLANK, step: null, failure: null };
}

/** The actions before the cut, on these nodes. */
async function begun({ balancer }: Nodes, runs: Run[], targets: readonly Target[]): Promise<Run[]> {
  balancer.use(targets);
  const [slow, others] = [true, false].map((isSlow) =>
    runs.filter(({ journey }) => (journey.mustBeForgotten ?? false) === isSlow),
  );
  for (const one of slow ?? []) await prepare(one);
  const seenAt = Date.now();
  for (const one of others ?? []) await prepare(one);
  if (slow?.length) await sleep(Math.max(0, seenAt + REMEMBERED_MS - Date.now()));
  for (const one of runs) {
    if (one.cut === null) continue;
    await perform(one, 0, one.cut);
    one.step = stepOf(one);
  }
  return runs;
}

const prepare = (one: Run) =>
  noted(one, "to prepare it", async () => one.journey.prepare?.(one.walk));

/** The actions after it, and what the app does with the code. */
async function ended({ balancer }: Nodes, runs: readonly Run[], targets: readonly Target[]) {
  for (const one of runs) {
    balancer.use(targets);
    if (one.isReloaded) await noted(one, "to open the page again", () => reload(one));
    await perform(one, one.cut ?? 0, one.journey.actions.length);
    await noted(one, "to redeem the code", () => redeem(one));
  }
}

/** Redirects that were not followed yet, and pages of the SP, stay as they are. */
async function reload(one: Run): Promise<void> {
  const { page, walk } = one;
  if (page.stopped || !page.url.startsWith(`${walk.world.issuer}/interaction/`)) return;
  const { status, step, ...same } = await walk.agent.open(page.url, { stopAt: REDIRECT_URI });
  if (status !== 200) throw new Error(`${step} (${status}): ${textOf(same.html)}`);
  one.page = { ...same, status, step };
}

async function perform(one: Run, from: number, to: number): Promise<void> {
  for (const [name, act] of one.journey.actions.slice(from, to)) {
    await noted(one, name, async () => {
      const before = one.page;
      const page = await untilEnough(
        () => act(one.walk, before),
        ({ status }) => status !== 503,
      );
      const { status, step, stopped, html } = page;
      if (!stopped && status !== 200) throw new Error(`${step} (${status}): ${textOf(html)}`);
      one.page = page;
    });
  }
}

/** Does it, if nothing has failed so far. */
async function noted(one: Run, doing: string, act: () => Promise<unknown>): Promise<void> {
  if (one.failure !== null) return;
  try {
    await act();
  } catch (cause) {
    one.failure = `${doing}: ${String(cause).slice(0, 600)}`;
  }
}

async function redeem({ walk, page }: Run): Promise<void> {
  const { world, proof, expected } = walk;
  const code = page.stopped ? new URL(page.url).searchParams.get("code") : null;
  if (code === null) throw new Error(`no code, but ${page.step} at ${page.url}`);
  const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
  const body = new URLSearchParams({
    ...form,
    client_id: world.clientId,
    code_verifier: proof.verifier,
  });
  const answer = await fetch(`${world.issuer}/oauth/token`, { method: "POST", body });
  const tokens = (await answer.json()) as Record<string, unknown>;
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(tokens)}`);
  const { sub } = claimsOf(tokens.id_token);
  const wanted = await liveAccount(walk);
  if (sub !== wanted) throw new Error(`sub is ${sub}, not ${wanted}`);
  if (typeof expected === "string") return;
  const isExpected = "sub" in expected ? sub === expected.sub : sub !== expected.not;
  if (!isExpected) throw new Error(`sub is ${sub}, expected was ${JSON.stringify(expected)}`);
}

/** Of the page, or of a redirect that the browser has not followed yet. Null before a sign-in is pending. */
function stepOf({ page, walk, failure }: Run): string | null {
  if (failure !== null) return null;
  const { origin, pathname } = new URL(page.url);
  if (origin === walk.world.sp || pathname.startsWith("/federation/")) return "external";
  const [, name = null] = /^\/interaction\/[\w-]+\/([\w-]+)$/.exec(pathname) ?? [];
  return name === "former-record" ? "dns-setup" : name;
}

function cutOf({ journey, cut, ...one }: Run): Cut {
  const after = cut === null ? null : (journey.actions[cut - 1]?.[0] ?? null);
  const { step, way, isReloaded, failure } = one;
  return { journey: journey.name, after, step, way, isReloaded, failure };
}

/** One line for each journey and cut: each way that it went, and where it was pending. */
export function summary(cuts: readonly Cut[]): string {
  const lines = new Map<string, string[]>();
  for (const { journey, after, step, way, isReloaded, failure } of cuts) {
    const line = `${journey} | ${after ?? "(no cut)"}`;
    const how = isReloaded ? `${way}, reloaded` : way;
    const end = failure === null ? "ok" : `FAILED ${failure}`;
    const at = step === null ? "" : ` at ${step}`;
    lines.set(line, [...(lines.get(line) ?? []), `${how}${at}: ${end}`]);
  }
  return [...lines].map(([line, ends]) => `${line} | ${ends.join("; ")}`).join("\n");
}

/** The failures in words. */
export function failuresOf(cuts: readonly Cut[]): readonly string[] {
  return cuts.flatMap(({ journey, after, step, way, isReloaded, failure }) => {
    if (failure === null) return [];
    const how = isReloaded ? `${way}, reloaded` : way;
    const where = after === null ? "" : `, pending at ${step} after “${after}”`;
    return [`${journey}, ${how}${where}: ${failure}`];
  });
}

function textOf(html: string): string {
  const [, body = html] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  return body
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .slice(0, 300);
}

function must(result: CommandResult): CommandResult {
  if (result.status !== 0) throw new Error(`status ${result.status}: ${result.stderr}`);
  return result;
}

// An upgrade under load: people enrol and apps use their grants, while the schema and the nodes change.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { sha256 } from "../../src/lib/random.ts";
import type { Operation } from "../history/history.ts";
import { askAgain, type Lives, startLives } from "../history/lives.ts";
import { type ServiceNode, startNode } from "../history/node-process.ts";
import { freshDatabase } from "../support/postgres.ts";
import { type RootedZone, startRootedZone } from "../support/rooted-zone.ts";
import { CLI, type CommandResult, freePort, run } from "../support/serve.ts";
import { answerPage, authorizationUrl } from "../support/sign-in.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { zoneForBothReleases } from "./both-releases.ts";
import { onDatabase } from "./on-database.ts";

export interface UpgradeLoad {
  /** What the apps saw, and in the end what every grant was at. */
  readonly operations: readonly Operation[];
  /** Accounts that were created, by the phase in which their set-up ended. */
  readonly enrolled: Readonly<Record<Phase, number>>;
  /** Pages that nobody should see, in words. */
  readonly failures: readonly string[];
  /** Answers 503, after which the same form was sent again. */
  readonly repeated: number;
  /** What the four migrations said. */
  readonly migrations: readonly CommandResult[];
}

const PHASES = ["before", "migrating", "old nodes", "both", "new node"] as const;
type Phase = (typeof PHASES)[number];

const PEOPLE = 4;
/** Each signs in this often after an enrolment, to another grant. */
const SIGN_INS = 3;
const MIGRATIONS_AT_ONCE = 4;
/** Accounts that each phase has to see. */
const ENROLMENTS = 5;
const ZONE = "upgrade.test";
const MAX_PAGES = 40;
/** Milliseconds before a form is sent again. */
const PAUSE = 50;
/** What `formOf` in seed.ts redeems codes with. */
const REDIRECT_URI = "https://app.example.org/callback";
const CHALLENGE = { code_challenge: sha256("v".repeat(43)), code_challenge_method: "S256" };

interface World {
  readonly issuer: string;
  readonly zone: RootedZone;
  readonly clientId: string;
  readonly balancer: Balancer;
  readonly state: {
    phase: Phase;
    isOver: boolean;
    enrolled: Record<Phase, number>;
    failures: string[];
    repeated: number;
    domains: number;
  };
}

/** `planted` is a statement that the migration has too: for tests that must find a failure. */
export async function upgradeLoad(options: {
  previous: string;
  planted?: readonly string[];
}): Promise<UpgradeLoad> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-upgrade-"));
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
  const command = async (cli: string, ...args: string[]) =>
    run(process.execPath, [cli, ...args], { cwd: folder, env: settings });
  const nodes: ServiceNode[] = [];
  const start = async (name: string, cli: string) => {
    const node = await startNode({ name, database, folder, cli, env: settings });
    nodes.push(node);
    return node;
  };
  const closing: (() => Promise<unknown>)[] = [zone.close, drop];
  try {
    must(await command(options.previous, "migrate"));
    const words = ["--json", "--public", "--name", "App", "--redirect-uri", REDIRECT_URI];
    const added = must(await command(options.previous, "clients", "add", ...words));
    const { client_id: clientId }: { client_id: string } = JSON.parse(added.stdout);
    const old = [await start("old 1", options.previous), await start("old 2", options.previous)];
    const balancer = await startBalancer(port, old);
    closing.unshift(balancer.close);
    const world: World = { issuer, zone, clientId, balancer, state: newState() };
    const load = startLoad(world);
    closing.unshift(load.stop);
    await enrolmentsIn(world, "before");
    world.state.phase = "migrating";
    const migrations = await Promise.all(
      Array.from({ length: MIGRATIONS_AT_ONCE }, () => command(CLI, "migrate")),
    );
    for (const statement of options.planted ?? []) await onDatabase(database, statement);
    await enrolmentsIn(world, "old nodes");
    const fresh = await start("new", CLI);
    balancer.use([...old, fresh]);
    await enrolmentsIn(world, "both");
    balancer.use([fresh]);
    for (const node of old) await node.end("SIGTERM");
    await enrolmentsIn(world, "new node");
    const operations = await load.stop();
    const seeded = { clientId, grants: load.grants };
    const last = await askAgain(seeded, operations, async () => fresh);
    return { ...world.state, operations: [...operations, ...last], migrations };
  } finally {
    for (const close of closing.splice(0, closing.length - 2)) await close();
    for (const node of nodes) await node.end("SIGKILL");
    for (const close of closing) await close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What happened as one line of figures. */
export function summary({ operations, enrolled, failures, repeated }: UpgradeLoad): string {
  const acknowledged = operations.filter(({ outcome }) => outcome === "ok").length;
  const each = PHASES.map((phase) => `${enrolled[phase]} ${phase}`).join(", ");
  return [
    `${operations.length} requests of apps, ${acknowledged} acknowledged; enrolments: ${each};`,
    `${failures.length} failures, ${repeated} forms sent again`,
  ].join(" ");
}

function newState(): World["state"] {
  const enrolled = { before: 0, migrating: 0, "old nodes": 0, both: 0, "new node": 0 };
  return { phase: "before", isOver: false, enrolled, failures: [], repeated: 0, domains: 0 };
}

/** Begins a phase. Resolves when enough set-ups that began in it have ended, well or not. */
async function enrolmentsIn({ state }: World, phase: Phase): Promise<void> {
  state.phase = phase;
  const { failures } = state;
  const before = failures.length;
  while (state.enrolled[phase] + failures.length - before < ENROLMENTS) await sleep(PAUSE);
}

/** People who enrol and sign in again and again, and apps that use the codes. */
function startLoad(world: World) {
  const { state, clientId, balancer } = world;
  const grants: { name: string; code: string }[] = [];
  const lives: Lives[] = [];
  const node = async () => balancer.next();

  function use(code: string): void {
    const grant = { name: `grant ${grants.length}`, code };
    grants.push(grant);
    const setup = { clients: 1, node, random: Math.random };
    lives.push(startLives({ clientId, grants: [grant] }, setup));
  }

  async function live(): Promise<void> {
    while (!state.isOver) {
      const domain = domainAt(state.domains++);
      const agent = createUserAgent();
      const { phase } = state;
      try {
        use(await codeFor(world, agent, domain));
        if (state.phase === phase) state.enrolled[phase]++;
        for (let left = SIGN_INS; left > 0 && !state.isOver; left--) {
          use(await codeFor(world, agent, domain));
        }
      } catch (cause) {
        state.failures.push(`${phase}, ${domain}: ${String(cause).slice(0, 500)}`);
      }
    }
  }

  const people = Array.from({ length: PEOPLE }, live);
  return {
    grants,
    async stop(): Promise<Operation[]> {
      state.isOver = true;
      await Promise.all(people);
      await Promise.all(lives.map((one) => one.stop()));
      return lives.flatMap(({ operations }) => operations);
    },
  };
}

/** Signs in, with a set-up if the domain has no account yet. Throws at an error other than 503. */
async function codeFor(world: World, agent: UserAgent, domain: string): Promise<string> {
  const client = { id: world.clientId, secret: null, redirectUri: REDIRECT_URI };
  const stopAt = REDIRECT_URI;
  let page = await agent.open(authorizationUrl(world, client, CHALLENGE), { stopAt });
  for (let pages = 0; !page.stopped; pages++) {
    if (pages > MAX_PAGES) throw new Error(`no end at ${page.step}`);
    const next = await answerPage(world, agent, page, { domain, stopAt });
    if (next.status === 503) {
      world.state.repeated++;
      await sleep(PAUSE);
    } else page = next;
  }
  const code = new URL(page.url).searchParams.get("code");
  if (code === null) throw new Error(`no code: ${page.url}`);
  return code;
}

function domainAt(index: number): string {
  return `d${index}.${ZONE}`;
}

function must(result: CommandResult): CommandResult {
  if (result.status !== 0) throw new Error(`status ${result.status}: ${result.stderr}`);
  return result;
}

// A service as a process, its database, and grants of both kinds of client.

import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlEvidence } from "../../../src/oauth/control-evidence.ts";
import { REDIRECT_URI, seedGrants } from "../../support/seeded-grants.ts";
import { type Broken, type ServiceNode, startNode } from "../node-process.ts";
import { SECRET } from "../seed.ts";
import type { App, Kind, LateGrant } from "./app.ts";
import { type GrantRows, openFileRows, openServerRows } from "./rows.ts";
import { makeSlowDisk, type SlowDisk } from "./slow-disk.ts";

/** A real retry after 36 s gives a node more time than this. */
const SETTLE_MS = 5000;

export interface World {
  readonly node: ServiceNode;
  /** All of them. A retry is sent to another node than the try before, if there is one. */
  readonly nodes: readonly ServiceNode[];
  /** Milliseconds that a node gets before a retry, to write down what it could not write before. */
  readonly settleMs: number;
  readonly rows: GrantRows;
  readonly grants: readonly LateGrant[];
  /** A grant of this kind that no other call returns. */
  take(kind: Kind): LateGrant;
  /** Ends the service, then closes and removes the rest. */
  close(): Promise<void>;
}

export interface FileWorld extends World {
  readonly disk: SlowDisk;
  /** How often the thread that writes has died. Only if `broken` kills it. */
  deaths(): number;
  /** Stops the service as an operator does, and starts it again. */
  restart(): Promise<void>;
}

/** On a SQLite file. `grants` is their number. */
export async function startFileWorld(options: {
  grants: number;
  broken?: Broken;
}): Promise<FileWorld> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-late-"));
  try {
    const path = join(folder, "store.db");
    const database = `sqlite:${path}`;
    const grants = await seedBoth(database, options.grants);
    const disk = makeSlowDisk(folder);
    const { broken } = options;
    const start = () => startNode({ name: "node", database, folder, broken, env: disk.env });
    let node = await start();
    const rows = openFileRows(path);
    return {
      ...{ settleMs: 0, rows, grants, disk, take: taker(grants) },
      get node() {
        return node;
      },
      get nodes() {
        return [node];
      },
      deaths: () => linesOf(join(folder, "deaths")),
      async restart() {
        await node.end("SIGTERM");
        node = await start();
      },
      async close() {
        await node.end("SIGKILL");
        await rows.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
}

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

export interface ServerWorld extends World {
  /** A second node on the same database. */
  readonly other: ServiceNode;
}

/** Two nodes on a PostgreSQL server. The first one may reach it by another URL. */
export async function startServerWorld(
  url: string,
  count: number,
  { firstUrl = url } = {},
): Promise<ServerWorld> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-late-"));
  const grants = await seedBoth(url, count);
  const node = await startNode({ name: "node", database: firstUrl, folder });
  const other = await startNode({ name: "other", database: url, folder });
  const rows = await openServerRows(url);
  return {
    ...{ node, other, nodes: [node, other], rows, grants, take: taker(grants) },
    settleMs: SETTLE_MS,
    async close() {
      await Promise.all([node.end("SIGKILL"), other.end("SIGKILL")]);
      await rows.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Grants of a public and of a confidential client by turns. */
async function seedBoth(database: string, count: number): Promise<LateGrant[]> {
  const grantsOf = async (kind: Kind) => {
    const seeded = await seedGrants({
      ...{ database, secret: SECRET, count: Math.ceil(count / 2) },
      ...{ client: { type: kind }, durable: false },
      evidence: evidenceAt(Math.floor(Date.now() / 1000)),
    });
    const app: App = { kind, clientId: seeded.clientId, clientSecret: seeded.clientSecret };
    return seeded.codes.map((code, index) => ({ name: `${kind} ${index}`, code, app }));
  };
  const ofPublic = await grantsOf("public");
  const ofConfidential = await grantsOf("confidential");
  return ofPublic.flatMap((grant, index) => [grant, ...ofConfidential.slice(index, index + 1)]);
}

function taker(grants: readonly LateGrant[]): World["take"] {
  const left = [...grants];
  return (kind) => {
    const place = left.findIndex(({ app }) => app.kind === kind);
    const [grant] = place < 0 ? [] : left.splice(place, 1);
    if (grant === undefined) throw new Error(`no grant of a ${kind} client is left`);
    return grant;
  };
}

/** As the service stores it with each code, for `validation_data`. */
function evidenceAt(now: number): ControlEvidence {
  return {
    ...{ v: 2, domain: "alice.test", domain_since: now, sp: "http://localhost:8080" },
    ...{ acct: "a".repeat(22), redirect_uri: REDIRECT_URI, nonce: "a nonce" },
    dns: { status: "corroborated", checked_at: now, resolvers: 3 },
  };
}

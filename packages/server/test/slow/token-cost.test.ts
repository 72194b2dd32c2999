// What tokens for APIs cost: processor time of a refresh with a resource beside one without, and of an introspection
// beside the least that a server does. With FORMER_CLI, the path of an older build, also of a refresh there.

import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { command } from "../support/command.ts";
import { fixture } from "../support/fixture.ts";
import { least, startBareServer } from "../support/load/bare.ts";
import { startLoad } from "../support/load/load.ts";
import { type ServedWorld, startServedWorld } from "../support/load/served-world.ts";
import { refresh } from "../support/sign-in.ts";

const ROUNDS = Number(process.env.COST_ROUNDS ?? 5);
const GRANTS = 8;
/** Of each grant in a round. */
const ROTATIONS = 50;
const REQUESTS = 600;
/** Until the code of a process is compiled for speed. */
const WARM_UP = 6000;
const AT_ONCE = { connections: 4, pipelined: 5 };
const RESOURCE = "https://notes.example/api";
/** The goal is 0.45; a shared machine gets some slack. */
const LEAST_OF_OPAQUE = 0.35;
const REPORT = fileURLToPath(new URL("../../../../test-results/", import.meta.url));

const world = fixture(startServedWorld);
const load = fixture(async () => startLoad());
const bare = fixture(() => startBareServer(load, AT_ONCE));
let former: ServedWorld | null = null;
let credentials: string;
beforeAll(async () => {
  const cli = process.env.FORMER_CLI;
  former = cli === undefined ? null : await startServedWorld({ cli });
  const { folder } = world.at;
  const { stdout } = await command(
    ["resources", "add", RESOURCE, "--json", "--name", "Notes", "--scope", "notes:read=Read"],
    { folder },
  );
  const { client_id, client_secret } = JSON.parse(stdout);
  credentials = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
});
afterAll(() => former?.close());

interface Grant {
  refreshToken: string;
  accessToken: string;
}

async function signedIn(of: ServedWorld, more: Record<string, string>): Promise<Grant[]> {
  const grants: Grant[] = [];
  for (let index = 0; index < GRANTS; index++) {
    const domain = `${"resource" in more ? "r" : "o"}${index}.alice.test`;
    const body = await of.signIn(domain, { parameters: more });
    grants.push(grantIn(body));
  }
  return grants;
}

function grantIn(body: Record<string, unknown>): Grant {
  return { refreshToken: String(body.refresh_token), accessToken: String(body.access_token) };
}

/** Microseconds of processor time of one refresh. The refreshes of a grant follow one another. */
async function costOfRefresh(of: ServedWorld, grants: Grant[]): Promise<number> {
  const before = await of.usage();
  await Promise.all(
    grants.map(async (_, index) => {
      for (let count = 0; count < ROTATIONS; count++) {
        const { status, body } = await of.token(refresh(grants[index]?.refreshToken ?? ""));
        if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
        grants[index] = grantIn(body);
      }
    }),
  );
  return (((await of.usage()).cpuMs - before.cpuMs) * 1000) / (GRANTS * ROTATIONS);
}

/** Microseconds of processor time of one introspection of a live token by its resource. */
async function costOfIntrospection(token: string): Promise<number> {
  const request = {
    method: "POST",
    path: "/oauth/introspect",
    headers: { authorization: credentials, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ token }).toString(),
  };
  const before = await world.usage();
  const { statuses } = await load.run({
    ...{ port: world.port, requests: [request], count: REQUESTS },
    ...AT_ONCE,
  });
  expect(statuses).toEqual({ 200: REQUESTS });
  return (((await world.usage()).cpuMs - before.cpuMs) * 1000) / REQUESTS;
}

test("a refresh with a resource costs at most three times one without", async () => {
  const scope = "openid offline_access notes:read";
  const opaque = await signedIn(world, {});
  const jwt = await signedIn(world, { resource: RESOURCE, scope });
  expect([opaque[0]?.accessToken.split(".").length, jwt[0]?.accessToken.split(".").length]).toEqual(
    [1, 3],
  );
  const before = former && (await signedIn(former, {}));
  await bare.cost(WARM_UP);
  const costs = { bare: [], opaque: [], jwt: [], introspection: [], former: [] } as Record<
    "bare" | "opaque" | "jwt" | "introspection" | "former",
    number[]
  >;
  // The first round is a warm-up. In turns, so that other load on the machine hits all kinds.
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      bare: await bare.cost(REQUESTS),
      opaque: await costOfRefresh(world, opaque),
      former: former && before ? await costOfRefresh(former, before) : Number.NaN,
      jwt: await costOfRefresh(world, jwt),
      introspection: await costOfIntrospection(jwt[0]?.accessToken ?? ""),
    };
    if (round === 0) continue;
    for (const [name, us] of Object.entries(measured)) costs[name as keyof typeof costs].push(us);
  }
  const us = Object.fromEntries(Object.entries(costs).map(([name, all]) => [name, least(all)]));
  const { bare: floor = 0, opaque: plain = 0, jwt: signed = 0, introspection = 0 } = us;
  const ratios = {
    "refresh, of bare": floor / plain,
    "refresh with a resource, of the refresh": plain / signed,
    "introspection, of bare": floor / introspection,
    ...(former && { "refresh, of the former build": (us.former ?? 0) / plain }),
  };
  console.log(JSON.stringify({ us, ratios }, null, 1));
  mkdirSync(REPORT, { recursive: true });
  writeFileSync(`${REPORT}token-cost.json`, JSON.stringify({ us, ratios }, null, 1));
  expect(ratios["refresh with a resource, of the refresh"]).toBeGreaterThan(LEAST_OF_OPAQUE);
}, 900_000);

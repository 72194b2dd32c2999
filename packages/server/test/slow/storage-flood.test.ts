// What one hostile address, and one /48, can cause to be stored in a room of their own, and how long it takes to remove.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openSqlite } from "../../src/database/sqlite.ts";
import { sha256 } from "../../src/lib/random.ts";
import { cleanUp, UNPROVEN_TABLES } from "../../src/store/clean-up.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl } from "../support/sign-in.ts";

/** By the clock of the service: what is stored for an hour has come to rest. */
const MINUTES = Number(process.env.FLOOD_MINUTES ?? 80);
const PAGES_PER_MINUTE = 100;
/** Half of it is for pending sign-ins. */
const ROOM_OCTETS = 20_000_000;
/** Below domains of strangers, whose lookups have limits too. */
const DOMAINS = ["alice.test", "bob.test", "carol.test"];
const MOST_OCTETS = ROOM_OCTETS;

let folder = "";
let at: TestService;
afterEach(async () => {
  await at.close();
  rmSync(folder, { recursive: true });
});

/** Text that does not compress. */
function noise(seed: string, octets: number): string {
  let text = "";
  while (text.length < octets) text += sha256(seed + text);
  return text.slice(0, octets);
}

/** Begins sign-ins; how many. */
async function beginSignIns(client: TestClient, address: () => string, minute: number) {
  let begun = 0;
  for (let count = 0; count < PAGES_PER_MINUTE; count++) {
    const name = `${minute}-${count}`;
    const parameters = { state: noise(name, 1700), padding: noise(`${name} `, 8000) };
    const query = authorizationUrl(at, client, parameters).split("?")[1];
    const request = new Request(`${at.issuer}/sign-in?${query}`, {
      method: "POST",
      headers: { origin: at.issuer, "x-forwarded-for": address() },
      body: new URLSearchParams({ domain: `n${name}.${DOMAINS[count % DOMAINS.length]}` }),
    });
    const { status } = await at.service.fetch(request, { clientAddress: "127.0.0.1" });
    if (status === 303) begun++;
    // Anything else is a lookup that was refused: nothing is stored.
    else expect(status).toBe(503);
  }
  return begun;
}

const rowsAndOctets = async (path: string) => {
  const engine = openSqlite(path);
  try {
    await engine.execute("PRAGMA wal_checkpoint(TRUNCATE)", []);
    const [row] = await engine.execute("SELECT count(*) AS rows FROM interactions", []);
    return { rows: Number(row?.rows), octets: statSync(path).size };
  } finally {
    await engine.close();
  }
};

let hosts = 0;
const ADDRESSES: readonly [kind: string, next: () => string][] = [
  ["an IPv4 address", () => "192.0.2.1"],
  ["an IPv6 /48", () => `2001:db8:7:${(++hosts % 65_536).toString(16)}::1`],
];

test.each(ADDRESSES)(
  "%s stores at most what its room holds, and all of it is removed",
  async (_, address) => {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-flood-"));
    const path = join(folder, "store.db");
    const limits = { unprovedRows: ROOM_OCTETS };
    // Questions to name servers have a limit by the minute, and the minutes of this test are short.
    at = await startTestService({
      database: `sqlite:${path}`,
      config: { limits, zoneNameServers: "off" },
    });
    const client = await at.addClient();
    const before = await rowsAndOctets(path);
    const began = Math.floor(Date.now() / 1000);
    let now = began;
    const [pauses, cleaning] = [{ count: 0 }, { cpuMs: 0, removed: 0 }];
    const clean = async () => {
      const start = process.cpuUsage();
      // The service notes how long it has run.
      await (await fetch(`${at.issuer}/readyz`)).text();
      const time = () => ({ before: now, ran: now - began });
      const deps = { store: at.store.cleanUp, time };
      for (const table of UNPROVEN_TABLES) {
        cleaning.removed += await cleanUp(table, deps, async () => void pauses.count++);
      }
      const { user, system } = process.cpuUsage(start);
      cleaning.cpuMs += (user + system) / 1000;
    };
    let begun = 0;
    let most = { rows: 0, octets: 0 };
    for (let minute = 0; minute < MINUTES; minute++) {
      begun += await beginSignIns(client, address, minute);
      at.advance(60);
      now += 60;
      await clean();
      if (minute % 10 !== 9) continue;
      const found = await rowsAndOctets(path);
      most = { rows: Math.max(most.rows, found.rows), octets: Math.max(most.octets, found.octets) };
    }
    now += 2 * 3600;
    for (let walks = 0; walks < 20; walks++) await clean();
    const after = await rowsAndOctets(path);
    console.log(
      JSON.stringify({
        ...{ minutes: MINUTES, begun, most, left: after.rows, removed: cleaning.removed },
        cleaning_us_per_row: Math.round((cleaning.cpuMs * 1000) / Math.max(1, cleaning.removed)),
        steps: pauses.count,
      }),
    );
    // Half of them would not fit.
    expect(begun).toBeGreaterThan(6000);
    expect(most.octets - before.octets).toBeLessThan(MOST_OCTETS);
    expect(after.rows).toBe(0);
  },
);

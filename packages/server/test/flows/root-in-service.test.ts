// The service asks its own resolvers for the signature of the DNS root, and no clock of its own has a part in that.

import { parseTrustAnchor } from "domain-signin-verify";
import { expect, onTestFinished, test } from "vitest";
import { sqlOf } from "../../src/database/rows.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { createService } from "../../src/service.ts";
import { floorStore } from "../../src/store/floor.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { temporaryFolder } from "../support/folder.ts";
import { logTo } from "../support/log-run.ts";
import { makeRootWorld } from "../support/root-world.ts";
import { TEST_SECRET } from "../support/service.ts";
import { withSqlite } from "../support/sqlite-file.ts";
import { makeTestKey } from "../support/test-keys.ts";

const HOUR = 3600;
const ISSUER = "https://auth.example.org";
const folder = temporaryFolder();

test.each([
  ["this year", 0, 200, /^certain$/],
  [
    "2100",
    74 * 366 * 86_400,
    503,
    /^the clock says 2\d{3}-.*, and the newest signature .* of 20[2-4]\d-/,
  ],
])("a machine that says %s", async (_, ahead, status, told) => {
  const now = Math.floor(Date.now() / 1000);
  const root = await makeRootWorld([], now - HOUR);
  const dns = await root.serve();
  onTestFinished(dns.close);
  const path = folder.file(`${ahead}.db`);
  const service = createService(
    {
      ...{ issuer: ISSUER, database: `sqlite:${path}`, secret: TEST_SECRET },
      ...{ dnsServers: [`127.0.0.1:${dns.port}`], trustAnchors: [parseTrustAnchor(root.anchor)] },
      ...{ minAssurance: "single", allowedSpecialNames: ["test"] },
    },
    {
      ...{ makeKey: makeTestKey, events: jsonEvents(logTo("a node")) },
      clock: clockFrom(
        () => Date.now() + ahead * 1000,
        () => performance.now(),
      ),
    },
  );
  await service.ready();
  const answer = async () => {
    const response = await service.fetch(new Request(`${ISSUER}/readyz`));
    const body = (await response.json()) as Record<string, string>;
    return `${response.status} ${body.reason ?? body.clock}`;
  };
  await expect
    .poll(answer, { timeout: 60_000 })
    .toMatch(new RegExp(`^${status} ${told.source.slice(1)}`));
  await service.close();
  const floor = await withSqlite(path, (engine) => floorStore(sqlOf(engine)).readFloor());
  expect(Math.abs(floor.seconds - now)).toBeLessThan(2 * HOUR);
});

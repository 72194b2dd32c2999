// The service as a process whose clock a drill sets, by lines of JSON on its standard input.

import { createInterface } from "node:readline";
import { setTimeout as timeout } from "node:timers/promises";
import { serve } from "@hono/node-server";

/** Work in the background is due so much sooner. */
const FASTER = 20;

const { DOMAIN_SIGNIN_ISSUER, DOMAIN_SIGNIN_DATABASE, DOMAIN_SIGNIN_SECRET, DRILL_SERVICE } =
  process.env;
/** Of this version, or of an earlier one. */
const { createService } = await import(DRILL_SERVICE ?? "domain-signin");
const broken = process.argv[2];
let aheadMs = 0;
const milliseconds = () => Date.now() + aheadMs;
const seconds = () => Math.floor(milliseconds() / 1000);
const monotonic = () => performance.now();
const clock = { milliseconds, seconds, monotonic, boot: monotonic, floor: seconds, slack: () => 0 };

/** The DNS root is signed now, by the right time: so the floor is where it is after an hour of running. */
const rootLook = async () => {
  const inception = Math.floor(Date.now() / 1000);
  return { inception, expiration: inception + 13 * 86_400, unknownKeys: [] };
};

/** Broken: what the disk refuses is acknowledged. */
const acknowledging = (engine) => ({
  ...engine,
  async execute(statement, parameters, options) {
    try {
      return await engine.execute(statement, parameters, options);
    } catch (cause) {
      const text = typeof statement === "string" ? statement : statement.sql;
      if (!text.includes("generation = generation + 1")) throw cause;
      const read = "SELECT * FROM grants WHERE id = ?1";
      const [row] = await engine.execute(read, [parameters[0]]);
      const [, , , , rotatedAt, refreshExpiresAt] = parameters;
      return [
        {
          ...row,
          generation: row.generation + 1,
          rotated_at: rotatedAt,
          refresh_expires_at: refreshExpiresAt,
        },
      ];
    }
  },
});

const service = createService(
  {
    issuer: DOMAIN_SIGNIN_ISSUER,
    database: DOMAIN_SIGNIN_DATABASE,
    secret: DOMAIN_SIGNIN_SECRET,
    // Nobody is there: DNS is dead for the whole drill.
    dnsServers: ["127.0.0.1:9"],
    minAssurance: "single",
    allowedSpecialNames: ["test"],
  },
  {
    clock,
    rootLook,
    sleep: (ms, signal) => timeout(ms / FASTER, undefined, { signal, ref: false }),
    ...(broken === "disk" && { instrument: acknowledging }),
  },
);
await service.ready();
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  aheadMs = JSON.parse(line).ahead * 1000;
});
const fetch = (request) => service.fetch(request, { clientAddress: "127.0.0.1" });
const server = serve({ fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ port, pid: process.pid })}\n`);
});
process.on("SIGTERM", async () => {
  // Not by an exit: libsql closes its files when the process ends by itself.
  lines.close();
  process.stdin.destroy();
  server.close();
  server.closeAllConnections();
  await service.close();
});

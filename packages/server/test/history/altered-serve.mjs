// The service as a process, with one of its promises broken, for tests that must go red, or with its thread killed.

import { appendFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { createService } from "domain-signin";

/** A start that cannot write fails, and the next one may succeed. */
let isServing = false;

const BREAKS = {
  // A code that was redeemed can be redeemed again.
  generation: (engine) => {
    const careless = (text) => text.replace("AND generation = 0 ", "");
    const altered = new Map();
    const alter = (statement) => {
      if (typeof statement === "string") return careless(statement);
      if (!altered.has(statement)) {
        const { sqlite, postgres } = statement.ofMany;
        const ofMany = { sqlite: sqlite && careless(sqlite), postgres: careless(postgres) };
        altered.set(statement, { ...statement, sql: careless(statement.sql), ofMany });
      }
      return altered.get(statement);
    };
    return {
      ...engine,
      execute: (statement, ...rest) => engine.execute(alter(statement), ...rest),
      commit: (writes, ...rest) =>
        engine.commit(
          writes.map((write) => ({ ...write, statement: alter(write.statement) })),
          ...rest,
        ),
    };
  },
  // Writes that belong together commit one by one.
  joined: (engine) => ({
    ...engine,
    commit: async (writes, ...rest) => {
      const rows = [];
      for (const { statement, parameters, when } of writes) {
        const found = await engine.execute(statement, parameters, ...rest);
        if (when && found.length === 0) return null;
        rows.push(found);
      }
      return rows;
    },
  }),
  // SQLite acknowledges before the disk has it.
  synchronous: (engine) => {
    engine.execute("PRAGMA synchronous = NORMAL", []).catch(() => process.exit(1));
    return engine;
  },
  // The thread that writes dies again and again. A line in the file `deaths` counts each of them.
  thread: (engine) => killThreads(engine, 0),
  // Most threads die before they have written anything, so that many outcomes stay unknown.
  "young-thread": (engine) => killThreads(engine, 0.85),
};

/** The share `young` of the threads dies before it has written anything. */
function killThreads(engine, young) {
  process.on("worker", (worker) => {
    let kill;
    const die = () => {
      if (isServing) worker.postMessage("no request");
    };
    // From when the thread has opened the file: on a slow machine, it would otherwise die before it has written.
    worker.once("message", () => {
      if (Math.random() < young) die();
      kill = setInterval(die, 20 + Math.random() * 100);
    });
    worker.once("exit", () => {
      clearInterval(kill);
      appendFileSync("deaths", "one\n");
    });
  });
  return engine;
}

const { DOMAIN_SIGNIN_ISSUER, DOMAIN_SIGNIN_DATABASE, DOMAIN_SIGNIN_SECRET } = process.env;
const service = createService(
  {
    issuer: DOMAIN_SIGNIN_ISSUER,
    database: DOMAIN_SIGNIN_DATABASE,
    secret: DOMAIN_SIGNIN_SECRET,
    dnsServers: ["127.0.0.1:9"],
    minAssurance: "single",
    allowedSpecialNames: ["test"],
  },
  { instrument: BREAKS[process.argv[2]] },
);
await service.ready();
const fetch = (request) => service.fetch(request, { clientAddress: "127.0.0.1" });
serve({ fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  isServing = true;
  process.stdout.write(`${JSON.stringify({ port, pid: process.pid })}\n`);
});

// The thread that writes dies under load, again and again: nothing that was acknowledged is lost, or happens twice.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { check } from "../checker.ts";
import { askAgain, startLives } from "../lives.ts";
import { startNode } from "../node-process.ts";
import { seed } from "../seed.ts";

const DEATHS = Number(process.env.THREAD_DEATHS ?? 50);
const CLIENTS = 12;
/** More than are used up before a death. */
const CODES = 60;

const folder = mkdtempSync(join(tmpdir(), "domain-signin-deaths-"));
afterAll(() => rmSync(folder, { recursive: true }));

function deaths(): number {
  try {
    return readFileSync(join(folder, "deaths"), "utf8").split("\n").length - 1;
  } catch {
    return 0;
  }
}

test(`after ${DEATHS} deaths of the thread under load nothing acknowledged is lost`, async () => {
  const database = `sqlite:${join(folder, "store.db")}`;
  const seeded = await seed(database, CODES * DEATHS);
  const node = await startNode({ name: "mortal", database, folder, broken: "thread" });
  try {
    const now = async () => node;
    const lives = startLives(seeded, { clients: CLIENTS, node: now, random: Math.random });
    while (deaths() < DEATHS) await sleep(20);
    await lives.stop();
    const operations = [...lives.operations, ...(await askAgain(seeded, lives.operations, now))];
    const acknowledged = operations.filter(({ outcome }) => outcome === "ok").length;
    const refused = operations.filter(({ status }) => status >= 500).length;
    console.log(
      `${deaths()} deaths, ${operations.length} requests, ${acknowledged} acknowledged, ${refused} got 503`,
    );
    expect(check(operations)).toEqual([]);
    expect(acknowledged).toBeGreaterThan(DEATHS);
    expect(new Set(operations.map(({ status }) => status)).has(500)).toBe(false);
  } finally {
    await node.end("SIGKILL");
  }
});

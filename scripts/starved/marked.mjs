// Ends the processes that have a folder in their environment, also those whose parents have ended.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { signal } from "./quota.mjs";

/** How long processes may take to end after SIGKILL, in turns. */
const [TURNS, TURN_MS] = [500, 20];

/** Ends every process whose temporary folder is `folder` or in `folder`. */
export async function endMarked(folder) {
  for (let turn = 0; turn < TURNS; turn++) {
    const pids = marked(folder);
    if (pids.length === 0) return;
    for (const pid of pids) signal(pid, "SIGKILL");
    await sleep(TURN_MS);
  }
}

/** Only Linux tells the environment of other processes. */
function marked(folder) {
  return processIds().filter((pid) => {
    if (pid === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TMPDIR=${folder}`);
    } catch {
      // It has ended, or belongs to another user.
      return false;
    }
  });
}

function processIds() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

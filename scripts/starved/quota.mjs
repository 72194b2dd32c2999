// Ways to give programs a tenth of one processor: a control group of version 1 or 2, or signals.

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Microseconds of processor time in each period. */
const [QUOTA_US, PERIOD_US] = [10_000, 100_000];
const PREFIX = "domain-signin-starved-";
/** The share that a program may get before a way counts as one that does not work: the kernel rounds. */
const MOST = 0.4;
/** Prints the share of a processor that it got in a second. */
const PROBE = `
  const begun = performance.now();
  while (performance.now() - begun < 1000);
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1000 / (performance.now() - begun));`;
/** How long the kernel may take to let go of a group whose processes were killed. */
const REMOVAL_TRIES = 500;

/** Kept here, because a signal may end the run before `findWay` has returned. */
const opened = new Set();

/**
 * The first way that works here; null if there is none. Its `spawn` starts a program under the quota, in a process group
 * of the program's own.
 */
export async function findWay() {
  for (const open of [...cgroups().map((group) => () => cgroupWay(group)), signalWay]) {
    const way = open();
    if (way === null) continue;
    opened.add(way);
    const share = await probe(way);
    if (share > 0 && share < MOST) return way;
    await way.close();
    opened.delete(way);
  }
  return null;
}

/** Kills what is left of the programs, and removes the control groups. */
export async function closeWays() {
  for (const way of opened) await way.close();
}

/** The share of a processor that a program gets under the quota; NaN if the program failed. */
async function probe(way) {
  const child = way.spawn(process.execPath, ["-e", PROBE], { stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => {
    child.once("error", resolve);
    child.once("close", resolve);
  });
  return Number.parseFloat(output);
}

/** Control groups in which a group can be made: that of this process, then the outermost. */
function cgroups() {
  return mounts().flatMap(({ folder, version }) => {
    const own = readText("/proc/self/cgroup")
      .split("\n")
      .map((line) => line.split(":"));
    const isOwn = ([, controllers]) =>
      version === 2 ? controllers === "" : controllers?.split(",").includes("cpu");
    const [, , path = "/"] = own.find(isOwn) ?? [];
    return [...new Set([join(folder, path), folder])].map((parent) => ({ parent, version }));
  });
}

/** Where the controller of the processor is mounted: version 1 first. */
function mounts() {
  const all = readText("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" "));
  const first = all
    .filter(([, , type, options]) => type === "cgroup" && options.split(",").includes("cpu"))
    .map(([, folder]) => ({ folder, version: 1 }));
  const second = all
    .filter(([, , type]) => type === "cgroup2")
    .map(([, folder]) => ({ folder, version: 2 }));
  return [...first, ...second];
}

/** Each program gets a group of its own. Null where groups cannot be made or have no quota. */
function cgroupWay({ parent, version }) {
  const folders = [];
  function makeGroup() {
    const folder = join(parent, `${PREFIX}${process.pid}-${folders.length}`);
    mkdirSync(folder);
    folders.push(folder);
    if (version === 2) return limitGroup(folder, { "cpu.max": `${QUOTA_US} ${PERIOD_US}` });
    return limitGroup(folder, { "cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": QUOTA_US });
  }
  try {
    removeLeftovers(parent);
    rmdirSync(makeGroup());
  } catch {
    for (const folder of folders) rmdirSync(folder);
    return null;
  }
  return {
    name: `a control group of version ${version}`,
    spawn(program, args, options) {
      const enter = 'echo $$ >"$0" && exec "$@"';
      const shell = ["-c", enter, join(makeGroup(), "cgroup.procs"), program, ...args];
      return spawn("/bin/sh", shell, { ...options, detached: true });
    },
    async close() {
      for (const folder of folders) await removeGroup(folder);
    },
  };
}

function limitGroup(folder, limits) {
  for (const [file, value] of Object.entries(limits)) writeFileSync(join(folder, file), `${value}`);
  return folder;
}

/** The group may have processes, and those may start others until they are killed. */
async function removeGroup(folder) {
  for (let tries = REMOVAL_TRIES; ; tries--) {
    killAll(folder);
    try {
      return rmdirSync(folder);
    } catch (error) {
      if (error.code === "ENOENT") return;
      if (tries === 0) throw error;
    }
    await sleep(20);
  }
}

function killAll(folder) {
  for (const pid of readText(join(folder, "cgroup.procs")).split("\n").filter(Boolean)) {
    signal(Number(pid), "SIGKILL");
  }
}

/** The groups of runs that were killed before they could remove their groups. */
function removeLeftovers(parent) {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const [pid] = name.slice(PREFIX.length).split("-");
    if (signal(Number(pid), 0)) continue;
    killAll(join(parent, name));
    try {
      rmdirSync(join(parent, name));
    } catch {
      // The processes have not ended yet: the next run removes the group.
    }
  }
}

/** Stops the process groups of the programs for nine tenths of each period. */
function signalWay() {
  const groups = new Set();
  const toAll = (name) => {
    for (const pid of groups) signal(-pid, name);
  };
  let isTurning = false;
  async function turn() {
    if (isTurning) return;
    isTurning = true;
    while (groups.size > 0) {
      toAll("SIGCONT");
      await sleep(QUOTA_US / 1000);
      toAll("SIGSTOP");
      await sleep((PERIOD_US - QUOTA_US) / 1000);
    }
    isTurning = false;
  }
  return {
    name: "SIGSTOP and SIGCONT",
    spawn(program, args, options) {
      const child = spawn(program, args, { ...options, detached: true });
      const { pid } = child;
      if (pid === undefined) return child;
      groups.add(pid);
      child.once("exit", () => {
        // What the program has started and left must not stay stopped.
        signal(-pid, "SIGCONT");
        groups.delete(pid);
      });
      void turn();
      return child;
    },
    async close() {
      toAll("SIGKILL");
      groups.clear();
    },
  };
}

/** Whether the process or the process group existed. */
export function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

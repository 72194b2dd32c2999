// Watches for what a test file leaves behind: processes, ports, connections, files and timers.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const POLL_MS = 20;
const PREFIX = "domain-signin-test-";

/** Those of `process._getActiveHandles()`: each keeps the process alive. */
type Handle = Readonly<Record<string, unknown>>;

export interface LeakWatch {
  /** The folder that `os.tmpdir()` names while the watch lasts. */
  readonly folder: string;
  /** Ends the watch; resolves to what is still open after `closingMs`, a sentence each. */
  end(closingMs: number): Promise<string[]>;
}

/**
 * Begins a watch. What is open by then is nobody's leak. The folder for temporary files is a new one,
 * and its path in the environment marks every process that is started meanwhile.
 */
export function watchForLeaks(): LeakWatch {
  const openBefore = new Set(openHandles());
  const timers = trackedTimers();
  timers.forget();
  const former = outermost(process.env.TMPDIR);
  const folder = mkdtempSync(join(outermost(tmpdir()), PREFIX));
  process.env.TMPDIR = folder;

  function findings(): string[] {
    const handles = openHandles().filter((handle) => !openBefore.has(handle));
    const files = readdirSync(folder).map((name) => `the file $TMPDIR/${name}`);
    const processes = processesMarked(`TMPDIR=${folder}`);
    return [...handles.map(describeHandle), ...processes, ...timers.running(), ...files];
  }

  return {
    folder,
    async end(closingMs) {
      if (former === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = former;
      let left = findings();
      // Pauses are counted, because closing goes on only while this process runs.
      for (let pauses = closingMs / POLL_MS; left.length > 0 && pauses > 0; pauses--) {
        await timers.pause(POLL_MS);
        left = findings();
      }
      rmSync(folder, { recursive: true, force: true });
      return left;
    },
  };
}

/** A watch does not end if all tests of its file are skipped. The path of a socket must stay short. */
function outermost<T extends string | undefined>(path: T): T | string {
  return path?.split(`/${PREFIX}`, 1)[0] ?? path;
}

function openHandles(): Handle[] {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): Handle[] };
  return _getActiveHandles.call(process);
}

function describeHandle(handle: Handle): string {
  const kind = handle.constructor?.name ?? "handle";
  if (Array.isArray(handle.spawnargs)) {
    return `the process ${handle.pid}: ${handle.spawnargs.join(" ").slice(0, 200)}`;
  }
  if (typeof handle.remotePort === "number") {
    return `a connection: port ${handle.localPort} to ${handle.remoteAddress}:${handle.remotePort}`;
  }
  const address = addressOf(handle);
  return address === null ? `a ${kind}` : `the port ${address} (${kind})`;
}

function addressOf(handle: Handle): string | null {
  if (typeof handle.address !== "function") return null;
  try {
    const address: unknown = handle.address();
    if (typeof address === "string") return address;
    const { address: host, port } = (address ?? {}) as { address?: string; port?: number };
    return port === undefined ? null : `${host}:${port}`;
  } catch {
    // A UDP socket that was never bound has none.
    return null;
  }
}

/** Also those whose parent has ended. Only Linux tells the environment of other processes. */
function processesMarked(mark: string): string[] {
  return processIds().flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${mark}\0`)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
      // One that has ended and whose status nobody has read yet has no command.
      return command === "" ? [] : [`the process ${pid}: ${command.slice(0, 200)}`];
    } catch {
      // It has ended, or belongs to another user.
      return [];
    }
  });
}

function processIds(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

interface Timers {
  /** Drops what an earlier file was told of. */
  forget(): void;
  /** Each timer that keeps the process alive, with the line that set it. */
  running(): string[];
  /** Waits without being counted. */
  pause(ms: number): Promise<void>;
}

/** One for each process: it stands in for the two functions that set timers. */
function trackedTimers(): Timers {
  const shared = globalThis as { domainSigninTestTimers?: Timers };
  shared.domainSigninTestTimers ??= trackTimers();
  return shared.domainSigninTestTimers;
}

function trackTimers(): Timers {
  const set = new Map<NodeJS.Timeout, { what: string; where: Error }>();
  const { setTimeout: systemTimeout } = globalThis;
  /** Stands in for a function that sets timers, with its properties (`util.promisify` reads one). */
  function tracking<F extends typeof setTimeout | typeof setInterval>(original: F): F {
    const tracked = (callback: () => void, ms?: number, ...more: []) => {
      const timer = original(callback, ms, ...more);
      if (set.size > 500) prune();
      set.set(timer, { what: `${original.name} of ${ms ?? 0} ms`, where: new Error("set here") });
      return timer;
    };
    return Object.assign(tracked, original) as unknown as F;
  }
  globalThis.setTimeout = tracking(globalThis.setTimeout);
  globalThis.setInterval = tracking(globalThis.setInterval);
  function prune(): void {
    for (const timer of set.keys()) if (!isRunning(timer)) set.delete(timer);
  }
  return {
    forget: () => set.clear(),
    running() {
      prune();
      return [...set.values()].map(({ what, where }) => `a timer: ${what}, ${lineOf(where)}`);
    },
    pause: (ms) => new Promise((resolve) => systemTimeout(resolve, ms)),
  };
}

function isRunning(timer: NodeJS.Timeout): boolean {
  const { _destroyed } = timer as unknown as { _destroyed: boolean };
  return !_destroyed && timer.hasRef();
}

/** The first line of the stack that is not this file. */
function lineOf({ stack = "" }: Error): string {
  const lines = stack.split("\n").slice(1);
  const line = lines.find((text) => !text.includes("/support/leaks.")) ?? "";
  return `set ${line.trim()}`;
}

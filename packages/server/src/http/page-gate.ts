// Says when pages may begin: beside other requests, they get half of the processor time that the thread gets.

import { closeSync, openSync, readSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import type { Gate } from "../lib/fair-queue.ts";

export type PageGate = ReturnType<typeof createPageGate>;

/** Tokens never wait long for pages. */
const SHARE = 0.5;
/** While other requests are answered, and for so long after the last one, pages get only their share. */
const OTHERS_MS = 100;
/** Time that may be saved up while there are few pages. */
const BURST_MS = 100;
/** Reading the processor time costs a few microseconds. */
const STEP_MS = 20;
/** A shorter sample would be dominated by what happens to run in it; a longer one was mostly idle. */
const SAMPLE_MS = { min: 100, max: 1000 };
/** The weight of a sample falls by half in about seven samples. */
const MEMORY = 0.9;
/** Assumed before anything was measured, as if seen so many times. */
const PRIOR = { pageMs: 2, otherMs: 0.5, times: 10 };
/** More than any other request takes, with a commit to a slow disk. */
const MAX_OTHER_MS = 10;
const MIN_PAGE_MS = 0.1;
/** Many pages run at once, because each may wait for DNS. */
const MAX_RUNNING = 2000;

/** Milliseconds since the start of the process. `cpu` is what the thread got of a processor while it was `active`. */
export interface ThreadTimes {
  readonly active: number;
  readonly cpu: number;
}

/**
 * The time that the thread was ready and did not get is nobody's: other processes or a quota took it. So pages get a
 * share of the rest, and a busy machine does not count as many pages. The work of a request is spread over many turns of
 * the event loop and cannot be measured by itself: samples without pages show what other requests cost, and pages
 * account for the rest of all other samples.
 */
export function createPageGate({ share = SHARE, times = threadTimes, now = performanceNow } = {}) {
  let last = { at: now(), ...times() };
  let sample = { ...last, pages: 0, others: 0 };
  let levelMs = BURST_MS;
  /** Of the last step: how much of the time was the thread's. */
  let part = 1;
  let running = 0;
  const others = { open: 0, endedAt: Number.NEGATIVE_INFINITY };
  const page = createAverage(PRIOR.pageMs);
  const other = createAverage(PRIOR.otherMs);

  const isBeside = (at: number) => others.open > 0 || at - others.endedAt < OTHERS_MS;
  const shareAt = (at: number) => (isBeside(at) ? share : Math.max(1, share));

  function step(at: number): void {
    const elapsed = at - last.at;
    if (elapsed < STEP_MS) return;
    const next = { at, ...times() };
    const lost = Math.max(0, next.active - last.active - (next.cpu - last.cpu));
    part = Math.max(0.01, 1 - lost / elapsed);
    levelMs = Math.min(BURST_MS, levelMs + elapsed * part * shareAt(at));
    last = next;
    if (at - sample.at >= SAMPLE_MS.min) measure(next);
  }

  function measure(next: typeof last): void {
    const { pages, others: count, at, cpu } = sample;
    sample = { ...next, pages: 0, others: 0 };
    if (next.at - at > SAMPLE_MS.max) return;
    const usedMs = next.cpu - cpu;
    const otherMs = Math.min(other.value(), MAX_OTHER_MS);
    if (pages > 0) page.add(Math.max(0, usedMs - count * otherMs), pages);
    else if (count > 0) other.add(usedMs, count);
  }

  const gate = {
    waitMs(): number {
      if (running >= MAX_RUNNING) return Number.POSITIVE_INFINITY;
      step(now());
      if (levelMs > 0) return 0;
      return Math.max(STEP_MS, -levelMs / (part * shareAt(last.at)));
    },
    begin(): void {
      running++;
      sample.pages++;
      levelMs -= Math.max(MIN_PAGE_MS, page.value());
    },
    end: () => void running--,
  } satisfies Gate;

  return {
    ...gate,
    /** Another request than for a page begins. */
    beginOther: () => void others.open++,
    endOther(): void {
      others.open--;
      others.endedAt = now();
      sample.others++;
      step(others.endedAt);
    },
    /** A page was refused, which costs as little as another request. */
    countRefusal: () => void sample.others++,
  };
}

/** An average in which older samples count less. */
function createAverage(prior: number) {
  let [total, count] = [prior * PRIOR.times, PRIOR.times];
  return {
    value: () => total / count,
    add(more: number, times: number): void {
      [total, count] = [total * MEMORY + more, count * MEMORY + times];
    },
  };
}

function performanceNow(): number {
  return performance.now();
}

function threadTimes(): ThreadTimes {
  const { active } = performance.eventLoopUtilization();
  return { active, cpu: cpuMs?.() ?? active };
}

/** Null where a thread's processor time cannot be read: then the thread counts as if it got all that it was active. */
const cpuMs = cpuReader();

function cpuReader(): (() => number) | null {
  // Node 20 has no such function.
  const usage = "threadCpuUsage" in process ? process.threadCpuUsage : null;
  if (typeof usage === "function") {
    return () => {
      const { user, system } = usage.call(process) as NodeJS.CpuUsage;
      return (user + system) / 1000;
    };
  }
  // The main thread has the id of the process.
  if (process.platform !== "linux" || !isMainThread) return null;
  try {
    return schedstatReader(openSync(`/proc/self/task/${process.pid}/schedstat`, "r"));
  } catch {
    return null;
  }
}

function schedstatReader(file: number): (() => number) | null {
  const octets = Buffer.alloc(100);
  const read = () =>
    Number.parseInt(octets.toString("latin1", 0, readSync(file, octets, 0, octets.length, 0)), 10) /
    1e6;
  if (Number.isFinite(read())) return read;
  closeSync(file);
  return null;
}

// Estimates how long a page request keeps the event loop busy, from how long it is busy in all.

import { performance as ofProcess } from "node:perf_hooks";

export type RequestCost = ReturnType<typeof createRequestCost>;

const SAMPLE_MS = {
  /** A shorter sample would be dominated by what happens to run in it. */
  min: 100,
  /** A longer one was mostly idle, so it would attribute background work to few requests. */
  max: 1000,
};
/** The weight of a sample falls by half in about seven samples. */
const MEMORY = 0.9;
/** Assumed before anything was measured, as if seen so many times. */
const PRIOR = { pageMs: 2, otherMs: 0.5, times: 10 };
/** More than any other request takes, with a commit to a slow disk. */
const MAX_OTHER_MS = 10;
const MIN_PAGE_MS = 0.1;

/**
 * The work of a request is spread over many turns of the event loop and cannot be measured by itself. So samples
 * without pages show the cost of other requests, and pages account for the rest of all other samples. Where this is
 * wrong, pages seem more expensive than they are, and leave more room for tokens.
 *
 * `busyMs` is how long the event loop has been busy, `now` the time, both in milliseconds. Processor time would leave
 * out the waits for a processor: in a container with half of one, pages would then take everything.
 */
export function createRequestCost({ busyMs = loopBusyMs, now = () => performance.now() } = {}) {
  let counted = { pages: 0, others: 0 };
  let sample = { at: now(), busyMs: busyMs() };
  const page = createAverage(PRIOR.pageMs);
  const other = createAverage(PRIOR.otherMs);

  function measure(): void {
    const [at, { pages, others }] = [now(), counted];
    const elapsedMs = at - sample.at;
    if (elapsedMs < SAMPLE_MS.min) return;
    const totalMs = busyMs();
    const usedMs = totalMs - sample.busyMs;
    sample = { at, busyMs: totalMs };
    counted = { pages: 0, others: 0 };
    if (elapsedMs > SAMPLE_MS.max) return;
    const otherMs = Math.min(other.value(), MAX_OTHER_MS);
    if (pages > 0) page.add(Math.max(0, usedMs - others * otherMs), pages);
    else if (others > 0) other.add(usedMs, others);
  }

  return {
    countPage(): void {
      measure();
      counted.pages++;
    },
    countOther(): void {
      measure();
      counted.others++;
    },
    /** Milliseconds for which a page request is expected to keep the event loop busy. */
    pageMs: () => Math.max(MIN_PAGE_MS, page.value()),
  };
}

/** An average in which older samples count less. */
function createAverage(prior: number) {
  let [total, times] = [prior * PRIOR.times, PRIOR.times];
  return {
    value: () => total / times,
    add(more: number, count: number): void {
      [total, times] = [total * MEMORY + more, times * MEMORY + count];
    },
  };
}

function loopBusyMs(): number {
  return ofProcess.eventLoopUtilization().active;
}

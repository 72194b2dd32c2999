// Counts events for Prometheus, as the table of events specifies.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ShownBudget } from "./budgets.ts";
import { type AnyEventSpec, type AnyFields, type Events, eachEvent } from "./events.ts";

/** DNS lookups time out after 1.7 s. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export type Metrics = ReturnType<typeof createMetrics>;

/** Uses its own registry, so that the counts of two services in one process stay separate. */
export function createMetrics(
  droppedLines: () => number = () => 0,
  limits: () => readonly ShownBudget[] = () => [],
) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countDroppedLines(registry, droppedLines);
  showLimits(registry, limits);
  const measures = eachEvent((_, { counter, histogram, gauge, counted = (fields) => fields }) => {
    const count = counter && countIn(registry, counter);
    const observe = histogram && observeIn(registry, histogram);
    const show = gauge && showIn(registry, gauge);
    return (fields) => {
      count?.(counted(fields));
      observe?.(fields);
      show?.(fields);
    };
  });
  return {
    /** Wraps `events` so that each event is also counted. */
    measured: (events: Events) =>
      eachEvent((name) => (fields) => {
        events[name](fields as never);
        measures[name](fields as never);
      }),
    /** All metrics, including those of the process, in the text exposition format. */
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Not an event: while the log cannot be written, nothing can be logged about it. */
function countDroppedLines(registry: Registry, droppedLines: () => number): void {
  new Counter({
    name: "domain_signin_log_lines_dropped_total",
    help: "Lines of the log that were dropped, because they could not be written.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
}

/** Not events: there may be thousands a second, and what is held changes with each request. */
function showLimits(registry: Registry, limits: () => readonly ShownBudget[]): void {
  const common = { labelNames: ["budget"], registers: [registry] };
  for (const [value, help] of [
    ["held", "What is held of a limit, in its unit."],
    ["capacity", "How much a limit can hold."],
  ] as const) {
    new Gauge({
      ...{ name: `domain_signin_limit_${value}`, help, ...common },
      collect() {
        for (const limit of limits()) this.set({ budget: limit.budget }, limit[value]);
      },
    });
  }
  for (const [value, help] of [
    ["evictions", "What gave way at a limit, to make room for somebody who held less."],
    ["refusals", "What was refused at a limit."],
  ] as const) {
    new Counter({
      ...{ name: `domain_signin_limit_${value}_total`, help, ...common },
      collect() {
        this.reset();
        for (const limit of limits()) this.inc({ budget: limit.budget }, limit[value]);
      },
    });
  }
}

function countIn(registry: Registry, spec: NonNullable<AnyEventSpec["counter"]>) {
  const { name, help, labels = [], zeros = [], by } = spec;
  const counter = new Counter({ name, help, labelNames: labels, registers: [registry] });
  for (const zero of zeros) for (const label of labels) counter.inc({ [label]: zero }, 0);
  return (fields: AnyFields) =>
    counter.inc(pick(fields, labels), by === undefined ? 1 : Number(fields[by]));
}

function observeIn(registry: Registry, spec: NonNullable<AnyEventSpec["histogram"]>) {
  const { name, help, labels = [] } = spec;
  const setup = { name, help, labelNames: labels, buckets: BUCKETS_S, registers: [registry] };
  const histogram = new Histogram(setup);
  return (fields: AnyFields) =>
    histogram.observe(pick(fields, labels), Number(fields.milliseconds) / 1000);
}

function showIn(registry: Registry, { name, help, of }: NonNullable<AnyEventSpec["gauge"]>) {
  const gauge = new Gauge({ name, help, registers: [registry] });
  return (fields: AnyFields) => gauge.set(Number(fields[of]));
}

function pick(fields: AnyFields, labels: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label) => [label, String(fields[label])]));
}

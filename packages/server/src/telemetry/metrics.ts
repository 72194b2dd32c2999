// Counts events for Prometheus, as the table of events specifies.

import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import {
  type CounterSpec,
  type EventName,
  type Events,
  eachEvent,
  type HistogramSpec,
} from "./events.ts";

export interface Metrics {
  /** Wraps `events` so that each event is also counted. */
  measured(events: Events): Events;
  /** All metrics, including those of the process, in the text exposition format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** DNS lookups time out after 2.5 s. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Uses its own registry, so that the counts of two services in one process stay separate. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const measures = new Map<EventName, (fields: unknown) => void>();
  eachEvent((name, { counter, histogram }) => {
    const counted = counter && countIn(registry, counter);
    const observed = histogram && observeIn(registry, histogram);
    measures.set(name, (fields) => {
      counted?.(fields);
      observed?.(fields);
    });
    return () => {};
  });
  return {
    measured: (events) =>
      eachEvent((name) => (fields) => {
        (events[name] as (fields: unknown) => void)(fields);
        measures.get(name)?.(fields);
      }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function countIn(registry: Registry, spec: CounterSpec<unknown>): (fields: unknown) => void {
  const { name, help, labels, zeros = [] } = spec;
  const labelNames = [...spec.labelNames];
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  for (const zero of zeros) counter.inc(zero, 0);
  return (fields) => counter.inc(labels(fields));
}

function observeIn(registry: Registry, spec: HistogramSpec<unknown>): (fields: unknown) => void {
  const { name, help, labels, seconds } = spec;
  const labelNames = [...spec.labelNames];
  const made = new Histogram({ name, help, labelNames, buckets: BUCKETS_S, registers: [registry] });
  return (fields) => made.observe(labels(fields), seconds(fields));
}

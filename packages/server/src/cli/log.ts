// The log of a command: readable lines on a terminal, JSON elsewhere.

import type { LogLevel } from "../telemetry/event-spec.ts";
import { type Events, jsonEvents } from "../telemetry/events.ts";
import { standardError } from "../telemetry/log-sink.ts";
import { textEvents } from "../telemetry/text-events.ts";
import type { Terminal } from "./terminal.ts";

export function openLog(
  { log = standardError(), env }: Terminal,
  level: LogLevel = "info",
): Events {
  if (!log.isTerminal) return jsonEvents(log, level);
  // https://no-color.org: any value that is not empty.
  return textEvents(log, { level, hasColours: !env.NO_COLOR });
}

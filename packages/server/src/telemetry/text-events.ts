// Events as readable lines for a terminal.

import { LOG_LEVELS, type LogLevel } from "./event-spec.ts";
import { type Events, loggedEvents } from "./events.ts";
import type { LogDestination } from "./log-sink.ts";

export interface TextOptions {
  readonly level?: LogLevel;
  readonly hasColours: boolean;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

const LONGEST_LEVEL = Math.max(...LOG_LEVELS.map((level) => level.length));
/** SGR parameters: red, yellow, none. */
const COLOURS: Record<LogLevel, string> = { error: "31", warn: "33", info: "" };
const DIM = "2";

/** One line for each event: its time in UTC, its level, its name and its fields. */
export function textEvents(
  destination: LogDestination,
  { level: lowest = "info", hasColours, now = Date.now }: TextOptions,
): Events {
  const painted = (text: string, colour: string) =>
    hasColours && colour !== "" ? `\u001b[${colour}m${text}\u001b[0m` : text;
  return loggedEvents(destination, lowest, (level, fields, message) => {
    const parts = [
      painted(new Date(now()).toISOString(), DIM),
      painted(level.padEnd(LONGEST_LEVEL), COLOURS[level]),
      message,
      ...Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${painted(`${name}=`, DIM)}${shownValue(value)}`),
    ];
    destination.write(`${parts.join(" ")}\n`);
  });
}

/** Quoted if it would not be clear where it ends. Fields can contain what strangers sent. */
function shownValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return escaped(/^[^\s"=]+$/.test(text) ? text : JSON.stringify(text));
}

/** Escapes what could control the terminal or reverse the text. */
function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16);
      return `\\u${unit.padStart(4, "0")}`;
    }).join(""),
  );
}

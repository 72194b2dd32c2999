// Tests of the log on a terminal: one line for each event, which controls nothing.

import { describe, expect, test } from "vitest";
import type { Events } from "./events.ts";
import { type TextOptions, textEvents } from "./text-events.ts";

function lines(log: (events: Events) => void, options: Partial<TextOptions> = {}): string[] {
  const written: string[] = [];
  const destination = { write: (line: string) => written.push(line) };
  log(textEvents(destination, { hasColours: false, now: () => 0, ...options }));
  return written;
}
const REFUSAL = { errorId: "abcdefgh", path: "/oauth/token", error: "invalid_grant" };

test("a line has the time, the level, the event and its fields", () => {
  const written = lines((events) => {
    events.listening({ issuer: "https://auth.example.com", port: 8080 });
    events.refused({ ...REFUSAL, reason: 'a "code" that was used' });
    events.stopped();
    events.lookedUp({ outcome: "values", assurance: "secure", milliseconds: 1 });
  });
  expect(written).toEqual([
    "1970-01-01T00:00:00.000Z info  listening issuer=https://auth.example.com port=8080\n",
    '1970-01-01T00:00:00.000Z info  refused errorId=abcdefgh path=/oauth/token error=invalid_grant reason="a \\"code\\" that was used"\n',
    "1970-01-01T00:00:00.000Z info  stopped\n",
  ]);
});

test("an error is one line, with its stack", () => {
  const [line] = lines(({ failed }) => failed({ path: "keys", cause: new Error("a\nb") }));
  expect(line).toMatch(/^\S+ error failed path=keys cause="Error: a\\nb\\n {4}at [^\n]*"\n$/);
});

test("text of strangers neither controls the terminal nor begins a line of its own", () => {
  const hostile = "a\u001b[2J\u0000\n\r\u0085\u009b31m\u202e\u2028\u{e0001}\u007f b=c";
  const [line] = lines(({ refused }) => refused({ ...REFUSAL, path: hostile, reason: hostile }));
  expect(line?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  expect(line).toContain(
    String.raw`path="a\u001b[2J\u0000\n\r\u0085\u009b31m\u202e\u2028\udb40\udc01\u007f b=c"`,
  );
});

test("only warnings and errors are red and yellow", () => {
  const written = lines(
    (events) => {
      events.failed({ path: "keys", cause: "x" });
      events.undeclaredProxy({ address: "192.0.2.1" });
      events.stopped();
    },
    { hasColours: true },
  );
  const codes = written.map((line) =>
    ["31", "33"].find((code) => line.includes(`\u001b[${code}m`)),
  );
  expect(codes).toEqual(["31", "33", undefined]);
});

describe("the level of the log", () => {
  test.each([
    ["error", 1],
    ["warn", 2],
    ["info", 3],
  ] as const)("%s leaves out what is less important", (level, count) => {
    const written = lines(
      (events) => {
        events.failed({ path: "keys", cause: "x" });
        events.undeclaredProxy({ address: "192.0.2.1" });
        events.stopped();
      },
      { level },
    );
    expect(written).toHaveLength(count);
  });
});

// Tests of the log as JSON: one line for each event, whatever strangers put into it.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogLevel } from "./event-spec.ts";
import { type Events, jsonEvents } from "./events.ts";

const REFUSAL = { errorId: "abcdefgh", path: "/oauth/token", error: "invalid_grant" };
const INSTANT = /(?<="time":")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?=")/;

function lines(log: (events: Events) => void, level?: LogLevel): string[] {
  const written: string[] = [];
  log(jsonEvents({ write: (line) => written.push(line) }, level));
  return written;
}

test("a line has the level, the time in UTC, the fields and last the event", () => {
  const before = Date.now();
  const written = lines((events) => {
    events.listening({ issuer: "https://auth.example.com", port: 8080 });
    events.refused({ ...REFUSAL, reason: "used", found: undefined });
    events.stopped();
    events.rootKeyUnknown({ keyTags: [4711] });
    events.lookedUp({ outcome: "values", assurance: "secure", milliseconds: 1 });
  });
  expect(written.map((line) => line.replace(INSTANT, "NOW"))).toEqual([
    '{"level":"info","time":"NOW","issuer":"https://auth.example.com","port":8080,"msg":"listening"}\n',
    '{"level":"info","time":"NOW","errorId":"abcdefgh","path":"/oauth/token","error":"invalid_grant","reason":"used","msg":"refused"}\n',
    '{"level":"info","time":"NOW","msg":"stopped"}\n',
    '{"level":"warn","time":"NOW","keyTags":[4711],"hint":"update domain-signin, or trust_anchors","msg":"root key unknown"}\n',
  ]);
  const times = written.map((line) => Date.parse(INSTANT.exec(line)?.[0] ?? ""));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(before);
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
});

test("text of strangers is one line, and comes back as it was", () => {
  let written: string[] = [];
  const { refused } = jsonEvents({ write: (line) => written.push(line) });
  const unit = fc.constantFrom(
    ...'a"\\ é\r\n\t\0\u001f\u007f\u0085\u2028\u202e',
    "\ud83d",
    "\ude00",
  );
  const hostile = fc.string({ unit, maxLength: 20 });
  fc.assert(
    fc.property(hostile, hostile, (path, text) => {
      written = [];
      const reason = `${text}\n"}{"msg":"stopped"}`;
      refused({ ...REFUSAL, path, reason });
      expect(written).toEqual([expect.stringMatching(/^\{[^\r\n]+\}\n$/)]);
      expect(JSON.parse(String(written))).toMatchObject({ path, reason, msg: "refused" });
    }),
  );
});

test("a level leaves out what is less important", () => {
  const all = (events: Events) => {
    events.failed({ path: "keys", cause: new Error("a") });
    events.undeclaredProxy({ address: "192.0.2.1" });
    events.stopped();
  };
  const messages = (level: LogLevel) => lines(all, level).map((line) => JSON.parse(line).msg);
  expect(messages("error")).toEqual(["failed"]);
  expect(messages("warn")).toEqual(["failed", "undeclared proxy"]);
  expect(messages("info")).toEqual(["failed", "undeclared proxy", "stopped"]);
});

test("a value that JSON does not have is no reason to fail a request", () => {
  const circular: Record<string, unknown> = {};
  circular.itself = circular;
  const written = lines(({ failed }) => {
    failed({ path: "keys", cause: circular });
    failed({ path: "keys", cause: 1n });
    failed({ path: "keys", cause: undefined });
  });
  expect(written.map((line) => JSON.parse(line).cause)).toEqual([
    "[object Object]",
    "1",
    "undefined",
  ]);
});

// Tests of the pipeline: the order of the checks of a route, and errors as responses.

import { expect, test } from "vitest";
import type { HttpRequest, HttpResponse } from "./message.ts";
import {
  CrossSiteError,
  isSameOrigin,
  newErrorId,
  type Prepared,
  pipeline,
  type Route,
} from "./pipeline.ts";
import { unlimited } from "./rate-limit.ts";

const OURS = "https://auth.example.com";

function requestFrom(origin: string): HttpRequest {
  return {
    ...{ method: "POST", path: "/x", query: "", params: {}, clientAddress: "" },
    header: (name) => (name === "origin" ? origin : null),
    body: () => Promise.reject(new Error("not read here")),
  };
}

function ok(body: string): HttpResponse {
  return { status: 200, headers: {}, body };
}

/** A route that records what it runs; `changes` replace some of its members. */
function start(changes: Partial<Route<string>> = {}) {
  const ran: unknown[] = [];
  const run = pipeline<string>({
    settle: () => null,
    limit: (handler) => (http) => {
      ran.push("limit");
      return handler(http);
    },
    mayComeFrom: (http) => isSameOrigin(http, OURS),
    prepare(): Prepared<string> {
      ran.push("prepare");
      return { context: "a context" };
    },
    handler(context) {
      ran.push("handler");
      return ok(context);
    },
    errorResponse(error, errorId) {
      ran.push(error);
      return { status: 500, headers: {}, body: errorId };
    },
    onResponse: (_http, status) => ran.push(status),
    ...changes,
  });
  return { ran, run };
}

test("the limit comes first, then the origin, then what the handler needs", async () => {
  const { ran, run } = start();
  expect(await run(requestFrom(OURS))).toEqual(ok("a context"));
  expect(ran).toEqual(["limit", "prepare", "handler", 200]);
});

test("a request from another site reaches nothing behind the limit", async () => {
  const { ran, run } = start();
  const { status, body } = await run(requestFrom("https://evil.example"));
  expect(status).toBe(500);
  expect(body).toMatch(/^[2-9a-hjkmnp-z]{8}$/);
  expect(ran).toEqual(["limit", expect.any(CrossSiteError), 500]);
});

test("where the origin does not matter it is not looked at", async () => {
  const { run } = start({ mayComeFrom: null });
  expect((await run(requestFrom("https://evil.example"))).status).toBe(200);
});

test("a response in the place of the context ends the request", async () => {
  const elsewhere = { status: 303, headers: { location: "/elsewhere" }, body: "" };
  const { ran, run } = start({ prepare: async () => ({ response: elsewhere }) });
  expect(await run(requestFrom(OURS))).toEqual(elsewhere);
  expect(ran).toEqual(["limit", 303]);
});

const rejecting = () => Promise.reject(new Error("broken"));
const throwing = () => {
  throw new Error("broken");
};

test.each<[string, Partial<Route<string>>]>([
  ["the limit", { limit: () => rejecting }],
  ["what prepares it", { prepare: rejecting }],
  ["the handler", { handler: rejecting }],
  ["the handler at once", { handler: throwing }],
])("an error of %s becomes a response", async (_, changes) => {
  const { ran, run } = start({ limit: unlimited, ...changes });
  expect((await run(requestFrom(OURS))).status).toBe(500);
  expect(ran.slice(-2)).toEqual([new Error("broken"), 500]);
});

test("an error id has eight characters that cannot be misheard", () => {
  const octets = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index * 37));
  expect(newErrorId(octets)).toHaveLength(8);
  expect(newErrorId(octets)).not.toMatch(/[01ilo]/);
  expect(newErrorId(() => Buffer.alloc(8, 30))).toBe("zzzzzzzz");
});

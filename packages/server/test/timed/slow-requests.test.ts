// Slow senders are let go soon after the limit for headers, or that for the body.

import { expect, test } from "vitest";
import { readForm } from "../../src/http/form.ts";
import { listen } from "../../src/http/listen.ts";
import type { HttpRequest, HttpResponse } from "../../src/http/message.ts";
import { fixture } from "../support/fixture.ts";
import { converse } from "../support/raw-http.ts";
import { startRoundTrips } from "../support/round-trip.ts";
import { slowSenders } from "../support/slow-senders.ts";

const timeouts = { headersMs: 400, requestMs: 800, checkIntervalMs: 50, stalledMs: 60_000 };
/** A limit may be overdrawn by the time between two looks at it. */
const mostOf = (limit: "headers" | "request") =>
  trips.limit(timeouts[`${limit}Ms`] + 2 * timeouts.checkIntervalMs);

const trips = fixture(startRoundTrips);
const listener = fixture(() => listen(answer, { host: "127.0.0.1", port: 0 }, timeouts));

async function answer(http: HttpRequest): Promise<HttpResponse> {
  if (http.method === "POST") await readForm(http);
  return { status: 200, headers: {}, body: "done" };
}

const titled = slowSenders.map((sender) => [sender.what, sender.limit, sender] as const);
test.concurrent.each(titled)(
  "%s is let go after the limit for the %s",
  async (_what, limit, sender) => {
    const { closed, took } = await converse(listener.port, sender.sends);
    expect(closed).toBe(true);
    expect(took).toBeLessThan(mostOf(limit));
  },
);

test("the second request of a connection has the same limits", async () => {
  const first = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const { closed, took } = await converse(listener.port, [first, 200, first.slice(0, -2)]);
  expect(closed).toBe(true);
  expect(took).toBeLessThan(200 + mostOf("headers"));
});

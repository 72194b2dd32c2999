// Slow senders: headers and body have a limit each. That neither is overdrawn by much is in
// `timed/slow-requests.test.ts`.

import { channel } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { expect, test } from "vitest";
import { FormError, readForm } from "../../src/http/form.ts";
import { listen, REQUEST_TIMEOUTS } from "../../src/http/listen.ts";
import type { HttpRequest, HttpResponse } from "../../src/http/message.ts";
import { fixture } from "../support/fixture.ts";
import { converse } from "../support/raw-http.ts";
import { formHead, slowSenders, trickle } from "../support/slow-senders.ts";

const timeouts = { headersMs: 150, requestMs: 300, checkIntervalMs: 20, stalledMs: 60_000 };

const anywhere = { host: "127.0.0.1", port: 0 };
const read: string[] = [];
const listener = fixture(() => listen(answer, anywhere, timeouts));

async function answer(http: HttpRequest): Promise<HttpResponse> {
  try {
    if (http.method === "POST") read.push(...(await readForm(http)).values.keys());
    return { status: 200, headers: {}, body: "done" };
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    return { status: 400, headers: {}, body: error.message };
  }
}

const titled = slowSenders.map((sender) => [sender.what, sender.limit, sender] as const);
test.concurrent.each(titled)(
  "%s is let go, and not before the limit for the %s",
  async (_what, limit, sender) => {
    const { answers, closed, took } = await converse(listener.port, sender.sends);
    expect(closed).toBe(true);
    expect(took).toBeGreaterThan(timeouts[`${limit}Ms`] - 20);
    expect(answers[0]?.status).toBe(sender.status);
  },
);

test("the second request of a connection has the same limits", async () => {
  const first = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const { answers, closed, took } = await converse(listener.port, [first, 50, first.slice(0, -2)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 408]);
  expect(closed).toBe(true);
  expect(took).toBeGreaterThan(50 + timeouts.headersMs - 20);
});

test("who is slow but in time is answered", async () => {
  // With the usual limits, so that no machine is too slow for them.
  const patient = await listen(answer, anywhere);
  const sends = [
    ...trickle(["POST / HTTP/1.1\r\n", "Host: a\r\nConnection: close\r\n"]),
    60,
    formHead("Content-Length: 7").split("\r\n").slice(2).join("\r\n"),
    ...trickle(["s", "lo", "w=", "1&"]),
  ];
  const { answers } = await converse(patient.port, sends);
  await patient.close();
  expect(answers.map(({ status, body }) => [status, body])).toEqual([[200, "done"]]);
  expect(read).toEqual(["slow"]);
});

test("unless told otherwise the service waits 10 s for headers and 15 s for all, and looks each second", async () => {
  const usually = { headersMs: 10_000, requestMs: 15_000, checkIntervalMs: 1_000 };
  expect(REQUEST_TIMEOUTS).toEqual({ ...usually, stalledMs: 60_000 });
  const servers: Server[] = [];
  const note = (message: unknown) => servers.push((message as { server: Server }).server);
  const started = channel("http.server.request.start");
  started.subscribe(note);
  const usual = await listen(answer, anywhere);
  await converse(usual.port, ["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
  started.unsubscribe(note);
  await usual.close();
  expect(servers).toMatchObject([{ headersTimeout: 10_000, requestTimeout: 15_000 }]);
});

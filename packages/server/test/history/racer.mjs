// A process of clients: sends a round of requests all at once, and tells what came back, and when.

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const TIMEOUT = 30_000;
/** Milliseconds until a request that got 503 is sent again. On a busy machine, some wait too long for their turn. */
const AGAIN_MS = 200;
/** With the other process's fewer than a listener's backlog: beyond it a connection waits for seconds. */
const agent = new Agent({ keepAlive: true, maxSockets: 128 });

process.on("message", async ({ round, requests }) => {
  process.send({ round, answers: await Promise.all(requests.map(post)) });
});

async function post(form) {
  const started = monotonic();
  for (;;) {
    const { status, body } = await postOnce(form);
    const ended = monotonic();
    if (status !== 503 || ended - started > TIMEOUT) return { started, ended, status, body };
    await sleep(AGAIN_MS);
  }
}

function postOnce({ port, path, body }) {
  return new Promise((resolve) => {
    const done = (status, text) => resolve({ status, body: text });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const options = { host: "127.0.0.1", port, path, method: "POST", headers, agent };
    const outgoing = request({ ...options, timeout: TIMEOUT }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => done(response.statusCode, text));
      response.on("error", () => done(0, ""));
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", () => done(0, ""));
    outgoing.end(body);
  });
}

/** Milliseconds of a clock that all processes of the machine share. */
function monotonic() {
  return Number(process.hrtime.bigint()) / 1e6;
}

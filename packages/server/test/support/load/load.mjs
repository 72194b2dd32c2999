// A process that sends requests over kept connections, as many at once as it is told. It answers each job once.

import { randomBytes } from "node:crypto";
import { open } from "./line.mjs";

let stopping = false;

process.on("message", (message) => {
  if (message === "stop") stopping = true;
  else void run(message).then((result) => process.send(result));
});
process.on("disconnect", () => process.exit());

/** Until `count` requests were sent, a response had the status `until`, or the parent said stop. */
async function run({ port, requests, count, connections, pipelined = 1, pauseMs = 0, until }) {
  stopping = false;
  const statuses = {};
  let sent = 0;
  let isMet = false;
  const mayGoOn = () => !stopping && !isMet && sent < (count ?? Number.POSITIVE_INFINITY);
  const batch = () =>
    Array.from({ length: Math.min(pipelined, (count ?? Number.POSITIVE_INFINITY) - sent) }, () => {
      const index = sent++;
      return octetsOf(requests[index % requests.length], index);
    });
  const work = async () => {
    let line = await open(port);
    while (mayGoOn()) {
      for (const status of await line.ask(batch())) {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === until) isMet = true;
      }
      if (line.isClosed() && mayGoOn()) line = await open(port);
      if (pauseMs > 0 && mayGoOn()) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    line.close();
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  return { statuses, sent, ms: performance.now() - began };
}

/** In path, headers and body, `{n}` is the number of the request; `{random}` and `{address}` are new for each. */
function octetsOf({ method = "GET", path, headers = {}, body }, index) {
  const filled = (text) =>
    text
      .replaceAll("{random}", () => randomBytes(24).toString("base64url"))
      .replaceAll("{address}", freshAddress)
      .replaceAll("{n}", index);
  const content = body === undefined ? "" : filled(body);
  const lines = Object.entries({ host: "localhost", ...headers }).map(
    ([name, value]) => `${name}: ${filled(value)}`,
  );
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(content)}`);
  return `${method} ${filled(path)} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${content}`;
}

/** In a /64 of its own. */
function freshAddress() {
  const [high, low] = randomBytes(4).toString("hex").match(/..../g);
  return `2001:db8:${high}:${low}::1`;
}

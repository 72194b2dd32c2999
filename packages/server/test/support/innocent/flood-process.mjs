// A process that floods a service and uses at most half of a processor. It tells when the first burst has had its time.

import { randomBytes } from "node:crypto";
import { open } from "../load/line.mjs";

const CPU_SHARE = 0.5;
/** An answer that takes longer has waited for others. */
const HELD_MS = 250;
const PAUSE_MS = 10;
/** Answers of a burst, however slow the machine is. */
const LEAST = 50;

let flood = null;

process.on("message", (message) => {
  if (message !== "stop") flood = start(message);
  else process.send({ ended: flood.end() });
});
process.on("disconnect", () => process.exit());

/** `burst` requests as soon as possible, then so many `perMinute`, and at most `inFlight` at once. */
function start({ port, requests, addresses, cookies, inFlight, burst, perMinute, burstMs }) {
  const statuses = {};
  const lines = new Set();
  let [sent, answered, held, isOver, isTold] = [0, 0, 0, false, false];
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  const cpuMs = () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    return (user + system) / 1000;
  };
  const dueMs = (index) => (index < burst ? 0 : ((index - burst) * 60_000) / perMinute);
  const isEarly = (index) => cpuMs() > CPU_SHARE * elapsed() + PAUSE_MS || elapsed() < dueMs(index);

  function note(status, ms) {
    answered++;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (ms > HELD_MS) held++;
  }

  function tellIfFull() {
    const hasHadItsTime = elapsed() >= burstMs && answered >= LEAST;
    if (isTold || !(hasHadItsTime || answered >= burst)) return;
    isTold = true;
    process.send({ filled: answered });
  }

  async function work() {
    let line = null;
    while (!isOver) {
      while (!isOver && isEarly(sent)) await new Promise((go) => setTimeout(go, PAUSE_MS));
      if (isOver) break;
      const index = sent++;
      if (line === null || line.isClosed()) {
        lines.delete(line);
        line = await open(port);
        lines.add(line);
      }
      const at = performance.now();
      const [status] = await line.ask([octetsOf(requests, { addresses, cookies, index })]);
      if (isOver) break;
      note(status, performance.now() - at);
      tellIfFull();
    }
  }

  const timer = setInterval(tellIfFull, PAUSE_MS);
  for (let count = 0; count < inFlight; count++) void work();
  return {
    end() {
      isOver = true;
      clearInterval(timer);
      for (const line of lines) line.close();
      const inFlight = sent - answered;
      return { statuses, sent, answered, held: held + inFlight, cpuShare: cpuMs() / elapsed() };
    },
  };
}

/** In path and body, `{n}` is the number of the request, and `{random}` is new for each. */
function octetsOf(requests, { addresses, cookies, index }) {
  const request = requests[index % requests.length];
  const { method = "GET", path, headers = {}, body } = request;
  const filled = (text) =>
    text.replaceAll("{random}", () => randomBytes(8).toString("hex")).replaceAll("{n}", index);
  const address = addresses[index % addresses.length];
  const cookie = [headers.cookie, cookies[index % Math.max(1, cookies.length)]];
  const all = {
    ...{ host: "localhost", ...headers, "x-forwarded-for": address },
    cookie: cookie.filter(Boolean).join("; "),
  };
  const content = body === undefined ? "" : filled(body);
  if (body !== undefined) all["content-length"] = Buffer.byteLength(content);
  const lines = Object.entries(all).filter(([, value]) => value !== "");
  const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  return `${method} ${filled(path)} HTTP/1.1\r\n${head}\r\n\r\n${content}`;
}

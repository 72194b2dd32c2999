// Sends refreshes at a fixed rate, whatever comes back, from a process of its own.
//
// Receives a job as a message, and answers with the statuses, and with latencies, which count from the moment at which
// a request was due. A request takes a connection that is free, or a new one. If there are `maxConnections`, it waits
// for one, and is given up after `patienceMs`.

import { connect } from "node:net";

process.on("message", async (job) => process.send(await run(job)));
process.on("disconnect", () => process.exit());

/** Free connections, kept for the next job. */
const free = [];
let opened = 0;

async function run({ port, authorization, perSecond, seconds, values, ...limits }) {
  const { maxConnections, patienceMs } = limits;
  const outcomes = { statuses: {}, admitted: [], refused: [], unsent: 0, inTime: 0 };
  const tokens = createQueue(values);
  const waiting = createQueue([]);
  const total = Math.round(perSecond * seconds);
  const head = [
    "POST /oauth/token HTTP/1.1",
    "host: localhost:8080",
    `authorization: ${authorization}`,
    "content-type: application/x-www-form-urlencoded",
  ].join("\r\n");
  const started = performance.now();
  let sent = 0;
  let inFlight = 0;
  let end = () => {};
  const ended = new Promise((resolve) => {
    end = resolve;
  });

  function send(socket, due) {
    const token = tokens.shift();
    inFlight++;
    socket.job = { due, token, finish };
    const body = `grant_type=refresh_token&refresh_token=${token}`;
    socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  }

  function finish(socket, status, text) {
    const { due, token } = socket.job;
    socket.job = undefined;
    inFlight--;
    const now = performance.now();
    outcomes.statuses[status] = (outcomes.statuses[status] ?? 0) + 1;
    if (status === "200") {
      outcomes.admitted.push(now - due);
      if (now - started <= seconds * 1000) outcomes.inTime++;
    } else if (status === "503") outcomes.refused.push(now - due);
    tokens.push(nextToken(text) ?? token);
    if (status === "failed") opened--;
    else if (waiting.length() > 0) send(socket, waiting.shift());
    else free.push(socket);
    endIfDone();
  }

  function begin(due) {
    let socket = free.pop();
    while (socket?.writable === false) {
      opened--;
      socket = free.pop();
    }
    if (socket !== undefined) return send(socket, due);
    if (opened >= maxConnections) return waiting.push(due);
    opened++;
    send(open(port), due);
  }

  function endIfDone() {
    if (sent === total && inFlight === 0 && waiting.length() === 0) end();
  }

  const timer = setInterval(() => {
    const now = performance.now();
    for (; sent < total && started + (sent * 1000) / perSecond <= now; sent++) {
      begin(started + (sent * 1000) / perSecond);
    }
    while (waiting.length() > 0 && now - waiting.first() > patienceMs) {
      waiting.shift();
      outcomes.unsent++;
    }
    endIfDone();
  }, 1);
  await ended;
  clearInterval(timer);
  return { ...outcomes, values: tokens.all() };
}

function nextToken(text) {
  const start = text.indexOf('"refresh_token":"');
  return start < 0 ? null : text.slice(start + 17, text.indexOf('"', start + 17));
}

function open(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.setEncoding("latin1");
  let text = "";
  socket.on("data", (chunk) => {
    text = text === "" ? chunk : text + chunk;
    const end = text.indexOf("\r\n\r\n");
    if (end < 0 || !isWhole(text, end)) return;
    const answer = text;
    text = "";
    socket.job?.finish(socket, answer.slice(9, 12), answer);
  });
  socket.on("error", () => {});
  socket.on("close", () => socket.job?.finish(socket, "failed", ""));
  return socket;
}

function isWhole(text, end) {
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) return text.endsWith("\r\n0\r\n\r\n");
  return text.length >= end + 4 + Number(length);
}

/** An array from whose beginning much is taken. */
function createQueue(items) {
  let list = [...items];
  let next = 0;
  return {
    length: () => list.length - next,
    first: () => list[next],
    push: (item) => void list.push(item),
    all: () => list.slice(next),
    shift() {
      if (next > 10_000) {
        list = list.slice(next);
        next = 0;
      }
      return list[next++];
    },
  };
}

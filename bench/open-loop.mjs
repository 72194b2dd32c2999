// Sends refreshes at a fixed rate, whatever comes back, from a process of its own.
//
// Receives a job as a message, and answers with the statuses, and with latencies, which count from the moment at which
// a request was due. A request takes a connection that is free, or a new one. If there are `maxConnections`, it waits
// for one, and is given up after `patienceMs`.

import { openConnection, refreshOf, refreshTokenIn, requestOf } from "./connection.mjs";

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
  const request = { path: "/oauth/token", fields: [`authorization: ${authorization}`] };
  const started = performance.now();
  let sent = 0;
  let inFlight = 0;
  let end = () => {};
  const ended = new Promise((resolve) => {
    end = resolve;
  });

  function send(connection, due) {
    const token = tokens.shift();
    inFlight++;
    connection.take = (status, body) => {
      connection.take = () => {};
      finish(connection, { due, token }, status, body);
    };
    connection.send(requestOf({ ...request, body: refreshOf(token) }));
  }

  function finish(connection, { due, token }, status, body) {
    inFlight--;
    const now = performance.now();
    outcomes.statuses[status] = (outcomes.statuses[status] ?? 0) + 1;
    if (status === "200") {
      outcomes.admitted.push(now - due);
      if (now - started <= seconds * 1000) outcomes.inTime++;
    } else if (status === "503") outcomes.refused.push(now - due);
    tokens.push(refreshTokenIn(body) ?? token);
    if (status === "failed") opened--;
    else if (waiting.length() > 0) send(connection, waiting.shift());
    else free.push(connection);
    endIfDone();
  }

  function begin(due) {
    let connection = free.pop();
    while (connection?.isOpen() === false) {
      opened--;
      connection = free.pop();
    }
    if (connection !== undefined) return send(connection, due);
    if (opened >= maxConnections) return waiting.push(due);
    opened++;
    send(openConnection(port), due);
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

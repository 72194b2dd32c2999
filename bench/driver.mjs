// Sends requests from a process of its own, each connection the next one after a response.
//
// Receives a job as a message, and answers with what came back. Each connection has its own `values`, which it uses in
// turn, and stays open for the next job at its port. A refresh replaces its token by the one that came back.

import { openConnection, refreshOf, refreshTokenIn, requestOf } from "./connection.mjs";

/** By port. */
const open = new Map();
/** When the last request was sent. */
const usedAt = new WeakMap();
const READS = ["userinfo", "jwks", "page"];

process.on("message", async (job) => process.send(await run(job)));
process.on("disconnect", () => process.exit());

async function run({ port, path, authorization, connections, count, kind, values }) {
  const latencies = [];
  const statuses = {};
  let lastBody = "";
  let left = count;
  const started = performance.now();
  const ends = await Promise.all(
    connectionsTo(port, connections).map((connection, place) =>
      useInTurn(
        connection,
        values.filter((_, index) => index % connections === place),
      ),
    ),
  );
  const ms = performance.now() - started;
  const octets = lastBody.length;
  return { ms, statuses, octets, lastBody, latencies, values: ends.flat() };

  /** Resolves to the values as they are afterwards. */
  function useInTurn(connection, own) {
    let next = 0;
    let sentAt = 0;
    return new Promise((resolve, reject) => {
      function send() {
        if (left <= 0 || (kind === "code" && next >= own.length)) {
          connection.take = () => {};
          // Those used last come last.
          return resolve(own.map((_, index) => own[(next + index) % own.length]));
        }
        left--;
        sentAt = performance.now();
        usedAt.set(connection, sentAt);
        connection.send(requestWith(own[next % own.length]));
      }
      connection.take = (status, body) => {
        if (status === "failed") return reject(new Error("the connection was closed"));
        latencies.push(performance.now() - sentAt);
        statuses[status] = (statuses[status] ?? 0) + 1;
        lastBody = body;
        const place = next % own.length;
        if (kind === "refresh") own[place] = refreshTokenIn(body) ?? own[place];
        else if (kind === "code") own[place] = body;
        if (status !== "200" && statuses[status] === 1) console.error(body);
        next++;
        send();
      };
      send();
    });
  }

  function requestWith(value) {
    const fields = [`authorization: ${kind === "userinfo" ? `Bearer ${value}` : authorization}`];
    // Pages are limited by address.
    if (kind === "page") fields.push(`x-forwarded-for: ${randomAddress()}`);
    return requestOf({ path, fields, body: READS.includes(kind) ? null : bodyOf(value) });
  }

  function bodyOf(value) {
    if (kind === "refresh") return refreshOf(value);
    if (kind === "introspect") return `token=${value}`;
    return `grant_type=authorization_code&${value}`;
  }
}

/** In 10.0.0.0/8; no packet is sent to it. */
function randomAddress() {
  return ["10", ...Array.from({ length: 3 }, () => Math.floor(Math.random() * 256))].join(".");
}

function connectionsTo(port, count) {
  // Servers close connections that are idle while others are measured, some after five seconds.
  const oldest = performance.now() - 3000;
  const isUsable = (connection) => connection.isOpen() && usedAt.get(connection) > oldest;
  const known = open.get(port) ?? [];
  const connections = known.filter(isUsable);
  // Nobody reads from them any more, and not every server would close them.
  for (const connection of known) if (!isUsable(connection)) connection.close();
  open.set(port, connections);
  while (connections.length < count) connections.push(openConnection(port));
  return connections.slice(0, count);
}

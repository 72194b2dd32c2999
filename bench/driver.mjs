// Sends requests from a process of its own, over raw sockets, so that sending costs little.
//
// Receives a job as a message, and answers with what came back. Each connection has its own `values`, which it uses in
// turn, and stays open for the next job at its port. A refresh replaces its token by the one that came back.

import { connect } from "node:net";

/** By port. */
const open = new Map();

process.on("message", async (job) => process.send(await run(job)));
process.on("disconnect", () => process.exit());

async function run({ port, path, authorization, connections, count, kind, values }) {
  const latencies = [];
  const statuses = {};
  /** Of the last body. */
  let octets = 0;
  let left = count;
  const sockets = await connectionsTo(port, connections);
  const started = performance.now();
  const ends = await Promise.all(
    sockets.map((socket, place) =>
      useInTurn(
        socket,
        values.filter((_, index) => index % connections === place),
      ),
    ),
  );
  return { ms: performance.now() - started, statuses, octets, latencies, values: ends.flat() };

  /** Resolves to the values as they are afterwards. */
  function useInTurn(socket, own) {
    let next = 0;
    let buffer = "";
    let sentAt = 0;
    return new Promise((resolve, reject) => {
      socket.removeAllListeners();
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("the connection was closed")));
      const send = () => {
        if (left <= 0 || (kind === "code" && next >= own.length)) {
          // Those used last come last.
          resolve(own.map((_, index) => own[(next + index) % own.length]));
          return;
        }
        left--;
        sentAt = performance.now();
        socket.write(requestOf(own[next % own.length]));
      };
      socket.on("data", (chunk) => {
        buffer += chunk;
        const end = buffer.indexOf("\r\n\r\n");
        if (end < 0) return;
        const isChunked = /transfer-encoding: chunked/i.test(buffer.slice(0, end));
        if (isChunked && !buffer.endsWith("\r\n0\r\n\r\n")) return;
        const length = isChunked
          ? buffer.length - end - 4
          : Number(/content-length: (\d+)/i.exec(buffer)?.[1] ?? 0);
        if (buffer.length < end + 4 + length) return;
        latencies.push(performance.now() - sentAt);
        const status = buffer.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        octets = length;
        const text = buffer.slice(end + 4, end + 4 + length);
        buffer = "";
        if (kind === "refresh" && status === "200") {
          const token = /"refresh_token":"([^"]+)"/.exec(text)?.[1];
          if (token !== undefined) own[next % own.length] = token;
        } else if (kind === "code") own[next % own.length] = text;
        if (status !== "200" && statuses[status] === 1) console.error(text);
        next++;
        send();
      });
      send();
    });
  }

  function requestOf(value) {
    const isRead = kind === "userinfo" || kind === "jwks" || kind === "page";
    const body = isRead ? "" : bodyOf(value);
    const head = [
      `${isRead ? "GET" : "POST"} ${path} HTTP/1.1`,
      "host: localhost:8080",
      `authorization: ${kind === "userinfo" ? `Bearer ${value}` : authorization}`,
      // Pages are limited by address.
      ...(kind === "page" ? [`x-forwarded-for: ${randomAddress()}`] : []),
      ...(isRead ? [] : ["content-type: application/x-www-form-urlencoded"]),
      ...(isRead ? [] : [`content-length: ${body.length}`]),
    ];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  }

  function bodyOf(value) {
    if (kind === "refresh") return `grant_type=refresh_token&refresh_token=${value}`;
    if (kind === "introspect") return `token=${value}`;
    return `grant_type=authorization_code&${value}`;
  }
}

/** In 10.0.0.0/8; no packet is sent to it. */
function randomAddress() {
  return ["10", ...Array.from({ length: 3 }, () => Math.floor(Math.random() * 256))].join(".");
}

async function connectionsTo(port, count) {
  // Servers close connections that are idle while others are measured.
  const sockets = (open.get(port) ?? []).filter((socket) => socket.writable);
  open.set(port, sockets);
  while (sockets.length < count) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await new Promise((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    socket.setEncoding("latin1");
    sockets.push(socket);
  }
  return sockets.slice(0, count);
}

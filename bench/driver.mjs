// Sends requests from a process of its own, over raw sockets, so that sending costs little.
//
// Receives a job as a message, and answers with what came back. `lines` are chains of requests: each refreshes the
// token that the response before contained.

import { connect } from "node:net";

process.on("message", async (job) => process.send(await run(job)));
process.on("disconnect", () => process.exit());

async function run({ port, path, authorization, connections, count, kind, values }) {
  const latencies = [];
  const statuses = {};
  let left = count;
  const started = performance.now();
  const lines = Array.from({ length: connections }, (_, place) =>
    values.filter((_, index) => index % connections === place),
  );
  const ends = await Promise.all(lines.map((own) => oneLine(own)));
  return { ms: performance.now() - started, statuses, latencies, values: ends.flat() };

  async function oneLine(own) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let next = 0;
    let buffer = "";
    let sentAt = 0;
    return new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.setEncoding("latin1");
      const send = () => {
        if (left <= 0 || (kind === "code" && next >= own.length)) {
          socket.destroy();
          resolve(own);
          return;
        }
        left--;
        const body = bodyOf(own[next % own.length]);
        sentAt = performance.now();
        socket.write(
          `${kind === "userinfo" ? "GET" : "POST"} ${path} HTTP/1.1\r\nhost: localhost:8080\r\n${headersOf(own[next % own.length])}content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
      };
      socket.on("connect", send);
      socket.on("data", (chunk) => {
        buffer += chunk;
        const end = buffer.indexOf("\r\n\r\n");
        if (end < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(buffer)?.[1] ?? 0);
        if (buffer.length < end + 4 + length) return;
        latencies.push(performance.now() - sentAt);
        const status = buffer.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
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
    });
  }

  function headersOf(value) {
    if (kind === "userinfo") return `authorization: Bearer ${value}\r\n`;
    return `authorization: ${authorization}\r\n`;
  }

  function bodyOf(value) {
    if (kind === "userinfo") return "";
    if (kind === "refresh") return `grant_type=refresh_token&refresh_token=${value}`;
    if (kind === "introspect") return `token=${value}`;
    return `grant_type=authorization_code&${value}`;
  }
}

// One connection of a process that sends load: requests as octets, and the statuses of their responses.

import { connect } from "node:net";

/** One connection. A response without length, such as 204, has no body here. */
export async function open(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let received = Buffer.alloc(0);
  let waiting = { statuses: [], count: 0, resolve() {} };
  const take = () => {
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) return false;
    const head = received.toString("latin1", 0, headEnd).toLowerCase();
    const end = headEnd + 4 + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    if (received.length < end) return false;
    received = received.subarray(end);
    waiting.statuses.push(Number(head.slice(9, 12)));
    return true;
  };
  socket.on("data", (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    while (take());
    if (waiting.statuses.length === waiting.count) waiting.resolve(waiting.statuses);
  });
  const fail = () => {
    while (waiting.statuses.length < waiting.count) waiting.statuses.push(0);
    waiting.resolve(waiting.statuses);
  };
  socket.on("error", fail);
  socket.on("close", fail);
  await new Promise((resolve) => {
    socket.once("connect", resolve);
    socket.once("close", resolve);
  });
  return {
    ask: (requests) =>
      new Promise((resolve) => {
        waiting = { statuses: [], count: requests.length, resolve };
        if (socket.destroyed) fail();
        else socket.write(requests.join(""));
      }),
    isClosed: () => socket.destroyed || socket.readableEnded,
    close: () => socket.destroy(),
  };
}

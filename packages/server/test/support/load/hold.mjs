// A process that holds connections open and does as little on them as it can. It reports how many are open.

import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const BATCH = 200;
const QUIET_MS = 200;
const sockets = new Set();
let timer;
/** Connections that the other side has closed. */
let closed = 0;

process.on("message", ({ port, count, first, piece, everyMs, reads }) => {
  if (port === undefined) return void release();
  closed = 0;
  void hold({ port, count, first, reads }).then((opened) => process.send({ opened }));
  if (piece !== null) timer = setInterval(write, everyMs, piece);
});
process.on("disconnect", () => process.exit());

function write(piece) {
  for (const socket of sockets) socket.write(piece);
}

async function hold({ port, count, first, reads }) {
  let opened = 0;
  while (opened < count) {
    const batch = Array.from({ length: Math.min(BATCH, count - opened) }, () => {
      const socket = connect({ port, host: "127.0.0.1" });
      sockets.add(socket);
      if (reads) socket.on("data", () => {});
      else socket.pause();
      socket.on("error", () => {});
      socket.once("close", () => {
        if (sockets.delete(socket)) closed++;
      });
      return new Promise((resolve) => {
        socket.once("close", () => resolve(false));
        socket.once("connect", () => {
          if (first !== null) socket.write(first);
          resolve(true);
        });
      });
    });
    const done = await Promise.all(batch);
    if (done.includes(false)) break;
    opened += done.length;
  }
  return opened;
}

async function release() {
  clearInterval(timer);
  // The service may just have closed some, which this process learns in its next turns.
  for (let known = -1; known < closed; ) {
    known = closed;
    await sleep(QUIET_MS);
  }
  const open = [...sockets];
  sockets.clear();
  for (const socket of open) socket.destroy();
  process.send({ closed });
}

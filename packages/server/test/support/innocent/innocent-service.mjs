// The service of a build as a process, for which the name servers of all zones are one server on loopback.

import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const { cli, port, config, dns, isUnlimited } = JSON.parse(process.argv[2]);
const { createService } = await import(pathToFileURL(join(dirname(cli), "service.js")));

let aheadMs = 0;
const milliseconds = () => Date.now() + aheadMs;
const seconds = () => Math.floor(milliseconds() / 1000);
const monotonic = () => performance.now() + aheadMs;
const clock = { milliseconds, seconds, monotonic, boot: monotonic, floor: seconds, slack: () => 0 };
/** The zones have no signed root. It is signed now, by the right time. */
const rootLook = async () => {
  const inception = seconds();
  return { inception, expiration: inception + 13 * 86_400, unknownKeys: [] };
};
/** Each name server has an address of its own, as the limits see it. */
const reach = () => ({ address: "127.0.0.1", port: dns, isV6: false });

const service = createService(config, {
  ...{ clock, rootLook, reach },
  ...(isUnlimited && { pageShare: null }),
});
await service.ready();
const server = createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch(() => outgoing.destroy());
});
server.keepAliveTimeout = 0;
server.listen(port, "127.0.0.1", () => process.send({ isReady: true }));

function advance(seconds) {
  aheadMs += seconds * 1000;
}

const rooms = {
  clock: { advance },
  service: { close: end },
  clients: service.clients,
  resources: service.resources,
};
process.on("message", async ({ room, verb, args }) => {
  const result = await rooms[room][verb](...args);
  process.send({ result: result ?? null });
});
process.on("disconnect", () => process.exit());

/** Reads the whole request first: a flood leaves without waiting for its answers. */
async function answer(incoming, outgoing) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method, url, headers, socket } = incoming;
  const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
  const request = new Request(`http://${headers.host}${url}`, { method, headers, body });
  const response = await service.fetch(request, { clientAddress: socket.remoteAddress });
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

async function end() {
  server.close();
  server.closeAllConnections();
  await service.close();
}

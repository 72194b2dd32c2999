// The least that a `node:http` server does: the unit in which the cost of requests is given.

import { createServer } from "node:http";

const server = createServer((request, response) => {
  const { user, system } = process.cpuUsage();
  const body = request.url === "/cpu" ? String((user + system) / 1000) : "hello";
  response.writeHead(200, { "content-type": "text/plain", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());

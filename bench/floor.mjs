// The floor: a bare `node:http` server that reads the body, and answers as many octets as the service does.

import { createServer } from "node:http";

const [headers, octets] = JSON.parse(process.argv[2]);
const body = "x".repeat(octets);
createServer((request, response) => {
  request.on("data", () => {});
  request.on("end", () => {
    response.writeHead(200, headers);
    response.end(body);
  });
}).listen(0, "127.0.0.1", function () {
  console.log(JSON.stringify({ port: this.address().port }));
});

// The floor: a bare `node:http` server that reads the body, and answers as many octets as the service does.
//
// It is given the `answers`: the field `x-place` of a request says which one it gets. With `json`, it also parses the
// form of each request and serialises this object, as the least that a token endpoint does.

import { createServer } from "node:http";

const { answers, json } = JSON.parse(process.argv[2]);
const bodies = answers.map(({ octets }) => "x".repeat(octets));

createServer(json === undefined ? answerOctets : answerJson).listen(0, "127.0.0.1", function () {
  console.log(JSON.stringify({ port: this.address().port }));
});

function answerOctets(request, response) {
  request.on("data", () => {});
  request.on("end", () => {
    const place = Number(request.headers["x-place"] ?? 0);
    const { status, headers } = answers[place];
    response.writeHead(status, headers);
    response.end(bodies[place]);
  });
}

function answerJson(request, response) {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const [{ status, headers }] = answers;
    response.writeHead(form.size >= 0 ? status : 400, headers);
    response.end(JSON.stringify(json));
  });
}

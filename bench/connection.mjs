// A connection on which a load process sends one request after another. Raw, so that sending costs little.

import { connect } from "node:net";

/**
 * The caller replaces `take`, which is called with the status and the body of each response, or with "failed" once the
 * connection is closed. A chunked body has its chunks' lengths in it.
 */
export function openConnection(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const connection = {
    take(_status, _body) {},
    send: (request) => void socket.write(request),
    isOpen: () => socket.writable,
    close: () => socket.destroy(),
  };
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    text = text === "" ? chunk : text + chunk;
    const headEnd = text.indexOf("\r\n\r\n");
    if (headEnd < 0 || !isWhole(text, headEnd)) return;
    const response = text;
    text = "";
    connection.take(response.slice(9, 12), response.slice(headEnd + 4));
  });
  socket.on("error", () => {});
  socket.on("close", () => connection.take("failed", ""));
  return connection;
}

/** `body` is null for a GET. Header fields are lines. */
export function requestOf({ path, fields, body }) {
  const type = "content-type: application/x-www-form-urlencoded";
  const lines = [
    `${body === null ? "GET" : "POST"} ${path} HTTP/1.1`,
    ...["host: localhost:8080", ...fields],
    ...(body === null ? [] : [type, `content-length: ${body.length}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

export function refreshOf(token) {
  return `grant_type=refresh_token&refresh_token=${token}`;
}

/** The refresh token in the body of a token response; undefined if there is none. */
export function refreshTokenIn(body) {
  const start = body.indexOf('"refresh_token":"');
  return start < 0 ? undefined : body.slice(start + 17, body.indexOf('"', start + 17));
}

function isWhole(text, headEnd) {
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) return text.endsWith("\r\n0\r\n\r\n");
  return text.length >= headEnd + 4 + Number(length);
}

// One HTTP request over a connection of its own, and its answer within bounds: JSON or nothing.

import { type IncomingMessage, request as requestOverHttp } from "node:http";
import type { Socket } from "node:net";
import { codeOf, failureOf } from "./connection.ts";
import { GuardedFetchError } from "./guarded-fetch-error.ts";
import type { Target } from "./target.ts";

export type Asked = {
  readonly method?: "GET" | "POST" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | URLSearchParams | undefined;
};

const maxHeadOctets = 16_384;
const maxBodyOctets = 65_536;
// Of all that comes: interim answers and what stands around chunks are in neither of them.
const maxOctets = 4 * maxBodyOctets;

const jsonType = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;

/** Rejects with a `GuardedFetchError`, or with an error of the connection, which it leaves open. */
export async function exchange(socket: Socket, target: Target, asked: Asked): Promise<Response> {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxOctets) socket.destroy();
  };
  try {
    return await responseOf(await send(socket, target, asked, count), target.host);
  } catch (cause) {
    const isOverflow = received > maxOctets || codeOf(cause) === "HPE_HEADER_OVERFLOW";
    throw isOverflow ? new GuardedFetchError("too_large", target.host) : cause;
  }
}

function send(
  socket: Socket,
  target: Target,
  { method = "GET", headers, body }: Asked,
  count: (chunk: Buffer) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const form = body instanceof URLSearchParams;
    const request = requestOverHttp({
      ...{ method, path: target.path, maxHeaderSize: maxHeadOctets, insecureHTTPParser: false },
      createConnection: () => socket,
      headers: {
        ...{ accept: "application/json", "user-agent": "domain-signin" },
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
        ...headers,
        ...{ host: target.host, connection: "close", "accept-encoding": "identity" },
      },
    });
    request.on("socket", () => socket.on("data", count));
    request.on("response", resolve);
    request.on("error", reject);
    // Also where there is no error to tell of: a switch to another protocol ends so.
    request.on("close", () => reject(failureOf("ECONNRESET")));
    request.end(body?.toString());
  });
}

async function responseOf(answer: IncomingMessage, host: string): Promise<Response> {
  const { statusCode: status = 0, headers } = answer;
  // Checked here, since a service's listener replaces Response by one that would throw only when it is read.
  if (status < 200 || status > 599) throw failureOf("ERR_HTTP_INVALID_STATUS_CODE");
  if (status >= 300 && status < 400) throw new GuardedFetchError("redirect", host);
  const isJson = typesOf(answer).every((type) => jsonType.test(type));
  // An error page is no news, but its status is.
  if (!isJson && status >= 400) return new Response(null, { status });
  if (!isJson) throw new GuardedFetchError("not_json", host);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw new GuardedFetchError("encoded", host);
  const body = await readBody(answer, host);
  const isWithout = [204, 205].includes(status);
  return new Response(isWithout ? null : body, { status, headers: passedOn(answer) });
}

/** As they were sent, since of several of them the parser would keep the first alone. */
function typesOf(answer: IncomingMessage): string[] {
  return answer.headersDistinct["content-type"] ?? [""];
}

async function readBody(answer: IncomingMessage, host: string): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > maxBodyOctets) throw new GuardedFetchError("too_large", host);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** No other header is of use, and all were written by a stranger. */
function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const names = ["content-type", "cache-control"] as const;
  return Object.fromEntries(
    names.map((name) => [name, headers[name] ?? ""]).filter(([, value]) => value !== ""),
  );
}

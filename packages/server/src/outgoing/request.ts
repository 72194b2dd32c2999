// One HTTP request to checked addresses, with limits for the response, and with its redirects within one origin.

import http, { type IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { isIP, type TcpSocketConnectOpts } from "node:net";
import { https } from "../lib/lazy-libraries.ts";

export type GuardedFetchCode = keyof typeof MESSAGES;

const MESSAGES = {
  bad_url: "is not an allowed destination",
  not_public: "has an address that is not public",
  unresolved: "could not be resolved",
  unreachable: "could not be reached",
  timeout: "did not respond in time",
  redirect: "responded with a redirect",
  too_large: "sent a response that is too large",
  not_json: "sent a response that is not JSON",
  encoded: "sent a response with a content encoding",
  busy: "was not asked, because too many requests are pending",
};

/** The message is for operators. Of the response, it contains only where a redirect leads, without the query. */
export class GuardedFetchError extends Error {
  override name = "GuardedFetchError";
  readonly code: GuardedFetchCode;

  /** `detail` names the cause, such as the code of a system error or the limit that is reached. */
  constructor(code: GuardedFetchCode, host: string, detail?: string) {
    super(`${host || "A URL"} ${MESSAGES[code]}${detail ? ` (${detail})` : ""}.`);
    this.code = code;
  }
}

export interface RequestContent {
  readonly method?: "GET" | "POST" | "DELETE" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | URLSearchParams | undefined;
  /** Drops the body of the response, of whatever type. */
  readonly statusOnly?: boolean | undefined;
  /** Follows up to three redirects to the same scheme, host and port. Only for a GET without secrets. */
  readonly withinOrigin?: boolean | undefined;
  /** For what a browser is sent to: resolves to redirects, with their `location`, and drops what is not JSON. */
  readonly asBrowser?: boolean | undefined;
}

/** The addresses are tried, IPv4 and IPv6 in turn, until one accepts the connection. */
export interface Destination {
  readonly addresses: readonly string[];
  readonly port: number;
}

interface CheckedConnection extends Destination {
  /** Trusted in place of the certificates that Node comes with, as PEM. */
  readonly ca: string | undefined;
  /** Ends the request when it is aborted, which this file does for an answer that is too large. */
  readonly limit: AbortController;
  /** Whether the connection to this address, which was made, may be used. */
  readonly admit: (address: string) => boolean;
}

/** For each address except the last, which has the rest of the time. */
const CONNECT_TIMEOUT_MS = 1000;
/** The redirects after which a GET stays the same GET, temporarily or for good (RFC 9110 §15.4). */
const FOLLOWED = [301, 302, 307, 308];
const MAX_REDIRECTS = 3;
export const MAX_URL_LENGTH = 2048;
const MAX_SHOWN_LENGTH = 200;
const MAX_HEAD_BYTES = 16_384;
const MAX_BODY_BYTES = 65_536;
/** Counts all bytes received, including interim answers and chunk framing, which the other limits omit. */
const MAX_RECEIVED_BYTES = 4 * MAX_BODY_BYTES;
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;

/** Rejects with a `GuardedFetchError`, an error of the connection, or the reason of `limit`. */
export async function request(url: URL, content: RequestContent, connection: CheckedConnection) {
  const { addresses, limit, admit } = connection;
  let receivedBytes = 0;

  function count(bytes: number): void {
    receivedBytes += bytes;
    if (receivedBytes <= MAX_RECEIVED_BYTES) return;
    limit.abort(new GuardedFetchError("too_large", url.host));
  }

  function send(to: URL): Promise<IncomingMessage> {
    const client = to.protocol === "https:" ? https() : http;
    return new Promise((resolve, reject) => {
      const sent = client.request(to, optionsOf(to, content, connection));
      sent.on("socket", (socket) => {
        // Checked before TLS begins: an address can lead to another one, as 0.0.0.0 leads to this machine.
        socket.prependListener("connect", () => {
          const address = socket.remoteAddress ?? "";
          const refused = (code: GuardedFetchCode, detail: string) =>
            limit.abort(new GuardedFetchError(code, to.host, detail));
          if (!addresses.includes(address)) return refused("unreachable", "ERR_OTHER_ADDRESS");
          if (!admit(address)) refused("busy", "limit: address");
        });
        socket.on("data", (chunk: Buffer) => count(chunk.length));
      });
      sent.on("response", resolve);
      sent.on("error", reject);
      // A switch to another protocol closes the connection without an error.
      sent.on("close", () => reject(new GuardedFetchError("unreachable", to.host, "ECONNRESET")));
      sent.end(content.body?.toString());
    });
  }

  const visited: [URL, ...URL[]] = [url];
  let answer = await send(url);
  while (content.withinOrigin && isRedirect(answer.statusCode)) {
    const { statusCode: status = 0, headersDistinct } = answer;
    const next = nextWithinOrigin(visited, { status, locations: headersDistinct.location ?? [] });
    answer.destroy();
    visited.push(next);
    // The host and port are the same, and so are its addresses, which were checked.
    answer = await send(next);
  }
  const response = await responseOf(answer, url.host, content);
  // A body without a length ends with its connection: if that was aborted, the body looks complete.
  limit.signal.throwIfAborted();
  return response;
}

function isRedirect(status = 0): boolean {
  return status >= 300 && status < 400;
}

/** The URL after the `visited` ones, by the `Location` headers. Throws a `GuardedFetchError` that names both URLs. */
export function nextWithinOrigin(
  visited: readonly [URL, ...URL[]],
  { status, locations }: { readonly status: number; readonly locations: readonly string[] },
): URL {
  const from = visited.at(-1) ?? visited[0];
  const redirect = `status ${status} from ${shown(from)}`;
  const refused = (what: string) => new GuardedFetchError("redirect", from.host, what);
  const [location = ""] = locations;
  if (location === "") throw refused(`${redirect} without a Location`);
  if (locations.length > 1) throw refused(`${redirect} with several Locations`);
  if (!URL.canParse(location, from.href))
    throw refused(`${redirect} to a Location that is not a URL`);
  const to = new URL(location, from);
  // The fragment is not part of a request (RFC 9110 §10.2.2).
  to.hash = "";
  const hop = `${redirect} to ${shown(to)}`;
  // The origin of a blob URL is that of the URL in it.
  if (to.origin !== from.origin || to.protocol !== from.protocol)
    throw refused(`${hop}, which has another origin`);
  if (to.username !== "" || to.password !== "")
    throw refused(`${hop} with a user name or password`);
  if (to.href.length > MAX_URL_LENGTH) throw refused(`${hop}, which is too long`);
  if (!FOLLOWED.includes(status)) throw refused(`${hop}; only ${FOLLOWED.join(", ")} are followed`);
  if (visited.some(({ href }) => href === to.href)) throw refused(`${hop}, which is a loop`);
  if (visited.length > MAX_REDIRECTS) throw refused(`${hop}, after ${MAX_REDIRECTS} others`);
  return to;
}

/** The URL in printable ASCII, without the query, which may contain anything. */
function shown({ origin, pathname, protocol }: URL): string {
  const text = origin === "null" ? protocol : `${origin}${pathname}`;
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

function optionsOf(
  url: URL,
  { method = "GET", headers, body }: RequestContent,
  { addresses, port, ca, limit }: CheckedConnection,
): RequestOptions & Partial<TcpSocketConnectOpts> {
  const isForm = body instanceof URLSearchParams;
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    method,
    port,
    signal: limit.signal,
    // Connections are not reused: for the next request the name may have other addresses.
    agent: false,
    // Pins the connection to the checked addresses. Otherwise Node would resolve the name again.
    lookup: (_name, _options, callback) => process.nextTick(callback, null, checked),
    // Set explicitly because flags of the process change the default, and with it what `lookup` must give.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_MS,
    servername: url.hostname,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ca,
    maxHeaderSize: MAX_HEAD_BYTES,
    insecureHTTPParser: false,
    headers: {
      accept: "application/json",
      "user-agent": "domain-signin",
      ...(isForm && { "content-type": "application/x-www-form-urlencoded" }),
      ...headers,
      host: url.host,
      connection: "close",
      "accept-encoding": "identity",
    },
  };
}

async function responseOf(answer: IncomingMessage, host: string, content: RequestContent) {
  const { statusOnly, asBrowser } = content;
  const { statusCode: status = 0, headers } = answer;
  // Checked here, since a service's listener replaces Response by one that would throw only when it is read.
  if (status < 200 || status > 599) {
    throw new GuardedFetchError("unreachable", host, "ERR_HTTP_INVALID_STATUS_CODE");
  }
  if (asBrowser && isRedirect(status)) {
    // Without a `location` if there is none, or several.
    const [location, ...more] = answer.headersDistinct.location ?? [];
    const isOne = location !== undefined && more.length === 0;
    return new Response(null, { status, headers: isOne ? { location } : {} });
  }
  if (isRedirect(status)) throw new GuardedFetchError("redirect", host);
  if (statusOnly) return new Response(null, { status });
  // Each header as it was sent: `headers` has only the first.
  const types = answer.headersDistinct["content-type"] ?? [""];
  const isJson = types.every((type) => JSON_TYPE.test(type));
  // Only the status of an error page is useful.
  if (!isJson && (asBrowser || status >= 400)) return new Response(null, { status });
  if (!isJson) throw new GuardedFetchError("not_json", host);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw new GuardedFetchError("encoded", host);
  const body = await readBody(answer, host);
  const hasNoBody = [204, 205].includes(status);
  return new Response(hasNoBody ? null : body, { status, headers: keptHeaders(answer) });
}

async function readBody(answer: IncomingMessage, host: string): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new GuardedFetchError("too_large", host);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Drops all other headers, which are not needed and not trusted. */
function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  const { "content-type": type, "cache-control": lifetime } = headers;
  return { ...(type && { "content-type": type }), ...(lifetime && { "cache-control": lifetime }) };
}

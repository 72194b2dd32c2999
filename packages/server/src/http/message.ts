// HTTP requests and responses as plain values, which every handler takes and returns.

export interface HttpRequest {
  readonly method: string;
  /** Without the query. Percent-decoded except for reserved characters such as `/` and `?`. */
  readonly path: string;
  /** As received, without `?`. */
  readonly query: string;
  /** The values of the variable path segments, such as `:id`. */
  readonly params: Readonly<Record<string, string>>;
  /** The IP address of the peer or of the client behind a trusted proxy; empty if unknown. */
  readonly clientAddress: string;
  /** The value of a header or null. `name` is lower case; repeated headers are joined with `, `. */
  header(name: string): string | null;
  /** The whole body. Rejects with `BodyTooLargeError` beyond what the first caller allows, otherwise if it is incomplete. */
  body(maxOctets: number): Promise<Uint8Array>;
}

export interface HttpResponse {
  readonly status: number;
  /** Names are lower case. Only `set-cookie` may have several values, or none. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** The body in its place, if it is compressed. */
  readonly octets?: Uint8Array<ArrayBuffer>;
  /** Called if the client closed the connection before the answer; `leftAt` is when, by `performance.now()`. */
  readonly undelivered?: (leftAt: number) => void;
}

export type Handler<Context = HttpRequest> = (
  context: Context,
) => HttpResponse | Promise<HttpResponse>;

export class BodyTooLargeError extends Error {
  override name = "BodyTooLargeError";
}

/** Enforces the size limit while the body arrives too, since its length may be undeclared (0). */
export async function collectBody(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  declaredOctets: number,
  maxOctets: number,
): Promise<Uint8Array> {
  if (declaredOctets > maxOctets) throw new BodyTooLargeError();
  const collected: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxOctets) throw new BodyTooLargeError();
    collected.push(chunk);
  }
  const [only, second] = collected;
  return only && !second ? only : Buffer.concat(collected);
}

/** A target that a URL parser would return as it is. */
const PLAIN_TARGET = /^(\/[\w.~\-/]*)(?:\?([\w.~\-=&%+:]*))?$/;
/** A proxy may resolve it in another way, and so guard another path than the one that is answered. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** Path and query of a request target, in origin form or absolute form (RFC 9112 §3.2). Null if it is invalid. */
export function readTarget(target: string): { path: string; query: string } | null {
  const [, path, query = ""] = PLAIN_TARGET.exec(target) ?? [];
  if (path !== undefined && !DOT_SEGMENT.test(path)) return { path, query };
  // URL parsers treat a backslash in the path as a slash.
  if (/^[^?]*\\/.test(target)) return null;
  return pathAndQuery(target.startsWith("/") ? `http://localhost${target}` : target);
}

/**
 * Path and query of a URL. Null if it has a dot segment, a fragment, which would silently drop the parameters after it,
 * or a user name (RFC 9110 §4.2.4). The sender controls the scheme and the host, which are ignored.
 */
export function pathAndQuery(text: string): { path: string; query: string } | null {
  if (text.includes("#") || !URL.canParse(text)) return null;
  if (DOT_SEGMENT.test(text.replace(/\?.*$/s, ""))) return null;
  const { protocol, username, password, pathname, search } = new URL(text);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "") return null;
  return { path: decodePath(pathname), query: search.slice(1) };
}

function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

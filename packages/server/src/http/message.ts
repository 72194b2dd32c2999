// A request and a response as plain values: what every handler takes and returns.

export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** Decoded, but for escapes of `/`, `?` and the like; without the query. */
  readonly path: string;
  /** As it was sent, without `?`. */
  readonly query: string;
  /** The variable segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The peer, or the client for which a trusted proxy speaks; empty if not known. */
  readonly clientAddress: string;
  /** The value of a header, or null. `name` is in lower case; repeated headers are joined by `, `. */
  header(name: string): string | null;
  /** The whole body. Rejects with `BodyTooLargeError`, or with any other error if the request body is incomplete. */
  body(maxOctets: number): Promise<Uint8Array>;
}

export interface HttpResponse {
  readonly status: number;
  /** Names are in lower case. Only `set-cookie` may have several values. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Empty for none. */
  readonly body: string;
}

export type Handler<Context = HttpRequest> = (
  context: Context,
) => HttpResponse | Promise<HttpResponse>;

export class BodyTooLargeError extends Error {
  override name = "BodyTooLargeError";
}

/** Collects a body while it arrives: it may have no length, and never end. */
export async function collectBody(
  chunks: AsyncIterable<Uint8Array>,
  maxOctets: number,
): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxOctets) throw new BodyTooLargeError();
    collected.push(chunk);
  }
  return collected.length === 1 && collected[0] ? collected[0] : Buffer.concat(collected);
}

/**
 * Path and query of a URL. Null for a URL with a fragment (behind it, a `state` would get lost
 * unseen) or with a user name (RFC 9110 §4.2.4). Scheme and host are chosen by the caller, and are
 * never used.
 */
export function pathAndQuery(text: string): { path: string; query: string } | null {
  if (text.includes("#") || !URL.canParse(text)) return null;
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

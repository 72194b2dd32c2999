// Where the authorization request of an interaction is kept: in its row, and in a cookie of its browser.
//
// A row holds a request of at most 2,048 octets, because anybody can send one. Of a longer request, it holds a hash.
// The cookie also outlives the row, so that the page of an expired interaction still leads back to the app.

import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import { sha256 } from "../lib/random.ts";
import { requestInAddress } from "./interaction.ts";

const MAX_ROW_OCTETS = 2048;
/** Browsers keep 4,096 octets, with the name and the attributes. */
const MAX_COOKIE_CHARS = 3800;
/** The request line of a longer one is refused. */
const MAX_QUERY_OCTETS = 16_384;
/** Beside the newest. Leaves room for other cookies in 8 KiB of headers, the default of nginx. */
const MAX_COOKIES = 3;
const MAX_COOKIES_CHARS = 2048;
/** No query begins with this character. */
const HASH_PREFIX = "#";

/** `state` and `redirect_uri` fit at their full length, but not together with a long `nonce`. */
export function canBeKept(query: string): boolean {
  return query.length <= MAX_ROW_OCTETS || packed(query).length <= MAX_COOKIE_CHARS;
}

/** What the row of the interaction holds: the query, or its hash. */
export function queryForRow(query: string): string {
  return query.length <= MAX_ROW_OCTETS ? query : hashOf(query);
}

/** The `Set-Cookie` values that keep the request in the browser, with those of its latest other interactions. */
export function keepRequest(
  http: HttpRequest,
  { interactionId, query }: { readonly interactionId: string; readonly query: string },
  cookies: Cookies,
): readonly string[] {
  const name = cookies.requestName(interactionId);
  const value = packed(query);
  let left = MAX_COOKIES_CHARS - value.length;
  const others = cookies.requests(http).filter((one) => one.name !== name);
  const dropped = others.reverse().filter((one, index) => {
    left -= one.value.length;
    return left < 0 || index >= MAX_COOKIES - 1;
  });
  return [cookies.setRequest(name, value), ...dropped.map((one) => cookies.clear(one.name))];
}

/** Null if neither the row nor the page's address nor this browser has the query. `ofRow` is null if the row is gone. */
export function keptRequest(
  http: HttpRequest,
  { interactionId, ofRow }: { readonly interactionId: string; readonly ofRow: string | null },
  cookies: Cookies,
): string | null {
  if (ofRow !== null && !ofRow.startsWith(HASH_PREFIX)) return ofRow;
  const name = cookies.requestName(interactionId);
  const value = cookies.requests(http).find((one) => one.name === name)?.value;
  const queries = [requestInAddress(http), value === undefined ? null : unpacked(value)];
  const isOfRow = (query: string | null) =>
    query !== null && (ofRow === null || hashOf(query) === ofRow);
  return queries.find(isOfRow) ?? null;
}

function hashOf(query: string): string {
  return HASH_PREFIX + sha256(query);
}

function packed(query: string): string {
  return deflateRawSync(query).toString("base64url");
}

/** Null for a value that was not packed here. */
function unpacked(value: string): string | null {
  const octets = Buffer.from(value, "base64url");
  try {
    return inflateRawSync(octets, { maxOutputLength: MAX_QUERY_OCTETS }).toString();
  } catch {
    return null;
  }
}

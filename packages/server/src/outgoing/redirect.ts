// Where a redirect leads, for a request that may follow redirects within the origin of its URL.

import { GuardedFetchError } from "./guarded-fetch-error.ts";

/** Those after which a GET stays the same GET, temporarily or for good (RFC 9110 §15.4). */
const FOLLOWED = [301, 302, 307, 308];
const MAX_REDIRECTS = 3;
const MAX_URL_LENGTH = 2048;
const MAX_SHOWN_LENGTH = 200;

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
  // It is not part of a request (RFC 9110 §10.2.2).
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

/** In printable ASCII. Without the query, which may contain anything. */
function shown({ origin, pathname, protocol }: URL): string {
  const text = origin === "null" ? protocol : `${origin}${pathname}`;
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

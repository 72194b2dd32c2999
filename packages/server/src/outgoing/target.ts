// Which URLs may be fetched, decided by their text alone.

import { GuardedFetchError } from "./guarded-fetch-error.ts";

const MAX_URL_LENGTH = 2048;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
// The last label is not a number: such a host would be one of the spellings of an IPv4 address.
const DNS_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);

/**
 * The URL, which is https with a DNS name for a host, never an IP address; where `allowLoopback` is set
 * it can be http://localhost:PORT too. Throws a `GuardedFetchError` of `bad_url`.
 */
export function readTarget(text: string, options: { readonly allowLoopback: boolean }): URL {
  if (text.length > MAX_URL_LENGTH) throw new GuardedFetchError("bad_url", "", "too long");
  if (!URL.canParse(text)) throw new GuardedFetchError("bad_url", "", "not a URL");
  const url = new URL(text);
  const refused = (detail: string) => new GuardedFetchError("bad_url", url.host, detail);
  if (url.username !== "" || url.password !== "") throw refused("user name or password");
  if (text.includes("#")) throw refused("fragment");
  const isLoopback = url.protocol === "http:" && url.hostname === "localhost" && url.port !== "";
  if (!(isLoopback ? options.allowLoopback : url.protocol === "https:")) throw refused("not https");
  if (!isLoopback && !DNS_NAME.test(url.hostname)) throw refused("the host is not a DNS name");
  // Two parsers could read another spelling as two hosts. This also refuses hexadecimal addresses.
  if (url.href !== text && url.href !== `${text}/`) throw refused("not in canonical form");
  return url;
}

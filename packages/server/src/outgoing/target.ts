// Which URLs may be fetched at all, told from their text alone.

import { GuardedFetchError } from "./guarded-fetch-error.ts";

export type Target = {
  /** Name and, where it is not 443, port: as the Host header has it. */
  readonly host: string;
  readonly name: string;
  readonly port: number;
  /** And query. */
  readonly path: string;
  /** Over plain HTTP, to this machine. */
  readonly isLoopback: boolean;
};

const maxUrlLength = 2048;
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
// The last label of a name is never a number: such a host is an IPv4 address in one of its spellings.
const dnsName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`);

/** Throws a `GuardedFetchError` of `bad_url`. */
export function readTarget(text: string, options: { readonly allowLoopback: boolean }): Target {
  if (text.length > maxUrlLength) throw new GuardedFetchError("bad_url", "", "too long");
  if (!URL.canParse(text)) throw new GuardedFetchError("bad_url", "", "not a URL");
  const url = new URL(text);
  const refused = (detail: string) => new GuardedFetchError("bad_url", url.host, detail);
  if (url.username !== "" || url.password !== "") throw refused("user name or password");
  if (text.includes("#")) throw refused("fragment");
  const isLoopback = url.protocol === "http:" && url.hostname === "localhost" && url.port !== "";
  if (!(isLoopback ? options.allowLoopback : url.protocol === "https:")) throw refused("not https");
  if (!isLoopback && !dnsName.test(url.hostname)) throw refused("the host is not a DNS name");
  // Two readers could take another spelling for two hosts; hexadecimal addresses end here too.
  if (url.href !== text && url.href !== `${text}/`) throw refused("not in canonical form");
  return {
    host: url.host,
    name: url.hostname,
    port: Number(url.port || 443),
    path: url.pathname + url.search,
    isLoopback,
  };
}

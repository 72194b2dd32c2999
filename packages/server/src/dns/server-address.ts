// The address of a resolver as the configuration has it: for plain DNS, or for DNS over TLS (RFC 7858).

import { isIP, isIPv4, isIPv6 } from "node:net";

/** Plain DNS unless there is a `tlsName`, which the resolver's certificate must have. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
  readonly isV6: boolean;
  readonly tlsName?: string;
}

const FORM = /^(tls:\/\/)?(?:\[([^\]]+)\]|([^:[\]]+)):(\d+)(?:#(.*))?$/;
const HOST_NAME =
  /^(?!.{254})[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Parses "ip:port", "[v6]:port" or "tls://ip:port#name". `mistake` says what is wrong with the text. */
export function readServer(text: string): ServerAddress | { readonly mistake: string } {
  const [, tls, v6, v4 = "", digits, name] = FORM.exec(text) ?? [];
  const address = v6 ?? v4;
  const port = Number(digits);
  const isV6 = v6 !== undefined;
  if (!(isV6 ? isIPv6(address) : isIPv4(address))) {
    return { mistake: `${text} is not of the form ip:port, [ipv6]:port or tls://ip:port#name` };
  }
  if (port < 1 || port > 65_535) return { mistake: `${text} has a port that is not 1 to 65535` };
  if (tls === undefined) {
    return name === undefined
      ? { address, port, isV6 }
      : { mistake: `${text} has a name, but not tls:// before the address` };
  }
  if (name === undefined) {
    return { mistake: `${text} lacks #name at its end: the name in the resolver's certificate` };
  }
  const isName = HOST_NAME.test(name) && isIP(name) === 0;
  if (!isName) return { mistake: `${text} has a #name that is not a host name` };
  return { address, port, isV6, tlsName: name };
}

/** As `readServer`. A resolver that is listed twice, even once with TLS and once without, would confirm itself. */
export function readServers(
  texts: readonly string[],
): readonly ServerAddress[] | { readonly mistake: string } {
  if (texts.length === 0) return { mistake: "must list at least one resolver" };
  const servers: ServerAddress[] = [];
  for (const text of texts) {
    const server = readServer(text);
    if ("mistake" in server) return { mistake: `must be a list of resolvers: ${server.mistake}` };
    if (servers.some((other) => isSame(server, other))) return { mistake: `lists ${text} twice` };
    servers.push(server);
  }
  return servers;
}

function isSame(one: ServerAddress, other: ServerAddress): boolean {
  const isBoth = (one.tlsName === undefined) === (other.tlsName === undefined);
  return canonicalAddress(one) === canonicalAddress(other) && (!isBoth || one.port === other.port);
}

/** Equal for all spellings of the same address. */
function canonicalAddress({ address, isV6 }: ServerAddress): string {
  if (!isV6) return address;
  // A URL cannot contain the zone id of a link-local address.
  const [ip = "", zoneId = ""] = address.split("%");
  return `${new URL(`http://[${ip}]`).hostname}%${zoneId}`;
}

// Every setting once: its parser, its default, its meaning.

import { isIP } from "node:net";
import { parseTrustAnchor, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { ASSURANCES } from "../dns/assurance.ts";

/** A setting's value, or what it must be instead, to be said after its name. */
export type Parsed<T> = { readonly value: T } | { readonly mistake: string };

// By hand, since a library for it would take a third of the time to start.
const text =
  (isRight: (text: string) => boolean, mistake: string) =>
  (given: string): Parsed<string> =>
    isRight(given) ? { value: given } : { mistake };

const wholeNumber =
  (most: number) =>
  (given: string): Parsed<number> =>
    /^\d{1,5}$/.test(given) && Number(given) <= most
      ? { value: Number(given) }
      : { mistake: `must be 0 to ${most}` };

const list =
  (isRight: (item: string) => boolean, mistake: string) =>
  (given: string): Parsed<string[]> => {
    const value = given
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    return value.every(isRight) ? { value } : { mistake };
  };

const oneOf =
  <const T extends string>(choices: readonly T[], mistake: string) =>
  (given: string): Parsed<T> => {
    const value = choices.find((choice) => choice === given);
    return value === undefined ? { mistake } : { value };
  };

const isGiven = (given: string) => given !== "";
/** As domains are compared: in lower case, without a final dot. */
const names =
  (isRight: (name: string) => boolean, mistake: string) =>
  (given: string): Parsed<string[]> =>
    list(isRight, mistake)(given.toLowerCase().replace(/\.(?=\s*(?:,|$))/g, ""));

export interface Setting {
  parse(given: string): Parsed<unknown>;
  /** One sentence, for `--help` and the documentation. */
  readonly about: string;
  readonly example: string;
  readonly fallback?: unknown;
  /** What stands in for a default that is no value. */
  readonly without?: string;
  /** It has no flag: other processes can read those. */
  readonly isSecret?: true;
}

/** By the key in a JSON file. Flag and environment variable follow from it. */
export const SETTINGS = {
  issuer: {
    parse: text(
      isIssuer,
      "must be https://HOST, or http://localhost:PORT for development, without a path",
    ),
    about: "the service's own address, as browsers see it",
    example: "https://auth.example.com",
  },
  host: {
    parse: text(isGiven, "is empty"),
    fallback: "127.0.0.1",
    about: "address to listen on",
    example: "0.0.0.0",
  },
  port: {
    parse: wholeNumber(65_535),
    fallback: 8080,
    about: "port to listen on; 0 lets the system choose",
    example: "8080",
  },
  database: {
    parse: text(
      (given) => /^(sqlite:|postgres(ql)?:\/\/)./.test(given),
      "must be sqlite:PATH or postgres://…",
    ),
    fallback: "sqlite:./domain-signin.db",
    about: "where grants, accounts and clients are kept",
    example: "postgres://user@db.example.com/domain_signin",
  },
  secret: {
    parse: text((given) => given.length >= 32, "must have at least 32 characters"),
    about: "seals the keys in the database; no flag, since other processes can read flags",
    example: "the output of: openssl rand -base64 32",
    without: "./domain-signin.secret is made on the first start, and used",
    isSecret: true,
  },
  previous_secret: {
    parse: text((given) => given.length >= 32, "must have at least 32 characters"),
    about: "the secret before this one: what only it opens is sealed anew; no flag either",
    example: "the secret that was given until now",
    without: "none",
    isSecret: true,
  },
  dns_servers: {
    parse: (given: string): Parsed<string[]> => {
      const parsed = list(isResolver, "must name each as ip:port or [ip]:port")(given);
      if ("mistake" in parsed) return parsed;
      if (parsed.value.length === 0) return { mistake: "names no resolver" };
      // One that is asked twice would confirm itself.
      const isTwice = new Set(parsed.value.map(resolverKey)).size < parsed.value.length;
      return isTwice ? { mistake: "names a resolver twice" } : parsed;
    },
    fallback: ["1.1.1.1:53", "8.8.8.8:53", "9.9.9.9:53"],
    about: "resolvers to ask, as ip:port, separated by commas",
    example: "192.0.2.53:53,[2001:db8::53]:53",
  },
  min_assurance: {
    parse: oneOf(ASSURANCES, "must be single, corroborated or secure"),
    fallback: "corroborated" as const,
    about:
      "what a DNS answer must be worth to decide alone: single (one resolver's word), corroborated (two of three or more resolvers) or secure (signatures up to the root); each is also content with more",
    example: "secure",
  },
  trust_anchors: {
    parse: (given: string): Parsed<TrustAnchor[]> => {
      const texts = list(
        isTrustAnchor,
        "must give each as . IN DS KEY-TAG ALGORITHM DIGEST-TYPE DIGEST, with digest type 2 or 4",
      )(given);
      if ("mistake" in texts) return texts;
      if (texts.value.length === 0) return { mistake: "names no key" };
      return { value: texts.value.map(parseTrustAnchor) };
    },
    about: "keys of the DNS root that are trusted, each as a DS record, separated by commas",
    example: ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
    without: "those that IANA publishes: 20326 (KSK-2017) and 38696 (KSK-2024)",
  },
  allowed_special_names: {
    parse: names(
      isName,
      "must name each as a domain name in ASCII, such as test, with commas between",
    ),
    fallback: [] as string[],
    about: "special-use names under which domains may sign in, such as test",
    example: "test",
  },
  allowed_private_suffixes: {
    // A single label is an ending of ICANN's, which nobody signs in with.
    parse: names(
      (name) => isName(name) && name.includes("."),
      "must name each as a domain name in ASCII with a dot in it, such as github.io, with commas between",
    ),
    fallback: [] as string[],
    about: "public suffixes of private owners that may sign in as a domain themselves",
    example: "github.io,blogspot.com",
  },
  trusted_proxies: {
    parse: list(isNetwork, "must name each as an address or as address/bits"),
    fallback: [] as string[],
    about: "proxies whose X-Forwarded-For is believed: addresses or networks",
    example: "127.0.0.1,10.0.0.0/8",
  },
  management_port: {
    parse: wholeNumber(65_535),
    about: "port for /metrics, /livez and /readyz, which nobody outside should reach",
    example: "9090",
    without: "no such listener",
  },
  management_host: {
    parse: text(isGiven, "is empty"),
    fallback: "127.0.0.1",
    about: "address to listen on for those",
    example: "10.0.0.5",
  },
  stop_delay: {
    parse: wholeNumber(600),
    fallback: 0,
    about: "seconds between SIGTERM and refusing connections, while /readyz answers 503",
    example: "5",
  },
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof SETTINGS;
export type SettingValues = {
  [K in SettingKey]: Extract<
    ReturnType<(typeof SETTINGS)[K]["parse"]>,
    { value: unknown }
  >["value"];
};

const PREFIX = "DOMAIN_SIGNIN_";

export function kebab(key: string): string {
  return key.replaceAll("_", "-");
}

export function envName(key: string): string {
  return PREFIX + key.toUpperCase();
}

/** The key that an environment variable sets, or null for a variable that is none of ours. */
export function keyOfEnv(name: string): string | null {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length).toLowerCase() : null;
}

function isTrustAnchor(text: string): boolean {
  try {
    return parseTrustAnchor(text) !== null;
  } catch {
    return false;
  }
}

/** As a record must be able to name it: a host with a dot that is no IP address, or localhost with a port. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname, port: explicitPort } = new URL(text);
  if (origin !== text) return false;
  if (protocol === "http:") return hostname === "localhost" && explicitPort !== "";
  return protocol === "https:" && /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname);
}

/** In A-labels, lower case: what is written in another way would be equal to no domain. */
function isName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(text);
}

function isResolver(text: string): boolean {
  const [, v6, v4, portText] = /^(?:\[(.+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const isAddress = v6 === undefined ? isIP(v4 ?? "") === 4 : isIP(v6) === 6;
  return isAddress && Number(portText) >= 1 && Number(portText) <= 65_535;
}

/** The same for every way to write an address and port. */
function resolverKey(text: string): string {
  const at = text.lastIndexOf(":");
  return `${new URL(`http://${text.slice(0, at)}`).hostname} ${Number(text.slice(at + 1))}`;
}

function isNetwork(text: string): boolean {
  const [, address = "", bits] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  // Whoever arrives as IPv4 inside IPv6 is taken for IPv4: such a network would match nobody.
  if (/^::ffff:/i.test(address)) return false;
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128);
}

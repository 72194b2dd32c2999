// The table of settings: parser, default and description of each.

import { isIP } from "node:net";
import { parseTrustAnchor, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { REGISTRATION_MODES, REGISTRATION_PKCE } from "../clients/registration-mode.ts";
import { ASSURANCES } from "../dns/assurance.ts";
import { readServers } from "../dns/server-address.ts";
import { LIMITS } from "../lib/limits.ts";
import { LOG_LEVELS } from "../telemetry/event-spec.ts";
import { isContact, isIssuer, isOrigin } from "./uris.ts";

/** The value of a setting, or what is wrong with it, as the rest of a sentence that begins with its name. */
export type Parsed<T> = { readonly value: T } | { readonly mistake: string };

// Written without a validation library, which would add a third to the start time.
const text =
  (isRight: (text: string) => boolean, mistake: string) =>
  (given: string): Parsed<string> =>
    isRight(given) ? { value: given } : { mistake };

const wholeNumber =
  (max: number, min = 0) =>
  (given: string): Parsed<number> =>
    /^\d{1,12}$/.test(given) && Number(given) <= max && Number(given) >= min
      ? { value: Number(given) }
      : { mistake: `must be a whole number from ${min} to ${max}` };

const list =
  (isRight: (item: string) => boolean, mistake: string) =>
  (given: string): Parsed<string[]> => {
    const value = itemsOf(given);
    const wrong = value.find((item) => !isRight(item));
    return wrong === undefined ? { value } : { mistake: `${mistake}; invalid: ${wrong}` };
  };

const itemsOf = (given: string) =>
  given
    .split(",")
    .map((part) => part.trim())
    .filter(isGiven);
const isGiven = (given: string) => given !== "";
const oneOf =
  <T extends string>(choices: readonly T[], listed: string) =>
  (given: string): Parsed<T> => {
    const value = choices.find((choice) => choice === given);
    return value ? { value } : { mistake: `must be ${listed}, not ${given}` };
  };
const onOrOff = oneOf(["on", "off"], "on or off");
const longEnough = text((given) => given.length >= 32, "must have at least 32 characters");
/** Converts names to the form in which domains are compared: lower case, without a final dot. */
const names =
  (isRight: (name: string) => boolean, mistake: string) =>
  (given: string): Parsed<string[]> =>
    list(isRight, mistake)(given.toLowerCase().replace(/\.(?=\s*(?:,|$))/g, ""));

export interface Setting {
  parse(given: string): Parsed<unknown>;
  /** Description for `--help` and docs/configuration.md. */
  readonly about: string;
  readonly example: string;
  readonly fallback?: unknown;
  /** What applies without a value, for a setting without a default. */
  readonly without?: string;
  /** It has no flag, because other processes can read command lines. */
  readonly isSecret?: true;
}

/** The keys are those of the JSON file (see `nameInFile`); names of flags and environment variables follow from them. */
export const SETTINGS = {
  issuer: {
    parse: text(
      isIssuer,
      "must be https://HOST without a path, or for development http://localhost:PORT or https://localhost",
    ),
    about: "issuer identifier: the public URL of the service, without a path",
    example: "https://auth.example.com",
  },
  host: {
    parse: text(isGiven, "must not be empty"),
    fallback: "127.0.0.1",
    about: "address to listen on",
    example: "0.0.0.0",
  },
  port: {
    parse: wholeNumber(65_535),
    fallback: 8080,
    about: "port to listen on; 0 selects a free port",
    example: "8080",
  },
  database: {
    parse: text(
      (given) => /^(sqlite:|postgres(ql)?:\/\/)./.test(given),
      "must be sqlite:PATH or postgres://…",
    ),
    fallback: "sqlite:./domain-signin.db",
    about: "database that stores grants, accounts and clients",
    example: "postgres://user@db.example.com/domain_signin",
  },
  mark: {
    parse: text(isGiven, "must not be empty"),
    about:
      "mark file, by which a restored backup is recognized; keep it out of the backups of the database",
    example: "/var/lib/domain-signin-mark/domain-signin.mark",
    without:
      "domain-signin.mark beside ./domain-signin.secret; if that file does not exist, beside the SQLite database, and with PostgreSQL none",
  },
  secret: {
    parse: longEnough,
    about:
      "secret that encrypts the keys in the database; has no flag, because other processes can read command lines",
    example: "the output of: openssl rand -base64 32",
    without: "the content of ./domain-signin.secret, which the first start creates",
    isSecret: true,
  },
  previous_secret: {
    parse: longEnough,
    about: "previous value of secret, used to re-encrypt the keys after a change; has no flag",
    example: "the value of secret before the change",
    without: "none",
    isSecret: true,
  },
  dns_servers: {
    parse: (given: string): Parsed<string[]> => {
      const value = itemsOf(given);
      const servers = readServers(value);
      return "mistake" in servers ? servers : { value };
    },
    fallback: [
      "tls://1.1.1.1:853#cloudflare-dns.com",
      "tls://8.8.8.8:853#dns.google",
      "tls://9.9.9.9:853#dns.quad9.net",
    ],
    about:
      "DNS resolvers, separated by commas: tls://ip:port#name for DNS over TLS with a certificate for that name, or ip:port for plain DNS",
    example: "tls://192.0.2.53:853#dns.example.net,[2001:db8::53]:53",
  },
  min_assurance: {
    parse: oneOf(ASSURANCES, "single, corroborated or secure"),
    fallback: "corroborated" as const,
    about:
      "minimum assurance of DNS answers: single (one resolver), corroborated (two of three or more resolvers agree) or secure (validated with DNSSEC)",
    example: "secure",
  },
  record_spk: {
    parse: oneOf(["auto", "always"] as const, "auto or always"),
    fallback: "auto" as const,
    about: "whose records list the service's keys (spk): auto (signed zones only) or always",
    example: "always",
  },
  zone_name_servers: {
    parse: onOrOff,
    fallback: "on" as const,
    about:
      "on: set-up and challenges query the zone's own name servers (public addresses, port 53), so that a new record is seen within seconds; off: only the resolvers are queried",
    example: "off",
  },
  trust_anchors: {
    parse: (given: string): Parsed<TrustAnchor[]> => {
      const texts = list(
        isTrustAnchor,
        "must be a list of DS records, each . IN DS KEY-TAG ALGORITHM DIGEST-TYPE DIGEST with digest type 2 or 4",
      )(given);
      if ("mistake" in texts) return texts;
      if (texts.value.length === 0) return { mistake: "must list at least one DS record" };
      return { value: texts.value.map(parseTrustAnchor) };
    },
    about: "DNSSEC trust anchors for the root zone, as DS records separated by commas",
    example: ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
    without: "those published by IANA: 20326 (KSK-2017) and 38696 (KSK-2024)",
  },
  allowed_special_names: {
    parse: names(
      isName,
      "must be a list of domain names in ASCII, such as test, separated by commas",
    ),
    fallback: [] as string[],
    about: "special-use names under which domains may sign in, such as test",
    example: "test",
  },
  allowed_private_suffixes: {
    // A single label is a top-level domain, which cannot sign in.
    parse: names(
      (name) => isName(name) && name.includes("."),
      "must be a list of domain names in ASCII that contain a dot, such as github.io, separated by commas",
    ),
    fallback: [] as string[],
    about: "privately owned public suffixes that may themselves be used as domains",
    example: "github.io,blogspot.com",
  },
  accounts_per_domain: {
    parse: wholeNumber(99_999, 1),
    fallback: 1000,
    about:
      "how many accounts the names of one registrable domain may have, such as example.com with all names below; each name below a public suffix counts by itself",
    example: "5000",
  },
  history_days: {
    parse: wholeNumber(3650, 1),
    fallback: 90,
    about: "days for which the history of an account is kept, such as its sign-ins and its apps",
    example: "30",
  },
  session_idle_days: {
    parse: wholeNumber(365, 1),
    fallback: 30,
    about: "days without use after which a session ends; cannot be more than session_absolute_days",
    example: "7",
  },
  session_absolute_days: {
    parse: wholeNumber(400, 1),
    fallback: 180,
    about:
      "days after an authentication after which its session ends, even if it is in use; a change applies to later authentications",
    example: "30",
  },
  trusted_proxies: {
    parse: list(
      (given) => given === "loopback" || isNetwork(given),
      "must be a list of addresses, networks (address/bits) or the word loopback",
    ),
    fallback: ["loopback"] as string[],
    about:
      "proxies whose X-Forwarded-For header is trusted: addresses, networks, or loopback for those on the same machine; an empty value trusts none",
    example: "loopback,10.0.0.0/8",
  },
  resource_documents: {
    parse: onOrOff,
    fallback: "on" as const,
    about:
      "on: an API is known if its metadata (RFC 9728) names this issuer; off: only APIs that were added with resources add are known",
    example: "off",
  },
  registration: {
    parse: oneOf(REGISTRATION_MODES, "off, open or token"),
    fallback: "off" as const,
    about:
      "whether apps may register themselves (RFC 7591): off; open (anyone may); token (only with the registration_token)",
    example: "open",
  },
  registration_token: {
    // The characters of a bearer token (RFC 6750 §2.1).
    parse: text(
      (given) => /^[A-Za-z0-9._~+/-]{32,}=*$/.test(given),
      "must have at least 32 letters, digits or characters of ._~+/-",
    ),
    about:
      "initial access token that apps need to register themselves if registration is token; has no flag, because other processes can read command lines",
    example: "0f2c1d9e5b7a4836a1c0d2e3f4958677",
    without: "none",
    isSecret: true,
  },
  registration_origins: {
    parse: list(isOrigin, "must be a list of https origins, or of http origins on loopback"),
    fallback: [] as string[],
    about:
      "origins whose web pages may register apps, separated by commas; pages of other origins may not, and programs that are no web pages need no entry",
    example: "https://inspector.example.com",
  },
  registration_pkce: {
    parse: oneOf(REGISTRATION_PKCE, "optional or required"),
    fallback: "optional" as const,
    about:
      "whether confidential apps that register themselves must use PKCE: optional (they may send a nonce instead) or required; public apps always must. A change applies to later registrations",
    example: "required",
  },
  limits_unproved_rows: {
    parse: wholeNumber(10_000_000_000, 10_000_000),
    fallback: LIMITS.unprovedRows,
    about:
      "octets that pending sign-ins may take together in the database until somebody proves them",
    example: "1000000000",
  },
  limits_pages_waiting: {
    parse: wholeNumber(65_536, 64),
    fallback: LIMITS.pagesWaiting,
    about: "how many requests for pages may wait at this node; each takes up to 8 KB of memory",
    example: "8192",
  },
  limits_name_server_questions: {
    parse: wholeNumber(100_000, 100),
    fallback: LIMITS.nameServerQuestions,
    about:
      "how many questions a minute this node may send to the zones' own name servers; beyond it, the resolvers are queried",
    example: "20000",
  },
  limits_look_ups: {
    parse: wholeNumber(4096, 8),
    fallback: LIMITS.lookUps,
    about: "how many look-ups in DNS may be in flight at this node",
    example: "256",
  },
  limits_outgoing: {
    parse: wholeNumber(4096, 8),
    fallback: LIMITS.outgoing,
    about:
      "how many requests to hosts of apps, APIs and service providers may be in flight at this node, of each kind",
    example: "256",
  },
  limits_unused_clients: {
    parse: wholeNumber(100_000, 100),
    fallback: LIMITS.unusedClients,
    about:
      "how many clients that registered themselves are kept although nobody has signed in to them",
    example: "20000",
  },
  hsts: {
    parse: onOrOff,
    fallback: "on" as const,
    about:
      "on: with an https issuer, responses have Strict-Transport-Security: max-age=31536000, so that browsers use https alone for this host for a year; off: they do not, for example because the proxy adds the header",
    example: "off",
  },
  security_contact: {
    parse: text(
      isContact,
      "must be one address such as mailto:security@example.com, https://example.com/security or tel:+1-201-555-0123",
    ),
    about:
      "where to report a vulnerability, a mailto:, https: or tel: URI: turns on /.well-known/security.txt (RFC 9116), whose expiry is renewed by itself",
    example: "mailto:security@example.com",
    without: "none, and no security.txt",
  },
  management_port: {
    parse: wholeNumber(65_535),
    about: "port for /metrics, /livez and /readyz; do not make it reachable from outside",
    example: "9090",
    without: "no management listener",
  },
  management_host: {
    parse: text(isGiven, "must not be empty"),
    fallback: "127.0.0.1",
    about: "address of the management listener",
    example: "10.0.0.5",
  },
  log_level: {
    parse: oneOf(LOG_LEVELS, LOG_LEVELS.join(", ")),
    fallback: "info" as const,
    about: "what the log contains: error, warn (warnings and errors) or info (everything)",
    example: "warn",
  },
  stop_delay: {
    parse: wholeNumber(600),
    fallback: 0,
    about:
      "how many seconds to keep accepting connections after SIGTERM, while /readyz answers 503",
    example: "5",
  },
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof SETTINGS;
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];
/** What the parser of a setting returns, or undefined if the setting may be left out. */
export type SettingValue<S extends Setting> =
  | Extract<ReturnType<S["parse"]>, { value: unknown }>["value"]
  | (S extends { without: string } ? undefined : never);

const PREFIX = "DOMAIN_SIGNIN_";

export function kebab(key: string): string {
  return key.replaceAll("_", "-");
}

export function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** As in the JSON file, where limits are members of an object. */
export function nameInFile(key: string): string {
  return key.replace(/^limits_/, "limits.");
}

export function envName(key: string): string {
  return PREFIX + key.toUpperCase();
}

/** The key that an environment variable sets, or null if it lacks the prefix. */
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

/** A-labels in lower case, the form in which domains are compared. */
function isName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(text);
}

function isNetwork(text: string): boolean {
  const [, address = "", bits] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  // IPv4-mapped peers are treated as IPv4, so such a network would match no peer.
  if (/^::ffff:/i.test(address)) return false;
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128);
}

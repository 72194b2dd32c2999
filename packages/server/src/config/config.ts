// Reads the settings from flags, environment and file, and tells all mistakes at once.

import type { TrustAnchor } from "domain-signin-verify";
import type { Assurance } from "../dns/assurance.ts";
import { OperatorError } from "../lib/errors.ts";
import { readSecretFile } from "./secret-file.ts";
import {
  envName,
  kebab,
  keyOfEnv,
  SETTINGS,
  type Setting,
  type SettingKey,
  type SettingValues,
} from "./settings.ts";
import { readSettingsFile, readText } from "./settings-file.ts";

/** What the service needs to run. */
export interface ServiceConfig {
  /** The service's own address: https, or http on localhost; no path. */
  readonly issuer: string;
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://USER:PASSWORD@HOST:PORT/NAME`. */
  readonly database: string;
  /** Seals the keys in the database. */
  readonly secret: string;
  /** The secret before it: keys that only this one opens are sealed anew. */
  readonly previousSecret?: string | undefined;
  /** `ip:port` of each resolver. */
  readonly dnsServers: readonly string[];
  /** The least that a DNS answer must be worth to decide alone. */
  readonly minAssurance: Assurance;
  /** Keys of the DNS root; those that IANA publishes unless given. */
  readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  /** Special-use names under which domains may sign in, such as `test`. */
  readonly allowedSpecialNames: readonly string[];
  /** Public suffixes of private owners that may sign in as a domain themselves. */
  readonly allowedPrivateSuffixes?: readonly string[];
  /** Addresses, or networks as `address/bits`, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
}

/** What `serve` needs besides. */
export interface ServeConfig extends Omit<ServiceConfig, "secret"> {
  readonly secret: string | null;
  readonly host: string;
  readonly port: number;
  /** Where metrics are served, or null. */
  readonly management: { readonly host: string; readonly port: number } | null;
  /** Seconds. */
  readonly stopDelay: number;
}

/** What a look at a domain needs. */
export type CheckConfig = Pick<
  ServiceConfig,
  | "issuer"
  | "dnsServers"
  | "minAssurance"
  | "trustAnchors"
  | "allowedSpecialNames"
  | "allowedPrivateSuffixes"
> & {
  /** Where SPs are registered by hand, if it is there; without it none is. */
  readonly database?: string;
};

/** What the commands on keys need; without a secret they only list. */
export interface KeysConfig extends Pick<ServiceConfig, "database" | "previousSecret"> {
  readonly secret: string | null;
}

/** What registering at an SP by hand needs: the issuer is told to the SP, and decides which it may be. */
export interface SpConfig extends KeysConfig, Pick<ServiceConfig, "issuer"> {}

export interface ConfigSources {
  /** By key in snake case, without those that were not given. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Those that may be missing have no value to fall back to. */
type OptionalKey = {
  [K in SettingKey]: (typeof SETTINGS)[K] extends { without: string } ? K : never;
}[SettingKey];
export type ReadValues<K extends SettingKey> = Pick<SettingValues, Exclude<K, OptionalKey>> &
  Partial<Pick<SettingValues, Extract<K, OptionalKey>>>;

/** Reads the settings that `keys` names; flag before environment before file before default. */
export function readSettings<K extends SettingKey>(
  sources: ConfigSources,
  keys: readonly K[],
): ReadValues<K> {
  const told: Told = { mistakes: [], unread: false };
  const { mistakes } = told;
  const env = readEnvironment(sources.env, keys, told);
  const file = readFile(sources.flags.config ?? env.config, told);
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const key of keys) {
    const setting: Setting = SETTINGS[key];
    const given = sources.flags[key] ?? env[key] ?? file[key];
    if (given === undefined) {
      if (setting.fallback !== undefined) values[key] = setting.fallback;
      // What stands in a file that could not be read may be all that is missing.
      else if (setting.without === undefined && !told.unread)
        mistakes.push(`${key} is missing: give --${kebab(key)} or ${envName(key)}`);
      continue;
    }
    const parsed = setting.parse(given);
    if ("value" in parsed) values[key] = parsed.value;
    else mistakes.push(`${key} ${parsed.mistake}`);
  }
  if (mistakes.length > 0) throw new OperatorError(mistakes.join("\n"));
  return values as ReadValues<K>;
}

/** What `check` needs. */
export function readCheckConfig(sources: ConfigSources): CheckConfig {
  const values = readSettings(sources, [
    ...(["issuer", "dns_servers", "min_assurance", "trust_anchors", "database"] as const),
    ...(["allowed_special_names", "allowed_private_suffixes"] as const),
  ]);
  return {
    issuer: values.issuer,
    database: values.database,
    dnsServers: values.dns_servers,
    minAssurance: values.min_assurance,
    trustAnchors: values.trust_anchors,
    allowedSpecialNames: values.allowed_special_names,
    allowedPrivateSuffixes: values.allowed_private_suffixes,
  };
}

/** What the commands on keys need. */
export function readKeysConfig(sources: ConfigSources): KeysConfig {
  const values = readSettings(sources, [...(["database", "secret", "previous_secret"] as const)]);
  return {
    database: values.database,
    secret: values.secret ?? readSecretFile(),
    previousSecret: values.previous_secret,
  };
}

/** What `sp add` needs. */
export function readSpConfig(sources: ConfigSources): SpConfig {
  const values = readSettings(sources, ["issuer", "database", "secret", "previous_secret"]);
  return {
    issuer: values.issuer,
    database: values.database,
    secret: values.secret ?? readSecretFile(),
    previousSecret: values.previous_secret,
  };
}

/** Everything that `serve` needs. Without a secret, given or made before, it has to make one. */
export function readServeConfig(sources: ConfigSources): ServeConfig {
  const values = readSettings(sources, Object.keys(SETTINGS) as SettingKey[]);
  const { management_port } = values;
  return {
    issuer: values.issuer,
    host: values.host,
    port: values.port,
    database: values.database,
    secret: values.secret ?? readSecretFile(),
    previousSecret: values.previous_secret,
    dnsServers: values.dns_servers,
    minAssurance: values.min_assurance,
    trustAnchors: values.trust_anchors,
    allowedSpecialNames: values.allowed_special_names,
    allowedPrivateSuffixes: values.allowed_private_suffixes,
    trustedProxies: values.trusted_proxies,
    management:
      management_port === undefined
        ? null
        : { host: values.management_host, port: management_port },
    stopDelay: values.stop_delay,
  };
}

interface Told {
  readonly mistakes: string[];
  /** A file was named that could not be read. */
  unread: boolean;
}

/**
 * Settings of the environment by key; `_FILE` names a file that holds the value, which is read only
 * where it is needed. Space around a value is none of it, wherever it stands.
 */
function readEnvironment(
  env: ConfigSources["env"],
  keys: readonly string[],
  told: Told,
): Record<string, string | undefined> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isFile = name.endsWith("_FILE");
    const plain = isFile ? name.slice(0, -"_FILE".length) : name;
    const key = keyOfEnv(plain);
    if (key === null || value === undefined) continue;
    if (key !== "config" && !Object.hasOwn(SETTINGS, key))
      told.mistakes.push(`${name} is not a setting`);
    else if (!isFile) values[key] = value.trim();
    // Which of them was meant nobody can know.
    else if (env[plain] !== undefined)
      told.mistakes.push(`${plain} and ${name} are both set: keep one`);
    else if (key === "config" || keys.includes(key)) {
      const read = readText(value);
      if ("text" in read) values[key] = read.text.trim();
      else {
        told.mistakes.push(`${name}: ${read.mistake}`);
        told.unread = true;
      }
    }
  }
  return values;
}

function readFile(path: string | undefined, told: Told): Record<string, string> {
  if (path === undefined) return {};
  const read = readSettingsFile(path);
  if ("mistake" in read) {
    told.mistakes.push(read.mistake);
    told.unread = true;
    return {};
  }
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(read.members)) {
    const items: unknown[] = Array.isArray(value) ? value : [value];
    const isPlain = items.every((item) => typeof item === "string" || typeof item === "number");
    if (!Object.hasOwn(SETTINGS, key)) told.mistakes.push(`${key} in ${path} is not a setting`);
    else if (!isPlain)
      told.mistakes.push(`${key} in ${path} must be a text, a number or a list of them`);
    else values[key] = items.join(",");
  }
  return values;
}

// Reads the settings from flags, environment and file. Reports all mistakes together.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TrustAnchor } from "domain-signin-verify";
import {
  type RegistrationMode,
  type RegistrationPkce,
  registrationMistake,
} from "../clients/registration-mode.ts";
import { type Assurance, resolversMistake } from "../dns/assurance.ts";
import type { RecordSpk } from "../dns/own-record.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Limits } from "../lib/limits.ts";
import { sessionDaysMistake } from "../store/session-lifetimes.ts";
import { DEFAULT_SECRET_FILE, readSecretFile } from "./secret-file.ts";
import {
  camelCase,
  envName,
  kebab,
  keyOfEnv,
  nameInFile,
  SETTING_KEYS,
  SETTINGS,
  type Setting,
  type SettingKey,
  type SettingValue,
} from "./settings.ts";
import { readSettingsFile, readText } from "./settings-file.ts";

/** What the service needs to run. */
export interface ServiceConfig {
  /** Issuer identifier of the service: an https URL without a path, or http on localhost. */
  readonly issuer: string;
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://USER:PASSWORD@HOST:PORT/NAME`. */
  readonly database: string;
  /** Path of the mark file, which detects a restored backup. Nothing is compared without it, or in memory. */
  readonly mark?: string | undefined;
  /** Begins with an empty database, although the mark file says that there was one. */
  readonly newDatabase?: boolean | undefined;
  /** Encrypts the keys in the database. */
  readonly secret: string;
  /** The previous secret: keys that only this one opens are sealed again with `secret`. */
  readonly previousSecret?: string | undefined;
  /** `tls://ip:port#name` of each resolver, or `ip:port` for plain DNS. */
  readonly dnsServers: readonly string[];
  /** Minimum assurance that a DNS answer needs to be used. Without three resolvers, only `single`. */
  readonly minAssurance: Assurance;
  /** Trust anchors of the DNS root; by default, those published by IANA. */
  readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  /** Whether set-up asks the zones' own name servers, at public addresses. Default: "on". */
  readonly zoneNameServers?: "on" | "off";
  /** Whose records list the service's keys: by default those in signed zones. */
  readonly recordSpk?: RecordSpk;
  /** Special-use names under which domains may sign in, such as `test`. */
  readonly allowedSpecialNames: readonly string[];
  /** Privately owned public suffixes that may themselves be used as domains. */
  readonly allowedPrivateSuffixes?: readonly string[];
  /** How many accounts the names of one registrable domain may have. Default: 1,000. */
  readonly accountsPerDomain?: number;
  /** Days for which the history of an account is kept. Default: 90. */
  readonly historyDays?: number;
  /** Days without use after which a session ends; not more than `sessionAbsoluteDays`. Default: 30. */
  readonly sessionIdleDays?: number;
  /** Days after an authentication after which its session ends, even if it is in use. Default: 180. */
  readonly sessionAbsoluteDays?: number;
  /** Addresses, networks as `address/bits`, or "loopback", whose `X-Forwarded-For` is trusted. Default: "loopback". */
  readonly trustedProxies?: readonly string[];
  /** Whether responses have `Strict-Transport-Security`, if the issuer is an https URL. Default: "on". */
  readonly hsts?: "on" | "off";
  /** Where to report a vulnerability: a mailto:, https: or tel: URI. Default: no /.well-known/security.txt. */
  readonly securityContact?: string | undefined;
  /** Whether an API is known by its metadata alone, if that names this issuer. Default: "on". */
  readonly resourceDocuments?: "on" | "off";
  /** Whether apps may register themselves (RFC 7591), and whether they need `registrationToken`. Default: "off". */
  readonly registration?: RegistrationMode;
  /** Initial access token, for `registration: "token"`. */
  readonly registrationToken?: string | undefined;
  /** Origins whose web pages may register clients; others may not, but programs may. Default: none. */
  readonly registrationOrigins?: readonly string[];
  /** Whether confidential clients that register themselves must use PKCE, or may send a nonce. Default: "optional". */
  readonly registrationPkce?: RegistrationPkce;
  /** How much of each kind strangers can use together. Default: `LIMITS`. */
  readonly limits?: Partial<Limits>;
}

export interface ConfigSources {
  /** By key in snake case. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type CamelCase<Key> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;
/** By key in camel case; undefined for a setting without a default that may be left out. */
export type ReadValues<K extends SettingKey> = {
  readonly [P in K as CamelCase<P>]: SettingValue<(typeof SETTINGS)[P]>;
};

/** Reads the settings in `keys`. Precedence: flag, environment, file, default. Throws `OperatorError`. */
export function readSettings<K extends SettingKey>(
  sources: ConfigSources,
  keys: readonly K[],
): ReadValues<K> {
  const report: MistakeReport = { mistakes: [], hasUnreadFile: false };
  const { mistakes } = report;
  const env = readEnvironment(sources.env, keys, report);
  const file = readFile(sources.flags.config ?? env.config, report);
  const values: Record<string, unknown> = {};
  for (const key of keys) {
    const { parse, fallback, without }: Setting = SETTINGS[key];
    const given = sources.flags[key] ?? env[key] ?? file[key];
    const parsed = given === undefined ? { value: fallback } : parse(given);
    if ("mistake" in parsed) mistakes.push(`${nameInFile(key)} ${parsed.mistake}`);
    else values[camelCase(key)] = parsed.value;
    const isMissing = given === undefined && fallback === undefined && without === undefined;
    // If a file could not be read, the setting may be in that file.
    if (isMissing && !report.hasUnreadFile)
      mistakes.push(`${key} is required: set --${kebab(key)} or ${envName(key)}`);
  }
  const { minAssurance, dnsServers } = values as Partial<ReadValues<SettingKey>>;
  const tooFew = minAssurance && dnsServers && resolversMistake(minAssurance, dnsServers.length);
  if (tooFew) mistakes.push(tooFew);
  const tooLong = keys.includes("session_absolute_days" as K) && sessionDaysMistake(values);
  if (tooLong) mistakes.push(tooLong);
  const unclear = registrationMistake(values);
  if (unclear) mistakes.push(unclear);
  if (mistakes.length > 0) throw new OperatorError(mistakes.join("\n"));
  return values as ReadValues<K>;
}

/** Without a `secret`, takes the secret of the secret file; null if there is no file. */
export function withSecretFile<Values extends { readonly secret?: string | undefined }>(
  values: Values,
) {
  return { ...values, secret: values.secret ?? readSecretFile() };
}

export function readServeConfig(sources: ConfigSources) {
  const {
    limitsUnprovedRows: unprovedRows,
    limitsPagesWaiting: pagesWaiting,
    limitsNameServerQuestions: nameServerQuestions,
    limitsLookUps: lookUps,
    limitsOutgoing: outgoing,
    limitsUnusedClients: unusedClients,
    ...values
  } = readSettings(sources, SETTING_KEYS);
  const limits: Limits = {
    ...{ unprovedRows, pagesWaiting, nameServerQuestions, lookUps, outgoing, unusedClients },
  };
  return withSecretFile({ ...values, limits });
}

/** For commands that seal or open keys. */
export function readKeysConfig(sources: ConfigSources) {
  const values = readSettings(sources, ["database", "mark", "secret", "previous_secret"]);
  return { ...withSecretFile(values), markPath: markPathOf(values) };
}

const MARK_NAME = "domain-signin.mark";

/** Beside the secret file of the current folder, or else beside the SQLite database. Null for a database in memory. */
export function markPathOf({ mark, database }: { mark?: string | undefined; database: string }) {
  if (mark !== undefined) return mark;
  const [, path] = /^sqlite:(.+)$/.exec(database) ?? [];
  if (path === ":memory:") return null;
  if (existsSync(DEFAULT_SECRET_FILE)) return join(dirname(DEFAULT_SECRET_FILE), MARK_NAME);
  return path === undefined ? null : join(dirname(path), MARK_NAME);
}

interface MistakeReport {
  readonly mistakes: string[];
  hasUnreadFile: boolean;
}

/** By key. A variable with the suffix `_FILE` names a file, read only if `keys` has the setting. */
function readEnvironment(
  env: ConfigSources["env"],
  keys: readonly string[],
  report: MistakeReport,
): Record<string, string | undefined> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isFile = name.endsWith("_FILE");
    const plain = isFile ? name.slice(0, -"_FILE".length) : name;
    const key = keyOfEnv(plain);
    if (key === null || value === undefined) continue;
    if (key !== "config" && !Object.hasOwn(SETTINGS, key))
      report.mistakes.push(`unknown setting ${name}`);
    else if (!isFile) values[key] = value.trim();
    else if (env[plain] !== undefined)
      report.mistakes.push(`${plain} and ${name} are both set; remove one`);
    else if (key === "config" || keys.includes(key)) {
      const read = readText(value);
      if ("text" in read) values[key] = read.text.trim();
      else {
        report.mistakes.push(`${name}: ${read.mistake}`);
        report.hasUnreadFile = true;
      }
    }
  }
  return values;
}

function readFile(path: string | undefined, report: MistakeReport): Record<string, string> {
  if (path === undefined) return {};
  const read = readSettingsFile(path);
  if ("mistake" in read) {
    report.mistakes.push(read.mistake);
    report.hasUnreadFile = true;
    return {};
  }
  const values: Record<string, string> = {};
  for (const [name, value] of flatMembers(read.members)) {
    const items: unknown[] = Array.isArray(value) ? value : [value];
    const isPlain = items.every((item) => typeof item === "string" || typeof item === "number");
    const key = keyInFile.get(name);
    if (name === "limits") report.mistakes.push(`limits in ${path} must be an object`);
    else if (key === undefined) report.mistakes.push(`unknown setting ${name} in ${path}`);
    else if (!isPlain)
      report.mistakes.push(`${name} in ${path} must be a string, a number or an array of these`);
    else values[key] = items.join(",");
  }
  return values;
}

const keyInFile = new Map<string, string>(SETTING_KEYS.map((key) => [nameInFile(key), key]));

/** Members of the object `limits` have its name before theirs. */
function flatMembers(members: object): [string, unknown][] {
  return Object.entries(members).flatMap(([name, value]: [string, unknown]) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (name !== "limits" || !isObject) return [[name, value]];
    return Object.entries(value).map(([own, one]): [string, unknown] => [`limits.${own}`, one]);
  });
}

// Every setting: its names, its default, its meaning; read from flags, environment and file.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { isIP } from "node:net";
import { z } from "zod";
import { OperatorError } from "./lib/errors.ts";

/** What the service needs to run. */
export interface ServiceConfig {
  /** The service's own address: https, or http on localhost; no path. */
  readonly issuer: string;
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://USER:PASSWORD@HOST:PORT/NAME`. */
  readonly database: string;
  /** Seals the keys in the database. */
  readonly secret: string;
  /** `ip:port` of each resolver. */
  readonly dnsServers: readonly string[];
  /** The least that a DNS answer must be worth to decide alone. */
  readonly minAssurance: "single" | "corroborated" | "secure";
  /** Special-use names under which domains may sign in, such as `test`. */
  readonly allowedSpecialNames: readonly string[];
}

/** What `serve` needs besides. */
export interface ServeConfig extends ServiceConfig {
  readonly host: string;
  readonly port: number;
}

const list = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const issuer = z.string().refine(isIssuer, {
  error: "must be https://HOST, or http://localhost:PORT for development, without a path",
});
const port = z.coerce
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, "must be 0 to 65535")
  .transform(Number);
const resolver = z.string().refine(isResolver, "must name each as ip:port or [ip]:port");

/** Each setting once: its key in a JSON file, its parser, its default. Flag and environment follow from the key. */
export const SETTINGS = {
  issuer: { parse: issuer, about: "the service's own address, as browsers see it" },
  host: { parse: z.string().min(1), fallback: "127.0.0.1", about: "address to listen on" },
  port: { parse: port, fallback: 8080, about: "port to listen on; 0 lets the system choose" },
  database: {
    parse: z
      .string()
      .regex(/^(sqlite:|postgres(ql)?:\/\/)./, "must be sqlite:PATH or postgres://…"),
    fallback: "sqlite:./domain-signin.db",
    about: "where grants, accounts and clients are kept",
  },
  secret: {
    parse: z.string().min(32, "must have at least 32 characters"),
    about: "seals the keys in the database; without it ./domain-signin.secret is made and used",
  },
  dns_servers: {
    parse: z.string().transform(list).pipe(z.array(resolver).min(1, "names no resolver")),
    fallback: ["1.1.1.1:53", "8.8.8.8:53", "9.9.9.9:53"],
    about: "resolvers to ask, as ip:port, separated by commas",
  },
  min_assurance: {
    parse: z.enum(["single"], {
      error: "must be single: this version cannot measure more yet",
    }),
    fallback: "single" as const,
    about: "the least that a DNS answer must be worth to decide alone",
  },
  allowed_special_names: {
    parse: z.string().transform(list),
    fallback: [] as string[],
    about: "special-use names under which domains may sign in, such as test",
  },
} as const;

export type SettingKey = keyof typeof SETTINGS;
const KEYS = Object.keys(SETTINGS) as SettingKey[];

const DEFAULT_SECRET_FILE = "./domain-signin.secret";
const PREFIX = "DOMAIN_SIGNIN_";

export interface ConfigSources {
  /** By key in snake case, without those that were not given. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads the settings that `keys` names; flag before environment before file before default. */
export function readSettings(sources: ConfigSources, keys: readonly SettingKey[]) {
  const mistakes: string[] = [];
  const env = readEnvironment(sources.env, mistakes);
  const file = readFile(sources.flags.config ?? env.config, mistakes);
  const values: Record<string, unknown> = {};
  for (const key of keys) {
    const setting: { parse: z.ZodType; fallback?: unknown } = SETTINGS[key];
    const given = sources.flags[key] ?? env[key] ?? file[key];
    if (given === undefined) {
      if (setting.fallback !== undefined) values[key] = setting.fallback;
      else if (key !== "secret")
        mistakes.push(`${key} is missing: give --${kebab(key)} or ${envName(key)}`);
      continue;
    }
    const parsed = setting.parse.safeParse(given);
    if (parsed.success) values[key] = parsed.data;
    else mistakes.push(`${key} ${parsed.error.issues.map((issue) => issue.message).join(", ")}`);
  }
  if (mistakes.length > 0) throw new OperatorError(mistakes.join("\n"));
  return values;
}

/** What `check` needs. */
export function readCheckConfig(
  sources: ConfigSources,
): Pick<ServiceConfig, "issuer" | "dnsServers" | "allowedSpecialNames"> {
  const keys = ["issuer", "dns_servers", "allowed_special_names"] as const;
  const values = readSettings(sources, keys) as {
    issuer: string;
    dns_servers: string[];
    allowed_special_names: string[];
  };
  return {
    issuer: values.issuer,
    dnsServers: values.dns_servers,
    allowedSpecialNames: values.allowed_special_names,
  };
}

/** Everything that `serve` needs. Makes the secret file on the first start. */
export function readServeConfig(sources: ConfigSources): ServeConfig {
  const values = readSettings(sources, KEYS) as {
    issuer: string;
    host: string;
    port: number;
    database: string;
    secret?: string;
    dns_servers: string[];
    min_assurance: "single";
    allowed_special_names: string[];
  };
  return {
    issuer: values.issuer,
    host: values.host,
    port: values.port,
    database: values.database,
    secret: values.secret ?? readOrMakeSecret(DEFAULT_SECRET_FILE),
    dnsServers: values.dns_servers,
    minAssurance: values.min_assurance,
    allowedSpecialNames: values.allowed_special_names,
  };
}

/** Settings of the environment by key; `_FILE` names a file that holds the value. */
function readEnvironment(
  env: ConfigSources["env"],
  mistakes: string[],
): Record<string, string | undefined> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === undefined) continue;
    const isFile = name.endsWith("_FILE");
    const key = name.slice(PREFIX.length, isFile ? -"_FILE".length : undefined).toLowerCase();
    if (key !== "config" && !Object.hasOwn(SETTINGS, key))
      mistakes.push(`${name} is not a setting`);
    else if (!isFile) values[key] = value;
    else {
      try {
        values[key] = readFileSync(value, "utf8").trim();
      } catch {
        mistakes.push(`${name}: the file ${value} cannot be read`);
      }
    }
  }
  return values;
}

function readFile(path: string | undefined, mistakes: string[]): Record<string, unknown> {
  if (path === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    const record = z.record(z.string(), z.unknown()).parse(parsed);
    for (const key of Object.keys(record)) {
      if (!Object.hasOwn(SETTINGS, key)) mistakes.push(`${key} in ${path} is not a setting`);
    }
    // Lists may be written as lists in a file.
    return Object.fromEntries(
      Object.entries(record).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join(",") : value,
      ]),
    );
  } catch {
    mistakes.push(`${path} is not a JSON file of settings`);
    return {};
  }
}

/** A file of mode 0600 that is made once, whole: racing first starts end with the same secret. */
function readOrMakeSecret(path: string): string {
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`;
    try {
      const file = openSync(draft, "wx", 0o600);
      writeSync(file, randomBytes(32).toString("base64url"));
      fsyncSync(file);
      closeSync(file);
      linkSync(draft, path);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new OperatorError(`cannot make the secret file ${path}: ${String(cause)}`);
      }
    } finally {
      rmSync(draft, { force: true });
    }
  }
  let secret: string;
  try {
    secret = readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new OperatorError(`cannot read the secret file ${path}: ${String(cause)}`);
  }
  if (secret.length < 32) throw new OperatorError(`the secret file ${path} is too short`);
  return secret;
}

/** As a record must be able to name it: a host with a dot that is no IP address, or localhost with a port. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname, port: explicitPort } = new URL(text);
  if (origin !== text) return false;
  if (protocol === "http:") return hostname === "localhost" && explicitPort !== "";
  return protocol === "https:" && /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname);
}

function isResolver(text: string): boolean {
  const [, v6, v4, portText] = /^(?:\[(.+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const isAddress = v6 === undefined ? isIP(v4 ?? "") === 4 : isIP(v6) === 6;
  return isAddress && Number(portText) >= 1 && Number(portText) <= 65_535;
}

export function kebab(key: string): string {
  return key.replaceAll("_", "-");
}

export function envName(key: string): string {
  return PREFIX + key.toUpperCase();
}

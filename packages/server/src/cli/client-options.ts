// Options of `clients` and `resources`: the settings of a client, and the overlap of two secrets.

import { type Command, InvalidArgumentError, Option } from "commander";
import { CLIENT_DEFAULTS } from "../clients/client-registration.ts";
import type { ClientChanges } from "../clients/client-registry.ts";
import { camelCase, kebab } from "../config/settings.ts";
import { isoTime } from "../lib/iso-time.ts";
import type { CommandAnswer, GivenOptions } from "./command-frame.ts";

interface ClientOption {
  readonly about: string;
  /** The name of the value in the help text, unless the option is a flag. `seconds` is a number. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Follows the default in the help text. */
  readonly exception?: string;
}

/** By the name of the setting in a registration, from which the name of the option follows. */
const OPTIONS: Readonly<Record<keyof ClientChanges, ClientOption>> = {
  name: { about: "name shown on the sign-in pages", value: "name" },
  redirect_uris: {
    about: "allowed redirect URI, compared exactly; repeatable",
    value: "uri...",
  },
  post_logout_redirect_uris: {
    about: "allowed post-logout redirect URI, compared exactly; repeatable",
    value: "uri...",
  },
  backchannel_logout_uri: {
    about:
      "URI that receives a notification when a session ends; must have the origin of a redirect URI",
    value: "uri",
  },
  application_type: {
    about: "native: an app that runs on the user's device",
    value: "type",
    choices: ["web", "native"],
  },
  scope: { about: "allowed scopes, separated by spaces", value: "scopes" },
  default_scope: {
    about: "what a request without scope asks for; without it, such a request is refused",
    value: "scopes",
  },
  consent: {
    about: "when to ask for consent",
    value: "when",
    choices: ["never", "first", "always"],
    exception: "; native apps with non-https URIs: always",
  },
  require_pkce: { about: "refuse requests without PKCE; always for public clients" },
  refresh_client_auth: {
    about: "whether refresh requests need the client secret",
    value: "when",
    choices: ["required", "optional"],
  },
  subject_type: {
    about: "what sub identifies; changing it changes every sub",
    value: "type",
    choices: ["account", "domain"],
  },
  validation_data: {
    about: "whether token responses include validation_data",
    value: "sent",
    choices: ["true", "false"],
  },
  owner_proof: {
    about:
      "whether validation_data contains the owner's approval of the sign-in, signed with a passkey in the record",
    value: "when",
    choices: ["none", "when_available", "required"],
  },
  id_token_signed_response_alg: {
    about: "signature algorithm of ID tokens",
    value: "algorithm",
    choices: ["RS256", "ES256", "EdDSA"],
  },
  refresh_idle_lifetime: { about: "lifetime of an unused refresh token", value: "seconds" },
  refresh_absolute_lifetime: {
    about: "lifetime of a grant, including all refreshes",
    value: "seconds",
  },
  refresh_retry_window: {
    about:
      "how long a refresh can be repeated after a lost response, by a client that does not authenticate",
    value: "seconds",
  },
};

/** With `defaults`, the help text of each option shows its default. */
export function clientOptions(command: Command, { defaults = false } = {}): Command {
  const known: Readonly<Record<string, unknown>> = defaults ? CLIENT_DEFAULTS : {};
  for (const [key, { about, value, choices, exception = "" }] of Object.entries(OPTIONS)) {
    const help = key in known ? `${about} (default: ${known[key]}${exception})` : about;
    const name = `--${kebab(optionName(key))}`;
    const option = new Option(value === undefined ? name : `${name} <${value}>`, help);
    if (choices !== undefined) option.choices(choices);
    if (value === "seconds") option.argParser(wholeNumber);
    command.addOption(option);
    if (value === undefined) command.option(`--no-${kebab(key)}`);
  }
  return command;
}

/** Singular, because each redirect URI is given by an option of its own. */
function optionName(key: string): string {
  return key.endsWith("_uris") ? key.slice(0, -1) : key;
}

/** The settings that were given, with the names of a registration. */
export function changesIn(options: GivenOptions): ClientChanges {
  const given = Object.keys(OPTIONS).flatMap((key) => {
    const value = options[camelCase(optionName(key))];
    if (value === undefined) return [];
    return [[key, key === "validation_data" ? value === "true" : value]];
  });
  return Object.fromEntries(given) as ClientChanges;
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Must be a whole number.");
}

/** The old secret stays valid for this long, so that the app can be changed to the new one. */
const DEFAULT_OVERLAP_HOURS = 168;
const MAX_OVERLAP_HOURS = 8760;

export function overlapOption(command: Command): Command {
  const about = "how long the old secret is valid; 0 ends it now";
  return command.option("--overlap <hours>", about, overlapHours);
}

export function overlapSeconds({ overlap }: GivenOptions): number {
  return (typeof overlap === "number" ? overlap : DEFAULT_OVERLAP_HOURS) * 3600;
}

function overlapHours(text: string): number {
  const hours = wholeNumber(text);
  if (hours <= MAX_OVERLAP_HOURS) return hours;
  throw new InvalidArgumentError(`Must be at most ${MAX_OVERLAP_HOURS} hours (one year).`);
}

/** The answer of a command that has created a new secret. Services cache clients and resources for five seconds. */
export function rotatedSecret(rotated: {
  readonly former_secret_expires_at: number;
}): CommandAnswer {
  const end = isoTime(rotated.former_secret_expires_at);
  const lines = describe({ ...rotated, former_secret_expires_at: end });
  const text = `${lines}\nRunning services accept the new secret within five seconds.`;
  return { json: rotated, text };
}

/** One line for each member. */
export function describe(registered: object): string {
  return Object.entries(registered)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(" ") : String(value)}`)
    .join("\n");
}

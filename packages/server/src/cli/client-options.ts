// The options by which `clients add` and `clients update` name the settings of a client.

import { type Command, InvalidArgumentError, Option } from "commander";
import { CLIENT_DEFAULTS } from "../oauth/client.ts";
import type { ClientChanges } from "../oauth/client-registry.ts";

/** As commander gives them: in camel case, undefined where not given. */
export type ClientOptions = {
  name?: string;
  redirectUri?: string[];
  applicationType?: "web" | "native";
  scope?: string;
  consent?: "never" | "first" | "always";
  requirePkce?: boolean;
  refreshClientAuth?: "required" | "optional";
  subjectType?: "account" | "domain";
  validationData?: "true" | "false";
  idTokenSignedResponseAlg?: "RS256" | "ES256" | "EdDSA";
  refreshIdleLifetime?: number;
  refreshAbsoluteLifetime?: number;
  refreshRetryWindow?: number;
};

/** With `defaults`, each says what stands in for it. */
export function clientOptions(command: Command, { defaults = false } = {}): Command {
  const told = (about: string, key: keyof typeof CLIENT_DEFAULTS, but = "") =>
    defaults ? `${about} (default: ${CLIENT_DEFAULTS[key]}${but})` : about;
  const choice = (flag: string, about: string, choices: string[]) =>
    command.addOption(new Option(flag, about).choices(choices));
  const seconds = (flag: string, about: string) => command.option(flag, about, wholeNumber);
  command
    .option("--name <name>", "what people know it by")
    .option("--redirect-uri <uri...>", "where answers may be sent, exactly; repeatable");
  choice(
    "--application-type <type>",
    told("native: it runs on the person's own device", "application_type"),
    ["web", "native"],
  );
  command.option("--scope <scopes>", told("scopes it may ask for, separated by spaces", "scope"));
  choice(
    "--consent <when>",
    told("whether people are asked", "consent", "; always for a native app that is not all https"),
    ["never", "first", "always"],
  );
  command
    .option(
      "--require-pkce",
      told("refuse requests without PKCE; public clients always need it", "require_pkce"),
    )
    .option("--no-require-pkce");
  choice(
    "--refresh-client-auth <when>",
    told("whether refreshing needs the secret", "refresh_client_auth"),
    ["required", "optional"],
  );
  choice(
    "--subject-type <type>",
    told("what sub names; a change makes everybody new to the app", "subject_type"),
    ["account", "domain"],
  );
  choice(
    "--validation-data <sent>",
    told("whether token responses carry validation_data", "validation_data"),
    ["true", "false"],
  );
  choice(
    "--id-token-signed-response-alg <algorithm>",
    told("what ID tokens are signed with", "id_token_signed_response_alg"),
    ["RS256", "ES256", "EdDSA"],
  );
  seconds(
    "--refresh-idle-lifetime <seconds>",
    told("how long a refresh token lives unused", "refresh_idle_lifetime"),
  );
  seconds(
    "--refresh-absolute-lifetime <seconds>",
    told("how long it lives in any case", "refresh_absolute_lifetime"),
  );
  seconds(
    "--refresh-retry-window <seconds>",
    told("how long a lost answer may be asked for again", "refresh_retry_window"),
  );
  return command;
}

/** The settings that were given, in the names of a registration. */
export function changesIn(options: ClientOptions): ClientChanges {
  const { validationData } = options;
  const changes = {
    name: options.name,
    redirect_uris: options.redirectUri,
    application_type: options.applicationType,
    scope: options.scope,
    consent: options.consent,
    require_pkce: options.requirePkce,
    refresh_client_auth: options.refreshClientAuth,
    subject_type: options.subjectType,
    validation_data: validationData === undefined ? undefined : validationData === "true",
    id_token_signed_response_alg: options.idTokenSignedResponseAlg,
    refresh_idle_lifetime: options.refreshIdleLifetime,
    refresh_absolute_lifetime: options.refreshAbsoluteLifetime,
    refresh_retry_window: options.refreshRetryWindow,
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ClientChanges;
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number.");
}

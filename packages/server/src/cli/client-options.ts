// Options of `clients add` and `clients update` for the settings of a client.

import { type Command, InvalidArgumentError, Option } from "commander";
import type { ClientChanges } from "../oauth/client.ts";
import { CLIENT_DEFAULTS } from "../oauth/client-registration.ts";

/** As commander returns them: in camel case, undefined if not given. */
export interface ClientOptions {
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
}

/** With `defaults`, the help text of each option shows its default. */
export function clientOptions(command: Command, { defaults = false } = {}): Command {
  const help = (about: string, key: keyof typeof CLIENT_DEFAULTS, except = "") =>
    defaults ? `${about} (default: ${CLIENT_DEFAULTS[key]}${except})` : about;
  const choice = (flag: string, about: string, choices: string[]) =>
    command.addOption(new Option(flag, about).choices(choices));
  const seconds = (flag: string, about: string) => command.option(flag, about, wholeNumber);
  command
    .option("--name <name>", "name shown on the sign-in pages")
    .option("--redirect-uri <uri...>", "allowed redirect URI, compared exactly; repeatable");
  choice(
    "--application-type <type>",
    help("native: an app that runs on the user's device", "application_type"),
    ["web", "native"],
  );
  command.option("--scope <scopes>", help("allowed scopes, separated by spaces", "scope"));
  choice(
    "--consent <when>",
    help("when to ask for consent", "consent", "; native apps with non-https URIs: always"),
    ["never", "first", "always"],
  );
  command
    .option(
      "--require-pkce",
      help("refuse requests without PKCE; always for public clients", "require_pkce"),
    )
    .option("--no-require-pkce");
  choice(
    "--refresh-client-auth <when>",
    help("whether refresh requests need the client secret", "refresh_client_auth"),
    ["required", "optional"],
  );
  choice(
    "--subject-type <type>",
    help("what sub identifies; changing it changes every sub", "subject_type"),
    ["account", "domain"],
  );
  choice(
    "--validation-data <sent>",
    help("whether token responses include validation_data", "validation_data"),
    ["true", "false"],
  );
  choice(
    "--id-token-signed-response-alg <algorithm>",
    help("signature algorithm of ID tokens", "id_token_signed_response_alg"),
    ["RS256", "ES256", "EdDSA"],
  );
  seconds(
    "--refresh-idle-lifetime <seconds>",
    help("lifetime of an unused refresh token", "refresh_idle_lifetime"),
  );
  seconds(
    "--refresh-absolute-lifetime <seconds>",
    help("lifetime of a grant, including all refreshes", "refresh_absolute_lifetime"),
  );
  seconds(
    "--refresh-retry-window <seconds>",
    help("how long a refresh can be repeated after a lost response", "refresh_retry_window"),
  );
  return command;
}

/** The settings that were given, with the names of a registration. */
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
  throw new InvalidArgumentError("Must be a whole number.");
}

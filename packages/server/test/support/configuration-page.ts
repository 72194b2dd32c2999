// Generates docs/configuration.md from the table of settings.

import { envName, kebab, nameInFile, SETTINGS, type Setting } from "../../src/config/settings.ts";

export function configurationPage(): string {
  const settings: [string, Setting][] = Object.entries(SETTINGS);
  return `${[
    "# Configuration",
    "",
    "<!-- Generated from packages/server/src/config/settings.ts by a test; do not edit. -->",
    "",
    "Each setting can be set in three places. A flag takes precedence over the environment, the environment over the",
    "file, and the file over the default.",
    "",
    "| place | example |",
    "|---|---|",
    "| flag of `serve` | `--dns-servers 192.0.2.53:53` |",
    "| environment | `DOMAIN_SIGNIN_DNS_SERVERS=192.0.2.53:53`, or `DOMAIN_SIGNIN_DNS_SERVERS_FILE=/run/dns` for a file that contains the value |",
    '| JSON file | `{"dns_servers": "192.0.2.53:53"}` or `{"dns_servers": ["192.0.2.53:53"]}`, named by `--config` or `DOMAIN_SIGNIN_CONFIG`; those that begin with `limits` are members of an object: `{"limits": {"outgoing": 256}}` |',
    "",
    "All mistakes are reported together, with exit status 2. An unknown setting is a mistake, and so is a variable that is",
    "set together with its own `_FILE` variant. Other commands read only the settings that they need.",
    "",
    "| setting | meaning | default |",
    "|---|---|---|",
    ...settings.map(([key, { about, fallback, without }]) => {
      const ends = fallback === undefined ? (without ?? "none: required") : shown(fallback);
      return `| \`${nameInFile(key)}\` | ${about} | ${ends} |`;
    }),
    "",
    "## Flags and environment variables",
    "",
    "| flag | environment | example |",
    "|---|---|---|",
    ...settings.map(([key, { example, isSecret }]) => {
      const flag = isSecret ? "none" : `\`--${kebab(key)}\``;
      const value = /\s/.test(example) ? example : `\`${example}\``;
      return `| ${flag} | \`${envName(key)}\` | ${value} |`;
    }),
    "",
    "## Settings of a client",
    "",
    "They are stored in the database and set with `domain-signin clients add` and `clients update`: see",
    "`domain-signin clients add --help`. A running service applies a change within five seconds.",
  ].join("\n")}\n`;
}

function shown(fallback: unknown): string {
  if (Array.isArray(fallback)) return fallback.length === 0 ? "none" : `\`${fallback.join(",")}\``;
  return `\`${String(fallback)}\``;
}

// The page about the settings, written from their table.

import { envName, kebab, SETTINGS, type Setting } from "../../src/config/settings.ts";

export function configurationPage(): string {
  const settings: [string, Setting][] = Object.entries(SETTINGS);
  return `${[
    "# Configuration",
    "",
    "<!-- Written from packages/server/src/config/settings.ts by its test; do not edit. -->",
    "",
    "Each setting can be given in three places. A flag counts before the environment, the environment before the",
    "file, the file before the default.",
    "",
    "| place | form |",
    "|---|---|",
    "| flag of `serve` | `--dns-servers 192.0.2.53:53` |",
    "| environment | `DOMAIN_SIGNIN_DNS_SERVERS=192.0.2.53:53`, or `DOMAIN_SIGNIN_DNS_SERVERS_FILE=/run/dns` for a file that holds the value |",
    '| JSON file | `{"dns_servers": "192.0.2.53:53"}` or `{"dns_servers": ["192.0.2.53:53"]}`, named by `--config` or `DOMAIN_SIGNIN_CONFIG` |',
    "",
    "All mistakes are told at once, and a setting that does not exist is one: a start with a slip in a name is refused",
    "with status 2, and so is a variable beside its own `_FILE`. The other commands read",
    "the same settings as far as they need them.",
    "",
    "| setting | meaning | default |",
    "|---|---|---|",
    ...settings.map(([key, { about, fallback, without }]) => {
      const ends = fallback === undefined ? (without ?? "none: it must be given") : shown(fallback);
      return `| \`${key}\` | ${about} | ${ends} |`;
    }),
    "",
    "## In all three spellings",
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
    "They are kept in the database, and set by `domain-signin clients add` and `clients update`: see",
    "`domain-signin clients add --help`. A running service knows of a change within five seconds.",
  ].join("\n")}\n`;
}

function shown(fallback: unknown): string {
  if (Array.isArray(fallback)) return fallback.length === 0 ? "none" : `\`${fallback.join(",")}\``;
  return `\`${String(fallback)}\``;
}

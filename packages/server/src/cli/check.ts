// `domain-signin check <domain>`: what a sign-in would find in the domain's DNS.

import type { Command } from "commander";
import { readCheckConfig } from "../config/config.ts";
import { OperatorError } from "../lib/errors.ts";
import { checkDomain, type DomainDiagnosis, recordFor } from "../operator.ts";
import { englishMessages } from "../pages/languages.ts";
import type { CommandContext } from "./command-context.ts";
import { STATUS, type Status } from "./exit-status.ts";
import { asJson, printable } from "./printed.ts";
import { type GivenOptions, settingOptions, settingsOf, sourcesOf } from "./setting-options.ts";
import { spLines, spStatus } from "./sp-words.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Status 0 for a record that names a service which people can sign in at, 1 for any other, 3 when DNS or
 * that service does not answer. With `--sub` nobody is asked.
 */
export function addCheckCommand(command: Command, { terminal, action }: CommandContext): void {
  settingOptions(
    command.description("look at a domain's record as a sign-in would, and say what is wrong"),
    [
      ...(["issuer", "dns_servers", "min_assurance", "trust_anchors", "database"] as const),
      ...(["allowed_special_names", "allowed_private_suffixes"] as const),
    ],
  )
    .option("--sub <sub>", "write the record for this account at --issuer, any OpenID Provider")
    .option("--json", "print JSON")
    .action(
      action(async (typed: string, options: GivenOptions) => {
        if (typeof options.sub === "string") {
          return writeRecord({ typed, sub: options.sub }, options, terminal);
        }
        const diagnosis = await checkDomain(readCheckConfig(sourcesOf(options, terminal)), typed);
        terminal.out(options.json ? `${asJson(diagnosis)}\n` : inWords(diagnosis));
        return statusOf(diagnosis);
      }),
    );
}

function writeRecord(
  { typed, sub }: { typed: string; sub: string },
  options: GivenOptions,
  terminal: Terminal,
): Status {
  const { issuer, ...others } = options;
  // Not the setting, which is our own issuer and has no path.
  if (typeof issuer !== "string") throw new OperatorError("--sub needs --issuer, the provider's");
  const names = ["allowed_special_names", "allowed_private_suffixes"] as const;
  const { allowed_special_names, allowed_private_suffixes } = settingsOf(others, terminal, names);
  const record = recordFor(
    {
      allowedSpecialNames: allowed_special_names,
      allowedPrivateSuffixes: allowed_private_suffixes,
    },
    { typed, issuer, sub },
  );
  const text = `${record.acct}\n\n${record.name}  TXT  ${record.value}`;
  terminal.out(`${options.json ? asJson(record) : text}\n`);
  return STATUS.done;
}

function statusOf({ outcome, sp }: DomainDiagnosis): Status {
  if (sp !== undefined) return spStatus(sp);
  if (outcome === "own" || outcome === "external") return STATUS.done;
  return outcome === "unavailable" || outcome === "bogus" ? STATUS.unavailable : STATUS.no;
}

function inWords(diagnosis: DomainDiagnosis): string {
  const { name, outcome, reason, assurance, records, servers, advice, sp } = diagnosis;
  return [
    `${name} TXT: ${outcome}${reason === undefined ? "" : ` (${reason})`}, assurance ${assurance}`,
    ...records.flatMap(({ value, problems }) => [
      `  ${value}`,
      ...problems.map((problem) => `    ${problem}`),
    ]),
    ...(advice === undefined ? [] : ["", advice]),
    ...(sp === undefined ? [] : ["", ...spLines(sp), `  answers  to ${sp.redirect_uri}`]),
    "",
    ...servers.flatMap((server) => [
      `${server.kind === "resolver" ? "resolver" : "name server"} ${serverWords(server)}`,
      ...(server.found === "other" ? server.values.map((value) => `  ${value}`) : []),
    ]),
    "",
  ]
    .map(printable)
    .join("\n");
}

function serverWords({ kind, name, address, found, ttl }: DomainDiagnosis["servers"][number]) {
  const at = kind === "resolver" || address === name ? name : `${name} (${address})`;
  const isRemembered = kind === "resolver" && found !== "wanted";
  const until = ttl === null || !isRemembered ? "" : `, for ${ttl} s at most`;
  return `${at} ${englishMessages().servers.found[found]}${until}`;
}

// `domain-signin check <domain>`: what a sign-in would find in the domain's DNS.

import type { Command } from "commander";
import { readCheckConfig } from "../config/config.ts";
import { OperatorError } from "../lib/errors.ts";
import { checkDomain, type DomainDiagnosis, recordFor } from "../operator.ts";
import { en } from "../pages/messages/en.ts";
import { asJson, printable } from "./printed.ts";
import { type GivenOptions, settingOptions, settingsOf, sourcesOf } from "./setting-options.ts";
import { spLines, spStatus } from "./sp-words.ts";

/**
 * Status 0 for a record that names a service which people can sign in at, 1 for any other, 3 when DNS or
 * that service does not answer. With `--sub` nobody is asked.
 */
export function addCheckCommand(command: Command): void {
  settingOptions(
    command.description("look at a domain's record as a sign-in would, and say what is wrong"),
    [
      ...(["issuer", "dns_servers", "min_assurance", "trust_anchors", "database"] as const),
      ...(["allowed_special_names", "allowed_private_suffixes"] as const),
    ],
  )
    .option("--sub <sub>", "write the record for this account at --issuer, any OpenID Provider")
    .option("--json", "print JSON")
    .action(async (typed: string, options: GivenOptions) => {
      if (typeof options.sub === "string") return writeRecord(typed, options.sub, options);
      const diagnosis = await checkDomain(readCheckConfig(sourcesOf(options)), typed);
      process.stdout.write(options.json ? `${asJson(diagnosis)}\n` : inWords(diagnosis));
      process.exitCode = statusOf(diagnosis);
    });
}

function writeRecord(typed: string, sub: string, options: GivenOptions): void {
  const { issuer, ...others } = options;
  // Not the setting, which is our own issuer and has no path.
  if (typeof issuer !== "string") throw new OperatorError("--sub needs --issuer, the provider's");
  const names = ["allowed_special_names", "allowed_private_suffixes"] as const;
  const { allowed_special_names, allowed_private_suffixes } = settingsOf(others, names);
  const record = recordFor(
    {
      allowedSpecialNames: allowed_special_names,
      allowedPrivateSuffixes: allowed_private_suffixes,
    },
    { typed, issuer, sub },
  );
  const text = `${record.acct}\n\n${record.name}  TXT  ${record.value}`;
  process.stdout.write(`${options.json ? asJson(record) : text}\n`);
}

function statusOf({ outcome, sp }: DomainDiagnosis): number {
  if (sp !== undefined) return spStatus(sp);
  if (outcome === "own" || outcome === "external") return 0;
  return outcome === "unavailable" || outcome === "bogus" ? 3 : 1;
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
  return `${at} ${FOUND[found]}${until}`;
}

const FOUND: Record<DomainDiagnosis["servers"][number]["found"], string> = en.servers.found;

// `domain-signin check <domain>`: what a sign-in would find in the domain's DNS.

import type { Command } from "commander";
import { readCheckConfig } from "../config/config.ts";
import { checkDomain, type DomainDiagnosis } from "../operator.ts";
import { en } from "../pages/messages/en.ts";
import { type GivenOptions, settingOptions, sourcesOf } from "./setting-options.ts";

/** Status 0 for a record that names a service, 1 for any other, 3 when DNS does not answer. */
export function addCheckCommand(command: Command): void {
  settingOptions(
    command.description("look at a domain's record as a sign-in would, and say what is wrong"),
    [
      ...(["issuer", "dns_servers", "min_assurance", "trust_anchors"] as const),
      ...(["allowed_special_names", "allowed_private_suffixes"] as const),
    ],
  )
    .option("--json", "print JSON")
    .action(async (typed: string, options: GivenOptions) => {
      const diagnosis = await checkDomain(readCheckConfig(sourcesOf(options)), typed);
      process.stdout.write(options.json ? `${asJson(diagnosis)}\n` : inWords(diagnosis));
      process.exitCode = statusOf(diagnosis.outcome);
    });
}

function statusOf(outcome: DomainDiagnosis["outcome"]): number {
  if (outcome === "own" || outcome === "external") return 0;
  return outcome === "unavailable" || outcome === "bogus" ? 3 : 1;
}

function inWords(diagnosis: DomainDiagnosis): string {
  const { name, outcome, reason, assurance, records, servers, advice } = diagnosis;
  return [
    `${name} TXT: ${outcome}${reason === undefined ? "" : ` (${reason})`}, assurance ${assurance}`,
    ...records.flatMap(({ value, problems }) => [
      `  ${value}`,
      ...problems.map((problem) => `    ${problem}`),
    ]),
    ...(advice === undefined ? [] : ["", advice]),
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

/** JSON leaves some of them as they are. */
function asJson(diagnosis: DomainDiagnosis): string {
  return JSON.stringify(diagnosis).replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Whoever writes to a zone could otherwise give orders to the terminal, or turn the direction of text. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}

const FOUND: Record<DomainDiagnosis["servers"][number]["found"], string> = en.servers.found;

// `domain-signin check <domain>`: what a sign-in would find in the domain's DNS.

import type { Command } from "commander";
import { envName, readCheckConfig, SETTINGS } from "../config.ts";
import { checkDomain, type DomainDiagnosis } from "../service.ts";

type Options = { issuer?: string; dnsServers?: string; allowedSpecialNames?: string } & {
  config?: string;
  json?: boolean;
};

/** Status 0 for a record that names a service, 1 for any other, 3 when DNS does not answer. */
export function addCheckCommand(command: Command): void {
  const about = (key: "issuer" | "dns_servers" | "allowed_special_names") =>
    `${SETTINGS[key].about} (${envName(key)})`;
  command
    .description("look at a domain's record as a sign-in would, and say what is wrong with it")
    .option("--issuer <issuer>", about("issuer"))
    .option("--dns-servers <servers>", about("dns_servers"))
    .option("--allowed-special-names <names>", about("allowed_special_names"))
    .option("--config <file>", "JSON file of settings")
    .option("--json", "print JSON")
    .action(async (typed: string, options: Options) => {
      const flags = {
        issuer: options.issuer,
        dns_servers: options.dnsServers,
        allowed_special_names: options.allowedSpecialNames,
        config: options.config,
      };
      const config = readCheckConfig({ flags, env: process.env });
      const diagnosis = await checkDomain(config, typed);
      process.stdout.write(options.json ? `${JSON.stringify(diagnosis)}\n` : inWords(diagnosis));
      process.exitCode = statusOf(diagnosis.outcome);
    });
}

function statusOf(outcome: DomainDiagnosis["outcome"]): number {
  if (outcome === "own" || outcome === "external") return 0;
  return outcome === "unavailable" || outcome === "bogus" ? 3 : 1;
}

function inWords({ name, outcome, reason, records, assurance }: DomainDiagnosis): string {
  const head = `${name} TXT: ${outcome}${reason === undefined ? "" : ` (${reason})`}, assurance ${assurance}`;
  const found = records.flatMap(({ value, problems }) => [
    `  ${value}`,
    ...problems.map((problem) => `    ${problem}`),
  ]);
  return `${[head, ...found].join("\n")}\n`;
}

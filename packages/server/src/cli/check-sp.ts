// `domain-signin check-sp <issuer>`: what an SP lacks, for whoever runs it.

import type { Command } from "commander";
import { hostAddresses } from "../dns/host-addresses.ts";
import { issuerMistake } from "../federation/provider.ts";
import { reportOnSp, type SpReport, type SpSeen } from "../federation/sp-report.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { createGuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { CommandContext } from "./command-context.ts";
import { STATUS, type Status } from "./exit-status.ts";
import { asJson, printable } from "./printed.ts";
import { type GivenOptions, settingOptions, settingsOf } from "./setting-options.ts";

/** Status 0 if people can sign in there, 1 if not, 3 if it does not answer. Needs no service of ours. */
export function addCheckSpCommand(command: Command, { terminal, action }: CommandContext): void {
  settingOptions(command, ["dns_servers"])
    .option("--json", "print JSON")
    .action(
      action(async (issuer: string, options: GivenOptions) => {
        const { dns_servers } = settingsOf(options, terminal, ["dns_servers"]);
        const report = await checkSp(issuer, dns_servers);
        const text = [...spLines(report), ""].map(printable).join("\n");
        terminal.out(options.json ? `${asJson(report)}\n` : text);
        return spStatus(report);
      }),
    );
}

/** Looks at an SP as a stranger's service would. Rejects with `OperatorError` for what is no issuer. */
export async function checkSp(issuer: string, dnsServers: readonly string[]): Promise<SpReport> {
  // Whoever names this machine means this machine.
  const allowLoopback = issuer.startsWith("http:");
  const mistake = issuerMistake(issuer, { allowLoopbackIssuer: allowLoopback });
  if (mistake !== null) throw new OperatorError(mistake);
  return reportOn(issuer, { dnsServers, allowLoopback, entry: null });
}

export function reportOn(
  issuer: string,
  seen: SpSeen & { readonly dnsServers: readonly string[] },
): Promise<SpReport> {
  const resolve = hostAddresses(seen.dnsServers);
  const fetch = createGuardedFetch({ resolve, allowLoopback: seen.allowLoopback });
  return reportOnSp(issuer, { ...seen, fetch, clock: systemClock });
}

/** 0 for an SP that people can sign in at, 3 for one that does not answer, 1 for any other. */
export function spStatus({ problem }: SpReport): Status {
  if (problem === null) return STATUS.done;
  return problem.kind === "unreachable" ? STATUS.unavailable : STATUS.no;
}

/** Lines of text, not yet safe for a terminal. */
export function spLines({ issuer, requirements, ways, binding, problem }: SpReport): string[] {
  return [
    `service provider ${issuer}`,
    ...(requirements.length === 0 ? [] : ["  metadata: found"]),
    ...requirements.map(({ name, met, needed, reason }) => {
      const mark = met ? "met    " : needed ? "NOT MET" : "waived ";
      return `  ${mark}  ${name}: ${reason}`;
    }),
    ...ways.map((way, index) => `  ${index === 0 ? "client" : "or    "}   ${WAYS[way]}`),
    ...(binding === null ? [] : [`  account  ${BINDINGS[binding]}`]),
    problem === null ? "  people can sign in there" : `  cannot be used: ${problem.detail}`,
  ];
}

const WAYS: Record<SpReport["ways"][number], string> = {
  operator: "by the operator's entry (domain-signin sp)",
  document: "by a client-id metadata document, with private_key_jwt",
  public_document: "by a client-id metadata document, as a public client",
  registration: "by registering there (RFC 7591)",
};

const BINDINGS: Record<NonNullable<SpReport["binding"]>, string> = {
  claims: "its ID token says domain and acct, which both must be those of the record",
  hash: "acct is the hash of issuer, sub and domain (domain-signin check --issuer --sub)",
};
